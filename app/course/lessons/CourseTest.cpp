#include "lessons/CourseTest.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <random>

#include "language/Text.h"

namespace haloscope::lessons {

std::size_t TestResult::rightAnswers() const {
  return static_cast<std::size_t>(std::ranges::count_if(right, [](const auto& one) { return one.second; }));
}

const TestResult& resultOf(const TestResults& results, TestTime time) {
  return results[static_cast<std::size_t>(time)];
}
TestResult& resultOf(TestResults& results, TestTime time) { return results[static_cast<std::size_t>(time)]; }

std::uint64_t freshTestSeed() {
  std::random_device device;
  return std::uniform_int_distribution<std::uint64_t>(1, 999'999)(device);
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{:04}-{:02}-{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
}

std::string resultText(TestTime time, const TestResult& result, const Lesson& test) {
  const std::size_t right = result.rightAnswers(), all = test.questions.size();
  return time == TestTime::Before ? trf("Before the course, {}: {} of {} right.", result.day, right, all)
                                  : trf("After the course, {}: {} of {} right.", result.day, right, all);
}

std::string testTable(const Lesson& test, const TestResults& results) {
  std::string names = "questions,right before,right after", row = std::to_string(test.questions.size());
  for (const TestResult& result : results) { row += result.taken() ? fmt::format(",{}", result.rightAnswers()) : ","; }
  for (const Question& question : test.questions) {
    names += fmt::format(",{0} before,{0} after", question.id);
    for (const TestResult& result : results) {
      const auto found = result.right.find(question.id);
      row += found == result.right.end() ? "," : found->second ? ",1" : ",0";
    }
  }
  return names + "\n" + row + "\n";
}

}  // namespace haloscope::lessons
