#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "experiment/Experiment.h"
#include "provenance/OperandRoles.h"
#include "provenance/OutputTrace.h"
#include "provenance/TraceTerms.h"

namespace haloscope::experiment {

/// The origin of an output's value, and the roles of its operands in the experiment's block.
struct TracedOutput {
  provenance::OutputTrace trace;
  std::vector<provenance::OperandPlace> places;  ///< one per operand
  provenance::TermSum sum;
};

/// Traces an element of the footprint's output, in the warp order of the recording, from the arrays' initial state. The
/// experiment must have a recording. Empty if its block does not write the element, or stopped before. Throws
/// InputError or SourceError as the experiment did.
[[nodiscard]] std::optional<TracedOutput> traceOutput(const Experiment& experiment, std::int64_t element,
                                                      const std::stop_token& stop = {});
/// The same of several elements, for which the block is executed once.
[[nodiscard]] std::vector<std::optional<TracedOutput>> traceOutputs(const Experiment& experiment,
                                                                    const std::vector<std::int64_t>& elements,
                                                                    const std::stop_token& stop = {});

}  // namespace haloscope::experiment
