#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/ConcurrentAccesses.h"
#include "program/Launch.h"
#include "provenance/Granules.h"
#include "provenance/PagedArray.h"
#include "simt/Observer.h"

namespace haloscope::analysis {

/// Finds global arrays of which two threads touch one element and one of them writes it. Where each thread keeps to
/// elements of its own there is no race, and this establishes so at the cost of one word an element; Races looks closer
/// at the others.
class Sharing final : public simt::Observer {
 public:
  Sharing(const Program& program, const Launch& launch);

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override;
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override;

  /// The lowest granule of the array, from `from` on, that threads share; -1 when there is none.
  [[nodiscard]] std::int64_t firstShared(ObjectId object, std::int64_t from = 0) const;

 private:
  /// Which thread touches an element: its number, counted through the grid from 1, above three flags. 0: none yet.
  struct Owner {
    static constexpr std::uint64_t kWritten = 1;
    static constexpr std::uint64_t kPlain = 2;  ///< by something other than atomics
    static constexpr std::uint64_t kSeveral = 4;
    static constexpr std::uint64_t kFlags = 7;
    static constexpr int kThreadShift = 3;
    std::uint64_t word = 0;

    void add(std::uint64_t other) {
      if (word == 0) {
        word = other;
      } else if (other != 0) {
        word |= (other & kFlags) | ((word ^ other) > kFlags ? kSeveral : 0);
      }
    }
    [[nodiscard]] bool contended() const { return (word & kFlags) == kFlags; }
  };

  const Program& program_;
  const Launch& launch_;
  std::shared_ptr<const ConcurrentAccesses> concurrent_;
  provenance::Granules granules_;
  std::vector<provenance::PagedArray<Owner>> owners_;  ///< per object; without pages unless it is global and could race
};

}  // namespace haloscope::analysis
