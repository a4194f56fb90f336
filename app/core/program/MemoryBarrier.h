#pragma once

#include <cstdint>

namespace haloscope {

/// The state of a barrier in shared memory: see MemoryBarrierAction.
struct MemoryBarrier {
  std::uint32_t count = 0;    ///< arrivals that a phase is for
  std::uint32_t arrived = 0;  ///< in the current phase
  std::uint32_t dropped = 0;  ///< arrivals that the next phase is for less
  std::uint64_t phase = 0;
  std::int64_t expectedBytes = 0;  ///< in the current phase
  std::int64_t copiedBytes = 0;

  [[nodiscard]] bool isComplete() const { return arrived == count && copiedBytes == expectedBytes; }
  void beginNextPhase() {
    count -= dropped;
    arrived = dropped = 0;
    expectedBytes = copiedBytes = 0;
    ++phase;
  }
};

}  // namespace haloscope
