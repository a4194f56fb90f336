#include "live/HardwareReadings.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "actions/ClimbChoice.h"
#include "catalogue/Climb.h"
#include "experiment/Experiment.h"
#include "language/Text.h"

namespace haloscope {

namespace {

using Requests = std::vector<measuring::HardwareRequest>;

/// The kernel on screen, then the variants of its shape at the same tunables.
Requests familyRequests(const AppState& state) {
  const experiment::Experiment& shown = *state.experiment;
  Requests requests{{shown.file, shown.bindings}};
  for (const KernelFile* file : state.catalogue.family(shown.file)) {
    if (file->id == shown.file.id || file->isOpened()) { continue; }
    try {
      requests.push_back({*file, file->bind(experiment::carryOver(shown.bindings, *file))});
    } catch (const InputError&) {
      continue;  // one that these tunables do not fit is not on the roofline either
    }
  }
  return requests;
}

}  // namespace

HardwareReadings::HardwareReadings(work::Pool& pool, HardwareRunner::Measure measure, ClimbTimer::Measure time)
    : runner_(pool, std::move(measure)), timer_(pool, std::move(time)) {}

void HardwareReadings::startRequested(AppState& state) {
  Hardware& hardware = state.hardware;
  // The variant on screen is measured, so not while a newer one is being executed.
  if (!hardware.wanted || state.experiment == nullptr || state.computing) { return; }
  // Each would disturb the other's numbers. The tuning map makes way; stepping is soon done.
  if (state.tuning.running || state.gpuStepping.busy) { return; }
  hardware.wanted = false;
  asked_ = true;
  hardware.missing.clear();
  hardware.problems.clear();
  if (!state.gpuTrouble.empty()) {
    hardware.missing = tr("the GPU is no longer used after a failure: restart Haloscope to measure on it");
    return;
  }
  const experiment::Experiment& shown = *state.experiment;
  if (shown.fault) {
    hardware.problems[shown.file.id] =
        trf("it has a fault on the emulator, so it is not run on the GPU: {}", shown.fault->message);
    return;
  }
  const std::vector<Climb> all = climbs(state.catalogue);
  const Climb* climb = state.view.tabs.inFront(Tab::Climb) ? climbOf(all, state) : nullptr;
  if (climb == nullptr) { return runner_.request(familyRequests(state)); }
  timer_.request(state, *climb);
  readOwn_ = shown.file.isOpened();
}

void HardwareReadings::update(AppState& state) {
  startRequested(state);
  Hardware& hardware = state.hardware;
  timer_.receive(state);
  // What cannot be timed here cannot be counted either.
  if (!timer_.busy() && std::exchange(readOwn_, false) && hardware.missing.empty() && state.experiment != nullptr) {
    runner_.request({{state.experiment->file, state.experiment->bindings}});
  }
  hardware.measuring = !timer_.busy()           ? runner_.measuring()
                       : timer_.doing().empty() ? tr("the GPU's copies")
                                                : timer_.doing();
  while (auto result = runner_.poll()) {
    if (result->reading != nullptr) {
      hardware.readings[result->id] = std::move(result->reading);
    } else if (result->unavailable) {
      hardware.missing = std::move(result->error);
    } else {
      hardware.problems[result->id] = std::move(result->error);
    }
  }
  state.fieldControls.hold = state.fieldControls.hold || !hardware.measuring.empty();
  if (asked_ && hardware.measuring.empty()) { sayOutcome(state); }
}

void HardwareReadings::sayOutcome(AppState& state) {
  asked_ = false;
  const Hardware& hardware = state.hardware;
  const Tabs& tabs = state.view.tabs;
  if (tabs.inFront(Tab::OpPerByte) || tabs.inFront(Tab::Climb) || state.experiment == nullptr) { return; }
  const auto problem = hardware.problems.find(state.experiment->file.id);
  std::string sentence;
  if (!hardware.missing.empty()) {
    sentence = trf("No hardware counters: {}.", hardware.missing);
  } else if (problem != hardware.problems.end()) {
    sentence = trf("Not measured: {}", problem->second);
  }
  if (!sentence.empty()) { state.editing.notify(sentence); }
}

void HardwareReadings::settle(AppState& state) {
  for (update(state); timer_.busy() || !runner_.measuring().empty(); update(state)) {
    timer_.wait();
    runner_.wait();
  }
  update(state);
}

}  // namespace haloscope
