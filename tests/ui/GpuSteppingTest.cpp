#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "DeviceCompiler.h"
#include "UiDriver.h"
#include "actions/ViewActions.h"

/// Stepping through what the GPU did, where there is none, or where it fails: the emulator's recording stays, with a
/// sentence. What a GPU records is tried in tests/gpu.
namespace haloscope::test {
namespace {

using recording::Recording;

Recording::Source shownSource(const AppState& state) { return state.experiment->recording->source; }

TEST(GpuStepping, WithoutAGpuSaysWhatIsMissingAndKeepsTheEmulators) {
  UiDriver driver([](AppOptions& options) {
    options.gpu = true;
    options.device.driver = "/nowhere/libcuda.so.1";
  });
  driver.settle();
  AppState& state = driver.state();
  const auto before = state.experiment;
  toggleGpuStepping(state);
  driver.settle();
  EXPECT_TRUE(state.gpuStepping.wanted);
  EXPECT_EQ(state.gpuStepping.problem.rfind("Stepping on the GPU needs one: no NVIDIA driver", 0), 0U)
      << state.gpuStepping.problem;
  EXPECT_EQ(state.experiment, before);
  EXPECT_EQ(shownSource(state), Recording::Source::Emulator);
  toggleGpuStepping(state);
  driver.settle();
  EXPECT_EQ(state.gpuStepping.problem, "");
}

#ifdef HALOSCOPE_FAKE_DRIVER
class GpuSteppingOnFake : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = missingDeviceCompiler(); !missing.empty()) { GTEST_SKIP() << missing; }
    driver_.emplace([](AppOptions& options) {
      options.gpu = true;
      options.device.driver = HALOSCOPE_FAKE_DRIVER;
      options.program = HALOSCOPE_BINARY;
    });
    driver_->settle();
  }
  void TearDown() override { unsetenv("HALOSCOPE_FAKE"); }

  std::optional<UiDriver> driver_;
};

TEST_F(GpuSteppingOnFake, ALogThatDoesNotFitTheKernelIsNotShown) {
  AppState& state = driver_->state();
  const auto before = state.experiment;
  toggleGpuStepping(state);  // the fake driver runs nothing: the log stays empty
  driver_->settle();
  EXPECT_EQ(state.experiment, before);
  EXPECT_FALSE(state.gpuStepping.busy);
  EXPECT_NE(state.gpuStepping.problem, "");
}

TEST_F(GpuSteppingOnFake, AFaultEndsItForThisProcessAndIsSaid) {
  AppState& state = driver_->state();
  const auto before = state.experiment;
  setenv("HALOSCOPE_FAKE", "fault=700", 1);
  toggleGpuStepping(state);
  driver_->settle();
  unsetenv("HALOSCOPE_FAKE");
  driver_->settle();
  EXPECT_EQ(state.gpuStepping.problem.rfind("No stepping on the GPU until Haloscope is started again: ", 0), 0U)
      << state.gpuStepping.problem;
  EXPECT_NE(state.gpuStepping.problem.find("(700)"), std::string::npos) << state.gpuStepping.problem;
  EXPECT_EQ(state.experiment, before);
  // The block can still be walked through.
  state.cursor.goTo(3);
  driver_->settle();
  EXPECT_EQ(state.cursor.position(), 3U);
}
#endif

}  // namespace
}  // namespace haloscope::test
