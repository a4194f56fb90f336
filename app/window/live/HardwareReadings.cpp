#include "live/HardwareReadings.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "actions/ClimbChoice.h"
#include "actions/ClimbRows.h"
#include "catalogue/Climb.h"
#include "driver/Device.h"
#include "experiment/Experiment.h"
#include "language/Text.h"
#include "measuring/SuitePlan.h"
#include "measuring/SuiteRun.h"
#include "measuring/TunedTiles.h"
#include "measuring/Tuning.h"

namespace haloscope {

namespace {

/// For a climb that no suite names: what fills a GPU.
LimitClass fullClass(const Climb& climb) {
  const KernelFile& root = *climb.rungs.front().variant;
  LimitClass limit{.name = climb.name, .climb = climb.name, .problem = {}};
  for (const SizeParameter& size : root.sizes) { limit.problem[size.name] = measuring::fullSize(root); }
  if (root.precision) { limit.precision = root.precision->types.front(); }
  return limit;
}

std::vector<LimitClass> classesOf(const AppState& state, const Climb& climb) {
  const std::string shown = shownClass(state, climb);
  std::vector<LimitClass> ofClimb;
  std::ranges::copy_if(state.climb.classes, std::back_inserter(ofClimb),
                       [&](const LimitClass& one) { return one.climb == climb.name; });
  if (ofClimb.empty()) { return {fullClass(climb)}; }
  const auto named = std::ranges::find(ofClimb, shown, &LimitClass::name);
  const LimitClass first = named == ofClimb.end() ? ofClimb.front() : *named;
  std::erase_if(
      ofClimb, [&](const LimitClass& one) { return one.problem != first.problem || one.precision != first.precision; });
  return ofClimb;
}

/// What goes wrong becomes a sentence. Throws Cancelled when asked to stop.
HardwareRunner::Result measured(const HardwareRunner::Measure& measure, const measuring::HardwareRequest& request,
                                const std::stop_token& stop) {
  HardwareRunner::Result result;
  result.id = request.file.id;
  try {
    result.reading = std::make_shared<const measuring::HardwareReading>(measure(request, stop));
  } catch (const gpu::Unavailable& missing) {
    result.error = missing.what();
    result.unavailable = true;
  } catch (const SourceError& error) { result.error = error.message(); } catch (const std::exception& error) {
    result.error = error.what();
  }
  return result;
}

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

ClimbTimer::ClimbTimer(work::Pool& pool, Measure measure)
    : worker_(pool, {work::Priority::Foreground, work::Cores::None},
              [measure = std::move(measure)](const std::vector<Job>& jobs, work::Delivery<ClimbTiming>& delivery) {
                for (const Job& job : jobs) {
                  if (delivery.stop().stop_requested()) { return; }
                  ClimbTiming timing =
                      measure(job, delivery.stop(), [&](const std::string& rung) { delivery.report(rung); });
                  const bool last = !timing.missing.empty();
                  delivery.publish(std::move(timing));
                  if (last) { return; }
                }
              }) {}

void ClimbTimer::request(const AppState& state, const Climb& climb) {
  const auto catalogue = std::make_shared<const Catalogue>(state.catalogue);
  std::vector<Job> jobs;
  for (LimitClass& limit : classesOf(state, climb)) { jobs.push_back({catalogue, std::move(limit)}); }
  worker_.request(std::move(jobs));
}

void ClimbTimer::receive(AppState& state) {
  while (auto timing = worker_.poll()) {
    std::vector<measuring::RecordedLimit>& measured = state.climb.measured;
    std::erase_if(measured, [&](const measuring::RecordedLimit& one) { return one.kind == timing->kind; });
    std::ranges::move(timing->limits, std::back_inserter(measured));
    ++state.climb.measurements;
    for (auto& [id, problem] : timing->problems) { state.hardware.problems[id] = std::move(problem); }
    if (!timing->missing.empty()) { state.hardware.missing = std::move(timing->missing); }
  }
}

ClimbTimer::Measure timingOnFirstGpu(measuring::GpuGate& gate, work::Pool& pool) {
  return [&gate, &pool](const ClimbTimer::Job& job, const std::stop_token& stop,
                        const std::function<void(const std::string&)>& doing) {
    ClimbTiming timing{.kind = job.limit.name};
    try {
      const auto device = gpu::Device::open();
      measuring::SuiteRun run(device, gate, pool, measuring::TunedTiles::of(*device));
      measuring::PlannedClass plan = measuring::planClass(*job.catalogue, job.limit);
      if (!plan.problem.empty() && job.limit.reach == 0) {  // no suite says in which precision
        LimitClass other = job.limit;
        other.precision = ValueType::F64;
        plan = measuring::planClass(*job.catalogue, other);
      }
      measuring::SuiteOptions options{.counters = true, .stop = stop};
      options.progress = [&](const measuring::SuiteEntry& entry) { doing(entry.variant.file->id); };
      const measuring::SuiteClass measured = run.measure(plan, options);
      timing.limits = measuring::limitsOf(measured, device->properties().name);
      for (const measuring::SuiteEntry& entry : measured.entries) {
        if (!entry.problem.empty()) { timing.problems[entry.variant.file->id] = entry.problem; }
        if (entry.problem.empty() && !entry.verified) {
          timing.problems[entry.variant.file->id] = tr("its result is wrong there, so its time is not shown");
        }
      }
      timing.missing = measured.problem.empty() ? measured.lost : measured.problem;
    } catch (const std::exception& error) { timing.missing = error.what(); }
    return timing;
  };
}

HardwareRunner::HardwareRunner(work::Pool& pool, Measure measure)
    : worker_(pool, {work::Priority::Foreground, work::Cores::None},
              [measure = std::move(measure)](const Requests& requests, work::Delivery<Result>& delivery) {
                for (const measuring::HardwareRequest& request : requests) {
                  if (delivery.stop().stop_requested()) { return; }
                  delivery.report(request.file.id);
                  Result result = measured(measure, request, delivery.stop());
                  const bool last = result.unavailable;
                  delivery.publish(std::move(result));
                  if (last) { return; }
                }
              }) {}

void HardwareRunner::request(Requests requests) {
  first_ = requests.empty() ? std::string() : requests.front().file.id;
  worker_.request(std::move(requests));
}

std::string HardwareRunner::measuring() const {
  if (!worker_.running()) { return {}; }
  const std::string now = worker_.doing();
  return now.empty() ? first_ : now;
}

HardwareRunner::Measure measuringOnFirstGpu(measuring::GpuGate& gate) {
  return [&gate](const measuring::HardwareRequest& request, const std::stop_token& stop) {
    return measuring::measureHardware(gpu::Device::open(), gate, request, stop);
  };
}

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
