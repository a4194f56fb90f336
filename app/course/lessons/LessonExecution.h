#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "catalogue/Catalogue.h"
#include "lessons/Lesson.h"
#include "lessons/LessonFacts.h"
#include "questions/Execution.h"

namespace haloscope::lessons {

/// Executes what lessons ask for. What was executed once at a choice is kept.
class LessonExecution {
 public:
  /// `catalogue` must outlive it.
  explicit LessonExecution(const Catalogue& catalogue, std::stop_token stop = {})
      : catalogue_(catalogue), stop_(std::move(stop)) {}

  /// Another stop token for all that is executed from now on.
  void stopWith(const std::stop_token& stop);

  /// A value, within a setting: the lesson's, or that of the question in which it stands. Throws
  /// InputError, SourceError or MissingError.
  [[nodiscard]] ShownValue value(const Value& value, const Setting& around);
  /// Draws the numbers of a question (seed 0: those of the file), such that its kernel can be launched with them, and
  /// executes its answer and the values in its texts. Throws as value(), also if not exactly one of its options is
  /// true.
  [[nodiscard]] AskedQuestion ask(const Lesson& lesson, std::size_t question, std::uint64_t seed);
  /// What ask() executes the question with. Throws InputError.
  [[nodiscard]] Setting settingOf(const Lesson& lesson, std::size_t question, std::uint64_t seed) const;
  /// The block of a link or a look, recorded.
  [[nodiscard]] const experiment::Experiment& recorded(const Setting& setting);
  /// Throws InputError too if the end does not come after the beginning.
  [[nodiscard]] AnimatedSteps animate(const Lesson& lesson, const StepsBlock& steps);

 private:
  questions::Execution& at(const Setting& setting);
  [[nodiscard]] AskedQuestion execute(const Lesson& lesson, std::size_t question, const Setting& setting);

  const Catalogue& catalogue_;
  std::stop_token stop_;
  std::vector<std::pair<experiment::Choice, std::unique_ptr<questions::Execution>>> kept_;
};

}  // namespace haloscope::lessons
