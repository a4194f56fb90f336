#include "live/LiveClimb.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "actions/ChosenGpu.h"
#include "actions/ClimbChoice.h"
#include "actions/ClimbRows.h"
#include "catalogue/Climb.h"

namespace haloscope {

namespace {

/// What the rungs are compiled for: the GPU that the user chose; without a choice that of the bars, so that the numbers
/// belong together. May be null.
const measuring::GpuSpec* gpuOf(const AppState& state) {
  if (state.view.gpuSpec >= 0 || state.climb.rows == nullptr) { return chosenGpu(state); }
  const ClimbRows& rows = *state.climb.rows;
  const measuring::GpuSpec* ofBars = gpuNamed(state, rows.measuredOn.empty() ? rows.recordedOn : rows.measuredOn);
  return ofBars != nullptr ? ofBars : chosenGpu(state);
}

}  // namespace

LiveClimb::LiveClimb(work::Pool& pool)
    : count_(pool, {work::Priority::Background, work::Cores::All},
             [](const Job& job, const std::stop_token& stop) {
               return job.own != nullptr ? figures::ownCosts(*job.own, stop)
                                         : figures::countRung(*job.file, job.bindings, stop);
             }),
      code_(pool, {work::Priority::Background, work::Cores::One},
            [this](const Job& job, const std::stop_token&) {
              if (!reporter_) { reporter_.emplace(); }
              Compiled made{job, {}, reporter_->missing()};
              made.report.id = job.file->id;
              made.report.bindings = job.bindings;
              reporter_->report(*job.file, made.report, job.target);
              return made;
            }),
      compare_(pool, {work::Priority::Background, work::Cores::One},
               [](const Compared& job, const std::stop_token&) { return differenceOf(job.below, job.above); }) {}

void LiveClimb::receive(AppState& state) {
  ClimbView& climb = state.climb;
  if (auto costs = count_.poll()) {
    std::string id = costs->id;
    climb.costs[std::move(id)] = std::make_shared<const figures::RungCosts>(*std::move(costs));
  }
  if (auto made = code_.poll()) {
    climb.compilerMissing = std::move(made->missing);
    ++compiled_;
    if (made->job.target == climb.target) {
      climb.code[made->job.file->id] = {std::move(made->report), made->job.file->text};
    }
  }
  if (auto compared = compare_.poll()) {
    climb.difference = std::make_shared<const SourceDifference>(*std::move(compared));
  }
}

bool LiveClimb::inputsChanged(const AppState& state) {
  Inputs inputs{.chosen = state.choice.kernel,
                .own = state.climb.own,
                .costs = state.climb.costs,
                .readings = state.hardware.readings,
                .compiled = compiled_,
                .measured = state.climb.measurements,
                .recorded = state.climb.recorded.size(),
                .gpu = state.view.gpuSpec};
  const std::vector<KernelFile>& kernels = state.catalogue.kernels();
  if (shown_ == inputs && std::ranges::equal(texts_, kernels, {}, {}, &KernelFile::text)) { return false; }
  shown_ = std::move(inputs);
  texts_.clear();
  for (const KernelFile& file : kernels) { texts_.push_back(file.text); }
  return true;
}

void LiveClimb::followDifference(AppState& state) {
  const auto ids = state.climb.rows->difference;
  const KernelFile* below = ids ? state.catalogue.find(ids->below) : nullptr;
  const KernelFile* above = ids ? state.catalogue.find(ids->above) : nullptr;
  if (below == nullptr || above == nullptr) {
    compare_.cancel();
    state.climb.difference.reset();
    return;
  }
  compare_.follow({sourceOf(*below), sourceOf(*above)});
}

/// An opened file was executed with its own launch already.
void LiveClimb::askForOwn(AppState& state) {
  if (state.experiment == nullptr || !state.experiment->file.isOwn() || count_.busy()) { return; }
  if (std::exchange(own_, state.experiment) == state.experiment) { return; }
  const experiment::Experiment& shown = *state.experiment;
  state.climb.own = shown.file.id;
  count_.request({std::make_shared<const KernelFile>(shown.file), shown.bindings, {}, state.experiment});
}

void LiveClimb::askForCosts(AppState& state, const Climb& climb) {
  if (count_.busy()) { return; }
  for (const Climb::Rung& rung : climb.rungs) {
    const KernelFile& file = *rung.variant;
    Bindings bindings = rungBindings(state, climb, file);
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
  if (const figures::CodeTarget target = figures::codeTarget(*gpu); state.climb.target != target) {
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
    const bool current = known != state.climb.code.end() && known->second.text == file->text &&
                         known->second.report.bindings == costs->second->bindings;
    if (current) { continue; }
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
  askForOwn(state);
  state.climb.counting = count_.busy();
  if (!inputsChanged(state)) { return; }
  state.climb.rows = std::make_shared<const ClimbRows>(climbRows(state));
  followDifference(state);
  const std::vector<Climb> all = climbs(state.catalogue);
  const Climb* climb = climbOf(all, state);
  if (climb == nullptr) { return; }
  askForCosts(state, *climb);
  askForCode(state, *climb);
}

void LiveClimb::settle(AppState& state) {
  for (update(state); busy(); update(state)) {
    count_.finish();
    code_.finish();
    compare_.finish();
  }
}

}  // namespace haloscope
