#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "program/Program.h"
#include "simt/Observer.h"

namespace haloscope::faults {

/// What __syncwarp() orders among the lanes of a warp, within a barrier interval: a clock for each lane, of which every
/// other lane knows the time at which they last met, directly or by way of others (vector clocks, Lamport 1978, Mattern
/// 1989). Without a warp barrier the lanes of a warp are ordered by nothing, since Volta.
class LaneClocks {
 public:
  explicit LaneClocks(std::uint32_t warps) : warps_(warps) { restart(); }

  /// Whether a program orders the lanes of its warps at all.
  [[nodiscard]] static bool matters(const Program& program);

  /// All threads of the block have met: nothing before this matters any more.
  void restart();
  /// Lanes of one warp meet at a warp barrier: those that name the same mask, and are in it.
  void meet(std::uint32_t warp, LaneMask active, std::span<const LaneMask, kWarpSize> masks);

  /// The lane's own time: of what it does now.
  [[nodiscard]] std::uint32_t now(std::uint32_t warp, int lane) const { return known(warp, lane, lane); }
  /// Whether what a lane did at this time is over for another lane of its warp.
  [[nodiscard]] bool isPast(std::uint32_t warp, int of, std::uint32_t time, int lane) const {
    return time <= known(warp, lane, of);
  }

 private:
  using Clocks = std::array<std::uint32_t, kWarpSize>;

  [[nodiscard]] std::uint32_t known(std::uint32_t warp, int lane, int of) const {
    return warps_[warp][static_cast<std::size_t>(lane)][static_cast<std::size_t>(of)];
  }

  std::vector<std::array<Clocks, kWarpSize>> warps_;  ///< per lane, what it knows of each lane's clock
};

}  // namespace haloscope::faults
