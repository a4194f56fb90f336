#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "simt/Executor.h"

/// The effect of removing barriers on a block's outputs: which ones differ from the run with the barriers, and a warp
/// order in which some differ. If the chosen order hides the race, others are tried.
namespace haloscope::experiment {

/// An output whose value depends on a barrier.
struct OutputDifference {
  std::int64_t element = 0;
  std::uint64_t expected = 0;  ///< bits of its value with the barriers
  bool operator==(const OutputDifference&) const = default;
};

/// An order of the warps in which some outputs differ.
struct RevealingOrder {
  simt::WarpOrder order = simt::WarpOrder::InOrder;
  std::uint64_t seed = 0;       ///< for WarpOrder::Random
  std::size_t differences = 0;  ///< differing outputs of the block
};

struct BarrierEffect {
  std::vector<OutputDifference> differences;  ///< in the chosen warp order; ascending by element
  std::optional<RevealingOrder> revealing;    ///< if nothing differs: another warp order in which something does
  std::size_t ordersTried = 1;                ///< including the chosen one
};

/// One block of a launch, run with and without barriers.
struct BarrierTrial {
  const Program& with;
  const Program& without;  ///< the same program without some barriers (see withoutBarriers)
  const Launch& launch;    ///< in its initial state
  Dim3 block;
  ObjectId output = kNone;  ///< the compared global array
};

/// Runs the block with the barriers, then without them in the chosen order; if that gives the same outputs, also in
/// order, reversed, adversarial and in some random orders until one differs. Values are compared bit by bit. Empty if
/// a run does not finish.
[[nodiscard]] std::optional<BarrierEffect> barrierEffect(const BarrierTrial& trial, simt::WarpOrder order,
                                                         std::uint64_t seed, const std::stop_token& stop = {});

}  // namespace haloscope::experiment
