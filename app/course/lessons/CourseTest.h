#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "lessons/Lesson.h"

/// The course's test (Course::test): the same questions before it and after it, each time with other numbers.
namespace haloscope::lessons {

enum class TestTime : std::uint8_t { Before, After };

/// What came of taking it once.
struct TestResult {
  std::uint64_t seed = 0;             ///< that its numbers were drawn from; 0: it was not taken
  std::string day;                    ///< "2026-11-29"
  std::map<std::string, bool> right;  ///< by question; those left open are not in it
  bool operator==(const TestResult&) const = default;

  [[nodiscard]] bool taken() const { return seed != 0; }
  [[nodiscard]] std::size_t rightAnswers() const;
};

/// By TestTime.
using TestResults = std::array<TestResult, 2>;

[[nodiscard]] const TestResult& resultOf(const TestResults& results, TestTime time);
[[nodiscard]] TestResult& resultOf(TestResults& results, TestTime time);

/// A new seed for LessonExecution::ask(), short enough to be typed; never 0.
[[nodiscard]] std::uint64_t freshTestSeed();
/// "2026-11-29", of the local time.
[[nodiscard]] std::string today();

/// "Before the course, 2026-11-29: 4 of 12 right."
[[nodiscard]] std::string resultText(TestTime time, const TestResult& result, const Lesson& test);
/// The columns' names and one row: how many answers were right before and after, and 1, 0 or nothing for each question.
/// Nothing in it says whose they are.
[[nodiscard]] std::string testTable(const Lesson& test, const TestResults& results);

}  // namespace haloscope::lessons
