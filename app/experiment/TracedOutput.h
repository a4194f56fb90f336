#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "analysis/OperandRoles.h"
#include "analysis/OutputTrace.h"
#include "analysis/TraceTerms.h"
#include "experiment/Experiment.h"

namespace haloscope::experiment {

/// Where an output's value came from, and what its operands are to the experiment's block.
struct TracedOutput {
  analysis::OutputTrace trace;
  std::vector<analysis::OperandPlace> places;  ///< one per operand
  analysis::TermSum sum;
};

/// Follows an element of the footprint's output, in the order of warps that the experiment was recorded in, from the
/// arrays as they were before the kernel ran. The experiment has a recording. Nothing if its block does not write the
/// element, or did not get that far. Throws InputError or SourceError as the experiment did.
[[nodiscard]] std::optional<TracedOutput> traceOutput(const Experiment& experiment, std::int64_t element,
                                                      const std::stop_token& stop = {});

}  // namespace haloscope::experiment
