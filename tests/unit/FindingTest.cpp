#include "faults/Finding.h"

#include <gtest/gtest.h>

namespace haloscope::faults {
namespace {

TEST(Finding, KnowsEveryOutputItReachesAndListsTheFirst) {
  Finding finding;
  for (std::int64_t element = 10; element < 40; ++element) { finding.reach({2, element}, 4); }
  finding.reach({2, 50}, 4);
  finding.reach({3, 51}, 4);
  EXPECT_EQ(finding.outputCount, 32U);
  EXPECT_EQ(finding.outputs, (std::vector<OutputCell>{{2, 10}, {2, 11}, {2, 12}, {2, 13}}));
  EXPECT_EQ(finding.reached, (std::vector<OutputRun>{{2, 10, 40}, {2, 50, 51}, {3, 51, 52}}));
  EXPECT_TRUE(finding.reaches({2, 10}));
  EXPECT_TRUE(finding.reaches({2, 39}));
  EXPECT_TRUE(finding.reaches({2, 50}));
  EXPECT_TRUE(finding.reaches({3, 51}));
  EXPECT_FALSE(finding.reaches({2, 9}));
  EXPECT_FALSE(finding.reaches({2, 40}));
  EXPECT_FALSE(finding.reaches({2, 51}));
  EXPECT_FALSE(finding.reaches({3, 50}));
  EXPECT_FALSE(finding.reaches({1, 10}));
  EXPECT_FALSE(Finding().reaches({2, 10}));
}

}  // namespace
}  // namespace haloscope::faults
