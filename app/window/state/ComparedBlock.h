#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "experiment/TracedOutput.h"
#include "opening/KernelReading.h"
#include "recording/BlockTally.h"
#include "recording/Lockstep.h"

/// Variants side by side on one output cell: of each the block that computes it.
namespace haloscope {

/// An element of an output array, known to all variants by its linear index; their arrays have as many elements.
struct CommonCell {
  std::int64_t element = 0;
  std::vector<std::int64_t> extents;  ///< of the array in the variant that it was chosen in
  bool operator==(const CommonCell&) const = default;
};

/// What one variant does for the cell.
struct ComparedBlock {
  std::shared_ptr<const experiment::Experiment>
      experiment;  ///< of the block that writes the cell; null where there is a problem
  std::shared_ptr<const experiment::TracedOutput> trace;  ///< of the cell; null where its value cannot be followed
  recording::BlockTally tally;
  std::string problem;  ///< one sentence: why there is no such block; empty if there is one
};

/// A variant to be compared.
struct ComparedRequest {
  opening::Request request;
  std::shared_ptr<const experiment::Experiment>
      known{};  ///< made of the same text, launch and bindings; none: make one
};

/// Makes it, on the calling thread; `known` is used again where its block writes the cell. What goes wrong becomes the
/// block's problem. Throws Cancelled when asked to stop.
[[nodiscard]] ComparedBlock compareBlock(const ComparedRequest& request, const CommonCell& cell,
                                         const std::stop_token& stop = {});

/// What variants have in common when they walk in lockstep.
enum class LineUp : std::uint8_t {
  Interval,  ///< the number of the barrier interval; a kernel without a barrier is in its only one
  Cell,      ///< how far the common cell has come: see cellPhases()
};

/// A recording's barrier intervals.
[[nodiscard]] recording::Lockstep::Sections intervalSections(const recording::Recording& recording);
/// The four phases of the cell: before the first of its operands is loaded from global memory, until the last one is,
/// until its value is written, and from then on. Empty without a trace, as they are not known then.
[[nodiscard]] recording::Lockstep::Sections cellPhases(const ComparedBlock& block);
/// "operands not loaded yet"; `phase` counts from 0 to 3.
[[nodiscard]] const char* cellPhaseName(std::size_t phase);

}  // namespace haloscope
