#include "live/LiveTuning.h"

#include <exception>
#include <utility>

#include "actions/ChosenGpu.h"
#include "checking/ShippedVariants.h"
#include "driver/Device.h"
#include "language/Text.h"

namespace haloscope {

TuningRunner::TuningRunner(work::Pool& pool, measuring::GpuGate& gate)
    : tuner_(pool, gate),
      worker_(
          pool, {work::Priority::Background, work::Cores::None},
          [this](const measuring::TuningRequest& request, work::Delivery<Map>& delivery) { tune(request, delivery); }) {
}

std::optional<TuningRunner::Map> TuningRunner::poll() {
  std::optional<Map> newest;
  while (auto map = worker_.poll()) { newest = std::move(map); }
  return newest;
}

void TuningRunner::tune(const measuring::TuningRequest& request, work::Delivery<Map>& delivery) {
  const auto publish = [&](measuring::TuningMap map) {
    delivery.publish(std::make_shared<const measuring::TuningMap>(std::move(map)));
  };
  try {
    if (knownText_ != request.file.text) { known_.reset(); }
    measuring::TuningMap map = tuner_.tune(request, publish, delivery.stop(), known_.get());
    if (map.filled) {
      known_ = std::make_shared<const measuring::TuningMap>(map);
      knownText_ = request.file.text;
    }
    publish(std::move(map));
  } catch (const std::exception& failure) {  // a lost GPU, a text that cannot be launched
    known_.reset();
    measuring::TuningMap map;
    map.kernel = request.file.id;
    map.gpu = request.target.name;
    map.problem = failure.what();
    publish(std::move(map));
  }
}

namespace {

/// Why the kernel as currently chosen is not tuned; empty: there is no reason.
std::string objection(const AppState& state) {
  const experiment::Experiment& experiment = *state.experiment;
  if (!state.gpuTrouble.empty()) {
    return tr("The GPU is no longer used after a failure: restart Haloscope to tune on it.");
  }
  if (experiment.fault) {
    return trf("Tuning waits until the kernel runs without a fault: {}", experiment.fault->message);
  }
  if (!experiment.choice.withoutBarriers.empty()) {
    return tr("A barrier is removed, on the emulator only: restore it (X) to tune the kernel.");
  }
  return {};
}

std::shared_ptr<const measuring::TuningMap> noMap(std::string why) {
  measuring::TuningMap none;
  none.problem = std::move(why);
  return std::make_shared<const measuring::TuningMap>(std::move(none));
}

/// What else uses the GPU, or is about to: its numbers and the map's would disturb each other.
bool othersUseTheGpu(const AppState& state) {
  return state.hardware.wanted || !state.hardware.measuring.empty() || state.gpuStepping.busy;
}

}  // namespace

void LiveTuning::update(AppState& state, const FoundDevice& device) {
  if (auto map = runner_.poll()) {
    state.tuning.map = *std::move(map);
    state.tuning.text = asked_ ? asked_->text : std::string();
  }
  state.tuning.running = runner_.busy();
  state.fieldControls.hold = state.fieldControls.hold || (state.tuning.running && device && *device != nullptr);
  const bool waits = othersUseTheGpu(state);
  if (!state.view.tabs.inFront(Tab::Tuning) || state.experiment == nullptr || !device || waits) {
    if (asked_ && state.tuning.running) { runner_.cancel(); }
    if (state.tuning.running) { asked_.reset(); }
    if (waits && state.tuning.map == nullptr) {
      state.tuning.map = noMap(tr("The map waits until the GPU has finished its other work."));
    }
    return;
  }
  const experiment::Experiment& experiment = *state.experiment;
  const std::string before = std::exchange(kernel_, experiment.file.id);
  if (!before.empty() && before != kernel_) { state.tuning.size = 0; }
  Asked asked{experiment.file.id, experiment.file.text, {}, state.tuning.size, state.tuning.axes, device->get(),
              state.view.gpuSpec, objection(state)};
  for (const std::string& name : experiment.file.macroNames()) { asked.tunables[name] = experiment.bindings.at(name); }
  // A kernel that is not a shipped variant is timed at the chosen sizes.
  if (!checking::isShippedVariant(experiment.file)) { asked.tunables = experiment.bindings; }
  if (asked_ == asked) { return; }
  const bool another = !asked_ || asked_->kernel != asked.kernel;
  asked_ = std::move(asked);
  if (another) { state.tuning.map.reset(); }
  if (!asked_->objection.empty()) {
    state.tuning.map = noMap(asked_->objection);
    runner_.cancel();
    return;
  }
  measuring::TuningRequest request{
      .file = experiment.file, .bindings = experiment.bindings, .size = state.tuning.size, .axes = state.tuning.axes};
  if (*device != nullptr) {
    request.target = measuring::targetOf(*device, state.measuredCopyGBs);
  } else if (const measuring::GpuSpec* gpu = chosenGpu(state)) {
    request.target = predictedTarget(*gpu, state.gpuMissing);
  }
  runner_.request(std::move(request));
  state.tuning.running = true;
}

void LiveTuning::settle(AppState& state, const FoundDevice& device) {
  update(state, device);
  if (!state.view.tabs.inFront(Tab::Tuning)) { return; }
  runner_.wait();
  update(state, device);
}

}  // namespace haloscope
