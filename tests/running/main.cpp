#include <gtest/gtest.h>

#include <string_view>

#include "../start/TestedHaloscope.h"
#include "ForgedHost.h"
#include "host/ServeHost.h"

int main(int argc, char** argv) {
  // Started by running::HostProcess; the folder of the compiler's headers is what the test has put there.
  if (argc > 2 && argv[1] == std::string_view(haloscope::host::kHostCommand)) {
    return haloscope::running::forgeHost(argv[argc - 1]);
  }
  haloscope::useTestedHaloscope(argv[0]);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
