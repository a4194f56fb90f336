#include "program/NumberText.h"

#include <gtest/gtest.h>

namespace haloscope {
namespace {

TEST(NumberTextTest, DigitsAreGroupedInThrees) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1038), "1,038");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(NumberTextTest, ManyBytesHaveThreeDigits) {
  EXPECT_EQ(byteText(0), "0 B");
  EXPECT_EQ(byteText(99'999), "99,999 B");
  EXPECT_EQ(byteText(297'000), "297 kB");
  EXPECT_EQ(byteText(13'700'000), "13.7 MB");
  EXPECT_EQ(byteText(1'370'000'000), "1.37 GB");
}

TEST(NumberTextTest, TimesHaveTheUnitThatSuitsThem) {
  EXPECT_EQ(timeText(0.744), "0.744 ms");
  EXPECT_EQ(timeText(8.21e-3), "8.21 µs");
  EXPECT_EQ(timeText(1.024, timeUnit(8.21e-3)), "1,024 µs");
  EXPECT_EQ(timeRangeText(55.2e-6, 84.4e-6), "55 … 84 ns");
  EXPECT_EQ(timeRangeText(1.31e-3, 0.61e-3), "0.61 … 1.3 µs");
  EXPECT_EQ(timeRangeText(0.5, 0.5), "0.50 ms");
}

}  // namespace
}  // namespace haloscope
