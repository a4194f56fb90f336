#include "lessons/LessonWork.h"

#include <utility>

#include "language/Language.h"
#include "lessons/Following.h"
#include "lessons/LessonExecution.h"

namespace haloscope::lessons {

LessonWork::LessonWork(work::Pool& pool)
    : worker_(pool, {work::Priority::Foreground, work::Cores::All}, &LessonWork::execute) {}

void LessonWork::update(AppState& state) {
  LessonView& view = state.lesson;
  if (view.course == nullptr) { return; }
  if (const char* code = languageCode(language()); view.course->language != code) {
    view.course = std::make_shared<const Course>(Course::read(view.course->folder, code, state.catalogue));
    view.facts.clear();
  }
  if (catalogue_ == nullptr) { catalogue_ = std::make_shared<const Catalogue>(state.catalogue); }
  if (const Lesson* lesson = shownLesson(state)) {
    Request request{view.course, catalogue_, lesson->id, {}, nullptr};
    for (const Question& question : lesson->questions) {
      const auto attempt = view.attempts.find({lesson->id, question.id});
      request.seeds[question.id] = attempt == view.attempts.end() ? 0 : attempt->second.seed;
    }
    if (const auto known = view.facts.find(lesson->id); known != view.facts.end()) { request.known = known->second; }
    worker_.follow(std::move(request));
  }
  while (auto progress = worker_.poll()) {
    if (progress->course == view.course) { view.facts[progress->lesson] = std::move(progress->facts); }
  }
}

void LessonWork::settle(AppState& state) {
  for (update(state); busy(); update(state)) { worker_.finish(); }
}

void LessonWork::execute(const Request& request, work::Delivery<Progress>& delivery) {
  const Lesson& lesson = *request.course->find(request.lesson);
  LessonExecution execution(*request.catalogue, delivery.stop());
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
    for (std::size_t i = 0; i < lesson.values.size(); ++i) {
      const Value& value = lesson.values[i];
      if (value.question || facts.values.contains(i)) { continue; }
      try {
        facts.values[i] = execution.value(value, lesson.setting);
      } catch (const UserError& error) {
        facts.values[i] = "?";
        fail(value.line, error.message());
      } catch (const MissingError& error) { facts.values[i] = "?"; }
    }
    publish();
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
