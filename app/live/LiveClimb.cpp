#include "live/LiveClimb.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "program/Climb.h"
#include "state/ChosenGpu.h"
#include "state/ClimbRows.h"

namespace haloscope {

namespace {

/// What the rungs are compiled for: the GPU that the user chose; without a choice that of the bars, so that the numbers
/// belong together. May be null.
const measuring::GpuSpec* gpuOf(const AppState& state) {
  const ClimbRows rows = climbRows(state);
  const std::string& name = rows.measuredOn.empty() ? rows.recordedOn : rows.measuredOn;
  const measuring::GpuSpec* ofBars = state.view.gpuSpec < 0 ? gpuNamed(state, name) : nullptr;
  return ofBars != nullptr ? ofBars : chosenGpu(state);
}

}  // namespace

LiveClimb::LiveClimb(work::Pool& pool)
    : count_(pool, {work::Priority::Background, work::Cores::All},
             [](const Job& job, const std::stop_token& stop) {
               return figures::countRung(*job.file, job.bindings, stop);
             }),
      code_(pool, {work::Priority::Background, work::Cores::One}, [this](const Job& job, const std::stop_token&) {
        if (!reporter_) { reporter_.emplace(); }
        Compiled made{job, {}, reporter_->missing()};
        made.report.id = job.file->id;
        made.report.bindings = job.bindings;
        reporter_->report(*job.file, made.report, job.target);
        return made;
      }) {}

void LiveClimb::receive(AppState& state) {
  ClimbView& climb = state.climb;
  if (auto costs = count_.poll()) {
    std::string id = costs->id;
    climb.costs[std::move(id)] = std::make_shared<const figures::RungCosts>(*std::move(costs));
  }
  if (auto made = code_.poll()) {
    climb.compilerMissing = std::move(made->missing);
    if (made->job.target == climb.target) { climb.code[made->report.id] = std::move(made->report); }
  }
}

/// An opened file was executed with its own launch already.
void LiveClimb::followOwn(AppState& state) {
  const experiment::Experiment& shown = *state.experiment;
  state.climb.own = shown.file.id;
  state.climb.costs[shown.file.id] = std::make_shared<const figures::RungCosts>(figures::rungCosts(shown));
  state.climb.code.erase(shown.file.id);
}

void LiveClimb::followDifference(AppState& state) {
  const auto ids = climbRows(state).difference;
  const KernelFile* below = ids ? state.catalogue.find(ids->below) : nullptr;
  const KernelFile* above = ids ? state.catalogue.find(ids->above) : nullptr;
  std::shared_ptr<const SourceDifference>& difference = state.climb.difference;
  if (below == nullptr || above == nullptr) {
    difference.reset();
    return;
  }
  SourceDifference::Source before = sourceOf(*below), now = sourceOf(*above);
  if (difference != nullptr && difference->below == before && difference->above == now) { return; }
  difference = std::make_shared<const SourceDifference>(differenceOf(std::move(before), std::move(now)));
}

void LiveClimb::askForCosts(AppState& state, const Climb& climb) {
  state.climb.counting = count_.busy();
  if (count_.busy()) { return; }
  for (const Climb::Rung& rung : climb.rungs) {
    const KernelFile& file = *rung.variant;
    Bindings bindings = figures::rungBindings(climb, file);
    const auto known = state.climb.costs.find(file.id);
    const bool current =
        known != state.climb.costs.end() && known->second->text == file.text && known->second->bindings == bindings;
    if (current) { continue; }
    count_.request({std::make_shared<const KernelFile>(file), std::move(bindings), {}});
    state.climb.counting = true;
    return;
  }
}

void LiveClimb::askForCode(AppState& state, const Climb& climb) {
  const measuring::GpuSpec* gpu = gpuOf(state);
  if (gpu == nullptr) { return; }
  if (const figures::CodeTarget target = codeTarget(*gpu); state.climb.target != target) {
    state.climb.target = target;
    state.climb.code.clear();
  }
  if (code_.busy() || !state.climb.compilerMissing.empty()) { return; }
  std::vector<const KernelFile*> files;
  for (const Climb::Rung& rung : climb.rungs) { files.push_back(rung.variant); }
  if (const KernelFile* own = state.catalogue.find(state.climb.own)) { files.push_back(own); }
  for (const KernelFile* file : files) {
    // Those that were executed: with the same tunables.
    const auto costs = state.climb.costs.find(file->id);
    if (costs == state.climb.costs.end() || costs->second->text != file->text) { continue; }
    const auto known = state.climb.code.find(file->id);
    if (known != state.climb.code.end() && known->second.bindings == costs->second->bindings) { continue; }
    code_.request({std::make_shared<const KernelFile>(*file), costs->second->bindings, state.climb.target});
    return;
  }
}

void LiveClimb::update(AppState& state) {
  receive(state);
  if (!state.view.tabs.inFront(Tab::Climb)) {
    state.climb.counting = false;
    return;
  }
  const bool opened = state.experiment != nullptr && state.experiment->file.isOpened();
  if (opened && std::exchange(own_, state.experiment) != state.experiment) { followOwn(state); }
  const std::vector<Climb> all = climbs(state.catalogue);
  if (const Climb* climb = climbOf(all, state)) {
    askForCosts(state, *climb);
    askForCode(state, *climb);
  }
  followDifference(state);
}

void LiveClimb::settle(AppState& state) {
  for (update(state); busy(); update(state)) {
    count_.finish();
    code_.finish();
  }
}

}  // namespace haloscope
