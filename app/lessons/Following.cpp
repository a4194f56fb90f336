#include "lessons/Following.h"

#include <memory>
#include <utility>

#include "program/SourceLocation.h"
#include "state/Comparing.h"
#include "state/Origins.h"

namespace haloscope::lessons {

namespace {

void openNeighbour(AppState& state, int by) {
  const Course* course = state.lesson.course.get();
  if (course == nullptr || course->lessons.empty()) { return; }
  if (state.lesson.shown.empty()) {
    openLesson(state, state.lesson.last.empty() ? course->lessons.front().id : state.lesson.last);
  } else if (const Lesson* next = course->neighbour(state.lesson.shown, by)) {
    openLesson(state, next->id);
  }
}

void goToPlace(AppState& state, const WindowLink& link) {
  const experiment::Experiment& on = *state.experiment;
  const std::optional<std::uint32_t> thread = threadOf(link, on);
  if (thread) { state.selection.thread = *thread; }
  if (link.moment.kind != Moment::Kind::None) { state.cursor.goTo(positionOf(link.moment, thread, on)); }
  if (const auto element = elementOf(link, on)) { chooseOutput(state, *element); }
  if (link.until.kind == Moment::Kind::None) { return; }
  state.lesson.playUntil = positionOf(link.until, thread, on);
  state.playback.playing = true;
}

/// The reader has chosen something else since; the order of the warps alone changes no place.
bool leftLink(const AppState& state) {
  experiment::Choice linked = state.lesson.linked;
  linked.order = state.choice.order;
  linked.orderSeed = state.choice.orderSeed;
  return !(linked == state.choice);
}

}  // namespace

const Lesson* shownLesson(const AppState& state) {
  return state.lesson.course == nullptr ? nullptr : state.lesson.course->find(state.lesson.shown);
}

void openCourseMap(AppState& state) {
  state.lesson.shown.clear();
  state.view.tabs.bringToFront(Tab::Lesson);
}

void openLesson(AppState& state, const std::string& id) {
  state.lesson.shown = id;
  const Lesson* lesson = shownLesson(state);
  if (lesson == nullptr) { return openCourseMap(state); }
  state.lesson.last = id;
  state.lesson.scrollTo = 0.0F;
  state.view.tabs.bringToFront(Tab::Lesson);
  if (state.catalogue.find(lesson->setting.kernel) == nullptr) { return; }
  WindowLink link;
  link.setting = lesson->setting;
  followLink(state, link);
}

void openNextLesson(AppState& state) { openNeighbour(state, 1); }
void openPreviousLesson(AppState& state) { openNeighbour(state, -1); }

void followLink(AppState& state, const WindowLink& link) {
  state.playback.playing = false;
  state.lesson.playUntil.reset();
  state.lesson.problem.clear();
  if (state.comparison.on) { leaveComparison(state); }
  experiment::Choice choice = choiceOf(link.setting);
  choice.order = state.choice.order;
  choice.orderSeed = state.choice.orderSeed;
  state.choice = std::move(choice);
  if (!link.figure.empty()) { state.figures.inFront = link.figure; }
  if (link.tab) { state.view.tabs.bringToFront(*link.tab); }
  if (!link.camera.empty()) { state.view.camera = cameraNamed(link.camera); }
  if (!link.compare.empty()) {
    for (const std::string& id : link.compare) {
      if (!isCompared(state, id)) { toggleCompared(state, id); }
    }
    startComparison(state);
  }
  state.lesson.linked = state.choice;
  state.lesson.awaited = std::make_shared<const WindowLink>(link);
}

void playSteps(AppState& state, const Lesson& lesson, const StepsBlock& steps) {
  WindowLink link;
  link.setting = within(lesson.setting, steps.setting);
  link.moment = steps.from;
  link.until = steps.to;
  state.lesson.playing = steps.line;
  followLink(state, link);
}

void followLesson(AppState& state) {
  LessonView& view = state.lesson;
  if (leftLink(state)) {
    view.awaited = nullptr;
    if (std::exchange(view.playUntil, std::nullopt)) { state.playback.playing = false; }
  }
  if (view.playUntil && (!state.playback.playing || state.cursor.position() >= *view.playUntil)) {
    state.playback.playing = false;
    view.playUntil.reset();
  }
  const WindowLink* link = view.awaited.get();
  if (link == nullptr || state.experiment == nullptr || state.cursor.empty()) { return; }
  if (!(state.experiment->choice == state.choice)) { return; }
  const std::shared_ptr<const WindowLink> keep = std::exchange(view.awaited, nullptr);
  try {
    goToPlace(state, *keep);
  } catch (const UserError& error) { view.problem = error.message(); }
}

}  // namespace haloscope::lessons
