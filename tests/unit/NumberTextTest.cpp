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

}  // namespace
}  // namespace haloscope
