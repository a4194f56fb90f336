#include "actions/SessionActions.h"

#include <algorithm>
#include <utility>

#include "actions/Choices.h"
#include "actions/SceneActions.h"
#include "language/Text.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"
#include "state/AppState.h"

namespace haloscope {

namespace {

constexpr std::size_t kMostChanges = 200;

/// To be called before the scenes change.
void note(Session& session) {
  session.done.push_back(session.scenes);
  if (session.done.size() > kMostChanges) { session.done.erase(session.done.begin()); }
  session.undone.clear();
  session.described.reset();
  session.changedLast = true;
  ++session.revision;
}

void restore(Session& session, std::vector<std::vector<Scene>>& from, std::vector<std::vector<Scene>>& to) {
  if (from.empty()) { return; }
  session.described.reset();
  to.push_back(std::exchange(session.scenes, std::move(from.back())));
  from.pop_back();
  session.changedLast = true;
  ++session.revision;
  session.current = std::min(session.current, session.scenes.empty() ? 0 : session.scenes.size() - 1);
}

/// None, and the reason is the problem on screen: it cannot be recorded.
std::optional<Scene> recorded(AppState& state) {
  try {
    return captureScene(state);
  } catch (const UserError& error) {
    state.problem = Problem{error.message(), {}, {}};
    return std::nullopt;
  }
}

/// "tiled, step 17".
std::string titleOf(const AppState& state, const Scene& scene) {
  const std::string name = shortName(shownName(state.catalogue, scene.choice.kernel));
  if (scene.moment.kind != Moment::Kind::Step) { return name; }
  return trf("{}, step {}", name, scene.moment.number);
}

}  // namespace

void recordScene(AppState& state) {
  if (state.catalogue.find(state.choice.kernel) == nullptr || state.start.shown) { return; }
  Session& session = state.session;
  std::optional<Scene> now = recorded(state);
  if (!now) { return; }
  Scene scene = *std::move(now);
  scene.title = titleOf(state, scene);
  note(session);
  const std::size_t at = session.scenes.empty() ? 0 : session.current + 1;
  session.scenes.insert(session.scenes.begin() + static_cast<std::ptrdiff_t>(at), std::move(scene));
  session.current = at;
  session.missing = false;
  const bool painted = session.scenes[at].play && state.field.painted;
  session.message =
      painted ? trf("recorded as scene {}, without what was painted", at + 1) : trf("recorded as scene {}", at + 1);
}

void recordAgain(AppState& state) {
  Session& session = state.session;
  if (session.shown() == nullptr || state.start.shown) { return; }
  if (session.missing) {
    state.problem =
        Problem{tr("This scene could not be shown and stays as it is: record a new one, or delete it."), {}, {}};
    return;
  }
  std::optional<Scene> now = recorded(state);
  if (!now) { return; }
  Scene scene = *std::move(now);
  Scene& before = session.scenes[session.current];
  scene.title = before.title;
  scene.note = before.note;
  if (scene.hall.empty()) { scene.hall = before.hall; }
  if (scene.panels.empty()) { scene.panels = before.panels; }
  note(session);
  before = std::move(scene);
}

void deleteScene(AppState& state, std::size_t index) {
  Session& session = state.session;
  if (index >= session.scenes.size()) { return; }
  note(session);
  session.scenes.erase(session.scenes.begin() + static_cast<std::ptrdiff_t>(index));
  if (session.current > index || session.current == session.scenes.size()) {
    session.current -= session.current == 0 ? 0 : 1;
  }
}

void moveScene(AppState& state, std::size_t index, int by) {
  Session& session = state.session;
  const auto count = static_cast<std::ptrdiff_t>(session.scenes.size());
  const auto from = static_cast<std::ptrdiff_t>(index);
  if (from >= count) { return; }
  const std::ptrdiff_t to = std::clamp<std::ptrdiff_t>(from + by, 0, count - 1);
  if (to == from) { return; }
  note(session);
  const auto begin = session.scenes.begin();
  if (to > from) {
    std::rotate(begin + from, begin + from + 1, begin + to + 1);
  } else {
    std::rotate(begin + to, begin + from, begin + from + 1);
  }
  const auto current = static_cast<std::ptrdiff_t>(session.current);
  if (current == from) {
    session.current = static_cast<std::size_t>(to);
  } else if (current > from && current <= to) {
    --session.current;
  } else if (current < from && current >= to) {
    ++session.current;
  }
}

void describeScene(AppState& state, std::size_t index, const Scene& described) {
  Session& session = state.session;
  if (index >= session.scenes.size()) { return; }
  const Scene& before = session.scenes[index];
  if (before.title == described.title && before.note == described.note && before.hall == described.hall) { return; }
  // What is typed in one go is one step to be undone.
  const bool goesOn = session.described == index && before.hall == described.hall && !session.done.empty();
  if (goesOn) {
    session.changedLast = true;
    ++session.revision;
  } else {
    note(session);
    session.described = index;
  }
  Scene& scene = session.scenes[index];
  scene.title = described.title;
  scene.note = described.note;
  scene.hall = described.hall;
}

void undoSceneChange(AppState& state) { restore(state.session, state.session.done, state.session.undone); }
void redoSceneChange(AppState& state) { restore(state.session, state.session.undone, state.session.done); }

void goToScene(AppState& state, std::size_t index) {
  Session& session = state.session;
  if (index >= session.scenes.size()) { return; }
  const Scene scene = session.scenes[index];
  state.problem.reset();  // of the scene before
  session.missing = false;
  try {
    showScene(state, scene);
  } catch (const UserError& error) {
    session.missing = true;
    state.problem = Problem{trf("scene {}, \"{}\": {}", index + 1, scene.title, error.message()), {}, {}};
  }
  session.current = index;
  state.presenting.quiet = 0;
  state.presenting.marks.clear();  // the step may be the same
  if (state.presenting.on) { state.presenting.hall = scene.hall; }
}

void goToNextScene(AppState& state) { goToScene(state, state.session.current + 1); }
void goToPreviousScene(AppState& state) {
  if (state.session.current > 0) { goToScene(state, state.session.current - 1); }
}

void openSession(AppState& state, Session session) {
  session.listed = true;
  state.session = std::move(session);
  state.session.current = 0;
  goToScene(state, 0);
}

void toggleScenes(AppState& state) { state.session.listed = !state.session.listed; }

bool isShipped(const AppState& state, const std::filesystem::path& session) {
  return isInside(session, state.shippedSessions);
}

void newSession(AppState& state) { state.fileRequests.newSession = true; }

void saveSession(AppState& state) {
  if (state.session.path.empty() || isShipped(state, state.session.path)) {
    state.view.fileDialog = View::FileDialog::SaveSession;
  } else {
    state.fileRequests.saveSession = state.session.path;
  }
}

}  // namespace haloscope
