#include "live/Comparer.h"

#include <algorithm>
#include <utility>

#include "actions/Choices.h"
#include "actions/Comparing.h"
#include "actions/Origins.h"

namespace haloscope {

ComparisonRunner::ComparisonRunner(work::Pool& pool)
    : Worker(pool, {work::Priority::Foreground, work::Cores::All},
             [](const ComparisonRequest& request, work::Delivery<ComparisonResult>& delivery) {
               for (std::size_t i = 0; i < request.variants.size(); ++i) {
                 delivery.publish({i, compareBlock(request.variants[i], request.cell, delivery.stop())});
               }
             }) {}

namespace {

using experiment::Experiment;

std::uint64_t revisionOf(const AppState& state, const std::string& kernel) {
  const auto copy = state.copies.find(kernel);
  return copy == state.copies.end() ? 0 : copy->second.revision;
}

std::uint64_t launchOf(const AppState& state, const std::string& kernel) {
  const auto launch = state.launches.find(kernel);
  return launch == state.launches.end() ? 0 : launch->second.revision;
}

/// The cell that was clicked on; else the one that is compared already; else one that the selected thread writes, or
/// any.
std::optional<std::int64_t> cellOf(const AppState& state) {
  const Experiment& experiment = *state.experiment;
  const auto written = [&](const std::optional<std::int64_t>& element) {
    return element && experiment.writes.writer(*element);
  };
  if (written(state.selection.output)) { return state.selection.output; }
  const std::optional<CommonCell>& before = state.comparison.cell;
  if (before && before->extents == experiment.footprint.outputExtents && written(before->element)) {
    return before->element;
  }
  if (const auto own = experiment.writes.of(state.selection.thread, state.cursor.position())) { return own; }
  const std::vector<std::int64_t>& outputs = experiment.footprint.outputs;
  return outputs.empty() ? std::nullopt : std::optional(outputs[outputs.size() / 2]);
}

/// Whether the same was executed twice.
bool isAgain(const Experiment& before, const Experiment& now) {
  experiment::Choice choice = before.choice;
  choice.bindings = now.choice.bindings;
  choice.block = now.choice.block;
  return choice == now.choice && before.bindings == now.bindings && before.block == now.block &&
         before.file.text == now.file.text && before.recording->steps.size() == now.recording->steps.size();
}

}  // namespace

void Comparer::update(AppState& state) {
  if (!state.comparison.on) {
    if (!asked_.empty()) { runner_.cancel(); }
    asked_.clear();
    sections_.clear();
    goBack(state);
    return;
  }
  followChoice(state);
  followExperiment(state);
  followCell(state);
  ask(state);
  receive(state);
  lineUp(state);
  followTime(state);
}

void Comparer::settle(AppState& state) {
  update(state);
  if (!state.comparison.on) { return; }
  runner_.finish();
  update(state);
}

// To where the user was before variants were put side by side, once that is executed again.
void Comparer::goBack(AppState& state) {
  std::optional<BeforeComparison>& before = state.beforeComparison;
  if (!before || !before->left) { return; }
  if (state.choice == before->choice) {
    if (state.computing || state.experiment == nullptr || state.experiment->choice != before->choice) { return; }
    state.cursor.goTo(before->position);
    state.selection = before->selection;
  }
  before.reset();
}

// Another variant in the toolbar replaces the one in focus, unless it is compared already.
void Comparer::followChoice(AppState& state) {
  Comparison& comparison = state.comparison;
  const std::string& kernel = state.choice.kernel;
  if (comparison.inFocus().choice.kernel != kernel) {
    const auto compared = std::ranges::find_if(
        comparison.variants, [&](const ComparedVariant& variant) { return variant.choice.kernel == kernel; });
    if (compared != comparison.variants.end()) {
      comparison.focus = static_cast<std::size_t>(compared - comparison.variants.begin());
    } else {
      comparison.variants[comparison.focus] = ComparedVariant{};
    }
  }
  comparison.variants[comparison.focus].choice = state.choice;
}

void Comparer::followExperiment(AppState& state) {
  Comparison& comparison = state.comparison;
  const std::shared_ptr<const Experiment>& now = state.experiment;
  const bool current = now != nullptr && now->choice == state.choice && now->recording == state.cursor.shared();
  ComparedVariant& variant = comparison.variants[comparison.focus];
  if (!current || variant.block.experiment == now) { return; }
  const bool again = variant.shown() && isAgain(*variant.block.experiment, *now);
  if (again) {  // it came into focus: it stays where it was
    variant.block.experiment = now;
    if (comparison.time.trackCount() == comparison.variants.size()) {
      state.cursor.goTo(comparison.time.positionOf(comparison.focus));
    }
  } else {
    variant.block = {now, nullptr, recording::BlockTally(*now->recording), {}};
  }
  variant.cursor = recording::Cursor(now->recording);
  variant.viewedAt.reset();
}

void Comparer::followCell(AppState& state) {
  Comparison& comparison = state.comparison;
  if (state.experiment == nullptr || comparison.inFocus().block.experiment != state.experiment) { return; }
  const auto element = cellOf(state);
  std::optional<CommonCell> cell;
  if (element) { cell = CommonCell{*element, state.experiment->footprint.outputExtents}; }
  const bool same = cell == comparison.cell && askedFor_ == state.experiment;
  comparison.cell = cell;
  if (element && !same) { chooseOutput(state, *element); }
}

void Comparer::ask(AppState& state) {
  Comparison& comparison = state.comparison;
  const std::shared_ptr<const Experiment>& focused = comparison.inFocus().block.experiment;
  if (focused == nullptr || focused != state.experiment) { return; }
  std::vector<Made> wanted;
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
    ComparedVariant& variant = comparison.variants[i];
    const KernelFile* file = state.catalogue.find(variant.choice.kernel);
    if (i != comparison.focus && file != nullptr) { takeSettings(variant.choice, *file, *focused); }
    wanted.push_back(
        {variant.choice, revisionOf(state, variant.choice.kernel), launchOf(state, variant.choice.kernel)});
    wanted.back().choice.block.reset();
  }
  if (wanted == asked_ && comparison.cell == askedCell_ && focused == askedFor_) { return; }

  ComparisonRequest request;
  if (comparison.cell) { request.cell = *comparison.cell; }
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
    ComparedVariant& variant = comparison.variants[i];
    const KernelFile* file = state.catalogue.find(variant.choice.kernel);
    ComparedRequest item;
    if (file != nullptr) { item.request = requestOf(state, wanted[i].choice); }
    const bool unchanged = std::ranges::find(asked_, wanted[i]) != asked_.end();
    if (i == comparison.focus || unchanged) { item.known = variant.block.experiment; }
    variant.computing = comparison.cell.has_value();
    request.variants.push_back(std::move(item));
  }
  asked_ = std::move(wanted);
  askedCell_ = comparison.cell;
  askedFor_ = focused;
  if (comparison.cell) {
    runner_.request(std::move(request));
  } else {
    runner_.cancel();
  }
}

void Comparer::receive(AppState& state) {
  Comparison& comparison = state.comparison;
  while (auto result = runner_.poll()) {
    if (result->variant >= comparison.variants.size()) { continue; }
    ComparedVariant& variant = comparison.variants[result->variant];
    variant.computing = false;
    const bool same = variant.block.experiment == result->block.experiment;
    if (result->variant == comparison.focus && !same) { continue; }  // a newer one has arrived
    variant.block = std::move(result->block);
    if (same) { continue; }
    const Experiment* experiment = variant.block.experiment.get();
    variant.cursor = experiment != nullptr ? recording::Cursor(experiment->recording) : recording::Cursor();
    variant.viewedAt.reset();
  }
}

void Comparer::lineUp(AppState& state) {
  Comparison& comparison = state.comparison;
  std::vector<recording::Lockstep::Sections> sections;
  const LineUp linedUpBy = comparison.linedUpBy();
  for (const ComparedVariant& variant : comparison.variants) {
    if (!variant.shown()) {
      sections.emplace_back();
    } else if (linedUpBy == LineUp::Cell) {
      sections.push_back(cellPhases(variant.block));
    } else {
      sections.push_back(intervalSections(*variant.block.experiment->recording));
    }
  }
  if (sections == sections_ && comparison.time.trackCount() == sections.size()) { return; }
  sections_ = sections;
  const bool atEnd = !comparison.time.empty() && comparison.time.position() == comparison.time.end();
  comparison.time = recording::Lockstep(std::move(sections));
  if (atEnd) { comparison.time.goTo(comparison.time.end()); }
}

void Comparer::followTime(AppState& state) {
  Comparison& comparison = state.comparison;
  if (comparison.follows(state.experiment)) { comparison.time.goToStep(comparison.focus, state.cursor.position()); }
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
    ComparedVariant& variant = comparison.variants[i];
    if (!variant.shown()) { continue; }
    variant.cursor.goTo(comparison.time.positionOf(i));
    if (variant.viewedAt == variant.cursor.position()) { continue; }
    const Experiment& experiment = *variant.block.experiment;
    variant.view = recording::viewBlock(variant.cursor, experiment.footprint, experiment.carriers);
    variant.viewedAt = variant.cursor.position();
  }
}

}  // namespace haloscope
