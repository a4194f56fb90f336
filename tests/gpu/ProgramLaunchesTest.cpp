#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <map>

#include "FaultSupport.h"
#include "OthersTexts.h"
#include "reports/VerifiedProgram.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"

/// The launches of whole programs on the GPU, with the data that the programs give them.
namespace haloscope::gpu {
namespace {

namespace fs = std::filesystem;

struct Verified {
  running::ProgramRun run;
  std::vector<VerifiedLaunch> launches;
};

Verified verified(const fs::path& path, const std::shared_ptr<const Device>& device, const VerifyLimits& limits = {}) {
  Verified result;
  result.run = verifyProgram(running::readProgram(path), runOptions(), device, limits,
                             [&](const VerifiedLaunch& launch) { result.launches.push_back(launch); });
  return result;
}

/// The fake GPU adds one to each element, whatever the kernel's text says.
class ProgramOnFakeGpu : public testing::Test, protected OnDevice {
 protected:
  void SetUp() override { open(fakeDevice()); }

  /// A program with `addOne` in this body and these lines in main(); `d` has 2 * 64 elements of 0, 1, 2, …
  [[nodiscard]] Verified verify(const std::string& body, const std::string& launches) const {
    const fs::path file = fs::path(testing::TempDir()) / "add_one_program.cu";
    std::ofstream(file) << "__global__ void addOne(const float* in, float* out, int N) {\n"
                           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  "
                        << body
                        << "\n}\n"
                           "int main() {\n"
                           "  float h[128], *d, *e;\n"
                           "  for (int i = 0; i < 128; ++i) h[i] = i;\n"
                           "  cudaMalloc(&d, sizeof h);\n"
                           "  cudaMalloc(&e, sizeof h);\n"
                           "  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);\n"
                           "  cudaMemset(e, 0, sizeof h);\n"
                        << launches
                        << "  cudaFree(d);\n"
                           "  cudaFree(e);\n"
                           "}\n";
    return verified(file, device_);
  }
};

TEST_F(ProgramOnFakeGpu, EachLaunchHasTheProgramsArraysOffsetsAndAliases) {
  const Verified result = verify("if (i < N * N) out[i] = in[i] + 1.0f;",
                                 "  addOne<<<1, 64>>>(d, e, 8);\n"
                                 "  addOne<<<1, 64>>>(d, d + 64, 8);\n"
                                 "  addOne<<<2, 32>>>(d + 64, e + 10, 8);\n"
                                 "  addOne<<<1, 64>>>(e, e, 8);\n");
  EXPECT_EQ(result.run.message, "");
  ASSERT_EQ(result.launches.size(), 4U);
  for (const VerifiedLaunch& launch : result.launches) {
    EXPECT_EQ(launch.message, "");
    ASSERT_TRUE(launch.onGpu) << launch.number;
    EXPECT_TRUE(launch.onGpu->identical) << launch.number;
    EXPECT_TRUE(launch.onGpu->pass());
  }
  EXPECT_EQ(result.launches[2].number, 3U);
  EXPECT_EQ(result.launches[2].line, 14);
  EXPECT_EQ(result.launches[2].configuration.grid.x, 2U);
  EXPECT_THAT(result.launches[0].arrays, testing::ElementsAre("out"));
}

TEST_F(ProgramOnFakeGpu, ADifferentResultFails) {
  const Verified result = verify("if (i < N * N) out[i] = in[i] + 2.0f;", "  addOne<<<1, 64>>>(d, e, 8);\n");
  ASSERT_EQ(result.launches.size(), 1U);
  ASSERT_TRUE(result.launches[0].onGpu) << result.launches[0].message;
  EXPECT_FALSE(result.launches[0].onGpu->identical);
  EXPECT_TRUE(result.launches[0].failed());
  EXPECT_NEAR(result.launches[0].onGpu->separate.difference, 1.0 / 65, 1e-6);
}

TEST_F(ProgramOnFakeGpu, NoFaultyLaunchIsGivenToIt) {
  const Verified result = verify("out[i] = in[i] + 1.0f;",
                                 "  addOne<<<1, 64>>>(d, e, 8);\n"
                                 "  addOne<<<1, 64>>>(d + 65, e, 8);\n"
                                 "  addOne<<<1, 32>>>(e + 1, e, 4);\n");
  ASSERT_EQ(result.launches.size(), 3U);
  EXPECT_TRUE(result.launches[0].onGpu) << result.launches[0].message;
  for (const std::size_t faulty : {1U, 2U}) {
    EXPECT_TRUE(result.launches[faulty].faulty);
    EXPECT_TRUE(result.launches[faulty].failed());
    EXPECT_FALSE(result.launches[faulty].onGpu);
  }
  EXPECT_THAT(result.launches[1].message, testing::HasSubstr("line 3: in[128] is read"));
  EXPECT_THAT(result.launches[2].message, testing::HasSubstr("no barrier between"));
}

TEST_F(ProgramOnFakeGpu, ALaunchThatIsTooLargeToBeCheckedIsNotGivenToIt) {
  const fs::path file = shipped("tests/programs") / "heat1d_ping_pong.cu";
  const Verified result = verified(file, device_, {.launches = 2, .warpInstructions = 10});
  ASSERT_EQ(result.launches.size(), 2U);
  for (const VerifiedLaunch& launch : result.launches) {
    EXPECT_FALSE(launch.onGpu);
    EXPECT_FALSE(launch.failed());
    EXPECT_THAT(launch.message, testing::HasSubstr("too large to be checked"));
  }
}

TEST_F(ProgramOnFakeGpu, TheFirstLaunchesAreEnough) {
  const fs::path file = shipped("tests/programs") / "heat1d_ping_pong.cu";
  const Verified result = verified(file, nullptr, {.launches = 3});
  EXPECT_EQ(result.launches.size(), 3U);
  EXPECT_GT(result.run.launches.size(), 3U);
  for (const VerifiedLaunch& launch : result.launches) {
    EXPECT_FALSE(launch.onGpu);
    EXPECT_FALSE(launch.failed()) << launch.message;
  }
}

std::vector<std::string> wholePrograms() {
  std::ifstream list(shipped("tests/gpu") / "whole_programs.txt");
  return {std::istream_iterator<std::string>(list), {}};
}

class WholeProgramTest : public OnGpu, public testing::WithParamInterface<std::string> {};

TEST_P(WholeProgramTest, ComputesTheSameInEachLaunch) {
  const Verified result = verified(shipped("tests/programs") / GetParam(), device_);
  EXPECT_EQ(result.run.message, "");
  ASSERT_FALSE(result.launches.empty());
  for (const VerifiedLaunch& launch : result.launches) {
    SCOPED_TRACE(launch.kernel + " in launch " + std::to_string(launch.number));
    EXPECT_EQ(launch.message, "");
    ASSERT_TRUE(launch.onGpu);
    EXPECT_TRUE(launch.onGpu->pass()) << launch.onGpu->separate.difference << " apart";
  }
}

INSTANTIATE_TEST_SUITE_P(Listed, WholeProgramTest, testing::ValuesIn(wholePrograms()),
                         [](const auto& one) { return one.param.substr(0, one.param.find('.')); });

}  // namespace
}  // namespace haloscope::gpu
