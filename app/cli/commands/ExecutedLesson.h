#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "lessons/Lesson.h"
#include "lessons/LessonExecution.h"
#include "lessons/LessonText.h"
#include "program/SourceLocation.h"
#include "text/Print.h"

namespace haloscope {

/// A lesson with everything in it executed.
class ExecutedLesson {
 public:
  ExecutedLesson(const lessons::Lesson& lesson, const Catalogue& catalogue, std::uint64_t seed)
      : lesson_(lesson), catalogue_(catalogue), execution_(catalogue), seed_(seed) {
    for (std::size_t i = 0; i < lesson.values.size(); ++i) {
      if (!lesson.values[i].question) { compute(i); }
    }
  }

  [[nodiscard]] const lessons::AskedQuestion& asked(std::size_t index) {
    auto known = asked_.find(index);
    if (known != asked_.end()) { return known->second; }
    lessons::AskedQuestion asked;
    try {
      asked = execution_.ask(lesson_, index, lesson_.questions[index].again.empty() ? 0 : seed_);
    } catch (const UserError& error) {
      asked.problem = error.message();
      problem(lesson_.questions[index].line, error.message());
    } catch (const MissingError& error) { asked.problem = error.what(); }
    return asked_.emplace(index, std::move(asked)).first->second;
  }

  [[nodiscard]] const lessons::ShownValue* value(std::size_t index) {
    const auto question = lesson_.values[index].question;
    const auto& values = question ? asked(*question).values : values_;
    const auto found = values.find(index);
    return found == values.end() ? nullptr : &found->second;
  }
  [[nodiscard]] lessons::ComputedValue valueText() {
    return [this](std::size_t index) { return value(index); };
  }
  [[nodiscard]] std::string text(const lessons::Spans& spans) { return lessons::plainText(spans, valueText()); }

  [[nodiscard]] const lessons::Lesson& lesson() const { return lesson_; }
  [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }
  [[nodiscard]] const std::vector<SourceError>& problems() const { return problems_; }

 private:
  void compute(std::size_t index) {
    if (lesson_.setting.kernel.empty()) { return; }
    const lessons::Value& value = lesson_.values[index];
    try {
      values_[index] = execution_.value(value, lesson_.setting);
    } catch (const UserError& error) {
      problem(value.line, fmt::format("{{{{{}}}}}: {}", value.expression, error.message()));
    } catch (const MissingError& error) {
      values_[index] = {"?", {}, error.what()};
      printText(stderr, "haloscope: {}\n", error.what());
    }
  }
  void problem(int line, const std::string& message) {
    problems_.emplace_back(lesson_.path.string(), SourceRange{line, 1, line, 1}, message);
  }

  const lessons::Lesson& lesson_;
  const Catalogue& catalogue_;
  lessons::LessonExecution execution_;
  std::uint64_t seed_;
  std::map<std::size_t, lessons::ShownValue> values_;
  std::map<std::size_t, lessons::AskedQuestion> asked_;
  std::vector<SourceError> problems_;
};

}  // namespace haloscope
