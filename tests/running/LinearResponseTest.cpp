#include "running/LinearResponse.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiment/InputData.h"

// Sums of neighbours, and arrays that are none.

namespace haloscope::running {
namespace {

constexpr std::int64_t kPoints = 400, kWidth = 20;

ArrayData filledWith(double (*value)(const ArrayData& in, std::int64_t i), const ArrayData& in = {}) {
  ArrayData made{.element = ValueType::F64, .extents = {kPoints}, .bytes = std::vector<std::byte>(8 * kPoints)};
  for (std::int64_t i = 0; i < kPoints; ++i) { experiment::setValue(made, i, value(in, i)); }
  return made;
}

double at(const ArrayData& array, std::int64_t i) { return i < 0 || i >= kPoints ? 0 : experiment::valueAt(array, i); }

/// Numbers without an order.
ArrayData input() {
  return filledWith([](const ArrayData&, std::int64_t i) { return static_cast<double>(i * i * 7919 % 251); });
}

double three(const ArrayData& in, std::int64_t i) {
  return 0.25 * at(in, i - 1) + 0.5 * at(in, i) + 0.25 * at(in, i + 1);
}
double cross(const ArrayData& in, std::int64_t i) {
  return at(in, i - 1) + at(in, i + 1) + at(in, i - kWidth) - 3 * at(in, i);
}

Response responseIn(double (*value)(const ArrayData& in, std::int64_t i), std::int64_t place) {
  ArrayData changed = input();
  experiment::setValue(changed, place, at(changed, place) + 2);
  return responseOf(filledWith(value, input()), filledWith(value, changed), place, 2).value_or(Response{});
}

bool isOther(double (*result)(const ArrayData&, std::int64_t), double (*expected)(const ArrayData&, std::int64_t)) {
  return kinshipOf(input(), filledWith(result, input()), filledWith(expected, input()), responseIn(result, 170)) ==
         Kinship::Other;
}

TEST(LinearResponse, IsTheWeightsByDistance) {
  EXPECT_EQ(responseIn(three, 100), (Response{{-1, 0.25}, {0, 0.5}, {1, 0.25}}));
  EXPECT_TRUE(areAlike(responseIn(three, 100), responseIn(three, 300)));
  EXPECT_FALSE(areAlike(responseIn(three, 100), responseIn(cross, 100)));
}

TEST(LinearResponse, OtherWeightsAndNeighboursAreMeantToBeTheSame) {
  EXPECT_FALSE(
      isOther(three, [](const ArrayData& in, std::int64_t i) { return 0.3 * at(in, i - 1) + 0.4 * at(in, i); }));
  // One more on each side, as with a larger radius, and a border.
  EXPECT_FALSE(isOther(three, [](const ArrayData& in, std::int64_t i) {
    return i < 9 ? 0 : 0.2 * (at(in, i - 2) + at(in, i - 1) + at(in, i) + at(in, i + 1) + at(in, i + 2));
  }));
  // The row that was forgotten, or a whole one more.
  EXPECT_FALSE(isOther(cross, [](const ArrayData& in, std::int64_t i) { return cross(in, i) + at(in, i + kWidth); }));
  EXPECT_FALSE(
      isOther(cross, [](const ArrayData& in, std::int64_t i) { return cross(in, i) + at(in, i - 2 * kWidth); }));
}

TEST(LinearResponse, WhatFollowsFromOtherElementsIsSomethingElse) {
  EXPECT_TRUE(isOther(three, [](const ArrayData& in, std::int64_t i) { return at(in, i / 2); }));
  EXPECT_TRUE(isOther(three, [](const ArrayData& in, std::int64_t i) { return at(in, i) * at(in, i + 1); }));
  // A sweep in place, beside one that is not; both with a constant.
  EXPECT_TRUE(isOther([](const ArrayData& in, std::int64_t i) { return 0.5 * (at(in, i - 1) + at(in, i + 1)) - 3; },
                      [](const ArrayData& in, std::int64_t i) {
                        double value = 0;
                        for (std::int64_t k = 0; k <= i; ++k) { value = 0.5 * (value + at(in, k + 1)) - 3; }
                        return value;
                      }));
  // The data, moved.
  EXPECT_TRUE(isOther(three, [](const ArrayData& in, std::int64_t i) { return at(in, i - 1); }));
}

}  // namespace
}  // namespace haloscope::running
