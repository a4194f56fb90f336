#include "actions/UndoActions.h"

#include "actions/Fixes.h"
#include "state/AppState.h"

namespace haloscope {

namespace {

void choose(AppState& state, const Chosen& chosen) {
  state.choice = chosen.choice;
  const auto launch = state.launches.find(chosen.choice.kernel);
  if (launch == state.launches.end() || chosenNow(state) == chosen) { return; }
  launch->second.overrides.takeSettings(chosen.overrides);
  launch->second.kernel = chosen.launched;
  ++launch->second.revision;
}

}  // namespace

void undoChoice(AppState& state) {
  if (fixWasLast(state) && takeBackFix(state)) { return; }
  if (const auto before = state.history.back(chosenNow(state))) { choose(state, *before); }
}

void redoChoice(AppState& state) {
  if (tryFixAgain(state)) { return; }
  if (const auto after = state.history.forward(chosenNow(state))) { choose(state, *after); }
}

}  // namespace haloscope
