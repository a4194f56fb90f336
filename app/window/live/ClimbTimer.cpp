#include "live/ClimbTimer.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "actions/ClimbRows.h"
#include "driver/Device.h"
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

}  // namespace haloscope
