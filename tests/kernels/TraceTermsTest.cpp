#include "provenance/TraceTerms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "RecordingSupport.h"

namespace haloscope::test {
namespace {

using provenance::Operand;
using provenance::Term;
using provenance::TermSum;
using ::testing::ElementsAre;

/// One thread computes out[3] of `in`, eight numbers.
class TraceTerms : public ::testing::Test {
 protected:
  /// The terms of out[3] as text: "+ 2 × in[3]", "- in[2]", "+ 0.5 × (in[1] in[2])".
  std::vector<std::string> terms(const std::string& statements) {
    const std::string text =
        "__global__ void k(const float* in, float* out, int N) {\n  if (N < 4) return;\n" + statements + "\n}\n";
    const Prepared prepared = prepareText(text, {{1, 1, 1}, {1, 1, 1}}, 8, 1);
    const Program& program = *prepared.program;
    const ObjectId in = program.findObject("in");
    const auto trace = provenance::traceOutput(program, prepared.launch, {0, 0, 0}, program.findObject("out"), 3);
    if (!trace) { return {"no trace"}; }
    sum_ = provenance::termsOf(program, *trace, in);
    const auto named = [&](std::uint32_t index) {
      const Operand& operand = trace->operands[index];
      if (operand.kind == Operand::Kind::Element) { return "in[" + std::to_string(operand.element) + "]"; }
      return recording::formatValue(operand.type, operand.bits);
    };
    std::vector<std::string> all;
    for (const Term& term : sum_.terms) {
      std::string one = term.negative ? "- " : "+ ";
      if (term.coefficient) { one += named(*term.coefficient) + " × "; }
      if (term.value) {
        one += named(*term.value);
      } else {
        std::string rest;
        for (const std::uint32_t operand : term.operands) {
          if (operand != term.coefficient) { rest += (rest.empty() ? "" : " ") + named(operand); }
        }
        one += "(" + rest + ")";
      }
      all.push_back(one + (term.fused ? " fused" : ""));
    }
    return all;
  }

  TermSum sum_;
};

TEST_F(TraceTerms, AChainOfProductsInItsOrder) {
  EXPECT_THAT(terms("out[3] = 2.0f * in[3] + in[2] * 0.5f - in[4] + 1.0f;"),
              ElementsAre("+ 2 × in[3]", "+ 0.5 × in[2]", "- in[4]", "+ 1"));
  EXPECT_TRUE(sum_.exact);
}

TEST_F(TraceTerms, ALoopThatAddsOnTheRight) {
  EXPECT_THAT(terms("float sum = 0.0f; for (int d = -1; d <= 1; ++d) sum = 0.25f * in[3 + d] + sum; out[3] = sum;"),
              ElementsAre("+ 0", "+ 0.25 × in[2]", "+ 0.25 × in[3]", "+ 0.25 × in[4]"));
  EXPECT_TRUE(sum_.exact);
}

TEST_F(TraceTerms, FusedProductsAreRoundedOnce) {
  EXPECT_THAT(terms("float s = 0.3f * in[2]; s = fmaf(0.7f, in[3], s); out[3] = fmaf(0.1f, in[4], s);"),
              ElementsAre("+ 0.3 × in[2]", "+ 0.7 × in[3] fused", "+ 0.1 × in[4] fused"));
  EXPECT_TRUE(sum_.exact);
}

TEST_F(TraceTerms, ACoefficientOfASumIsOneTerm) {
  EXPECT_THAT(terms("out[3] = in[3] + 0.1f * (in[2] + in[4] - 2.0f * in[3]);"),
              ElementsAre("+ in[3]", "+ 0.1 × (in[2] in[4] 2 in[3])"));
  EXPECT_TRUE(sum_.exact);
}

TEST_F(TraceTerms, ASumInDoublePrecisionIsRoundedAtTheEnd) {
  terms("double s = 0.1 * in[2]; s += 0.2 * in[3]; out[3] = s;");
  EXPECT_EQ(sum_.type, ValueType::F64);
  EXPECT_EQ(sum_.terms.size(), 2U);
  EXPECT_TRUE(sum_.exact);
}

TEST_F(TraceTerms, WhatIsNoSumIsOneTerm) {
  EXPECT_THAT(terms("out[3] = fmaxf(in[2], in[3]);"), ElementsAre("+ (in[2] in[3])"));
  EXPECT_TRUE(sum_.exact);
  EXPECT_THAT(terms("out[3] = (in[2] + in[3]) / 2.0f;"), ElementsAre("+ (in[2] in[3] 2)"));
  EXPECT_TRUE(sum_.exact);
  EXPECT_THAT(terms("out[3] = in[2];"), ElementsAre("+ in[2]"));
  EXPECT_TRUE(sum_.exact);
}

TEST_F(TraceTerms, TwoSumsAddedKeepOneOfThemWhole) {
  EXPECT_THAT(terms("float a = in[1] + in[2]; float b = in[3] + in[4]; out[3] = a + b;"),
              ElementsAre("+ in[1]", "+ in[2]", "+ (in[3] in[4])"));
  EXPECT_TRUE(sum_.exact);
}

TEST_F(TraceTerms, ASquareNamesItsFactorTwice) {
  EXPECT_THAT(terms("float v = in[3]; out[3] = v * v + in[2];"), ElementsAre("+ in[3] × in[3]", "+ in[2]"));
  EXPECT_TRUE(sum_.exact);
}

TEST_F(TraceTerms, AResultUsedTwiceIsFollowedOnce) {
  // Doubled forty times: following every use would never end.
  terms("float v = in[3]; for (int i = 0; i < 40; ++i) v = v + v; out[3] = v;");
  EXPECT_TRUE(sum_.exact);
  EXPECT_EQ(sum_.terms.size(), 41U);
}

TEST_F(TraceTerms, IntegersAreOneTerm) { EXPECT_FALSE(terms("out[3] = (float)((int)in[2] + 3);").empty()); }

TEST_F(TraceTerms, AReadOutsideTheArrayIsNamed) {
  const Prepared prepared =
      prepareText("__global__ void k(const float* in, float* out, int N) { out[3] = in[-1] + in[2]; }",
                  {{1, 1, 1}, {1, 1, 1}}, 8, 1);
  const Program& program = *prepared.program;
  const auto trace = provenance::traceOutput(program, prepared.launch, {0, 0, 0}, program.findObject("out"), 3);
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->operands.size(), 2U);
  EXPECT_EQ(trace->operands[0].kind, Operand::Kind::OutOfBounds);
  EXPECT_EQ(trace->operands[0].element, -1);
  EXPECT_EQ(trace->operands[1].kind, Operand::Kind::Element);
}

}  // namespace
}  // namespace haloscope::test
