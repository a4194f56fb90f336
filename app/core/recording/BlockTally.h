#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "recording/Recording.h"

namespace haloscope::recording {

/// How much a block has taken from global memory by each position of its recording, and how busy its lanes are.
class BlockTally {
 public:
  BlockTally() = default;
  explicit BlockTally(const Recording& recording);

  /// Elements that threads have loaded from global memory by a position; one that two threads load counts twice.
  [[nodiscard]] std::uint64_t loads(std::size_t position) const { return at(loads_, position); }
  [[nodiscard]] std::uint64_t loads() const { return loads_.empty() ? 0 : loads_.back(); }  ///< by the end
  /// Threads of the block that executed the statement before a position.
  [[nodiscard]] std::uint64_t activeLanes(std::size_t position) const { return at(active_, position); }

 private:
  static std::uint64_t at(const std::vector<std::uint64_t>& values, std::size_t position) {
    return position < values.size() ? values[position] : 0;
  }

  std::vector<std::uint64_t> loads_, active_;  ///< one per position
};

}  // namespace haloscope::recording
