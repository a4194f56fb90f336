#include "live/LiveCosts.h"

#include <algorithm>
#include <utility>

#include "actions/ChosenGpu.h"
#include "language/Text.h"
#include "measuring/PredictedTime.h"

namespace haloscope {

namespace {

using experiment::Experiment;

/// Without a compiler the registers are not known, but what else a block takes is.
std::optional<BlocksHeld> blocksHeld(const Experiment& experiment, const figures::CodeTarget& target,
                                     const figures::CodeReporter& reporter) {
  const auto limits = gpu::limitsOf(figures::computeCapability(target));
  if (!limits) { return std::nullopt; }
  figures::CodeReport code;
  code.bindings = experiment.bindings;
  reporter.report(experiment.file, code, target);
  if (code.registers > 0) { return BlocksHeld{target.name, code.occupancy, code.registers, {}}; }
  const auto threads = static_cast<int>(experiment.configuration.threadsPerBlock());
  return BlocksHeld{target.name, gpu::occupancyOf(*limits, threads, 0, experiment.counts.sharedBytesPerBlock), 0,
                    code.problem};
}

/// By the tuning map, whose sizes may be larger than those on screen.
std::optional<LaunchTime> measuredTime(const AppState& state) {
  const measuring::TuningMap* const map = state.tuning.map.get();
  const Experiment& experiment = *state.experiment;
  // The map is of the kernel with all its barriers.
  const bool ofThis = experiment.choice.withoutBarriers.empty() && map != nullptr && map->timing &&
                      map->kernel == experiment.file.id && state.tuning.text == experiment.file.text;
  const auto cell = ofThis ? map->chosen(experiment.bindings) : std::nullopt;
  if (!cell || !map->cells[*cell].timed()) { return std::nullopt; }
  const measuring::TuningCell& timed = map->cells[*cell];
  // What no axis changes is as it was chosen when the map was made.
  for (const std::string& name : experiment.file.macroNames()) {
    if (timed.bindings.at(name) != experiment.bindings.at(name)) { return std::nullopt; }
  }
  std::string sizes = experiment.file.sizesText(timed.bindings);
  const bool otherSizes = sizes != experiment.file.sizesText(experiment.bindings);
  return LaunchTime{.gpu = map->gpu,
                    .sizes = std::move(sizes),
                    .otherSizes = otherSizes,
                    .samples = timed.time.samples,
                    .lowMs = timed.time.p10Ms,
                    .highMs = timed.time.p90Ms,
                    .medianMs = timed.time.medianMs,
                    .disturbance = map->disturbance};
}

/// Else `missing` says why there is none.
std::optional<LaunchTime> predictedTime(const AppState& state, std::string& missing) {
  const measuring::GpuSpec* const gpu = chosenGpu(state);
  const Experiment& experiment = *state.experiment;
  if (gpu == nullptr) {
    missing = tr("assets/gpus.json lists no GPU");
    return std::nullopt;
  }
  if (experiment.program == nullptr) { return std::nullopt; }
  const measuring::PredictedTime time = measuring::predictedTime(experiment, *gpu);
  missing = measuring::whyNotPredicted(time);
  if (!missing.empty()) { return std::nullopt; }
  const auto [low, high] = std::minmax(time.onceMs, time.uncachedMs);
  return LaunchTime{
      .gpu = gpu->name, .sizes = experiment.file.sizesText(experiment.bindings), .lowMs = low, .highMs = high};
}

}  // namespace

LiveCosts::LiveCosts(work::Pool& pool)
    : code_(pool, {work::Priority::Background, work::Cores::One}, [this](const Asked& asked, const std::stop_token&) {
        if (!reporter_) { reporter_.emplace(); }
        return blocksHeld(*asked.experiment, asked.target, *reporter_);
      }) {}

void LiveCosts::update(AppState& state, bool changing) {
  state.costs.follow(state.experiment, changing);
  if (!state.costs.now()) { return; }
  const measuring::GpuSpec* const gpu = chosenGpu(state);
  if (gpu != nullptr && state.view.tabs.inFront(Tab::Block)) {
    Asked asked{state.experiment, figures::codeTarget(*gpu)};
    if (!(asked == asked_)) {
      asked_ = asked;
      blocks_.reset();
      code_.request(std::move(asked));
    }
  }
  if (auto blocks = code_.poll()) { blocks_ = std::move(*blocks); }
  std::optional<LaunchTime> time = measuredTime(state);
  std::string missing;
  if (!time) { time = predictedTime(state, missing); }
  state.costs.add(asked_.experiment == state.experiment ? blocks_ : std::nullopt, std::move(time), std::move(missing));
}

void LiveCosts::settle(AppState& state) {
  update(state, false);
  code_.finish();
  update(state, false);
}

}  // namespace haloscope
