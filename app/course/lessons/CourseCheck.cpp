#include "lessons/CourseCheck.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "language/Text.h"
#include "lessons/Look.h"
#include "program/SourceLocation.h"

namespace haloscope::lessons {

namespace {

/// Whether the execution has the place of a link.
void expectPlace(const WindowLink& link, LessonExecution& execution) {
  if (link.moment.kind == Moment::Kind::None && link.element.empty() && !link.thread) { return; }
  const experiment::Experiment& on = execution.recorded(link.setting);
  const auto thread = threadAt(link.thread, on);
  static_cast<void>(positionOf(link.moment, thread, on));
  static_cast<void>(elementAt(link.element, on));
}

template <typename Map>
std::string pairsText(const Map& map) {
  std::string text;
  for (const auto& [name, value] : map) { text += fmt::format(" {}={}", name, value); }
  return text;
}

std::string settingText(const Setting& setting) {
  std::string text = setting.kernel + pairsText(setting.with) + pairsText(setting.data) + pairsText(setting.free);
  return setting.block ? text + " block " + haloscope::text(*setting.block) : text;
}

std::string wordsOf(const Moment& moment) {
  const auto [key, value] = momentText(moment);
  return key + " " + value;
}

/// Everything in a lesson that is not words, with its line in the file. In a text a value may be named once more.
std::map<std::string, int> queriesOf(const Lesson& lesson) {
  std::map<std::string, int> queries;
  const auto add = [&](const std::string& query, int line) { queries.emplace(query, line); };
  add("section " + lesson.section, 1);
  add(fmt::format("minutes {}", lesson.minutes), 1);
  add(fmt::format("rests_on {}", fmt::join(lesson.restsOn, ", ")), 1);
  add("kernel " + settingText(lesson.setting), 1);
  constexpr const char* kLinks[] = {"window", "term", "lesson", "exercise", ""};
  for (const Link& link : lesson.links) {
    add(fmt::format("link {}:{}", kLinks[static_cast<std::size_t>(link.kind)], link.target), link.line);
  }
  for (const Value& value : lesson.values) {
    const std::string in = value.question ? " in question " + lesson.questions[*value.question].id : "";
    add(fmt::format("value {{{{{}:{}|{}}}}}{}", value.expression, value.format, settingText(value.setting), in),
        value.line);
  }
  for (const StepsBlock& steps : lesson.steps) {
    add(fmt::format("steps {} from {} to {}", settingText(steps.setting), wordsOf(steps.from), wordsOf(steps.to)),
        steps.line);
  }
  for (const Question& question : lesson.questions) {
    std::string again, when;
    for (const auto& [name, values] : question.again) { again += fmt::format(" {}: {}", name, fmt::join(values, " ")); }
    for (const Option& option : question.options) { when += " | " + option.when; }
    add(fmt::format("question {} {} {} again{} answer {}{} tolerance {} look{}", question.id,
                    static_cast<int>(question.kind), settingText(question.setting), again, question.answer, when,
                    question.tolerance.value_or(0), pairsText(question.look)),
        question.line);
  }
  return queries;
}

std::string placeOf(const Lesson& lesson, int line) { return fmt::format("{}:{}", lesson.path.string(), line); }

void compareLessons(const Lesson& one, const Lesson& other, CourseCheck& check) {
  const std::map<std::string, int> queries = queriesOf(one), others = queriesOf(other);
  for (const auto& [query, line] : queries) {
    if (others.contains(query)) { continue; }
    check.problems.push_back(trf("{}: {} has no such thing: {}", placeOf(one, line), other.path.string(), query));
  }
}

}  // namespace

std::vector<const Lesson*> ownFiles(const Course& course) {
  std::vector<const Lesson*> files;
  for (const Lesson& lesson : course.lessons) {
    if (lesson.language == course.language) { files.push_back(&lesson); }
  }
  if (course.test.language == course.language) { files.push_back(&course.test); }
  return files;
}

void compareLanguages(const Course& one, const Course& other, CourseCheck& check) {
  for (const Lesson* const lesson : ownFiles(one)) {
    const Lesson* const same = other.find(lesson->id);
    if (same == nullptr || same->language != other.language) {
      check.problems.push_back(
          trf("{}: this lesson is missing in the language {}", placeOf(*lesson, 1), other.language));
    } else {
      compareLessons(*lesson, *same, check);
    }
  }
}

void checkLesson(const Lesson& lesson, const Catalogue& catalogue, LessonExecution& execution, int draws,
                 CourseCheck& check) {
  for (const SourceError& problem : lesson.problems) { check.problems.emplace_back(problem.what()); }
  const auto attempt = [&](std::size_t& count, int line, const std::string& what, auto act) {
    const auto noted = [&](const std::string& message) {
      return fmt::format("{}: {}: {}", placeOf(lesson, line), what, message);
    };
    ++count;
    try {
      act();
    } catch (const UserError& error) {
      check.problems.push_back(noted(error.message()));
    } catch (const MissingError& error) {
      --count;
      check.notExecuted.push_back(noted(error.what()));
    }
  };
  if (catalogue.find(lesson.setting.kernel) == nullptr) { return; }
  for (const Link& link : lesson.links) {
    if (link.broken) { continue; }  // a problem of the lesson says so
    attempt(check.links, link.line, "link", [&] {
      if (link.kind == Link::Kind::Window) { expectPlace(link.window, execution); }
    });
  }
  for (const Value& value : lesson.values) {
    if (value.question) { continue; }
    attempt(check.values, value.line, fmt::format("value {{{{{}}}}}", value.expression),
            [&] { static_cast<void>(execution.value(value, lesson.setting)); });
  }
  for (const StepsBlock& steps : lesson.steps) {
    attempt(check.animations, steps.line, "steps", [&] { static_cast<void>(execution.animate(lesson, steps)); });
  }
  for (std::size_t i = 0; i < lesson.questions.size(); ++i) {
    const Question& question = lesson.questions[i];
    for (int seed = 0; seed <= (question.again.empty() ? 0 : draws); ++seed) {
      attempt(check.questions, question.line,
              fmt::format("question {}{}", question.id, seed == 0 ? "" : fmt::format(", seed {}", seed)), [&] {
                const AskedQuestion asked = execution.ask(lesson, i, static_cast<std::uint64_t>(seed));
                if (!question.look.empty()) { expectPlace(lookOf(question, asked.setting, catalogue), execution); }
              });
    }
  }
}

}  // namespace haloscope::lessons
