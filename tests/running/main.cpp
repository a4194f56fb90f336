#include <gtest/gtest.h>

#include <string_view>

#include "ForgedHost.h"
#include "host/ServeHost.h"
#include "lowering/ServeCompiler.h"

int main(int argc, char** argv) {
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  // Started by running::HostProcess; the folder of the compiler's headers is what the test has put there.
  if (argc > 2 && argv[1] == std::string_view(haloscope::host::kHostCommand)) {
    return haloscope::running::forgeHost(argv[argc - 1]);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
