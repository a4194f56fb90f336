#include "actions/PresentingActions.h"
#include "actions/StartPageActions.h"

namespace haloscope {

namespace {

constexpr double kBarSeconds = 3;

Tab aboutOf(Workspace workspace) {
  switch (workspace) {
    case Workspace::Learn:
      return Tab::Lesson;
    case Workspace::Walk:
      return Tab::Block;
    case Workspace::Tune:
      return Tab::Tuning;
    case Workspace::Figures:
      return Tab::Figures;
    case Workspace::Program:
      return Tab::Program;
    case Workspace::Compare:
      return Tab::Compare;
    case Workspace::Play:
      return Tab::Playground;
  }
  return Tab::Block;
}

}  // namespace

std::vector<Tab> hallOf(const AppState& state) {
  if (!state.presenting.hall.empty()) { return state.presenting.hall; }
  if (state.comparison.on) { return {Tab::Compare}; }
  const Tab about = aboutOf(state.view.tabs.workspace());
  return about == Tab::Playground ? std::vector{about, Tab::Field} : std::vector{about};
}

void togglePresenting(AppState& state) {
  Presenting& presenting = state.presenting;
  if (presenting.on) {
    presenting.on = presenting.frozen = presenting.spotlight = presenting.marking = false;
    presenting.marks.clear();
    presenting.hall.clear();
    return;
  }
  leaveStartPage(state);
  state.editing.open = false;
  presenting.on = true;
  presenting.seconds = presenting.quiet = 0;
  const Scene* scene = state.session.shown();
  presenting.hall = scene != nullptr ? scene->hall : std::vector<Tab>();
}

void toggleSpotlight(AppState& state) { state.presenting.spotlight = !state.presenting.spotlight; }

void toggleMarking(AppState& state) {
  state.presenting.marking = !state.presenting.marking;
  if (!state.presenting.marking) { state.presenting.marks.clear(); }
}

void toggleFrozen(AppState& state) { state.presenting.frozen = !state.presenting.frozen; }
void toggleNotes(AppState& state) { state.presenting.notes = !state.presenting.notes; }
void toggleNotesWindow(AppState& state) { state.presenting.notesWindow = !state.presenting.notesWindow; }

bool clickerShowsScenes(const AppState& state) { return state.presenting.on && !state.session.scenes.empty(); }

void followPresenting(AppState& state, double seconds, bool moved) {
  Presenting& presenting = state.presenting;
  if (!presenting.on) { return; }
  presenting.seconds += seconds;
  presenting.quiet = moved ? 0 : presenting.quiet + seconds;
  const bool same = presenting.markedIn == state.experiment &&
                    (state.cursor.empty() || presenting.markedAt == state.cursor.position());
  if (same) { return; }
  presenting.marks.clear();
  presenting.markedIn = state.experiment;
  presenting.markedAt = state.cursor.empty() ? 0 : state.cursor.position();
}

bool showsBar(const Presenting& presenting) { return presenting.on && presenting.quiet < kBarSeconds; }

}  // namespace haloscope
