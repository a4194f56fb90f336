#include <gtest/gtest.h>

#include "TestedHaloscope.h"

int main(int argc, char** argv) {
  haloscope::useTestedHaloscope(argv[0]);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
