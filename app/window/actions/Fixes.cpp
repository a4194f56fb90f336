#include "actions/Fixes.h"

#include <utility>

#include "checking/TextFixes.h"

namespace haloscope {

namespace {

const WorkingCopy* copyOnScreen(const AppState& state) {
  const auto copy = state.copies.find(state.choice.kernel);
  return copy != state.copies.end() ? &copy->second : nullptr;
}

}  // namespace

bool canTryFix(const AppState& state, const faults::Finding& finding) {
  const WorkingCopy* copy = copyOnScreen(state);
  return !finding.fix.empty() && copy != nullptr && state.experiment != nullptr && !state.computing &&
         state.experiment->file.id == copy->id && state.experiment->file.text == copy->text;
}

void tryFix(AppState& state, const faults::Finding& finding) {
  if (!canTryFix(state, finding)) { return; }
  WorkingCopy& copy = state.copies.at(state.choice.kernel);
  state.editing.tried.push_back({copy.id, copy.text, checking::withEdits(copy.text, finding.fix), chosenNow(state)});
  copy.setText(state.editing.tried.back().after);
  state.editing.takenBack.clear();
}

bool hasTriedFix(const AppState& state) {
  const WorkingCopy* copy = copyOnScreen(state);
  if (state.editing.tried.empty() || copy == nullptr) { return false; }
  const Editing::TriedFix& tried = state.editing.tried.back();
  return copy->id == tried.id && copy->text == tried.after && copy->changed();
}

bool takeBackFix(AppState& state) {
  if (!hasTriedFix(state)) { return false; }
  Editing& editing = state.editing;
  state.copies.at(state.choice.kernel).setText(editing.tried.back().before);
  editing.takenBack.push_back(std::move(editing.tried.back()));
  editing.takenBack.back().chosen = chosenNow(state);
  editing.tried.pop_back();
  return true;
}

bool tryFixAgain(AppState& state) {
  Editing& editing = state.editing;
  const WorkingCopy* copy = copyOnScreen(state);
  if (editing.takenBack.empty() || copy == nullptr) { return false; }
  const Editing::TriedFix& fix = editing.takenBack.back();
  if (copy->id != fix.id || copy->text != fix.before || !(fix.chosen == chosenNow(state))) { return false; }
  state.copies.at(state.choice.kernel).setText(fix.after);
  editing.tried.push_back(std::move(editing.takenBack.back()));
  editing.takenBack.pop_back();
  return true;
}

bool fixWasLast(const AppState& state) {
  return hasTriedFix(state) && state.editing.tried.back().chosen == chosenNow(state);
}

}  // namespace haloscope
