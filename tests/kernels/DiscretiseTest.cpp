#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

#include "KernelCatalogue.h"
#include "experiment/Experiment.h"
#include "figures/DerivativeErrors.h"
#include "figures/DerivativeKernel.h"
#include "figures/NaturalSpline.h"
#include "figures/SineSamples.h"

namespace haloscope::figures {
namespace {

using std::numbers::pi;
using test::catalogue;

DerivativeKernel kernel(int points, ValueType type) {
  return {catalogue().at("stencil/finite_difference_" + std::to_string(points)), type};
}

std::vector<double> sampled(double (*function)(double), int count, double spacing) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) { values.push_back(function(i * spacing)); }
  return values;
}

TEST(NaturalSplineTest, GoesThroughItsPointsAndIsExactForStraightLines) {
  const NaturalSpline line(1, 0.5, {2, 3, 4, 5, 6});
  for (double x = 1; x <= 3; x += 0.1) {
    EXPECT_NEAR(line(x), 2 * x, 1e-12);
    EXPECT_NEAR(line.linear(x), 2 * x, 1e-12);
  }
  const NaturalSpline bent(0, 1, {0, 1, 0, -1});
  for (int i = 0; i < 4; ++i) { EXPECT_NEAR(bent(i), i == 1 ? 1 : i == 3 ? -1 : 0, 1e-12); }
}

TEST(NaturalSplineTest, IsTheOneThatIsWorkedOutByHand) {
  // Through 0, 1, 0 at 0, 1, 2 the curvature at 1 is -3: on [0, 1] the spline is 1.5 x - 0.5 x^3.
  const NaturalSpline spline(0, 1, {0, 1, 0});
  EXPECT_NEAR(spline(0.5), 1.5 * 0.5 - 0.5 * 0.125, 1e-12);
  EXPECT_NEAR(spline(1.5), 1.5 * 0.5 - 0.5 * 0.125, 1e-12);
  EXPECT_DOUBLE_EQ(spline.linear(0.5), 0.5);
}

TEST(DerivativeKernelTest, TheExecutedSlopesAreThoseOfTheFormulas) {
  // For a sine the formulas give cos x times a known factor: sin(h)/h for three points, and so on.
  const double h = pi / 6;
  const std::vector<double> samples = sampled(std::sin, 13, h);
  const double three = std::sin(h) / h;
  const double five = (8 * std::sin(h) - std::sin(2 * h)) / (6 * h);
  const double seven = (45 * std::sin(h) - 9 * std::sin(2 * h) + std::sin(3 * h)) / (30 * h);
  for (const auto& [points, factor] : {std::pair{3, three}, std::pair{5, five}, std::pair{7, seven}}) {
    for (const auto& [type, tolerance] :
         {std::pair{ValueType::F64, 1e-14}, std::pair{ValueType::F32, 1e-6}, std::pair{ValueType::F16, 8e-3}}) {
      const Slopes slopes = kernel(points, type).slopes(samples, h, {});
      EXPECT_EQ(slopes.first, points / 2);
      ASSERT_EQ(slopes.values.size(), static_cast<std::size_t>(13 - 2 * (points / 2)));
      for (std::size_t i = 0; i < slopes.values.size(); ++i) {
        const double x = static_cast<double>(slopes.first + static_cast<std::int64_t>(i)) * h;
        EXPECT_NEAR(slopes.values[i], factor * std::cos(x), tolerance) << points << " points at " << x;
      }
    }
  }
}

TEST(DerivativeKernelTest, TooFewSamplesHaveNoSlope) {
  EXPECT_TRUE(kernel(7, ValueType::F64).slopes(sampled(std::sin, 6, 0.5), 0.5, {}).values.empty());
  EXPECT_EQ(kernel(7, ValueType::F64).slopes(sampled(std::sin, 7, 0.5), 0.5, {}).values.size(), 1U);
}

TEST(DerivativeKernelTest, AKernelThatIsNoDerivativeIsRefused) {
  EXPECT_THROW(DerivativeKernel(catalogue().at("stencil/basic"), ValueType::F32), InputError);
}

/// A lesson on this figure: its numbers take seconds to measure, and are in the text as they were.
constexpr const char kDigits[] = "14-equation-to-grid.md";

void expectInLessons(const char* file, const std::string& number) {
  for (const char* const language : {"en", "zh"}) {
    const auto path = std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets" / "lessons" / language / file;
    std::ifstream stream(path);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    EXPECT_THAT(text, ::testing::HasSubstr(number)) << path;
  }
}

TEST(DerivativeKernelTest, TheCatalogueHasThreeFromFewToManyPoints) {
  std::vector<std::size_t> points;
  for (const KernelFile* file : derivativeFiles(catalogue())) {
    points.push_back(file->firstDerivative->coefficients.size());
  }
  EXPECT_EQ(points, (std::vector<std::size_t>{3, 5, 7}));
}

TEST(DerivativeErrorsTest, InDoubleTheOrdersAreThoseOfTheory) {
  for (const auto& [points, order] : {std::pair{3, 2}, std::pair{5, 4}, std::pair{7, 6}}) {
    const ErrorCurve curve = measureErrors(kernel(points, ValueType::F64));
    EXPECT_EQ(curve.order, order);
    ASSERT_TRUE(curve.measured.has_value());
    EXPECT_NEAR(*curve.measured, order, 0.1) << points << " points";
    expectInLessons("15-finite-differences.md", fmt::format("$h^{{{:.2f}}}$", *curve.measured));
    if (points == 3) { expectInLessons(kDigits, fmt::format("{:.5f}", curve.errors[curve.finest].spacing)); }
    EXPECT_LT(curve.errors[curve.finest].spacing, 0.1) << "rounding takes over late";
    EXPECT_GT(curve.errors.back().error, curve.errors[curve.finest].error) << "but it does";
  }
}

TEST(DerivativeErrorsTest, InFloatTheyAreMeasuredUntilRoundingTakesOver) {
  for (const auto& [points, order] : {std::pair{3, 2}, std::pair{5, 4}, std::pair{7, 6}}) {
    const ErrorCurve curve = measureErrors(kernel(points, ValueType::F32));
    ASSERT_TRUE(curve.measured.has_value());
    EXPECT_NEAR(*curve.measured, order, 0.1) << points << " points";
    if (points == 3) { expectInLessons(kDigits, fmt::format("{:.3f}", curve.errors[curve.finest].spacing)); }
    EXPECT_GT(curve.errors.back().error, 10 * curve.errors[curve.finest].error);
  }
}

TEST(DerivativeErrorsTest, HalfHasARangeForThreePointsAndNoneForMore) {
  const ErrorCurve three = measureErrors(kernel(3, ValueType::F16));
  ASSERT_TRUE(three.measured.has_value());
  EXPECT_NEAR(*three.measured, 2, 0.1);
  expectInLessons(kDigits, fmt::format("{:.3f}", three.errors[three.finest].spacing));
  for (const int points : {5, 7}) {
    const ErrorCurve curve = measureErrors(kernel(points, ValueType::F16));
    EXPECT_FALSE(curve.measured.has_value());
    EXPECT_EQ(curve.fittedPoints(), 0);
    EXPECT_GT(curve.errors[curve.finest].spacing, 0.1) << "rounding takes over early";
  }
}

TEST(SineSamplesTest, TheBooksSevenPoints) {
  std::vector<DerivativeKernel> kernels;
  for (const int points : {3, 5, 7}) { kernels.push_back(kernel(points, ValueType::F64)); }
  const SineSamples samples = sampleSine(kBookSamples, ValueType::F64, kernels);
  ASSERT_EQ(samples.x.size(), 7U);
  EXPECT_DOUBLE_EQ(samples.spacing, pi / 6);
  EXPECT_NEAR(samples.values[1], 0.5, 1e-15);
  // The sine is farthest from its chord next to the maximum: between π/3 and π/2, near the middle.
  const double chord = (std::sin(pi / 3) + 1) / 2;
  EXPECT_NEAR(samples.linearError, std::sin(5 * pi / 12) - chord, 2e-4);
  EXPECT_LT(samples.splineError, samples.linearError / 50);
  expectInLessons(kDigits, fmt::format("{:.3f}", samples.linearError));
  expectInLessons(kDigits, fmt::format("{:.4f}", sampleSine(2 * kBookSamples - 1, ValueType::F64, {}).linearError));
  ASSERT_EQ(samples.slopes.size(), 3U);
  EXPECT_EQ(samples.slopes[0].slopes.values.size(), 5U);
  EXPECT_EQ(samples.slopes[2].slopes.values.size(), 1U);
  EXPECT_FALSE(samples.slopes[1].onlyMiddle) << "three samples have two neighbours on each side";
  EXPECT_TRUE(samples.slopes[2].onlyMiddle) << "at π/2, where the sine is symmetric";
  EXPECT_LT(samples.slopes[2].largestError, 1e-15);
  EXPECT_NEAR(samples.slopes[0].largestError, std::cos(pi / 6) * (1 - std::sin(pi / 6) / (pi / 6)), 1e-14);
}

}  // namespace
}  // namespace haloscope::figures
