#include "experiment/TracedOutput.h"

#include <algorithm>
#include <utility>

#include "experiment/InputData.h"

namespace haloscope::experiment {

std::optional<TracedOutput> traceOutput(const Experiment& experiment, std::int64_t element,
                                        const std::stop_token& stop) {
  return std::move(traceOutputs(experiment, {element}, stop).front());
}

std::vector<std::optional<TracedOutput>> traceOutputs(const Experiment& experiment,
                                                      const std::vector<std::int64_t>& elements,
                                                      const std::stop_token& stop) {
  const Program& program = *experiment.program;
  const ObjectId output = experiment.footprint.output;
  std::vector<std::optional<TracedOutput>> all(elements.size());
  if (output == kNone) { return all; }
  // The experiment's arrays hold the state after the sweep; the initial state is regenerated rather than kept.
  const Launch initial = initialLaunch(experiment);
  const auto follow = [&](simt::WarpOrder order) {
    const provenance::TraceOptions options{order, experiment.choice.orderSeed, stop};
    return provenance::TracedBlock(program, initial, experiment.block, options);
  };
  std::vector<std::optional<provenance::OutputTrace>> sideBySide(elements.size());
  if (experiment.choice.order != simt::WarpOrder::SideBySide) {
    const provenance::TracedBlock other = follow(simt::WarpOrder::SideBySide);
    std::ranges::transform(elements, sideBySide.begin(), [&](auto element) { return other.trace(output, element); });
  }
  const provenance::TracedBlock block = follow(experiment.choice.order);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    auto trace = block.trace(output, elements[i]);
    if (!trace) { continue; }
    TracedOutput traced{std::move(*trace), {}, {}};
    traced.places = provenance::placeOperands(traced.trace, experiment.recording, experiment.footprint,
                                              experiment.carriers, sideBySide[i]);
    traced.sum = provenance::termsOf(program, traced.trace, experiment.footprint.input);
    all[i] = std::move(traced);
  }
  return all;
}

}  // namespace haloscope::experiment
