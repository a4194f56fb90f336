#include "live/HardwareReadings.h"

#include <utility>
#include <vector>

#include "experiment/Experiment.h"
#include "figures/RungCosts.h"
#include "program/Climb.h"
#include "state/ClimbRows.h"

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

/// The rungs of its ladder as the climb shows them, after the kernel on screen where that is the user's.
Requests rungRequests(const AppState& state) {
  const std::vector<Climb> all = climbs(state.catalogue);
  const Climb* climb = climbOf(all, state);
  if (climb == nullptr) { return familyRequests(state); }
  Requests requests;
  if (state.experiment->file.isOpened()) { requests.push_back({state.experiment->file, state.experiment->bindings}); }
  for (const Climb::Rung& rung : climb->rungs) {
    requests.push_back({*rung.variant, figures::rungBindings(*climb, *rung.variant)});
  }
  return requests;
}

}  // namespace

HardwareReadings::HardwareReadings(work::Pool& pool, HardwareRunner::Measure measure)
    : runner_(pool, std::move(measure)) {}

void HardwareReadings::startRequested(AppState& state) {
  Hardware& hardware = state.hardware;
  // The variant on screen is measured, so not while a newer one is being executed.
  if (!hardware.wanted || state.experiment == nullptr || state.computing) { return; }
  // Each would disturb the other's numbers. The tuning map makes way; stepping is soon done.
  if (state.tuning.running || state.gpuStepping.busy) { return; }
  hardware.wanted = false;
  hardware.missing.clear();
  hardware.problems.clear();
  if (!state.gpuTrouble.empty()) {
    hardware.missing = "the GPU is no longer used after a failure: restart Haloscope to measure on it";
    return;
  }
  const experiment::Experiment& shown = *state.experiment;
  if (shown.fault) {
    hardware.problems[shown.file.id] =
        "it has a fault on the emulator, so it is not run on the GPU: " + shown.fault->message;
    return;
  }
  runner_.request(state.view.tabs.inFront(Tab::Climb) ? rungRequests(state) : familyRequests(state));
}

void HardwareReadings::update(AppState& state) {
  startRequested(state);
  Hardware& hardware = state.hardware;
  hardware.measuring = runner_.measuring();
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
}

void HardwareReadings::settle(AppState& state) {
  update(state);
  runner_.wait();
  update(state);
}

}  // namespace haloscope
