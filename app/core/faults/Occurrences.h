#pragma once

#include <bit>
#include <cstdint>

#include "faults/Finding.h"
#include "simt/Warp.h"

namespace haloscope::faults {

/// How often something happened at one instruction, and the values of its operands the first time: that of the lowest
/// block, and there of the first thread to come.
struct Occurrences {
  std::uint64_t occurrences = 0;
  std::uint64_t block = 0;  ///< linear
  std::uint64_t a = 0, b = 0;
  ThreadPlace thread;

  /// Counts the lanes of `seen` and keeps the registers' bits of the first of them. `b` may be kNone.
  void add(const simt::WarpContext& context, LaneMask seen, RegisterId regA, RegisterId regB) {
    if (seen == 0) { return; }
    if (occurrences == 0 || context.blockLinear < block) {
      const int lane = std::countr_zero(seen);
      block = context.blockLinear;
      a = context.state->bits(regA, lane);
      b = regB == kNone ? 0 : context.state->bits(regB, lane);
      thread = {context.block, context.state->threadIdx(lane)};
    }
    occurrences += static_cast<std::uint64_t>(std::popcount(seen));
  }
  void add(const Occurrences& other) {
    if (other.occurrences == 0) { return; }
    const std::uint64_t sum = occurrences + other.occurrences;
    if (occurrences == 0 || other.block < block) { *this = other; }
    occurrences = sum;
  }
};

}  // namespace haloscope::faults
