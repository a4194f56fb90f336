#include "handout/KernelQuestions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>

#include "language/Text.h"
#include "lessons/LessonExecution.h"
#include "lessons/LessonText.h"
#include "program/SourceLocation.h"
#include "questions/Origin.h"

namespace haloscope::handout {

namespace {

using lessons::AskedQuestion;
using lessons::Lesson;
using lessons::Question;

std::string describe(const lessons::Setting& setting, const KernelFile& file) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : setting.with) {
    parts.push_back(fmt::format("{} = {}", name, file.valueText(name, value)));
  }
  for (const auto& [name, value] : setting.data) { parts.push_back(fmt::format("{} = {}", name, value)); }
  if (setting.block) { parts.push_back(trf("block {}", text(*setting.block))); }
  return fmt::format("{}", fmt::join(parts, tr(", ")));
}

AnsweredQuestion answered(const Lesson& lesson, const Question& question, const AskedQuestion& asked,
                          const KernelFile& file) {
  const lessons::ComputedValue values = [&](std::size_t value) -> const lessons::ShownValue* {
    const auto found = asked.values.find(value);
    return found == asked.values.end() ? nullptr : &found->second;
  };
  AnsweredQuestion result;
  result.lesson = lesson.title;
  result.setting = describe(asked.setting, file);
  result.kind = question.kind;
  result.ask = lessons::plainText(question.ask, values);
  for (const lessons::Option& option : question.options) {
    result.options.push_back(lessons::plainText(option.text, values));
  }
  if (question.kind == Question::Kind::Choice) { result.option = asked.option; }
  result.answer = lessons::answerText(question, asked);
  result.because = lessons::plainText(question.because, values);
  result.origin = questions::label(asked.origins);
  return result;
}

}  // namespace

KernelQuestions questionsAbout(const std::string& kernel, const lessons::Course& course, const Catalogue& catalogue,
                               const std::stop_token& stop) {
  KernelQuestions found;
  lessons::LessonExecution execution(catalogue, stop);
  for (const Lesson& lesson : course.lessons) {
    for (std::size_t i = 0; i < lesson.questions.size(); ++i) {
      const Question& question = lesson.questions[i];
      if (lessons::within(lesson.setting, question.setting).kernel != kernel) { continue; }
      try {
        const AskedQuestion asked = execution.ask(lesson, i, 0);
        found.questions.push_back(answered(lesson, question, asked, catalogue.at(kernel)));
      } catch (const UserError& error) {
        found.missing.push_back(fmt::format("{}: {}", lesson.title, error.message()));
      } catch (const MissingError& error) {
        found.missing.push_back(fmt::format("{}: {}", lesson.title, error.what()));
      }
    }
  }
  return found;
}

}  // namespace haloscope::handout
