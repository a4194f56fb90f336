#include "running/PrintedText.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

// What a program prints of one result and of others, in whatever words.

namespace haloscope::running {
namespace {

Printed printing(const std::string& output, int status = 0) {
  return printedBy({.end = ProgramEnd::Exited, .status = status, .output = output});
}

/// The line that accepts a result, if there is one.
std::optional<std::string> accepts(const std::string& one, const std::vector<std::string>& others) {
  std::vector<Printed> all;
  for (const std::string& other : others) { all.push_back(printing(other)); }
  const auto sign = signOf(printing(one), all);
  return sign ? std::optional(sign->line) : std::nullopt;
}

/// The line that rejects a result, if there is one.
std::optional<std::string> rejects(const std::string& found, const std::string& expected,
                                   const std::vector<std::string>& damaged) {
  std::vector<Printed> all;
  for (const std::string& one : damaged) { all.push_back(printing(one)); }
  const auto sign = rejectionOf(printing(found), printing(expected), all);
  return sign ? std::optional(sign->line) : std::nullopt;
}

TEST(PrintedText, ALineForOneResultAloneAcceptsIt) {
  EXPECT_EQ(accepts("PASSED\n", {"FAILED\n", "FAILED\n"}), "PASSED");
  EXPECT_EQ(accepts("n = 5\nstimmt\n", {"n = 5\nweicht bei 7 ab\n", "n = 5\nweicht bei 12 ab\n"}), "stimmt");
  EXPECT_EQ(accepts("一致\n", {"不一致\n", "不一致\n"}), "一致");
  EXPECT_EQ(accepts("All 3 tests passed, none failed\n", {"2 tests passed, 1 failed\n", "2 tests passed, 1 failed\n"}),
            "All 3 tests passed, none failed");
  EXPECT_EQ(accepts("PASSED\n", {"", ""}), "PASSED");
  EXPECT_EQ(accepts("", {"error at 3\nerror at 4\n", "error at 9\n"}), "");
  EXPECT_EQ(accepts("a: ok\nb: ok\n", {"a: ok\nb: no\n", "a: ok\nb: no\n"}), "b: ok");
  EXPECT_EQ(accepts("ok\nok\n", {"ok\nno\n", "ok\nno\n"}), "ok");
}

TEST(PrintedText, ANumberThatIsNothingForOneResultAloneAcceptsIt) {
  EXPECT_EQ(accepts("0\n", {"10\n", "14\n"}), "0");
  EXPECT_EQ(accepts("0 of 100 tests failed\n", {"3 of 100 tests failed\n", "5 of 100 tests failed\n"}),
            "0 of 100 tests failed");
  EXPECT_EQ(accepts("max error: 1.2e-07\n", {"max error: 0.51\n", "max error: 0.7\n"}), "max error: 1.2e-07");
  EXPECT_EQ(accepts("err 0.1\nerr 1e-9\n", {"err 0.1\nerr 0.3\n", "err 0.1\nerr 0.4\n"}), "err 1e-9");
  EXPECT_EQ(accepts("match: 1\n", {"match: 0\n", "match: 0\n"}), "match: 1");
}

TEST(PrintedText, WhatOnlyDependsOnAResultSaysNothingOfIt) {
  // A value, a sum, a picture, a number of steps, and what is the same for each result.
  EXPECT_FALSE(accepts("u = 0.5\n", {"u = 0.5\n", "u = 0.7\n"}));
  EXPECT_FALSE(accepts("u = 0\n", {"u = 0\n", "u = 0.7\n"}));
  EXPECT_FALSE(accepts("weighted sum 3.25\n", {"weighted sum 3.5\n", "weighted sum 2\n"}));
  EXPECT_FALSE(accepts("..#.\n.##.\n", {".##.\n.##.\n", "..#.\n#.#.\n"}));
  EXPECT_FALSE(accepts("steps: 12\n", {"steps: 13\n", "steps: 13\n"}));
  EXPECT_FALSE(accepts("results don't match!\n", {"results don't match!\n", "results don't match!\n"}));
  // A rejection, too, has more to say where more is wrong.
  EXPECT_FALSE(accepts("57 wrong\n", {"67 wrong\n", "71 wrong\n"}));
  EXPECT_FALSE(accepts("max error: 0.77\n", {"max error: 0.77\n", "max error: 0.9\n"}));
  EXPECT_FALSE(accepts("", {}));
}

TEST(PrintedText, TheStatusCountsAsALine) {
  EXPECT_TRUE(signOf(printing("", 0), {printing("", 1), printing("", 1)}));
  EXPECT_TRUE(signOf(printing("", 0), {printing("", 10), printing("", 14)}));
  EXPECT_FALSE(signOf(printing("", 57), {printing("", 67), printing("", 71)}));
  const auto rejected = rejectionOf(printing("", 1), printing("", 0), {printing("", 1), printing("", 1)});
  ASSERT_TRUE(rejected);
  EXPECT_EQ(rejected->line, "");
  EXPECT_TRUE(rejected->ends);
}

TEST(PrintedText, WhatDoesNotEndSaysNothing) {
  const Printed endless = printedBy({.end = ProgramEnd::TooLong, .status = 0, .output = "step 1\n"});
  EXPECT_FALSE(signOf(printing("done\n"), {endless, endless}));
  EXPECT_FALSE(rejectionOf(printing("done\n"), endless, {printing("done\n"), printing("done\n")}));
  EXPECT_FALSE(rejectionOf(printing("wrong\n"), printing("right\n"), {endless, endless}));
}

TEST(PrintedText, ALineThatComesBackWithDamageRejects) {
  EXPECT_EQ(rejects("FAILED\n", "PASSED\n", {"FAILED\n", "FAILED\n"}), "FAILED");
  EXPECT_EQ(rejects("weicht bei 3 ab\n", "stimmt\n", {"weicht bei 7 ab\n", "weicht bei 12 ab\n"}), "weicht bei 3 ab");
  EXPECT_EQ(rejects("", "PASSED\n", {"", ""}), "");
  EXPECT_EQ(rejects("12 errors\n", "0 errors\n", {"10 errors\n", "14 errors\n"}), "12 errors");
  EXPECT_EQ(rejects("max error: nan\n", "max error: 0\n", {"max error: 0.5\n", "max error: 0.25\n"}), "max error: nan");
}

TEST(PrintedText, WhatAnotherArrayChangesOtherwiseDoesNotReject) {
  // It changes, but not because some points differ.
  EXPECT_FALSE(rejects("too hot\n", "fine\n", {"fine\n", "fine\n"}));
  EXPECT_FALSE(rejects("sum 12\n", "sum 0\n", {"sum 0\n", "sum 0\n"}));
  EXPECT_FALSE(rejects("sum 12\n", "sum 3\n", {"sum 4\n", "sum 5\n"}));
  // Rounding, beside what damage does.
  EXPECT_FALSE(rejects("max error: 1e-5\n", "max error: 0\n", {"max error: 0.5\n", "max error: 0.25\n"}));
}

TEST(PrintedText, NumbersAreTakenOutOfALine) {
  const Printed all = printing("heat2d:  err=-1.5e-3, nan of 0x10 (L2)\n\n   \n");
  ASSERT_EQ(all.lines.size(), 1U);
  EXPECT_EQ(all.lines[0].form, "heat2d: err=#, # of # (L2)");
  ASSERT_EQ(all.lines[0].numbers.size(), 3U);
  EXPECT_EQ(all.lines[0].numbers[0], -1.5e-3);
}

TEST(PrintedText, LongLinesAreData) { EXPECT_TRUE(printing(std::string(1000, 'x') + "\n").lines.empty()); }

}  // namespace
}  // namespace haloscope::running
