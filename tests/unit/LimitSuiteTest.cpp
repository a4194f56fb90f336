#include "catalogue/LimitSuite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace haloscope {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LimitSuiteTest : public ::testing::Test {
 protected:
  LimitSuiteTest() : folder_(fs::path(::testing::TempDir()) / "haloscope-suites") { fs::create_directories(folder_); }
  ~LimitSuiteTest() override { fs::remove_all(folder_); }

  void write(const std::string& text) const { std::ofstream(folder_ / "mine.yaml") << text; }
  [[nodiscard]] std::string complaint(const std::string& text) const {
    write(text);
    try {
      static_cast<void>(LimitSuite::read(folder_ / "mine.yaml"));
    } catch (const SourceError& error) { return fs::path(error.file()).filename().string() + ": " + error.what(); }
    return {};
  }

  fs::path folder_;
};

/// A class with some of its keys.
std::string classOf(const std::string& keys) {
  return "classes:\n  - {name: a, climb: star, problem: {N: 64}, precision: float, " + keys + "}\n";
}

TEST_F(LimitSuiteTest, ReadsItsClasses) {
  write(classOf("measure: multiply-adds, reach: 0.5, aim: 0.75, steps: 2, peer: other"));
  const LimitSuite suite = LimitSuite::named("mine", folder_);
  EXPECT_EQ(suite.name, "mine");
  ASSERT_EQ(suite.classes.size(), 1U);
  const LimitClass& one = suite.classes[0];
  EXPECT_EQ(one.climb, "star");
  EXPECT_EQ(one.problem, (Bindings{{"N", 64}}));
  EXPECT_EQ(one.precision, ValueType::F32);
  EXPECT_EQ(one.measure, LimitClass::Measure::MultiplyAdds);
  EXPECT_EQ(one.steps, 2);
  EXPECT_EQ(one.reach, 0.5);
  EXPECT_EQ(one.aim, 0.75);
  EXPECT_EQ(one.peer, "other");
  EXPECT_EQ(LimitSuite::named((folder_ / "mine.yaml").string(), "nowhere").classes.size(), 1U);
}

TEST_F(LimitSuiteTest, NamesThePlaceOfAMistake) {
  EXPECT_THAT(complaint(classOf("measure: copies, reach: 0.5, aim: 0.7")),
              HasSubstr("mine.yaml:2:73: unknown measure \"copies\"; known measures: copy, multiply-adds"));
  EXPECT_THAT(complaint(classOf("measure: copy, reach: 0.8, aim: 0.7")), HasSubstr("not in ascending order"));
  EXPECT_THAT(complaint(classOf("measure: copy, reach: much, aim: 0.7")), HasSubstr("reach must be a number"));
  EXPECT_THAT(complaint(classOf("measure: copy, aim: 0.7")), HasSubstr("a class lacks the key \"reach\""));
  EXPECT_THAT(complaint(classOf("measure: copy, reach: 0.5, aim: 0.7, steps: 0")), HasSubstr("at least one step"));
  EXPECT_THAT(complaint(classOf("measure: copy, reach: 0.5, aim: 0.7, size: 3")), HasSubstr("unknown key \"size\""));
  EXPECT_THAT(complaint("classes: []\n"), HasSubstr("must be a list of classes"));
  EXPECT_THAT(complaint("classes: [\n"), HasSubstr("not valid YAML"));
  EXPECT_THAT(complaint("just text\n"), HasSubstr("mine.yaml:1:1: "));
}

TEST_F(LimitSuiteTest, NamesTheSuitesThatThereAre) {
  write(classOf("measure: copy, reach: 0.5, aim: 0.7"));
  try {
    static_cast<void>(LimitSuite::named("limits", folder_));
    FAIL() << "there is no such suite";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no suite \"limits\"; known suites: mine"));
  }
}

}  // namespace
}  // namespace haloscope
