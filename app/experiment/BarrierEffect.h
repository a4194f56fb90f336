#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "simt/Executor.h"

/// What taking barriers out does to a block's outputs: which of them differ from the run with the barriers, and in
/// which order of the warps any does. An order that hides the race teaches nothing, so others are tried.
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
  std::uint64_t seed = 0;       ///< of WarpOrder::Random
  std::size_t differences = 0;  ///< outputs of the block that differ
};

struct BarrierEffect {
  std::vector<OutputDifference> differences;  ///< in the order that was chosen; ascending by element
  std::optional<RevealingOrder> telling;      ///< where nothing differs: another order in which something does
  std::size_t ordersTried = 1;                ///< the chosen one among them
};

/// One block of a launch, to be run with and without barriers.
struct BarrierTrial {
  const Program& with;
  const Program& without;  ///< the same, less some barriers (see withoutBarriers)
  const Launch& launch;    ///< as it begins
  Dim3 block;
  ObjectId output = kNone;  ///< the global array that is compared
};

/// Runs the block with the barriers, then without them in the chosen order; where that gives the same outputs, in
/// order, reversed, adversarial and some random orders, until one differs. Values are compared bit by bit. Nothing
/// where a run does not come to its end.
[[nodiscard]] std::optional<BarrierEffect> barrierEffect(const BarrierTrial& trial, simt::WarpOrder order,
                                                         std::uint64_t seed, const std::stop_token& stop = {});

}  // namespace haloscope::experiment
