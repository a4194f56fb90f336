#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "experiment/InputData.h"
#include "experiment/TapDifference.h"

// Neighbours of computations that are not linear, seen by changing one element of their input after the other.

namespace haloscope::experiment {
namespace {

constexpr std::int64_t kRow = 40, kRows = 30;

using Steps = std::vector<std::int64_t>;  // to the neighbours, in elements

ArrayData input() {
  ArrayData array{
      .element = ValueType::F32, .extents = {kRow * kRows}, .bytes = std::vector<std::byte>(4 * kRow * kRows)};
  for (std::int64_t i = 0; i < kRow * kRows; ++i) { setValue(array, i, static_cast<double>(i * i * 7919 % 251)); }
  return array;
}

/// The largest of these neighbours.
ArrayData dilated(const ArrayData& in, const Steps& steps) {
  ArrayData out = in;
  for (std::int64_t i = 2 * kRow; i < kRow * (kRows - 2); ++i) {
    double largest = 0;
    for (const std::int64_t step : steps) { largest = std::max(largest, valueAt(in, i + step)); }
    setValue(out, i, largest);
  }
  return out;
}

Dependence dependenceOn(const Steps& steps) {
  Dependence dependence;
  for (std::int64_t at = 5 * kRow + 7; at < 20 * kRow; at += 53) {
    ArrayData changed = input();
    setValue(changed, at, 1000);
    dependence.add(at, dilated(input(), steps), dilated(changed, steps));
  }
  return dependence;
}

std::string difference(const Steps& found, const Steps& expected) {
  return neighbourDifference(dependenceOn(found), dependenceOn(expected),
                             {.array = "u", .sizes = {kRow, kRows}, .other = "host"});
}

const Steps kCross = {0, -1, 1, -kRow, kRow};

TEST(Dependence, CountsTheChangesThatAPointFollows) {
  const Dependence dependence = dependenceOn(kCross);
  EXPECT_EQ(dependence.distances().size(), kCross.size());
  EXPECT_TRUE(dependence.distances().contains(-kRow));
  EXPECT_FALSE(dependence.distances().contains(2));
}

TEST(Dependence, NeighboursOfOneAloneAreNamed) {
  EXPECT_EQ(difference({0, -1, 1, -kRow}, kCross), "it does not depend on u[y + 1][x], unlike host");
  EXPECT_EQ(difference({0, -1, 2, -kRow, kRow}, kCross),
            "it depends on u[y][x + 2], unlike host, and it does not depend on u[y][x + 1], unlike host");
}

TEST(Dependence, TheSameNeighboursAndAnotherRadiusAreNoMistake) {
  EXPECT_EQ(difference(kCross, kCross), "");
  EXPECT_EQ(difference({0, -1, 1, -2, 2, -kRow, kRow}, kCross), "");
  EXPECT_EQ(difference({0, -1, 1, 2 * kRow, 3, 4, 5, 6}, kCross), "");  // too many
}

}  // namespace
}  // namespace haloscope::experiment
