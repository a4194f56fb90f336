#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::simt {

/// Tracks which worker writes each element of the global arrays. The order in which blocks store to the same element is
/// undefined on a GPU; here a launch must give the same result every time, without a data race. The second worker to
/// reach an element does not store to it, and a single worker then executes the whole launch again. Thread-safe.
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
  /// One byte per element, eight to a word: the worker that owns it, 0 for none.
  struct Owners {
    std::unique_ptr<std::atomic<std::uint64_t>[]> words;
    std::uint64_t elementBytes = 0;  ///< 0: nothing is stored to the object
  };

  [[nodiscard]] static bool takeRow(const Owners& owners, std::uint64_t first, std::uint64_t end, std::uint64_t mine);
  [[nodiscard]] static bool take(std::atomic<std::uint64_t>& word, std::uint64_t mask, std::uint64_t mine);

  std::vector<Owners> owners_;  ///< by object
  std::atomic<bool> conflict_{false};
};

}  // namespace haloscope::simt
