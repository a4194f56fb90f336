#include "actions/Fixes.h"

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
}

bool hasTriedFix(const AppState& state) {
  const WorkingCopy* copy = copyOnScreen(state);
  if (state.editing.tried.empty() || copy == nullptr) { return false; }
  const Editing::TriedFix& tried = state.editing.tried.back();
  return copy->id == tried.id && copy->text == tried.after && copy->changed();
}

bool takeBackFix(AppState& state) {
  if (!hasTriedFix(state)) { return false; }
  state.copies.at(state.choice.kernel).setText(state.editing.tried.back().before);
  state.editing.tried.pop_back();
  return true;
}

bool fixWasLast(const AppState& state) {
  return hasTriedFix(state) && state.editing.tried.back().chosen == chosenNow(state);
}

}  // namespace haloscope
