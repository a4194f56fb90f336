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
  state.editing.tried = Editing::TriedFix{copy.id, copy.text, checking::withEdits(copy.text, finding.fix)};
  copy.setText(state.editing.tried->after);
}

bool hasTriedFix(const AppState& state) {
  const WorkingCopy* copy = copyOnScreen(state);
  const auto& tried = state.editing.tried;
  return tried && copy != nullptr && copy->id == tried->id && copy->text == tried->after;
}

bool takeBackFix(AppState& state) {
  if (!hasTriedFix(state)) { return false; }
  state.copies.at(state.choice.kernel).setText(state.editing.tried->before);
  state.editing.tried.reset();
  return true;
}

}  // namespace haloscope
