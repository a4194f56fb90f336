#include "running/OwnCheck.h"

#include <gtest/gtest.h>

#include <string>

// What programs print after comparing their result with a reference on the host.

namespace haloscope::running {
namespace {

TEST(OwnCheck, PassesWhereNothingIsWrong) {
  for (const char* line :
       {"PASSED", "Test PASSED", "Results match!", "0 wrong points", "0 wrong", "Wrong: 0", "0 mismatches",
        "0 errors found", "errors: 0", "Number of errors = 0", "No errors", "wrong points: 0 of 13824",
        "Max error: 1.2e-07", "max relative difference = 3e-6", "Test did not fail", "largest error 0: PASSED", "OK",
        "CPU and GPU results are identical", "CPU and GPU agree"}) {
    const auto own = ownCheckIn(std::string(line) + "\n");
    ASSERT_TRUE(own) << line;
    EXPECT_TRUE(own->passed) << line;
  }
}

TEST(OwnCheck, FailsWhereSomethingIs) {
  for (const char* line : {"FAILED", "Test FAILED", "Results do not match", "12 mismatches", "max error: 0.77",
                           "largest error 0.771177: FAILED", "mismatch at element 17", "wrong points: 3 of 13824",
                           "max error: nan", "Verification failed", "Results do not agree", "CPU and GPU disagree"}) {
    const auto own = ownCheckIn(std::string(line) + "\n");
    ASSERT_TRUE(own) << line;
    EXPECT_FALSE(own->passed) << line;
  }
}

TEST(OwnCheck, OtherLinesSayNothing) {
  for (const char* line : {"Kernel launch: no error", "Image of 512 pixels loaded successfully", "Usage: heat N STEPS",
                           "time 1.25 ms", "CUDA error: invalid argument", "   ", ""}) {
    EXPECT_FALSE(ownCheckIn(std::string(line) + "\n")) << line;
  }
}

TEST(OwnCheck, AFailureCountsMoreThanAnyPass) {
  const auto own = ownCheckIn("naive: PASSED\ntiled: FAILED\ncoarsened: PASSED\n");
  ASSERT_TRUE(own);
  EXPECT_FALSE(own->passed);
  EXPECT_EQ(own->line, "tiled: FAILED");
}

}  // namespace
}  // namespace haloscope::running
