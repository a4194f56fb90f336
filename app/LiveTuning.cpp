#include "LiveTuning.h"

#include <algorithm>

#include "gpu/Device.h"

namespace haloscope {

namespace {

/// The GPU that the roofline predicts for, where there is none to time on.
experiment::TuningTarget predictedTarget(const AppState& state) {
  if (state.gpuSpecs.empty()) { return {}; }
  const auto last = static_cast<int>(state.gpuSpecs.size()) - 1;
  const GpuSpec& spec = state.gpuSpecs[static_cast<std::size_t>(std::clamp(state.view.gpuSpec, 0, last))];
  return {nullptr, spec.name, spec.computeCapability, spec.multiprocessors, 0, state.gpuMissing};
}

/// Why a kernel as it is chosen now is not tuned; empty: nothing stands against it.
std::string objection(const experiment::Experiment& experiment) {
  if (experiment.fault) { return "Tuning waits until the kernel runs without a fault: " + experiment.fault->message; }
  if (!experiment.choice.withoutBarriers.empty()) {
    return "A barrier is taken out on the emulator only: put it back (X) to tune the kernel.";
  }
  return {};
}

}  // namespace

void LiveTuning::update(AppState& state, const FoundDevice& device) {
  if (auto map = runner_.poll()) { state.tuning.map = *std::move(map); }
  state.tuning.running = runner_.busy();
  state.fieldWishes.hold = state.fieldWishes.hold || (state.tuning.running && device && *device != nullptr);
  if (!state.tuning.shown || state.experiment == nullptr || !device) {
    if (asked_ && state.tuning.running) { runner_.cancel(); }
    if (state.tuning.running) { asked_.reset(); }
    return;
  }
  const experiment::Experiment& experiment = *state.experiment;
  Asked asked{experiment.file.id, experiment.file.text, {}, state.tuning.size, state.tuning.axes, device->get(),
              state.view.gpuSpec, objection(experiment)};
  for (const Tunable& tunable : experiment.file.tunables) {
    asked.tunables[tunable.name] = experiment.bindings.at(tunable.name);
  }
  if (asked_ == asked) { return; }
  const bool another = !asked_ || asked_->kernel != asked.kernel;
  asked_ = std::move(asked);
  if (another) { state.tuning.map.reset(); }
  if (!asked_->objection.empty()) {
    auto none = std::make_shared<experiment::TuningMap>();
    none->kernel = experiment.file.id;
    none->problem = asked_->objection;
    state.tuning.map = std::move(none);
    runner_.cancel();
    return;
  }
  experiment::TuningRequest request;
  request.file = experiment.file;
  request.bindings = experiment.bindings;
  request.size = state.tuning.size;
  request.axes = state.tuning.axes;
  request.target = *device != nullptr ? experiment::targetOf(*device, state.measuredCopyGBs) : predictedTarget(state);
  runner_.request(std::move(request));
  state.tuning.running = true;
}

void LiveTuning::settle(AppState& state, const FoundDevice& device) {
  update(state, device);
  if (!state.tuning.shown) { return; }
  runner_.wait();
  update(state, device);
}

}  // namespace haloscope
