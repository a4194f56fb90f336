#include "running/OwnCheck.h"

#include <gtest/gtest.h>

#include <string>

// What programs print after comparing their result with a reference on the host.

namespace haloscope::running {
namespace {

TEST(OwnCheck, PassesWhereNothingIsWrong) {
  for (const char* line : {"PASSED",
                           "Test PASSED",
                           "Results match!",
                           "0 wrong points",
                           "0 wrong",
                           "Wrong: 0",
                           "0 mismatches",
                           "0 errors found",
                           "errors: 0",
                           "Number of errors = 0",
                           "No errors",
                           "wrong points: 0 of 13824",
                           "Max error: 1.2e-07",
                           "max relative difference = 3e-6",
                           "Test did not fail",
                           "largest error 0: PASSED",
                           "OK",
                           "CPU and GPU results are identical",
                           "CPU and GPU agree",
                           "Test PASSED (max error = 2.5e-3, tolerance 1e-2)",
                           "Tests passed: 10, failed: 0",
                           "10 tests passed, 0 failed",
                           "L2 error of the result = 1e-7",
                           "Results are correct, largest difference 0.002"}) {
    const auto own = ownCheckIn(std::string(line) + "\n");
    ASSERT_TRUE(own) << line;
    EXPECT_TRUE(own->passed) << line;
  }
}

TEST(OwnCheck, FailsWhereSomethingIs) {
  for (const char* line :
       {"FAILED", "Test FAILED", "Results do not match", "12 mismatches", "max error: 0.77",
        "largest error 0.771177: FAILED", "mismatch at element 17", "wrong points: 3 of 13824", "max error: nan",
        "Verification failed", "Results do not agree", "CPU and GPU disagree", "mismatch at element 0: 3 instead of 0",
        "10 tests passed, 2 failed", "Tests passed: 10, failed: 2", "Test FAILED (max error = 1e-4, tolerance 1e-5)"}) {
    const auto own = ownCheckIn(std::string(line) + "\n");
    ASSERT_TRUE(own) << line;
    EXPECT_FALSE(own->passed) << line;
  }
}

TEST(OwnCheck, OtherLinesSayNothing) {
  for (const char* line :
       {"Kernel launch: no error", "Image of 512 pixels loaded successfully", "Usage: heat N STEPS", "time 1.25 ms",
        "CUDA error: invalid argument", "Max error allowed: 0.01", "max difference 0.5 (threshold 1)", "   ", ""}) {
    EXPECT_FALSE(ownCheckIn(std::string(line) + "\n")) << line;
  }
}

TEST(OwnCheck, AFailureCountsMoreThanAnyPass) {
  const auto own = ownCheckIn("naive: PASSED\ntiled: FAILED\ncoarsened: PASSED\n");
  ASSERT_TRUE(own);
  EXPECT_FALSE(own->passed);
  EXPECT_EQ(own->line, "tiled: FAILED");
}

TEST(OwnCheck, TheProgramsWordCountsMoreThanADifference) {
  auto own = ownCheckIn("max error: 0.0025\nTest PASSED\nmax error: 0.5\n");
  ASSERT_TRUE(own);
  EXPECT_TRUE(own->passed);
  EXPECT_EQ(own->line, "Test PASSED");
  own = ownCheckIn("Max error allowed: 0.01\nPASSED\n");
  ASSERT_TRUE(own);
  EXPECT_TRUE(own->passed);
  own = ownCheckIn("max error: 0.5\nmax error: 1e-7\n");
  ASSERT_TRUE(own);
  EXPECT_FALSE(own->passed);
  EXPECT_TRUE(own->measured);
  for (const char* line : {"3 errors", "max error: nan", "FAILED, max error: 0.5", "largest error 0.77: FAILED"}) {
    own = ownCheckIn(line);
    ASSERT_TRUE(own) << line;
    EXPECT_FALSE(own->passed) << line;
    EXPECT_FALSE(own->measured) << line;
  }
}

TEST(OwnCheck, LongLinesAreData) {
  EXPECT_TRUE(ownCheckIn("wrong: 3" + std::string(100, ' ')));
  std::string data;
  for (int i = 0; i < 100'000; ++i) { data += "error "; }
  EXPECT_FALSE(ownCheckIn(data + "1"));
}

}  // namespace
}  // namespace haloscope::running
