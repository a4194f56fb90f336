#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "faults/Finding.h"
#include "program/Launch.h"
#include "simt/Observer.h"

namespace haloscope::faults {

/// Accesses at addresses that are no multiples of what they move: a vector at the wrong element, a number between two
/// elements. A GPU ends the kernel there (cudaErrorMisalignedAddress). Arrays begin at multiples of 16 bytes at least.
class Misalignment final : public simt::Observer {
 public:
  Misalignment(const Program& program, const Launch& launch) : program_(program), launch_(launch) {}

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  /// A vector is a load or store for each member, all of which are aligned as such.
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override {
    const VectorPart part = program_.code[instruction].part;
    return part.bytes != 0 && part.index == 0;
  }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override {
    return std::make_unique<Misalignment>(program_, launch_);
  }
  void join(Observer& worker) override;
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override;
  void outOfBounds(const simt::WarpContext& context, const simt::OutOfBounds& fault) override;

  /// One for each place in the text.
  [[nodiscard]] std::vector<Finding> findings() const;

 private:
  /// All such accesses to one array that one instruction made. The first is that of the lowest block.
  struct Place {
    bool store = false;
    std::uint64_t occurrences = 0;
    std::uint64_t block = 0;  ///< linear
    std::uint32_t interval = 0;
    std::uint64_t thread = 0;  ///< linear in the block
    std::int64_t index = 0;    ///< in elements of the access
  };

  void note(const simt::WarpContext& context, std::uint32_t instruction, ObjectId object, bool store, LaneMask lanes,
            const std::array<std::int64_t, kWarpSize>& index);
  [[nodiscard]] Finding findingOf(std::uint32_t instruction, ObjectId object, const Place& place) const;

  const Program& program_;
  const Launch& launch_;
  std::map<std::pair<std::uint32_t, ObjectId>, Place> places_;
};

}  // namespace haloscope::faults
