#include <gtest/gtest.h>

#include <filesystem>

#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"

namespace haloscope::running {
namespace {

namespace fs = std::filesystem;

/// What the only launch of one of tests/programs costs.
ProgramLaunch launchOf(const char* name) {
  RunOptions options;
  options.executable = HALOSCOPE_BINARY;
  options.compilerHeaders = fs::path(HALOSCOPE_BINARY).parent_path() / "assets" / "clang" / "include";
  options.device.properties = {{"totalGlobalMem", std::int64_t{1} << 34}};
  const fs::path path = fs::path(HALOSCOPE_SOURCE_DIR) / "tests" / "programs" / name;
  const ProgramRun run = running::run(readProgram(path).program, options);
  EXPECT_EQ(run.launches.size(), 1U) << run.message;
  return run.launches.empty() ? ProgramLaunch{} : run.launches.front();
}

TEST(Textures, AreRequestsAndNoGlobalTraffic) {
  ASSERT_TRUE(fs::exists(HALOSCOPE_BINARY)) << "build haloscope: it executes the host's half";
  const ProgramLaunch fetches = launchOf("texture_fetch_1d.cu");
  EXPECT_EQ(fetches.textureRequests, 3U * 10) << "300 threads are 10 warps";
  EXPECT_EQ(fetches.globalBytes, 300U * 4) << "what is stored";
  EXPECT_EQ(fetches.flops, 300U * 2);

  const ProgramLaunch filtered = launchOf("texture_bytes_as_floats.cu");
  EXPECT_EQ(filtered.textureRequests, 30U * 2);
  EXPECT_EQ(filtered.flops, 50U * 30 * 3) << "a texture's own arithmetic is not the kernel's";
}

}  // namespace
}  // namespace haloscope::running
