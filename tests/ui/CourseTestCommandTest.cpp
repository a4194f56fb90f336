#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "ProgramTest.h"

/// `haloscope lesson --before`, `--after` and `--csv`.
namespace haloscope {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class CourseTestCommandTest : public ProgramTest {
 protected:
  Reply lesson(const std::string& arguments, const std::string& typed = "") const {
    std::ofstream(folder_ / "typed") << typed;
    return run("--language en lesson " + arguments + " <" + (folder_ / "typed").string(),
               "env XDG_CONFIG_HOME=" + (folder_ / "config").string());
  }
  /// The right answers to the questions of a seed, one a line.
  std::string answers(const std::string& arguments) const {
    std::string lines;
    const json result = json::parse(lesson(arguments + " --json").out);
    for (const json& question : result.at("questions")) {
      const std::string answer = question.at("answer");  // "12,288 bytes"
      for (const char one : answer.substr(0, answer.find(' '))) { lines += one == ',' ? "" : std::string(1, one); }
      lines += '\n';
    }
    return lines;
  }
};

TEST_F(CourseTestCommandTest, WhatIsRightIsKeptForBothTimes) {
  const std::string right = answers("--before --seed 7");
  const Reply before = lesson("--before --seed 7", "no number\n" + right.substr(0, right.find('\n') + 1));
  EXPECT_EQ(before.status, 0) << before.err;
  EXPECT_THAT(before.err, HasSubstr("no number")) << "it is asked again";
  EXPECT_THAT(before.out, HasSubstr("1 of 12 right"));
  EXPECT_THAT(before.out, Not(HasSubstr("tiles-and-halos"))) << "no answer is given away";

  const Reply after = lesson("--after --seed 8", answers("--after --seed 8"));
  EXPECT_EQ(after.status, 0) << after.err;
  EXPECT_THAT(after.out, HasSubstr("1 of 12 right"));
  EXPECT_THAT(after.out, HasSubstr("12 of 12 right"));

  const Reply table = lesson("--csv");
  EXPECT_EQ(table.status, 0);
  EXPECT_THAT(table.out, StartsWith("questions,right before,right after,"));
  EXPECT_THAT(table.out, HasSubstr("\n12,1,12,1,1,,1,"));
}

TEST_F(CourseTestCommandTest, OtherNumbersEachTime) {
  const json once = json::parse(lesson("--before --json").out), again = json::parse(lesson("--before --json").out);
  EXPECT_GT(once.at("seed").get<int>(), 0);
  EXPECT_EQ(once.at("right"), 0);
  EXPECT_TRUE(once.at("questions").at(0).at("right").is_null()) << "left open";
  EXPECT_EQ(again.at("questions").size(), 12U);
}

TEST_F(CourseTestCommandTest, BadInput) {
  EXPECT_THAT(lesson("--csv").err, HasSubstr("the test was not taken on this machine"));
  EXPECT_EQ(lesson("--csv").status, 2);
  EXPECT_EQ(lesson("--before --after").status, 2);
  EXPECT_EQ(lesson("sliding-sum --before").status, 2);
  EXPECT_THAT(lesson("--seed 3").err, HasSubstr("--seed: name a lesson"));
}

}  // namespace
}  // namespace haloscope
