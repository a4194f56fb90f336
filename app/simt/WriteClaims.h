#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::simt {

/// Which worker writes which elements of the global arrays. Blocks that several workers execute at once may store to
/// one element; in which order is undefined on a GPU, but here a launch gives the same result every time: whoever comes
/// second does not store, and one worker executes the whole launch again. Any thread may claim.
class WriteClaims {
 public:
  static constexpr unsigned kMostWorkers = 255;

  /// Of the arrays to which the program stores.
  WriteClaims(const Program& program, const Launch& launch);

  /// The lanes of a store if no element belongs to another worker; none of them otherwise. `index`: in units of `size`
  /// bytes, by lane. `worker`: from 1.
  [[nodiscard]] LaneMask claim(ObjectId object, const std::uint64_t* index, int size, LaneMask lanes,
                               std::uint8_t worker);
  /// Whether two workers have tried to store to one element.
  [[nodiscard]] bool conflict() const { return conflict_.load(std::memory_order_relaxed); }

 private:
  /// Of eight elements each, a byte an element; 0: nobody.
  struct Owners {
    std::unique_ptr<std::atomic<std::uint64_t>[]> words;
    std::uint64_t elementBytes = 0;  ///< 0: nothing is stored to the object
  };

  [[nodiscard]] static bool take(std::atomic<std::uint64_t>& word, std::uint64_t mask, std::uint64_t mine);

  std::vector<Owners> owners_;  ///< by object
  std::atomic<bool> conflict_{false};
};

}  // namespace haloscope::simt
