#include "catalogue/Precision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "catalogue/KernelFile.h"

namespace haloscope {
namespace {

using ::testing::HasSubstr;

std::string text(const std::string& precision, const std::string& formula = "3 / (2 * sizeof(REAL))") {
  return "/* haloscope\n"
         "title: A test\n"
         "sizes:\n"
         "  N: {default: 10, min: 1, max: 100}\n"
         "tunables:\n"
         "  TILE: {default: 4, min: 1, max: 64}\n"
         "precision: " +
         precision +
         "\n"
         "arrays:\n"
         "  in: {shape: [N]}\n"
         "launch:\n"
         "  grid: [1, 1, 1]\n"
         "  block: [TILE, 1, 1]\n"
         "op_per_byte: " +
         formula +
         "\n*/\n"
         "__global__ void k(REAL* in, int N) {}\n";
}

KernelFile parsed(const std::string& precision) { return KernelFile::parse("a/b", "b.cu", text(precision)); }

std::string complaintOf(const std::string& text) {
  try {
    KernelFile::parse("a/b", "b.cu", text);
  } catch (const SourceError& error) { return error.what(); }
  return {};
}

TEST(PrecisionTest, TheFirstTypeIsTheDefaultAndAMacro) {
  const KernelFile file = parsed("{macro: REAL, types: [float, double, half]}");
  EXPECT_EQ(file.defaults().at("REAL"), 4);
  EXPECT_EQ(file.defines(file.defaults()).at("REAL"), "float");
  EXPECT_EQ(file.defines(file.bind({{"REAL", 8}})).at("REAL"), "double");
  EXPECT_EQ(file.defines(file.bind({{"REAL", 2}})).at("REAL"), "half");
  EXPECT_EQ(file.valueText("REAL", 8), "double");
  EXPECT_EQ(file.valueText("TILE", 8), "8");
  EXPECT_TRUE(file.offers("REAL", 2));
  EXPECT_FALSE(file.offers("REAL", 3));
  EXPECT_THROW(static_cast<void>(file.bind({{"REAL", 3}})), InputError);
}

TEST(PrecisionTest, AFormulaCountsTheBytesOfTheType) {
  const KernelFile file = parsed("{macro: REAL, types: [float, double]}");
  EXPECT_DOUBLE_EQ(file.opPerByte->evaluate(file.defaults()), 3.0 / 8);
  EXPECT_DOUBLE_EQ(file.opPerByte->evaluate(file.bind({{"REAL", 8}})), 3.0 / 16);
}

TEST(PrecisionTest, TypesFollowEachOtherRoundAndRound) {
  const Precision precision{"REAL", {ValueType::F32, ValueType::F64, ValueType::F16}};
  EXPECT_EQ(precision.neighbour(4, 1), 8);
  EXPECT_EQ(precision.neighbour(8, 1), 2);
  EXPECT_EQ(precision.neighbour(2, 1), 4);
  EXPECT_EQ(precision.neighbour(4, -1), 2);
}

TEST(PrecisionTest, WhatIsNoPrecisionIsRefusedWithItsPlace) {
  EXPECT_THAT(complaintOf(text("{macro: REAL, types: [quad]}")), HasSubstr("unknown type \"quad\""));
  EXPECT_THAT(complaintOf(text("{macro: REAL, types: []}")), HasSubstr("must be a list"));
  EXPECT_THAT(complaintOf(text("{macro: REAL, types: [float, float]}")), HasSubstr("twice"));
  EXPECT_THAT(complaintOf(text("{macro: TILE, types: [float]}", "1")), HasSubstr("is a size or a tunable already"));
  EXPECT_THAT(complaintOf(text("{types: [float]}")), HasSubstr("b.cu:"));
}

TEST(PrecisionTest, SizeofTakesNothingButTheMacro) {
  EXPECT_THAT(complaintOf(text("{macro: REAL, types: [float]}", "1 / sizeof(N)")),
              HasSubstr("sizeof takes the precision's macro REAL"));
}

Derivative derivative(const std::vector<double>& coefficients) {
  std::vector<std::array<int, 3>> taps;
  const int radius = static_cast<int>(coefficients.size()) / 2;
  for (int offset = -radius; offset <= radius; ++offset) { taps.push_back({0, 0, offset}); }
  return Derivative::of(coefficients, taps);
}

TEST(DerivativeTest, TheOrderFollowsFromTheCoefficients) {
  EXPECT_EQ(derivative({-0.5, 0, 0.5}).order, 2);
  EXPECT_EQ(derivative({0, -1, 1}).order, 1) << "one-sided";
  EXPECT_EQ(derivative({1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12}).order, 4);
  EXPECT_EQ(derivative({-1.0 / 60, 9.0 / 60, -45.0 / 60, 0, 45.0 / 60, -9.0 / 60, 1.0 / 60}).order, 6);
}

TEST(DerivativeTest, WhatIsNoFirstDerivativeIsRefused) {
  EXPECT_THROW(derivative({1, -2, 1}), InputError) << "the second derivative";
  EXPECT_THROW(derivative({-0.5, 0, 0.6}), InputError);
  EXPECT_THROW(Derivative::of({-0.5, 0.5}, {{0, 0, -1}, {0, 0, 0}, {0, 0, 1}}), InputError);
  EXPECT_THROW(Derivative::of({-0.5, 0.5}, {{0, -1, 0}, {0, 1, 0}}), InputError) << "along another axis";
}

}  // namespace
}  // namespace haloscope
