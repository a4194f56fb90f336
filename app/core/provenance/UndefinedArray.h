#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "program/Program.h"

namespace haloscope::provenance {

/// A global array of which some elements hold nothing when a launch begins: reading one before it is written is a
/// fault.
struct UndefinedArray {
  static constexpr std::int64_t kWordBytes = 4;

  /// `unwritten`: per word of the array whether it holds nothing; null: the whole array.
  UndefinedArray(ObjectId array,
                 std::shared_ptr<const std::vector<bool>> unwritten = {})  // NOLINT: often only an object
      : object(array), words(std::move(unwritten)) {}

  ObjectId object;
  std::shared_ptr<const std::vector<bool>> words;

  /// Whether an element of `bytes` bytes at this offset holds nothing.
  [[nodiscard]] bool holdsNothing(std::int64_t offset, std::int64_t bytes) const {
    if (!words) { return true; }
    const auto first = static_cast<std::size_t>(offset / kWordBytes);
    const auto last = static_cast<std::size_t>((offset + std::max<std::int64_t>(1, bytes) - 1) / kWordBytes);
    for (std::size_t word = first; word <= last; ++word) {
      if (word >= words->size() || !(*words)[word]) { return false; }
    }
    return true;
  }
};

}  // namespace haloscope::provenance
