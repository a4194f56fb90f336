#include "actions/Barriers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>

#include "actions/Choices.h"
#include "actions/Findings.h"
#include "faults/FindingPosition.h"
#include "language/Text.h"
#include "program/NumberText.h"

namespace haloscope {

namespace {

using experiment::BarrierEffect;

/// Of the barriers that are out on screen; null where none is, or where nothing is known of them.
const BarrierEffect* effectOf(const AppState& state) {
  const bool known = state.experiment != nullptr && state.experiment->barrierEffect.has_value();
  return known ? &*state.experiment->barrierEffect : nullptr;
}

bool isRace(const faults::Finding& finding) {
  return finding.kind == faults::FindingKind::RaceShared || finding.kind == faults::FindingKind::RaceGlobal;
}

/// "the barrier at line 49", "the barriers at lines 49 and 61".
std::string barriersText(const std::set<int>& lines) {
  std::string text = lines.size() == 1 ? tr("the barrier at line ") : tr("the barriers at lines ");
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    text += fmt::format("{}{}",
                        line == lines.begin()            ? ""
                        : std::next(line) == lines.end() ? tr(" and ")
                                                         : ", ",
                        *line);
  }
  return text;
}

/// What is on screen was executed as chosen.
bool executedAsChosen(const AppState& state) {
  if (state.experiment == nullptr || state.computing) { return false; }
  const experiment::Choice& executed = state.experiment->choice;
  return executed.kernel == state.choice.kernel && executed.withoutBarriers == state.choice.withoutBarriers &&
         executed.order == state.choice.order && executed.orderSeed == state.choice.orderSeed;
}

/// Returns false while the checks run.
bool showRace(AppState& state) {
  if (state.report == nullptr) { return !state.checking; }
  const auto all = findings(state);
  const auto race = std::ranges::find_if(all, isRace);
  if (race == all.end()) { return true; }
  state.view.tabs.raise(Tab::Findings);
  chooseFinding(state, static_cast<std::size_t>(race - all.begin()));
  return true;
}

/// The two accesses of a race in a recording; none if they are in another block, or not in one barrier interval.
std::optional<analysis::StagedRace> raceOf(const faults::Finding& finding, const recording::Recording& recording) {
  if (finding.kind != faults::FindingKind::RaceShared || finding.threads.size() < 2 || !finding.other.valid()) {
    return std::nullopt;
  }
  const auto at = [&](const SourceRange& where,
                      const faults::ThreadPlace& place) -> std::optional<analysis::RaceAccess> {
    if (!(place.block == recording.block)) { return std::nullopt; }
    const auto position = faults::positionOf(where, finding, recording);
    if (!position) { return std::nullopt; }
    const auto thread = static_cast<std::uint32_t>(linear(place.thread, recording.configuration.block));
    return analysis::accessOf(recording, *position - 1, thread, finding.object, finding.index);
  };
  const auto one = at(finding.where, finding.threads[0]);
  if (!one) { return std::nullopt; }
  const auto other = at(finding.other, finding.threads[1]);
  if (!other || recording.steps[one->step].interval != recording.steps[other->step].interval) { return std::nullopt; }
  const bool inOrder = one->step <= other->step;
  return analysis::StagedRace{finding.object, finding.index, inOrder ? *one : *other, inOrder ? *other : *one};
}

/// To the first read, by a thread whose output is wrong, of what another warp stores in the same barrier interval; to
/// the end if there is none.
void goToWrongRead(AppState& state) {
  if (state.cursor.empty()) { return; }
  RaceDemonstration& demonstration = state.demonstration;
  demonstration.wrongRead.reset();
  std::set<std::uint32_t> wrong;  // threads
  if (const BarrierEffect* effect = effectOf(state)) {
    for (const auto& difference : effect->differences) {
      if (const auto thread = state.experiment->writes.writer(difference.element)) { wrong.insert(*thread); }
    }
  }
  const recording::Recording& recording = state.cursor.recording();
  demonstration.wrongRead = analysis::firstRacyLoad(recording, wrong);
  demonstration.recordedIn = state.cursor.shared();
  if (!demonstration.wrongRead) {
    state.cursor.goTo(state.cursor.end());
    return;
  }
  const analysis::StagedRace& race = *demonstration.wrongRead;
  const analysis::RaceAccess& load = race.first.store ? race.second : race.first;
  state.selection.thread = load.thread;
  state.cursor.goTo(load.step + 1);
}

}  // namespace

std::optional<int> barrierAtCursor(const AppState& state) {
  if (state.experiment == nullptr) { return std::nullopt; }
  const std::set<int>& lines = state.experiment->barriers;
  if (lines.empty()) { return std::nullopt; }
  const recording::Step* step = state.cursor.empty() ? nullptr : state.cursor.current();
  const bool atStatement = step != nullptr && step->statement != kNone;
  const int line = atStatement ? state.experiment->program->statements[step->statement].range.line : 0;
  const auto next = lines.lower_bound(line);
  return next != lines.end() ? *next : *lines.begin();
}

void toggleBarrier(AppState& state, int line) {
  std::set<int>& lines = state.choice.withoutBarriers;
  const bool back = lines.erase(line) > 0;
  if (!back) { lines.insert(line); }
  state.demonstration.next = back ? RaceDemonstration::Next::Nothing : RaceDemonstration::Next::Race;
  if (lines.empty() && state.demonstration.orderBefore) {
    state.choice.order = *state.demonstration.orderBefore;
    state.demonstration.orderBefore.reset();
  }
}

void toggleBarrierAtCursor(AppState& state) {
  std::optional<int>& removed = state.demonstration.removed;
  // The cursor has moved on to the race: the key takes back what it did.
  const bool back = removed && state.choice.withoutBarriers.contains(*removed);
  const std::optional<int> line = back ? removed : barrierAtCursor(state);
  if (line) {
    removed = state.choice.withoutBarriers.contains(*line) ? std::nullopt : line;
    toggleBarrier(state, *line);
  } else if (state.experiment != nullptr) {
    state.editing.notify(
        trf("{} has no __syncthreads() to remove.", shownName(state.catalogue, state.experiment->file.id)));
  }
}

void chooseRevealingOrder(AppState& state) {
  const BarrierEffect* effect = effectOf(state);
  if (effect == nullptr || !effect->revealing) { return; }
  if (!state.demonstration.orderBefore) { state.demonstration.orderBefore = state.choice.order; }
  state.choice.order = effect->revealing->order;
  state.choice.orderSeed = effect->revealing->seed;
  state.demonstration.next = RaceDemonstration::Next::WrongRead;
}

void followBarriers(AppState& state) {
  RaceDemonstration::Next& next = state.demonstration.next;
  if (next == RaceDemonstration::Next::Nothing || !executedAsChosen(state)) { return; }
  if (next == RaceDemonstration::Next::WrongRead) {
    state.playback.playing = false;
    goToWrongRead(state);
    next = RaceDemonstration::Next::Nothing;
  } else if (showRace(state)) {
    next = RaceDemonstration::Next::Nothing;
  }
}

std::optional<analysis::StagedRace> raceOnStage(const AppState& state) {
  const RaceDemonstration& demonstration = state.demonstration;
  if (state.cursor.empty()) { return std::nullopt; }
  if (demonstration.wrongRead && demonstration.recordedIn.lock() == state.cursor.shared()) {
    return demonstration.wrongRead;
  }
  const RaceDemonstration::Staged& staged = demonstration.staged;
  return staged.recording.lock() == state.cursor.shared() ? staged.race : std::nullopt;
}

void followStagedRace(AppState& state) {
  RaceDemonstration::Staged& staged = state.demonstration.staged;
  const auto recording = state.cursor.empty() ? nullptr : state.cursor.shared();
  if (staged.recording.lock() == recording && staged.report.lock() == state.report &&
      staged.finding == state.selection.finding) {
    return;
  }
  if (staged.finding != state.selection.finding && state.selection.finding) { state.demonstration.wrongRead.reset(); }
  staged = {std::nullopt, recording, state.report, state.selection.finding};
  const faults::Finding* finding = chosenFinding(state);
  if (recording != nullptr && finding != nullptr) { staged.race = raceOf(*finding, *recording); }
}

std::string barrierSentence(const AppState& state) {
  const BarrierEffect* effect = effectOf(state);
  if (effect == nullptr) { return {}; }
  const experiment::Choice& choice = state.experiment->choice;
  const std::string without = trf("Without {}", barriersText(choice.withoutBarriers));
  const std::size_t outputs = state.experiment->footprint.outputs.size();
  const std::string order = orderText(choice.order, choice.orderSeed);
  if (!effect->differences.empty()) {
    const std::size_t wrong = effect->differences.size();
    return trn("{}, {}, {} of {} outputs of this block is wrong.", "{}, {}, {} of {} outputs of this block are wrong.",
               wrong, without, order, grouped(wrong), grouped(outputs));
  }
  if (effect->revealing) {  // a racy value may reach outputs all the same, which the scene outlines
    const std::size_t wrong = effect->revealing->differences;
    return trn("{}, all outputs of this block happen to be right {}; {}, {} of {} is wrong.",
               "{}, all outputs of this block happen to be right {}; {}, {} of {} are wrong.", wrong, without, order,
               orderText(effect->revealing->order, effect->revealing->seed), grouped(wrong), grouped(outputs));
  }
  const char* race = std::ranges::any_of(findings(state), isRace)
                         ? tr("; the race remains, and another block or GPU may show it")
                         : "";
  return trf("{}, no output of this block is wrong in any of the {} warp orders that were tried{}.", without,
             effect->ordersTried, race);
}

std::string orderText(simt::WarpOrder order, std::uint64_t seed) {
  switch (order) {
    case simt::WarpOrder::SideBySide:
      return tr("with the warps side by side");
    case simt::WarpOrder::InOrder:
      return tr("with the warps in order");
    case simt::WarpOrder::Reversed:
      return tr("with the warps in reversed order");
    case simt::WarpOrder::Random:
      return trf("with the warps in a random order (seed {})", seed);
    case simt::WarpOrder::Adversarial:
      return tr("with an adversarial order of the warps");
  }
  return {};
}

}  // namespace haloscope
