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
    const provenance::TraceOptions options{order, experiment.choice.orderSeed, stop};
    return provenance::traceOutput(program, initialLaunch(experiment), experiment.block, output, element, options);
  };
  std::optional<provenance::OutputTrace> sideBySide;
  if (experiment.choice.order != simt::WarpOrder::SideBySide) { sideBySide = follow(simt::WarpOrder::SideBySide); }
  auto trace = follow(experiment.choice.order);
  if (!trace) { return std::nullopt; }
  TracedOutput traced{std::move(*trace), {}, {}};
  traced.places = provenance::placeOperands(traced.trace, experiment.recording, experiment.footprint,
                                            experiment.carriers, sideBySide);
  traced.sum = provenance::termsOf(program, traced.trace, experiment.footprint.input);
  return traced;
}

}  // namespace haloscope::experiment
