#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "faults/Finding.h"
#include "program/Launch.h"
#include "simt/Observer.h"

namespace haloscope::faults {

/// Accesses outside their array, in any memory. Those between two of its elements are Misalignment's.
class Bounds final : public simt::Observer {
 public:
  /// All accesses outside one array that one instruction made. The first is that of the lowest block, of those that
  /// end a program if there are any.
  struct Place {
    std::uint32_t instruction = 0;
    ObjectId object = kNone;
    bool store = false;
    bool unmapped = false;  ///< the first ends a program
    std::uint64_t occurrences = 0;
    std::uint64_t block = 0;  ///< linear
    std::uint32_t interval = 0;
    std::uint64_t thread = 0;  ///< linear in the block
    std::int64_t index = 0;
    std::uint32_t rank = kNone;           ///< of the block of the cluster whose array it is, if not the own
    std::vector<std::uint64_t> blocks{};  ///< in which it happened, ascending after the launch

    [[nodiscard]] bool isBefore(const Place& other) const {
      return other.occurrences == 0 || std::tuple(!unmapped, block) < std::tuple(!other.unmapped, other.block);
    }
  };

  Bounds(const Program& program, const Launch& launch) : program_(program), launch_(launch) {}

  [[nodiscard]] Wants wants() const override { return {}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<Bounds>(program_, launch_); }
  void join(Observer& worker) override;
  void outOfBounds(const simt::WarpContext& context, const simt::OutOfBounds& fault) override;

  /// In the order of the code.
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] Finding findingOf(const Place& place) const;

 private:
  [[nodiscard]] Finding described(const Place& place) const;
  [[nodiscard]] std::int64_t elementOf(const simt::OutOfBounds& fault, int lane) const;
  Place& placeOf(std::uint32_t instruction, ObjectId object);

  const Program& program_;
  const Launch& launch_;
  std::vector<Place> places_;
};

}  // namespace haloscope::faults
