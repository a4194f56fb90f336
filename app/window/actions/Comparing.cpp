#include "actions/Comparing.h"

#include <algorithm>
#include <utility>

#include "actions/CameraActions.h"
#include "actions/PlaygroundActions.h"
#include "experiment/ChosenArrays.h"
#include "experiment/Experiment.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

std::vector<ComparedVariant>::iterator find(Comparison& comparison, const std::string& kernel) {
  return std::ranges::find_if(comparison.variants,
                              [&](const ComparedVariant& variant) { return variant.choice.kernel == kernel; });
}

ComparedVariant variantOf(const AppState& state, const KernelFile& file) {
  ComparedVariant variant;
  variant.choice.kernel = file.id;
  variant.choice.order = state.choice.order;
  variant.choice.orderSeed = state.choice.orderSeed;
  return variant;
}

/// Whether a variant that was compared the last time can have a cell in common with the chosen one.
bool belongs(const AppState& state, const std::string& kernel) {
  const KernelFile* chosen = state.catalogue.find(state.choice.kernel);
  const KernelFile* file = state.catalogue.find(kernel);
  if (chosen == nullptr || file == nullptr) { return false; }
  return file->chapter == chosen->chapter || file->isOpened() || chosen->isOpened();
}

}  // namespace

void takeSettings(experiment::Choice& choice, const KernelFile& file, const experiment::Experiment& focused) {
  for (const auto& [name, value] : experiment::carryOver(focused.bindings, file)) { choice.bindings[name] = value; }
  try {
    choice.data = experiment::carryOver(focused.choice.data, file, file.bind(choice.bindings));
  } catch (const UserError&) { choice.data = {}; }  // it cannot be launched, as its pane says
}

void startComparison(AppState& state) {
  Comparison& comparison = state.comparison;
  if (comparison.on || state.catalogue.find(state.choice.kernel) == nullptr) { return; }
  leavePlayground(state);
  Tabs& tabs = state.view.tabs;
  const Workspace from = tabs.inFront(Tab::Compare) ? tabs.before() : tabs.workspace();
  state.beforeComparison = BeforeComparison{state.choice,   state.cursor.position(), state.selection,
                                            state.playback, cameraAimed(state),      from};
  comparison.on = true;
  tabs.bringToFront(Tab::Compare);
  ComparedVariant first;
  first.choice = state.choice;
  std::erase_if(comparison.variants, [&](const ComparedVariant& one) { return !belongs(state, one.choice.kernel); });
  const auto known = find(comparison, state.choice.kernel);
  if (known == comparison.variants.end()) {
    if (comparison.variants.size() == Comparison::kMost) { comparison.variants.pop_back(); }
    comparison.variants.insert(comparison.variants.begin(), std::move(first));
    comparison.focus = 0;
  } else {
    comparison.focus = static_cast<std::size_t>(known - comparison.variants.begin());
    *known = std::move(first);
  }
}

void endComparison(AppState& state) {
  Comparison& comparison = state.comparison;
  if (!comparison.on) { return; }
  // The next time the same variants are shown; their results are released.
  std::vector<ComparedVariant> remembered;
  for (const ComparedVariant& variant : comparison.variants) {
    remembered.emplace_back();
    remembered.back().choice.kernel = variant.choice.kernel;
  }
  const LineUp lineUp = comparison.lineUp;
  comparison = Comparison{};
  comparison.variants = std::move(remembered);
  comparison.lineUp = lineUp;
}

void leaveComparison(AppState& state) {
  if (!state.comparison.on || !state.beforeComparison) { return; }
  endComparison(state);
  BeforeComparison& before = *state.beforeComparison;
  state.choice = before.choice;
  state.playback = before.playback;
  holdCamera(state);
  state.view.camera = before.camera;
  if (before.workspace == Workspace::Compare) {
    state.view.tabs.bringToFront(Tab::Climb);
  } else {
    state.view.tabs.enter(before.workspace);
  }
  before.left = true;  // the cursor goes back as soon as the experiment is there
}

bool isCompared(const AppState& state, const std::string& kernel) {
  return std::ranges::any_of(state.comparison.variants,
                             [&](const ComparedVariant& variant) { return variant.choice.kernel == kernel; });
}

void toggleCompared(AppState& state, const std::string& kernel) {
  Comparison& comparison = state.comparison;
  const KernelFile* file = state.catalogue.find(kernel);
  const auto known = find(comparison, kernel);
  if (known == comparison.variants.end()) {
    if (file == nullptr || comparison.variants.size() >= Comparison::kMost) { return; }
    comparison.variants.push_back(variantOf(state, *file));
    return;
  }
  if (comparison.variants.size() == 1) { return; }
  const auto index = static_cast<std::size_t>(known - comparison.variants.begin());
  if (index == comparison.focus) { focusVariant(state, index == 0 ? 1 : index - 1); }
  comparison.variants.erase(known);
  if (index < comparison.focus) { --comparison.focus; }
}

void focusVariant(AppState& state, std::size_t index) {
  Comparison& comparison = state.comparison;
  if (!comparison.on || index >= comparison.variants.size() || index == comparison.focus) { return; }
  const ComparedVariant& variant = comparison.variants[index];
  const experiment::Experiment* experiment = variant.block.experiment.get();
  comparison.focus = index;
  state.choice = variant.choice;
  if (experiment == nullptr) { return; }
  state.choice.bindings = experiment->bindings;
  state.choice.block = experiment->block;
}

const ComparedVariant* Comparison::untraced() const {
  const auto found = std::ranges::find_if(
      variants, [](const ComparedVariant& variant) { return variant.shown() && variant.block.trace == nullptr; });
  return found == variants.end() ? nullptr : &*found;
}

void lineUpBy(AppState& state, LineUp lineUp) { state.comparison.lineUp = lineUp; }

void goToTick(AppState& state, std::size_t tick) {
  state.playback.playing = false;
  state.playback.carry = 0;
  state.comparison.time.goTo(tick);
  followTime(state);
}

void followTime(AppState& state) {
  const Comparison& comparison = state.comparison;
  if (comparison.follows(state.experiment)) { state.cursor.goTo(comparison.time.positionOf(comparison.focus)); }
}

void toggleComparison(AppState& state) { state.comparison.on ? leaveComparison(state) : startComparison(state); }

void focusNextVariant(AppState& state) {
  const Comparison& comparison = state.comparison;
  if (comparison.on) { focusVariant(state, (comparison.focus + 1) % comparison.variants.size()); }
}

void toggleLineUp(AppState& state) {
  lineUpBy(state, state.comparison.lineUp == LineUp::Cell ? LineUp::Interval : LineUp::Cell);
}

}  // namespace haloscope
