#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "FaultSupport.h"
#include "driver/Run.h"
#include "experiment/Experiment.h"
#include "field/FieldController.h"
#include "program/ElapsedTime.h"
#include "render/Context.h"
#include "work/Pool.h"

/// The field, and kernels that fail while it is swept: the table in README.md names these tests. Most run on a fake
/// driver that gives the errors; the others provoke real ones, in a process of their own.
namespace haloscope::gpu {
namespace {

using Clock = std::chrono::steady_clock;

/// Correct at the sizes that the emulator tries; at 512 the index leaves the array, as after an overflow, or
/// the loop's counter never reaches N.
constexpr const char* kHeader = R"(/* haloscope
title: Add one
idea: Each point grows by one with each sweep.
order: 1
sizes:
  N: {default: 40, min: 8, max: 1024, meaning: points along each axis}
arrays:
  in: {shape: [N, N]}
  out: {shape: [N, N]}
launch:
  grid: [ceil(N * N / 256), 1, 1]
  block: [256, 1, 1]
*/
)";
constexpr const char* kWildWhenLarge = R"(__global__ void addOne(const float* in, float* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long far = N > 300 ? (long long)1 << 40 : 0;
  if (i < N * N) {
    out[i + far] = in[i] + 1.0f;
  }
}
)";
constexpr const char* kEndlessWhenLarge = R"(__global__ void addOne(const float* in, float* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned char row = 0; row < N; ++row) {
    if (i < N * N) {
      out[i] = in[i] + 1.0f;
    }
  }
}
)";
constexpr const char* kBeyond = R"(__global__ void addOne(const float* in, float* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= N * N) {
    out[i] = in[i] + 1.0f;
  }
}
)";

/// Runs without a fault on the emulator, and is a race all the same.
constexpr const char* kRace = R"(__global__ void addOne(const float* in, float* out, int N) {
  __shared__ float neighbour[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  neighbour[threadIdx.x ^ 1] = i < N * N ? in[i] : 0.0f;
  if (i < N * N) {
    out[i] = neighbour[threadIdx.x] + 1.0f;
  }
}
)";

class FieldFaultTest : public testing::Test {
 protected:
  void TearDown() override {
    unsetenv("HALOSCOPE_FAKE");
    if (!folder_.empty()) { std::filesystem::remove_all(folder_); }
  }

  /// What this machine lacks for the test, such as NVRTC; empty if nothing.
  std::string prepare(const DeviceOptions& device, bool softwareOpenGL, const char* text) {
    options_.device = device;
    options_.program = theProgram();
    options_.shaders = shipped("shaders");
    try {
      const auto opened = Device::open(device);
      (void)opened->compiler();
      render::OffscreenOptions offscreen;
      offscreen.software = softwareOpenGL;
      if (!softwareOpenGL) { offscreen.cudaDevice = 0; }
      context_ = render::Context::offscreen(offscreen);
    } catch (const Unavailable& missing) { return missing.what(); } catch (const render::ContextError& missing) {
      return missing.what();
    }
    options_.software = context_->isSoftware();
    folder_ = std::filesystem::path(testing::TempDir()) / ("haloscope_faults_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_ / "test");
    std::ofstream(folder_ / "test" / "add_one.cu") << kHeader << text;
    state_.catalogue = Catalogue::read(folder_);
    state_.fieldControls.width = 160;
    state_.fieldControls.height = 160;
    experiment::RunOptions run;
    run.record = false;
    experiment::Choice choice;
    choice.kernel = "test/add_one";
    state_.experiment = experiment::run(state_.catalogue, choice, run);
    return {};
  }

  double middle(field::FieldController& controller) {
    state_.fieldControls.pointer = {82.0F, 82.0F};
    controller.settle(state_);
    EXPECT_TRUE(state_.field.probe);
    return state_.field.probe ? state_.field.probe->value : 0;
  }

  /// One sweep is asked for; until the field is there again. Returns the longest update() in seconds.
  double sweepThroughTrouble(field::FieldController& controller) {
    state_.fieldControls.singleSweep = true;
    double longest = 0;
    const auto begin = Clock::now();
    do {
      const auto frame = Clock::now();
      controller.update(state_);
      longest = std::max(longest, secondsSince(frame));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while ((state_.gpuTrouble.empty() || state_.field.path == FieldPath::None || state_.field.preparing) &&
             secondsSince(begin) < 30);
    std::printf("%s\n  %.2f s from the sweep to a field again (%s), longest frame %.3f s\n", state_.gpuTrouble.c_str(),
                secondsSince(begin), state_.field.pathReason.c_str(), longest);
    return longest;
  }

  field::FieldOptions options_;
  work::Pool pool_;
  std::unique_ptr<render::Context> context_;
  std::filesystem::path folder_;
  AppState state_;
};

TEST_F(FieldFaultTest, AfterAFaultHereTheFieldGoesOnInAnotherProcess) {
  if (const std::string missing = prepare(fakeDevice(), true, kAddOne); !missing.empty()) { GTEST_SKIP() << missing; }
  field::FieldController controller(options_, pool_);
  const double start = middle(controller);
  setenv("HALOSCOPE_FAKE", "fault=700", 1);
  state_.fieldControls.singleSweep = true;
  controller.update(state_);
  unsetenv("HALOSCOPE_FAKE");
  controller.settle(state_);
  EXPECT_NE(state_.gpuTrouble.find("Fake GPU failed"), std::string::npos) << state_.gpuTrouble;
  EXPECT_EQ(state_.gpuName, "Fake GPU");
  EXPECT_EQ(state_.field.path, FieldPath::HostCopy);
  EXPECT_NE(state_.field.pathReason.find("in a child process"), std::string::npos) << state_.field.pathReason;
  EXPECT_EQ(state_.field.problem, "");
  EXPECT_EQ(middle(controller), start);
  controller.sweep(state_, 3);
  EXPECT_NEAR(middle(controller), start + 3, 1e-5);
  EXPECT_EQ(state_.field.sweeps, 3U);
  EXPECT_EQ(state_.field.ring.size(), 3U);
}

TEST_F(FieldFaultTest, AKernelThatNeverEndsHereIsGivenUpAndFramesStayShort) {
  if (const std::string missing = prepare(fakeDevice(), true, kAddOne); !missing.empty()) { GTEST_SKIP() << missing; }
  options_.limits.run = std::chrono::milliseconds(300);
  field::FieldController controller(options_, pool_);
  const double start = middle(controller);
  setenv("HALOSCOPE_FAKE", "endless=1", 1);
  state_.fieldControls.singleSweep = true;
  controller.update(state_);
  unsetenv("HALOSCOPE_FAKE");
  EXPECT_LT(sweepThroughTrouble(controller), 2.0);
  EXPECT_NE(state_.gpuTrouble.find("test/add_one did not end within 0.3 s"), std::string::npos) << state_.gpuTrouble;
  EXPECT_EQ(state_.field.path, FieldPath::HostCopy);
  state_.fieldControls.reset = true;
  EXPECT_EQ(middle(controller), start);
}

TEST_F(FieldFaultTest, AGpuThatIsLostLeavesTheEmulator) {
  if (const std::string missing = prepare(fakeDevice(), true, kAddOne); !missing.empty()) { GTEST_SKIP() << missing; }
  field::FieldController controller(options_, pool_);
  const double start = middle(controller);
  setenv("HALOSCOPE_FAKE", "fault=719,retain=46", 1);
  state_.fieldControls.singleSweep = true;
  controller.settle(state_);
  EXPECT_NE(state_.gpuTrouble.find("(719)"), std::string::npos) << state_.gpuTrouble;
  EXPECT_EQ(state_.field.path, FieldPath::Emulator);
  EXPECT_NE(state_.field.pathReason.find("(46)"), std::string::npos) << state_.field.pathReason;
  controller.sweep(state_, 2);
  EXPECT_NEAR(middle(controller), start + 2, 1e-5);
}

TEST_F(FieldFaultTest, AFaultyKernelRunsOnlyOnRequest) {
  if (const std::string missing = prepare(fakeDevice(), true, kBeyond); !missing.empty()) { GTEST_SKIP() << missing; }
  field::FieldController controller(options_, pool_);
  controller.settle(state_);
  EXPECT_TRUE(state_.field.refused);
  EXPECT_EQ(state_.field.path, FieldPath::None);
  EXPECT_NE(state_.field.problem.find("add_one.cu"), std::string::npos) << state_.field.problem;

  state_.fieldControls.insistedOn = "test/add_one";
  controller.settle(state_);
  EXPECT_FALSE(state_.field.refused);
  EXPECT_EQ(state_.field.problem, "");
  EXPECT_EQ(state_.field.path, FieldPath::HostCopy);
  EXPECT_NE(state_.field.pathReason.find("the kernel has a fault"), std::string::npos) << state_.field.pathReason;
  const double start = middle(controller);
  controller.sweep(state_, 1);
  EXPECT_NEAR(middle(controller), start + 1, 1e-5);
  EXPECT_EQ(state_.gpuTrouble, "");
}

TEST_F(FieldFaultTest, ARaceThatTheRunDidNotShowIsRefusedToo) {
  if (const std::string missing = prepare(fakeDevice(), true, kRace); !missing.empty()) { GTEST_SKIP() << missing; }
  ASSERT_FALSE(state_.experiment->fault);
  field::FieldController controller(options_, pool_);
  controller.settle(state_);
  EXPECT_TRUE(state_.field.refused);
  EXPECT_EQ(state_.field.path, FieldPath::None);
  EXPECT_NE(state_.field.problem.find("no barrier between"), std::string::npos) << state_.field.problem;

  state_.fieldControls.insistedOn = "test/add_one";
  controller.settle(state_);
  EXPECT_FALSE(state_.field.refused);
  EXPECT_EQ(state_.field.path, FieldPath::HostCopy) << state_.field.problem;
  EXPECT_EQ(state_.field.pathReason, "in a child process, because the kernel was not cleared for the GPU");
}

TEST_F(FieldFaultTest, AFaultAtALargerSizeIsFoundBeforeTheGpuRunsIt) {
  if (const std::string missing = prepare(fakeDevice(), true, kEndlessWhenLarge); !missing.empty()) {
    GTEST_SKIP() << missing;
  }
  field::FieldController controller(options_, pool_);
  state_.fieldControls.size = 512;
  controller.settle(state_);
  EXPECT_TRUE(state_.field.refused);
  EXPECT_EQ(state_.field.path, FieldPath::None);
  state_.fieldControls.size = 0;
  controller.settle(state_);
  EXPECT_FALSE(state_.field.refused);
  EXPECT_EQ(state_.field.path, FieldPath::HostCopy) << state_.field.problem;
}

TEST_F(FieldFaultTest, AFaultOfARequestedKernelIsReportedAndResetTriesAgain) {
  if (const std::string missing = prepare(fakeDevice(), true, kBeyond); !missing.empty()) { GTEST_SKIP() << missing; }
  field::FieldController controller(options_, pool_);
  controller.settle(state_);
  state_.fieldControls.insistedOn = "test/add_one";
  setenv("HALOSCOPE_FAKE", "fault=716", 1);
  controller.settle(state_);
  ASSERT_EQ(state_.field.path, FieldPath::HostCopy) << state_.field.problem;
  const double start = middle(controller);
  state_.fieldControls.run = true;
  state_.fieldControls.singleSweep = true;
  controller.settle(state_);
  EXPECT_NE(state_.field.problem.find("(716)"), std::string::npos) << state_.field.problem;
  EXPECT_EQ(state_.gpuTrouble, "") << "this process's GPU is untouched";
  unsetenv("HALOSCOPE_FAKE");
  state_.fieldControls.run = false;
  state_.fieldControls.reset = true;
  controller.settle(state_);
  EXPECT_EQ(state_.field.problem, "");
  controller.sweep(state_, 2);
  EXPECT_NEAR(middle(controller), start + 2, 1e-5);
}

struct Refusal {
  const char* name;
  const char* trouble;
  const char* reason;
};

class InteropRefusedTest : public FieldFaultTest, public testing::WithParamInterface<Refusal> {};

TEST_P(InteropRefusedTest, TheFieldIsCopiedAndTheReasonSaid) {
  if (const std::string missing = prepare(fakeDevice(), true, kAddOne); !missing.empty()) { GTEST_SKIP() << missing; }
  setenv("HALOSCOPE_FAKE", GetParam().trouble, 1);
  field::FieldController controller(options_, pool_);
  const double start = middle(controller);
  EXPECT_EQ(state_.field.path, FieldPath::HostCopy);
  EXPECT_EQ(state_.field.pathReason, GetParam().reason);
  EXPECT_EQ(state_.gpuTrouble, "");
  controller.sweep(state_, 4);
  EXPECT_NEAR(middle(controller), start + 4, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    All, InteropRefusedTest,
    testing::Values(Refusal{"opengl_on_another_gpu", "glDevice=1", "OpenGL runs on a different GPU than Fake GPU"},
                    Refusal{"opengl_on_no_gpu", "glDevices=100", "OpenGL does not run on a CUDA GPU"},
                    Refusal{"wsl", "glDevices=999,register=304", "cuGraphicsGLRegisterBuffer: fake trouble (304)"},
                    Refusal{"virtual_gl", "glDevices=999,register=999",
                            "cuGraphicsGLRegisterBuffer: fake trouble (999)"},
                    Refusal{"registers_and_does_not_map", "glDevice=0", "cuGraphicsMapResources: fake trouble (999)"}),
    [](const auto& one) { return one.param.name; });

TEST_F(FieldFaultTest, OpenGLHasItsBufferWheneverNoCopyIsQueued) {
  if (const std::string missing = prepare(fakeDevice(), true, kAddOne); !missing.empty()) { GTEST_SKIP() << missing; }
  setenv("HALOSCOPE_FAKE", "glDevice=0,map=0", 1);
  options_.limits.run = std::chrono::milliseconds(300);
  field::FieldController controller(options_, pool_);
  controller.sweep(state_, 5);
  EXPECT_EQ(state_.field.path, FieldPath::Interop) << state_.field.pathReason;
  EXPECT_EQ(state_.field.problem, "");
  EXPECT_EQ(state_.field.sweeps, 5U);
  // A kernel that never ends does not have it.
  setenv("HALOSCOPE_FAKE", "glDevice=0,map=0,endless=1", 1);
  state_.fieldControls.singleSweep = true;
  controller.update(state_);
  setenv("HALOSCOPE_FAKE", "", 1);
  EXPECT_LT(sweepThroughTrouble(controller), 2.0);
  EXPECT_EQ(state_.field.path, FieldPath::HostCopy);
  EXPECT_EQ(state_.field.problem, "");
}

TEST_F(FieldFaultTest, AFieldThatDoesNotFitIsRefusedWithTheRoomThereIs) {
  if (const std::string missing = prepare(fakeDevice(), true, kAddOne); !missing.empty()) { GTEST_SKIP() << missing; }
  field::FieldController controller(options_, pool_);
  (void)middle(controller);
  setenv("HALOSCOPE_FAKE", "free=3", 1);
  state_.fieldControls.size = 1024;
  controller.settle(state_);
  EXPECT_EQ(state_.field.problem,
            "the GPU has no room for the field: cuMemAlloc of 4 MiB (3 MiB are free): fake trouble (2)");
  EXPECT_EQ(state_.gpuTrouble, "");
  unsetenv("HALOSCOPE_FAKE");
  state_.fieldControls.size = 0;
  const double start = middle(controller);
  controller.sweep(state_, 1);
  EXPECT_NEAR(middle(controller), start + 1, 1e-5) << "a smaller one still does";
}

/// On a real GPU, with interop, in a process of their own: their faults end CUDA there.
class RealFieldFaultTest : public FieldFaultTest {
 protected:
  /// A field of 512², where the kernel fails, and then one of 40², which it sweeps rightly. Returns what is wrong.
  std::string failAndGoOn(const char* text) {
    if (std::string missing = prepare({}, false, text); !missing.empty()) { return missing; }
    // The gate would find these faults before they reach the GPU.
    options_.gate = [](const KernelFile&, const Bindings&, const checking::CheckOptions&) {
      return measuring::GpuVerdict{TestClearance::make(), {}, {}};
    };
    field::FieldController controller(options_, pool_);
    state_.fieldControls.size = 512;
    controller.settle(state_);
    if (state_.field.path != FieldPath::Interop) { std::printf("no interop: %s\n", state_.field.pathReason.c_str()); }
    const double longest = sweepThroughTrouble(controller);
    if (state_.gpuTrouble.empty()) { return "the fault was not noticed"; }
    if (state_.field.path != FieldPath::HostCopy) { return "no field afterwards: " + state_.field.problem; }
    if (longest > 2) { return "a frame took " + std::to_string(longest) + " s"; }
    controller.sweep(state_, 1);
    if (state_.field.problem.empty()) { return "the kernel did not fail in the other process"; }
    std::printf("  there: %s\n", state_.field.problem.c_str());
    state_.fieldControls.size = 0;
    const double start = middle(controller);
    controller.sweep(state_, 3);
    if (const double end = middle(controller); std::abs(end - (start + 3)) > 1e-5) {  // three sums in float
      return fmt::format("three sweeps led from {} to {}, not {}: {}", start, end, start + 3, state_.field.problem);
    }
    // Whether OpenGL still draws is up to the driver; that Haloscope says so if it does not, is not.
    // A first triangle may still be drawn after a loss.
    bool reported = false;
    for (int frame = 0; frame < 3 && !reported; ++frame) {
      try {
        context_->expectDrawing();
      } catch (const render::ContextError&) { reported = true; }
    }
    return !reported && !render::drawsTriangles() ? "OpenGL draws nothing, and nothing reports it" : "";
  }

  void expectGoesOn(const char* text) {
    const DeviceSearch search = findDevice();
    if (!search.device) { GTEST_SKIP() << "needs a GPU: " << search.missing; }
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_EXIT(
        {
          const std::string wrong = failAndGoOn(text);
          std::fflush(stdout);
          std::fprintf(stderr, "%s\n", wrong.empty() ? "went on" : wrong.c_str());
          std::exit(wrong.empty() ? 0 : 1);  // with what a program's end takes, so that it, too, is tried
        },
        testing::ExitedWithCode(0), "went on");
  }
};

TEST_F(RealFieldFaultTest, AnIllegalAddressAtALargerSize) { expectGoesOn(kWildWhenLarge); }

TEST_F(RealFieldFaultTest, ALoopThatNeverEndsAtALargerSize) { expectGoesOn(kEndlessWhenLarge); }

}  // namespace
}  // namespace haloscope::gpu
