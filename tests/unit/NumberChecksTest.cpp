#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "ProgramBuilder.h"
#include "faults/IntegerTruncations.h"
#include "faults/NumberChecks.h"
#include "faults/UnsignedWraps.h"
#include "simt/Executor.h"

/// Unsigned wraparound, and fractions lost in integers.
namespace haloscope::test {
namespace {

using faults::Finding;
using faults::FindingKind;

/// A kernel of one block of 8 threads, with `in` and `out` of 8 floats each.
class NumberChecks : public ::testing::Test {
 protected:
  NumberChecks() : in_(builder_.global("in", ValueType::F32)), out_(builder_.global("out", ValueType::F32)) {
    builder_.statement();
    x_ = builder_.builtin(Builtin::ThreadIdxX);
  }

  RegisterId u32(std::uint32_t value) { return builder_.constant(ValueType::U32, value); }

  /// The findings after running the kernel.
  std::vector<Finding> findings(std::uint32_t blocks = 1) {
    const Program program = builder_.build();
    Launch launch = launchOf(program, {blocks, 1, 1}, {8, 1, 1});
    const std::vector<float> values{0.25F, 1.5F, -2.75F, 3.0F, 4.5F, 5.0F, 6.0F, 7.0F};
    launch.arrays[in_] = arrayOf(ValueType::F32, values);
    launch.arrays[out_] = arrayOf(ValueType::F32, std::vector<float>(8));
    faults::NumberChecks checks(program);
    const std::vector<simt::Observer*> observers = checks.observers();
    watched_ = !observers.empty();
    if (watched_) { EXPECT_EQ(simt::execute(program, launch, observers).outcome, simt::Outcome::Finished); }
    return checks.findings();
  }

  ProgramBuilder builder_;
  ObjectId in_, out_;
  RegisterId x_ = kNone;
  bool watched_ = false;
};

using UnsignedWraps = NumberChecks;
using IntegerTruncations = NumberChecks;

TEST_F(UnsignedWraps, AnIndexThatPassedBelowZero) {
  const RegisterId left = builder_.variable("left", ValueType::U32);
  builder_.assign(left, builder_.sub(x_, u32(3)));
  builder_.statement();
  builder_.store(out_, x_, builder_.load(in_, left));
  const std::vector<Finding> found = findings(2);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::UnsignedWrap);
  EXPECT_EQ(found[0].message,
            "left: 0 - 3 became 4294967293 because the arithmetic is unsigned, and is used as an index, in thread "
            "(0,0,0) of block (0,0,0)");
  EXPECT_EQ(found[0].where.line, 3);
  EXPECT_EQ(found[0].occurrences, 2U * 3);
  ASSERT_EQ(found[0].threads.size(), 1U);
  EXPECT_EQ(found[0].threads[0].thread, (Dim3{0, 0, 0}));
}

TEST_F(UnsignedWraps, OnTheWayTo64BitsOrToAFloatingPointNumber) {
  const RegisterId below = builder_.sub(x_, u32(1));
  builder_.store(out_, x_, builder_.convert(below, ValueType::F32));
  builder_.statement();
  builder_.store(out_, builder_.convert(below, ValueType::U64), builder_.f32(1));
  const std::vector<Finding> found = findings();
  ASSERT_EQ(found.size(), 1U) << "in straight-line code, with the other place among `also`";
  EXPECT_NE(found[0].message.find("becomes a floating-point number"), std::string::npos) << found[0].message;
  ASSERT_EQ(found[0].also.size(), 1U);
  EXPECT_NE(found[0].also[0].message.find("is used as an index"), std::string::npos) << found[0].also[0].message;
}

TEST_F(UnsignedWraps, WhatComesBackAboveZeroDoesNoHarm) {
  builder_.store(out_, builder_.add(builder_.sub(x_, u32(3)), u32(3)), builder_.f32(1));
  EXPECT_TRUE(findings().empty());
  EXPECT_TRUE(watched_) << "cannot be decided from the source alone";
}

TEST_F(UnsignedWraps, OnlyLanesThatGetThereCount) {
  const RegisterId left = builder_.sub(x_, u32(1));
  builder_.beginIf(builder_.less(left, u32(100)));
  builder_.store(out_, x_, builder_.load(in_, left));
  builder_.endIf();
  EXPECT_TRUE(findings().empty());
}

TEST_F(UnsignedWraps, WithoutADifferenceThereIsNothingToWatch) {
  builder_.store(out_, x_, builder_.load(in_, builder_.mul(builder_.add(x_, u32(0)), u32(1))));
  EXPECT_TRUE(findings().empty());
  EXPECT_FALSE(watched_);
}

TEST_F(UnsignedWraps, AComparisonThatHasOneOutcomeOnly) {
  const struct {
    Opcode op;
    bool zeroLeft;
    const char* outcome;  ///< null: either
  } cases[] = {{Opcode::GreaterEqual, false, "always true"},
               {Opcode::Less, false, "always false"},
               {Opcode::LessEqual, true, "always true"},
               {Opcode::Greater, true, "always false"},
               {Opcode::Greater, false, nullptr},
               {Opcode::Equal, false, nullptr}};
  for (const auto& expected : cases) {
    ProgramBuilder builder;
    const RegisterId i = builder.variable("i", ValueType::U32);
    builder.statement();
    builder.assign(i, builder.builtin(Builtin::ThreadIdxX));
    const RegisterId zero = builder.constant(ValueType::U32, 0);
    builder.binary(expected.op, expected.zeroLeft ? zero : i, expected.zeroLeft ? i : zero);
    const Program program = builder.build();
    const faults::UnsignedWraps wraps(program);
    EXPECT_TRUE(wraps.findings().empty());
    ASSERT_EQ(wraps.notes().size(), expected.outcome != nullptr ? 1U : 0U);
    if (expected.outcome != nullptr) {
      EXPECT_NE(wraps.notes()[0].find("i is unsigned and never below zero, so this comparison with 0 is " +
                                      std::string(expected.outcome)),
                std::string::npos);
    }
  }
}

TEST_F(UnsignedWraps, AComparisonOfWhatHasWrappedIsAFinding) {
  const RegisterId i = builder_.variable("i", ValueType::U32);
  builder_.assign(i, builder_.sub(x_, u32(2)));
  builder_.binary(Opcode::GreaterEqual, i, u32(0));
  const std::vector<Finding> found = findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].occurrences, 2U);
  EXPECT_EQ(found[0].message,
            "i is unsigned and never below zero, so this comparison with 0 is always true: here it has wrapped below "
            "zero, to 4294967294, in thread (0,0,0) of block (0,0,0)");
}

TEST_F(UnsignedWraps, ASignedComparisonWithZeroIsNone) {
  builder_.binary(Opcode::GreaterEqual, builder_.builtinInt(Builtin::ThreadIdxX), builder_.i32(0));
  EXPECT_TRUE(findings().empty());
}

TEST_F(IntegerTruncations, ADivisionThatIsNotExactAndBecomesFloating) {
  const RegisterId quotient = builder_.binary(Opcode::Div, builder_.i32(1), builder_.i32(3));
  builder_.store(out_, x_, builder_.convert(quotient, ValueType::F32));
  const std::vector<Finding> found = findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::IntegerTruncation);
  EXPECT_EQ(found[0].message,
            "1 / 3 is an integer division and gives 0, not 0.3333; the fraction is lost before the quotient becomes a "
            "floating-point number");
  EXPECT_EQ(found[0].occurrences, 8U);
}

TEST_F(IntegerTruncations, AnExactDivisionIsNoLoss) {
  builder_.store(out_, x_,
                 builder_.convert(builder_.binary(Opcode::Div, builder_.i32(6), builder_.i32(3)), ValueType::F32));
  EXPECT_TRUE(findings().empty());
}

TEST_F(IntegerTruncations, AQuotientThatIsAnIndexIsMeantToBeWhole) {
  const RegisterId half = builder_.binary(Opcode::Div, builder_.builtinInt(Builtin::ThreadIdxX), builder_.i32(2));
  builder_.store(out_, x_, builder_.load(in_, half));
  EXPECT_TRUE(findings().empty());
  EXPECT_FALSE(watched_);
}

TEST_F(IntegerTruncations, AFloatingValueKeptInAnInteger) {
  const RegisterId sum = builder_.variable("sum", ValueType::I32);
  builder_.assign(sum, builder_.convert(builder_.load(in_, x_), ValueType::I32));
  builder_.statement();
  builder_.store(out_, x_, builder_.convert(sum, ValueType::F32));
  const std::vector<Finding> found = findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message,
            "0.25 becomes 0 in the integer sum; the fraction is lost, and the value is used as a floating-point number "
            "again");
  EXPECT_EQ(found[0].occurrences, 4U) << "of the eight values four have a fraction";
}

TEST_F(IntegerTruncations, WhatIsRoundedOnPurposeIsNoLoss) {
  const RegisterId rounded = builder_.math(MathFunction::Floor, builder_.load(in_, x_));
  builder_.store(out_, x_, builder_.convert(builder_.convert(rounded, ValueType::I32), ValueType::F32));
  EXPECT_TRUE(findings().empty());
}

TEST_F(IntegerTruncations, AValueThatStaysAnIntegerIsNoLoss) {
  builder_.store(out_, builder_.convert(builder_.load(in_, builder_.i32(1)), ValueType::I32), builder_.f32(1));
  EXPECT_TRUE(findings().empty());
}

}  // namespace
}  // namespace haloscope::test
