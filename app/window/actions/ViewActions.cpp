#include "actions/ViewActions.h"

#include <algorithm>
#include <cmath>

#include "actions/Comparing.h"
#include "actions/PresentingActions.h"
#include "actions/SessionActions.h"
#include "actions/StartPageActions.h"
#include "state/Session.h"

namespace haloscope {

namespace {

void changeTextSize(AppState& state, float tenths) {
  const float scale = (std::round(state.view.scale * 10) + tenths) / 10;
  state.view.scale = std::clamp(scale, kSmallestTextScale, kLargestTextScale);
}

}  // namespace

void enlargeText(AppState& state) { changeTextSize(state, 1); }
void shrinkText(AppState& state) { changeTextSize(state, -1); }
void resetTextSize(AppState& state) { state.view.scale = 1; }

void toggleTheme(AppState& state) { state.view.light = !state.view.light; }
void toggleLanguage(AppState& state) {
  state.view.language = language() == Language::English ? Language::Chinese : Language::English;
}
void resetLayout(AppState& state) { state.view.resetLayout = true; }
void toggleHelp(AppState& state) {
  state.view.showHelp = !state.view.showHelp;
  state.view.term.clear();
}
void openManual(AppState& state, const std::string& page) {
  state.view.showHelp = true;
  state.view.page = page;
}
void openGlossary(AppState& state, const std::string& term) {
  openManual(state, kGlossaryPage);
  state.view.findTerm = true;
  state.view.term = term;
}
void toggleLaunchTable(AppState& state) { state.view.showLaunch = !state.view.showLaunch; }
void openFileDialog(AppState& state) { state.view.fileDialog = View::FileDialog::Open; }
bool savesScenes(const AppState& state) {
  const Session& session = state.session;
  if (session.scenes.empty() || state.editing.open) { return false; }
  const auto copy = state.copies.find(state.choice.kernel);
  const bool edited = copy != state.copies.end() && copy->second.opened && copy->second.unsaved();
  return !edited || (session.changed() && session.changedLast);
}
void save(AppState& state) {
  if (savesScenes(state)) {
    saveSession(state);
  } else {
    state.fileRequests.save = true;
  }
}
void quit(AppState& state) { state.view.quit = true; }

void toggleEditor(AppState& state) {
  state.editing.open = !state.editing.open;
  if (!state.editing.open) { return; }
  state.view.tabs.bringToFront(Tab::Source);
  const recording::Step* step = state.cursor.empty() ? nullptr : state.cursor.current();
  if (state.problem && state.problem->where.valid()) {
    state.editing.line = state.problem->where.line;
  } else if (step != nullptr && step->statement != kNone) {
    state.editing.line = state.cursor.recording().program->statements[step->statement].range.line;
  } else {
    state.editing.line = 0;
  }
}

void searchSource(AppState& state) {
  if (state.editing.open) { return; }  // the editor has a search of its own
  state.view.tabs.bringToFront(Tab::Source);
  state.search.open = state.search.focus = true;
}

void findNextInSource(AppState& state) {
  if (!state.search.open) { return searchSource(state); }
  ++state.search.shown;
}

void findPreviousInSource(AppState& state) {
  if (!state.search.open) { return searchSource(state); }
  --state.search.shown;
}

void closeTopmost(AppState& state) {
  View& view = state.view;
  const bool helping = view.showHelp || view.showAbout;
  if (state.start.shown && !helping) {
    leaveStartPage(state);
  } else if (state.presenting.on && !helping && !state.problem) {
    togglePresenting(state);
  } else if (view.showLaunch) {
    view.showLaunch = false;
  } else if (state.search.open && !state.editing.open && state.view.tabs.inFront(Tab::Source) && !helping) {
    state.search.open = false;
  } else if (state.editing.open && !helping) {
    state.editing.open = false;
  } else if (state.comparison.on && !helping && !state.problem) {
    leaveComparison(state);
  } else if (const std::optional<Tab> drawer = view.tabs.openDrawer(); drawer && !helping && !state.problem) {
    view.tabs.close(*drawer);
  } else {
    view.showHelp = view.showAbout = false;
    state.problem.reset();
  }
}

void toggleGpuStepping(AppState& state) { state.gpuStepping.wanted = !state.gpuStepping.wanted; }
void readHardwareCounters(AppState& state) { state.hardware.wanted = true; }

}  // namespace haloscope
