#include "lessons/LessonWork.h"

#include <utility>

#include "language/Language.h"
#include "lessons/Following.h"

namespace haloscope::lessons {

LessonWork::LessonWork(work::Pool& pool)
    : reader_(pool, {work::Priority::Foreground, work::Cores::One},
              [](const Source& from, const std::stop_token&) {
                return std::make_shared<const Course>(Course::read(from.folder, from.language, *from.catalogue));
              }),
      worker_(pool, {work::Priority::Foreground, work::Cores::All},
              [kept = std::make_shared<Kept>()](const Request& request, work::Delivery<Progress>& delivery) {
                execute(request, delivery, *kept);
              }) {}

void LessonWork::followLanguage(LessonView& view) {
  const char* const code = languageCode(language());
  if (view.course->language == code) { return reader_.cancel(); }
  reader_.follow({view.course->folder, code, catalogue_});
  const auto course = reader_.poll();
  if (!course) { return; }
  view.course = *course;
  view.facts.clear();
  // What was said in the other language.
  view.problem.clear();
  for (auto& [question, attempt] : view.attempts) { attempt.complaint.clear(); }
}

LessonWork::Request LessonWork::requestOf(const LessonView& view, const Lesson& lesson) const {
  Request request{view.course, catalogue_, lesson.id, {}, nullptr};
  for (const Question& question : lesson.questions) {
    const auto attempt = view.attempts.find({lesson.id, question.id});
    request.seeds[question.id] = attempt == view.attempts.end() ? 0 : attempt->second.seed;
  }
  if (const auto known = view.facts.find(lesson.id); known != view.facts.end()) { request.known = known->second; }
  return request;
}

void LessonWork::update(AppState& state) { follow(state, true); }

void LessonWork::follow(AppState& state, bool ahead) {
  LessonView& view = state.lesson;
  if (view.course == nullptr) { return; }
  if (catalogue_ == nullptr) { catalogue_ = std::make_shared<const Catalogue>(state.catalogue); }
  followLanguage(view);
  if (const Lesson* lesson = shownLesson(state)) {
    const Request shown = requestOf(view, *lesson);
    const Lesson* next = view.course->neighbour(lesson->id, 1);
    const bool done = shown.known != nullptr && shown.known->answers(*lesson, shown.seeds);
    if (ahead && done && next != nullptr) {
      worker_.follow(requestOf(view, *next));
    } else {
      worker_.follow(shown);
    }
  }
  while (auto progress = worker_.poll()) {
    if (progress->course == view.course) { view.facts[progress->lesson] = std::move(progress->facts); }
  }
}

void LessonWork::settle(AppState& state) {
  for (follow(state, false); busy(); follow(state, false)) {
    reader_.finish();
    worker_.finish();
  }
}

void LessonWork::execute(const Request& request, work::Delivery<Progress>& delivery, Kept& kept) {
  const Lesson& lesson = *request.course->find(request.lesson);
  if (kept.catalogue != request.catalogue) {
    kept.execution = std::make_unique<LessonExecution>(*request.catalogue);
    kept.catalogue = request.catalogue;
  }
  LessonExecution& execution = *kept.execution;
  execution.stopWith(delivery.stop());
  LessonFacts facts;
  const auto publish = [&] {
    delivery.publish({request.course, request.lesson, std::make_shared<const LessonFacts>(facts)});
  };
  const auto fail = [&](int line, const std::string& message) {
    facts.problems.emplace_back(lesson.path.string(), SourceRange{line, 1, line, 1}, message);
  };
  try {
    if (request.known != nullptr) { facts = *request.known; }
    facts.questions.resize(lesson.questions.size());
    facts.animations.resize(lesson.steps.size());
    for (std::size_t i = 0; i < lesson.values.size(); ++i) {
      const Value& value = lesson.values[i];
      if (value.question || facts.values.contains(i)) { continue; }
      try {
        facts.values[i] = execution.value(value, lesson.setting);
      } catch (const UserError& error) {
        facts.values[i].text = "?";
        fail(value.line, error.message());
      } catch (const MissingError& error) { facts.values[i] = {"?", {}, error.what()}; }
    }
    publish();
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
      if (facts.animations[i] != nullptr) { continue; }
      AnimatedSteps animated;
      try {
        animated = execution.animate(lesson, lesson.steps[i]);
      } catch (const UserError& error) { animated.problem = error.message(); }
      facts.animations[i] = std::make_shared<const AnimatedSteps>(std::move(animated));
      publish();
    }
    for (std::size_t i = 0; i < lesson.questions.size(); ++i) {
      const std::uint64_t seed = request.seeds.at(lesson.questions[i].id);
      if (facts.questions[i] != nullptr && facts.questions[i]->seed == seed) { continue; }
      AskedQuestion asked;
      try {
        asked = execution.ask(lesson, i, seed);
      } catch (const UserError& error) {
        asked.seed = seed;
        asked.problem = error.message();
      } catch (const MissingError& error) {
        asked.seed = seed;
        asked.problem = error.what();
      }
      facts.questions[i] = std::make_shared<const AskedQuestion>(std::move(asked));
      publish();
    }
  } catch (const experiment::Cancelled&) { return; }
}

}  // namespace haloscope::lessons
