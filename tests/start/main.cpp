#include <gtest/gtest.h>

#include "lowering/ServeCompiler.h"

int main(int argc, char** argv) {
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
