#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "DeviceCompiler.h"
#include "ExecutedPrograms.h"
#include "UiDriver.h"

/// A kernel that the emulator finds a fault in: the window does not give it to the GPU, unless the user insists.
namespace haloscope::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBeyond = R"(__global__ void addOne(const float* in, float* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= N * N) {
    out[i] = in[i] + 1.0f;
  }
}
int main() {
  int N = 65;  // N * N is not a multiple of the block size
  float *in, *out;
  cudaMalloc(&in, N * N * sizeof(float));
  cudaMalloc(&out, N * N * sizeof(float));
  addOne<<<(N * N + 255) / 256, 256>>>(in, out, N);
}
)";

class Insisting : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef HALOSCOPE_FAKE_DRIVER
    if (const std::string missing = missingDeviceCompiler(); !missing.empty()) { GTEST_SKIP() << missing; }
    std::string name = (fs::temp_directory_path() / "haloscope-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    std::ofstream(folder_ / "beyond.cu") << kBeyond;
    driver_.emplace([](AppOptions& options) {
      options.gpu = true;
      options.device.driver = HALOSCOPE_FAKE_DRIVER;
      options.program = HALOSCOPE_BINARY;
      options.state.view.tabs.bringToFront(Tab::Field);
      options.state.program.awaited = true;
      options.programs = executedPrograms();
    });
    driver_->settle();
    state().fileRequests.open = folder_ / "beyond.cu";
    driver_->app().frame(1.0 / 60);
    driver_->settle();
    ASSERT_EQ(state().choice.kernel, "opened/beyond");
#else
    GTEST_SKIP() << "built without the fake driver";
#endif
  }
  void TearDown() override {
    unsetenv("HALOSCOPE_FAKE");
    driver_.reset();
    if (!folder_.empty()) { fs::remove_all(folder_); }
  }

  AppState& state() { return driver_->state(); }

  void insist() {
    ASSERT_TRUE(driver_->act([this](ImGuiTestContext* user) {
      user->SetRef(pathOf(state(), Tab::Field).c_str());
      user->ItemClick("Run on the GPU anyway");
    }));
    driver_->settle();
  }

  fs::path folder_;
  std::optional<UiDriver> driver_;
};

TEST_F(Insisting, AFaultyKernelRunsOnTheGpuAfterAClick) {
  EXPECT_TRUE(state().field.refused);
  EXPECT_EQ(state().field.path, FieldPath::None);
  EXPECT_EQ(state().gpuName, "Fake GPU");
  insist();
  EXPECT_EQ(state().field.path, FieldPath::HostCopy) << state().field.problem;
  EXPECT_FALSE(state().field.refused);
}

TEST_F(Insisting, ItsFaultIsSaidAndTheWindowGoesOn) {
  setenv("HALOSCOPE_FAKE", "fault=700", 1);
  insist();
  state().fieldControls.singleSweep = true;
  driver_->app().frame(1.0 / 60);
  driver_->settle();
  EXPECT_NE(state().field.problem.find("(700)"), std::string::npos) << state().field.problem;
  EXPECT_EQ(state().gpuTrouble, "");
  ASSERT_TRUE(driver_->act([](ImGuiTestContext* user) { user->Yield(3); }));
}

}  // namespace
}  // namespace haloscope::test
