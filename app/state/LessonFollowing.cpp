#include "state/LessonFollowing.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "lessons/LessonFacts.h"
#include "parts/SceneCamera.h"
#include "program/SourceLocation.h"
#include "state/Comparing.h"
#include "state/Origins.h"
#include "state/Player.h"

namespace haloscope {

using lessons::Course;
using lessons::Lesson;
using lessons::Moment;
using lessons::WindowLink;

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

void goToLinked(AppState& state, const WindowLink& link) {
  const experiment::Experiment& on = *state.experiment;
  const std::optional<std::uint32_t> thread = threadOf(link, on);
  if (thread) { state.selection.thread = *thread; }
  if (link.moment.kind != Moment::Kind::None) { state.cursor.goTo(positionOf(link.moment, thread, on)); }
  if (const auto element = elementOf(link, on)) { chooseOutput(state, *element); }
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
  experiment::Choice choice;
  try {
    choice = lessons::choiceOf(link.setting);  // may read a file
  } catch (const InputError& error) {
    state.lesson.problem = error.message();
    return;
  }
  state.playback.playing = false;
  state.lesson.problem.clear();
  state.lesson.followed.reset();
  if (state.comparison.on) { leaveComparison(state); }
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

StepsPlayer* playerOf(AppState& state, const Lesson& lesson, std::size_t index) {
  const auto facts = state.lesson.facts.find(lesson.id);
  if (facts == state.lesson.facts.end() || index >= facts->second->animations.size()) { return nullptr; }
  const lessons::AnimatedSteps* animated = facts->second->animations[index].get();
  if (animated == nullptr || animated->experiment == nullptr) { return nullptr; }
  StepsPlayer& player = state.lesson.players[{lesson.id, index}];
  if (player.experiment != animated->experiment) {
    player = {animated->experiment, animated->from, animated->to};
    player.thread = animated->thread;
  }
  return &player;
}

void walkSteps(AppState& state, double seconds) {
  for (auto& [where, player] : state.lesson.players) {
    if (where.first != state.lesson.shown) { player.playback.playing = false; }
    player.walk(seconds);
  }
}

double secondsToNextOfSteps(const AppState& state) {
  double seconds = std::numeric_limits<double>::infinity();
  for (const auto& [where, player] : state.lesson.players) {
    if (player.playback.playing) { seconds = std::min(seconds, secondsToNextStep(player.playback)); }
  }
  return seconds;
}

void showInWindow(AppState& state, const Lesson& lesson, std::size_t index) {
  const StepsPlayer* player = playerOf(state, lesson, index);
  if (player == nullptr) { return; }
  WindowLink link;
  link.setting = state.lesson.facts.at(lesson.id)->animations[index]->setting;
  link.moment = {.kind = Moment::Kind::Step, .number = static_cast<std::int64_t>(player->cursor.position())};
  followLink(state, link);
}

void followLesson(AppState& state) {
  LessonView& view = state.lesson;
  if (leftLink(state)) {
    view.awaited = nullptr;
    view.followed.reset();
  }
  const WindowLink* link = view.awaited.get();
  if (link == nullptr || state.experiment == nullptr || state.cursor.empty()) { return; }
  if (!(state.experiment->choice == state.choice)) { return; }
  const std::shared_ptr<const WindowLink> keep = std::exchange(view.awaited, nullptr);
  try {
    goToLinked(state, *keep);
  } catch (const UserError& error) { view.problem = error.message(); }
}

}  // namespace haloscope
