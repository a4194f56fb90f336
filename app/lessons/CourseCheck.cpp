#include "lessons/CourseCheck.h"

#include <fmt/format.h>

#include "lessons/LessonReader.h"
#include "program/SourceLocation.h"

namespace haloscope::lessons {

namespace {

/// Whether the execution has the place of a link.
void expectPlace(const WindowLink& link, LessonExecution& execution) {
  if (link.moment.kind == Moment::Kind::None && link.element.empty() && !link.thread) { return; }
  const experiment::Experiment& on = execution.recorded(link.setting);
  const auto thread = threadOf(link, on);
  static_cast<void>(positionOf(link.moment, thread, on));
  static_cast<void>(elementOf(link, on));
}

}  // namespace

void checkLesson(const Lesson& lesson, const Catalogue& catalogue, LessonExecution& execution, int draws,
                 CourseCheck& check) {
  for (const SourceError& problem : lesson.problems) { check.problems.emplace_back(problem.what()); }
  const auto attempt = [&](int line, const std::string& what, auto act) {
    try {
      act();
    } catch (const UserError& error) {
      check.problems.push_back(fmt::format("{}:{}: {}: {}", lesson.path.string(), line, what, error.message()));
    } catch (const MissingError&) { return; }  // what this machine lacks is no fault of the file
  };
  if (catalogue.find(lesson.setting.kernel) == nullptr) { return; }
  for (const Link& link : lesson.links) {
    if (link.kind != Link::Kind::Window || link.broken) { continue; }
    ++check.links;
    attempt(link.line, "link", [&] { expectPlace(link.window, execution); });
  }
  for (const Value& value : lesson.values) {
    if (value.question) { continue; }
    ++check.values;
    attempt(value.line, fmt::format("value {{{{{}}}}}", value.expression),
            [&] { static_cast<void>(execution.value(value, lesson.setting)); });
  }
  for (const StepsBlock& steps : lesson.steps) {
    ++check.animations;
    attempt(steps.line, "steps", [&] { static_cast<void>(execution.animate(lesson, steps)); });
  }
  for (std::size_t i = 0; i < lesson.questions.size(); ++i) {
    const Question& question = lesson.questions[i];
    for (int seed = 0; seed <= (question.again.empty() ? 0 : draws); ++seed) {
      ++check.questions;
      attempt(question.line, fmt::format("question {}{}", question.id, seed == 0 ? "" : fmt::format(", seed {}", seed)),
              [&] {
                const AskedQuestion asked = execution.ask(lesson, i, static_cast<std::uint64_t>(seed));
                if (!question.look.empty()) { expectPlace(lookOf(question, asked.setting, catalogue), execution); }
              });
    }
  }
}

}  // namespace haloscope::lessons
