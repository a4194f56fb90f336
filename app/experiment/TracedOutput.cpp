#include "experiment/TracedOutput.h"

#include <utility>

#include "experiment/InputData.h"

namespace haloscope::experiment {

std::optional<TracedOutput> traceOutput(const Experiment& experiment, std::int64_t element,
                                        const std::stop_token& stop) {
  const Program& program = *experiment.program;
  const ObjectId output = experiment.footprint.output;
  if (output == kNone) { return std::nullopt; }
  // The experiment's arrays hold the state after the sweep; the initial state is regenerated rather than kept.
  const auto follow = [&](simt::WarpOrder order) {
    const analysis::TraceOptions options{order, experiment.choice.orderSeed, stop};
    return analysis::traceOutput(program, makeLaunch(experiment.file, experiment.bindings, program, experiment.input),
                                 experiment.block, output, element, options);
  };
  std::optional<analysis::OutputTrace> sideBySide;
  if (experiment.choice.order != simt::WarpOrder::SideBySide) { sideBySide = follow(simt::WarpOrder::SideBySide); }
  auto trace = follow(experiment.choice.order);
  if (!trace) { return std::nullopt; }
  TracedOutput traced{std::move(*trace), {}, {}};
  traced.places = analysis::placeOperands(traced.trace, experiment.recording, experiment.footprint, experiment.carriers,
                                          sideBySide);
  traced.sum = analysis::termsOf(program, traced.trace, experiment.footprint.input);
  return traced;
}

}  // namespace haloscope::experiment
