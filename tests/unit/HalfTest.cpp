#include "program/Half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace haloscope::test {
namespace {

/// The value of a half according to the definition of binary16.
double defined(std::uint16_t bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  if (exponent == 31) { return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan(""); }
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

TEST(Half, EveryPatternHasItsValueAndBack) {
  for (std::uint32_t pattern = 0; pattern < 65536; ++pattern) {
    const auto bits = static_cast<std::uint16_t>(pattern);
    const float value = halfValue(bits);
    if (std::isnan(defined(bits))) {
      EXPECT_TRUE(std::isnan(value)) << pattern;
      EXPECT_TRUE(std::isnan(halfValue(halfBits(value)))) << pattern;
      continue;
    }
    EXPECT_EQ(static_cast<double>(value), defined(bits)) << pattern;
    EXPECT_EQ(halfBits(value), bits) << pattern;
    EXPECT_EQ(roundedToHalf(value), value) << pattern;
  }
  EXPECT_EQ(halfBits(std::bit_cast<float>(0xffffffffU)), 0xffffU);
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  // Between every two neighbours: just below the midpoint, the midpoint, just above it.
  for (std::uint32_t pattern = 0; pattern < 0x7bff; ++pattern) {
    const double low = defined(static_cast<std::uint16_t>(pattern));
    const double high = defined(static_cast<std::uint16_t>(pattern + 1));
    const double middle = (low + high) / 2;
    const double even = pattern % 2 == 0 ? low : high;
    EXPECT_EQ(roundedToHalf(middle), even) << pattern;
    EXPECT_EQ(roundedToHalf(-middle), -even) << pattern;
    EXPECT_EQ(roundedToHalf(std::nextafter(middle, 0.0)), low) << pattern;
    EXPECT_EQ(roundedToHalf(std::nextafter(middle, 1e9)), high) << pattern;
    const auto narrow = static_cast<float>(middle);
    EXPECT_EQ(static_cast<double>(roundedToHalf(narrow)), even) << pattern;
    EXPECT_EQ(static_cast<double>(roundedToHalf(std::nextafter(narrow, 1e9F))), high) << pattern;
  }
  EXPECT_EQ(roundedToHalf(65519.0F), 65504.0F);
  EXPECT_TRUE(std::isinf(roundedToHalf(65520.0F)));
  EXPECT_TRUE(std::isinf(roundedToHalf(-1e30)));
  EXPECT_TRUE(std::signbit(roundedToHalf(-0.0F)));
}

}  // namespace
}  // namespace haloscope::test
