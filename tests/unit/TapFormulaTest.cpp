#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "catalogue/SweptProblem.h"
#include "catalogue/TapFormula.h"
#include "program/SourceLocation.h"

namespace haloscope {
namespace {

using ::testing::HasSubstr;

double valueOf(const std::string& text, const std::vector<double>& taps, const std::vector<double>& scalars = {}) {
  const TapFormula formula(text);
  std::vector<TapFormula::Value> values;
  for (const double tap : taps) { values.push_back({tap, tap < 0 ? -tap : tap}); }
  return static_cast<double>(formula.evaluate(values, scalars).value);
}

std::string problemWith(const std::string& text) {
  try {
    const TapFormula formula(text);
  } catch (const InputError& error) { return error.what(); }
  return {};
}

TEST(TapFormulaTest, ComputesInTheOrderOfC) {
  EXPECT_EQ(valueOf("1 + 2 * 3 - 4 / 2", {}), 5);
  EXPECT_EQ(valueOf("-(2 - 5) * 2", {}), 6);
  EXPECT_EQ(valueOf("7 % 4 + 10 % 3", {}), 4);
  EXPECT_EQ(valueOf("1 + 1 == 2 && 2 > 3 || !0", {}), 1);
  EXPECT_EQ(valueOf("0 ? 1 : 2 > 1 ? 3 : 4", {}), 3);
  EXPECT_EQ(valueOf("max(2, min(5, 3)) + abs(-4)", {}), 7);
  EXPECT_EQ(valueOf("(u[-1, 0] > 0.5) + (u[0, 1] > 0.5) == 1", {1, 0}), 1);
  EXPECT_EQ(valueOf("rate * u[0] - u[0]", {3}, {4}), 9);
}

TEST(TapFormulaTest, NamesEachTapOnce) {
  const TapFormula formula("u[0, -1] + v[2] - u[0, -1] * a");
  ASSERT_EQ(formula.taps().size(), 2U);
  EXPECT_EQ(formula.taps()[0], (TapFormula::Tap{"u", {0, 0, -1}}));
  EXPECT_EQ(formula.taps()[1], (TapFormula::Tap{"v", {0, 0, 2}}));
  EXPECT_EQ(formula.scalars(), std::vector<std::string>{"a"});
}

TEST(TapFormulaTest, KnowsWhatCancelled) {
  const TapFormula formula("u[0] - u[1]");
  const std::vector<TapFormula::Value> taps = {{5, 5}, {5, 5}};
  EXPECT_EQ(formula.evaluate(taps, {}).value, 0);
  EXPECT_EQ(formula.evaluate(taps, {}).magnitude, 10);
}

TEST(TapFormulaTest, SaysWhatItCannotRead) {
  EXPECT_THAT(problemWith("u[0] +"), HasSubstr("character 7: a number, a name or a bracket is expected"));
  EXPECT_THAT(problemWith("(u[0]"), HasSubstr("\")\" is missing"));
  EXPECT_THAT(problemWith("u[0] v[0]"), HasSubstr("an operator is missing"));
  EXPECT_THAT(problemWith("u[0.5]"), HasSubstr("\"]\" is missing"));
  EXPECT_THAT(problemWith("u[1, 2, 3, 4]"), HasSubstr("at most three axes"));
  EXPECT_THAT(problemWith("u[900]"), HasSubstr("an offset from -64 to 64"));
  EXPECT_THAT(problemWith("sin(1)"), HasSubstr("there is no function \"sin\""));
  EXPECT_THAT(problemWith(std::string(5000, '(')), HasSubstr("too many brackets"));
  EXPECT_THAT(problemWith(std::string(5000, '-') + "1"), HasSubstr("too many brackets"));
}

TEST(SweptProblemTest, ArraysTakeTheirSuccessorsPlaces) {
  SweptProblem problem;
  problem.advance = {{"prev", "curr"}, {"curr", "next"}};
  EXPECT_EQ(problem.successor("prev"), "curr");
  EXPECT_EQ(problem.successor("curr"), "next");
  EXPECT_EQ(problem.successor("next"), "prev") << "its buffer is free";
  EXPECT_EQ(problem.successor("other"), "other");
}

std::string headerProblem(const std::string& lines) {
  const std::string text =
      "/* haloscope\ntitle: t\nsizes:\n  N: {default: 8, min: 1, max: 64}\narrays:\n"
      "  u: {shape: [N]}\n  w: {shape: [N]}\n  small: {shape: [3]}\n"
      "launch: {grid: [1, 1, 1], block: [N, 1, 1]}\n" +
      lines + "*/\n__global__ void k(float* u) {}\n";
  try {
    static_cast<void>(KernelFile::parse("a/b", "b.cu", text));
  } catch (const SourceError& error) { return error.what(); }
  return {};
}

TEST(ProblemHeaderTest, NamesWhatIsWrong) {
  const std::string good = "definition: {border: wraps around, w: \"u[0] + N\"}\n";
  EXPECT_EQ(headerProblem(good + "problem: {shows: u, legend: l, advance: {u: w}, size: 16}\n"), "");
  EXPECT_THAT(headerProblem("definition: {border: none, w: \"u[0]\"}\n"), HasSubstr("b.cu:10:22: unknown border"));
  EXPECT_THAT(headerProblem("definition: {border: wraps around, x: \"u[0]\"}\n"), HasSubstr("not among the arrays"));
  EXPECT_THAT(headerProblem("definition: {border: wraps around, w: \"u[0] * k\"}\n"), HasSubstr("which is no size"));
  EXPECT_THAT(headerProblem("definition: {border: wraps around}\n"), HasSubstr("formula for no array"));
  EXPECT_THAT(headerProblem(good + "problem: {shows: q, legend: l}\n"), HasSubstr("\"q\" is not among the arrays"));
  EXPECT_THAT(headerProblem(good + "problem: {shows: u, legend: l, advance: {u: w, w: u}}\n"), HasSubstr("circle"));
  EXPECT_THAT(headerProblem(good + "problem: {shows: u, legend: l, advance: {u: small}}\n"), HasSubstr("the shape of"));
  EXPECT_THAT(headerProblem(good + "problem: {shows: u, legend: l, size: 65}\n"), HasSubstr("outside the range"));
  EXPECT_THAT(headerProblem(good + "problem: {shows: u, legend: l, range: [1, 0]}\n"), HasSubstr("is empty"));
  EXPECT_THAT(headerProblem(good + "problem: {shows: u, legend: l, filters: {a: \"1,2;3,4\"}}\n"),
              HasSubstr("an odd number"));
}

}  // namespace
}  // namespace haloscope
