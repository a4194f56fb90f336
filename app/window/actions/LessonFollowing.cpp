#include "actions/LessonFollowing.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "actions/SceneActions.h"
#include "lessons/LessonFacts.h"
#include "parts/SceneCamera.h"
#include "program/SourceLocation.h"
#include "state/Player.h"
#include "state/Scene.h"

namespace haloscope {

using lessons::Course;
using lessons::Lesson;
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

void openTest(AppState& state, lessons::TestTime time) {
  LessonView& view = state.lesson;
  if (view.course == nullptr || view.course->test.id.empty()) { return; }
  const Lesson& test = view.course->test;
  view.shown = test.id;
  view.testing = time;
  view.sitting = {.seed = lessons::freshTestSeed(), .day = {}, .right = {}};
  for (const lessons::Question& question : test.questions) {
    lessons::Attempt attempt;
    attempt.seed = view.sitting.seed;
    view.attempts[{test.id, question.id}] = std::move(attempt);
  }
  view.scrollTo = 0.0F;
  state.view.tabs.bringToFront(Tab::Lesson);
}

void finishTest(AppState& state) {
  LessonView& view = state.lesson;
  const Lesson& test = view.course->test;
  const auto facts = view.facts.find(test.id);
  if (facts == view.facts.end() || facts->second->questions.size() != test.questions.size()) { return; }
  lessons::TestResult result = view.sitting;
  for (std::size_t i = 0; i < test.questions.size(); ++i) {
    const lessons::Question& question = test.questions[i];
    const lessons::AskedQuestion* const asked = facts->second->questions[i].get();
    lessons::Attempt& attempt = view.attempts[{test.id, question.id}];
    if (asked == nullptr || asked->seed != attempt.seed) { return; }
    if (!lessons::answered(question, attempt) || !asked->problem.empty()) { continue; }
    lessons::judge(question, *asked, attempt);
    if (!attempt.complaint.empty()) {
      view.scrollToQuestion = question.id;
      return;
    }
    result.right[question.id] = attempt.verdict == lessons::Attempt::Verdict::Right;
  }
  result.day = lessons::today();
  view.sitting = result;
  lessons::resultOf(view.results, *view.testing) = std::move(result);
  view.scrollTo = 1.0F;  // verdicts make the page longer; what came of it is at its end
}

bool isTest(const AppState& state, const Lesson& lesson) { return &lesson == &state.lesson.course->test; }
bool testFinished(const AppState& state) { return !state.lesson.sitting.day.empty(); }

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
  state.lesson.problem.clear();
  state.lesson.followed.reset();
  Scene scene;
  scene.choice = std::move(choice);
  scene.choice.order = state.choice.order;
  scene.choice.orderSeed = state.choice.orderSeed;
  scene.thread = link.thread;
  scene.moment = link.moment;
  scene.element = link.element;
  if (link.tab) { scene.panels = {*link.tab}; }
  if (!link.camera.empty()) { scene.camera = cameraNamed(link.camera); }
  scene.figure = link.figure;
  scene.compare = link.compare;
  arrange(state, scene, true);
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
    if (player.playback.playing) { seconds = std::min(seconds, secondsToNextStep(player.playback, player.cursor)); }
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
  if (leftScene(state)) { state.lesson.followed.reset(); }
}

}  // namespace haloscope
