#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

#include "GpuSupport.h"
#include "experiment/ExperimentRunner.h"
#include "frontend/Frontend.h"
#include "gpu/Compiler.h"
#include "gpu/KernelProcess.h"
#include "gpu/Run.h"
#include "program/ElapsedTime.h"
#include "render/Context.h"
#include "render/DrawingTrial.h"
#include "render/FieldController.h"

/// What goes wrong on a GPU, and what is seen then: the table in README.md names these tests. Most run on a fake driver
/// that gives the errors; the others provoke real ones, in a process of their own.
namespace haloscope::gpu {
namespace {

using Clock = std::chrono::steady_clock;

/// HALOSCOPE_FAKE for as long as this lives; see FakeDriver.cpp.
class FakeTrouble {
 public:
  explicit FakeTrouble(const char* what) { setenv("HALOSCOPE_FAKE", what, 1); }
  FakeTrouble(const FakeTrouble&) = delete;
  FakeTrouble& operator=(const FakeTrouble&) = delete;
  ~FakeTrouble() { unsetenv("HALOSCOPE_FAKE"); }
};

std::filesystem::path theProgram() {
  const std::filesystem::path beside = KernelProcess::thisProgram().parent_path() / "haloscope";
  return std::filesystem::exists(beside) ? beside : std::filesystem::path(HALOSCOPE_BINARY);
}

DeviceOptions fakeDevice(int ordinal = 0) {
#ifdef HALOSCOPE_FAKE_DRIVER
  return {.ordinal = ordinal, .driver = HALOSCOPE_FAKE_DRIVER};
#else
  return {.ordinal = ordinal, .driver = "no fake driver"};
#endif
}

bool hasFakeDriver() { return std::filesystem::exists(fakeDevice().driver); }

bool hasCompiler() {
  try {
    (void)Compiler(13000);
    return true;
  } catch (const Unavailable&) { return false; }
}

// --- A GPU that cannot be used at all ---

struct Missing {
  const char* name;
  const char* trouble;
  int ordinal;
  const char* message;
};

class MissingGpuTest : public testing::TestWithParam<Missing> {};

TEST_P(MissingGpuTest, IsNamed) {
  if (!hasFakeDriver()) { GTEST_SKIP() << "built without the fake driver"; }
  const FakeTrouble trouble(GetParam().trouble);
  const DeviceSearch search = findDevice(fakeDevice(GetParam().ordinal));
  EXPECT_EQ(search.device, nullptr);
  EXPECT_EQ(search.missing, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, MissingGpuTest,
    testing::Values(Missing{"no_gpu", "init=100", 0, "no NVIDIA GPU (the driver finds none)"},
                    Missing{"hidden_by_cuda", "count=0", 0, "no NVIDIA GPU (CUDA_VISIBLE_DEVICES may hide it)"},
                    Missing{"driver_and_kernel_module_differ", "init=803", 0,
                            "the NVIDIA driver does not start: fake trouble (803)"},
                    Missing{"old_driver", "version=11040", 0,
                            "the NVIDIA driver is for CUDA 11.4, older than 12.0: install driver 525 or newer"},
                    Missing{"third_of_two", "count=2", 2, "no GPU number 2: the driver shows 2"},
                    Missing{"lost", "retain=46", 0, "cuDevicePrimaryCtxRetain: fake trouble (46)"}),
    [](const auto& one) { return one.param.name; });

TEST(TwoGpusTest, TheSecondIsOpened) {
  if (!hasFakeDriver()) { GTEST_SKIP() << "built without the fake driver"; }
  const FakeTrouble trouble("count=2");
  EXPECT_EQ(Device::open(fakeDevice(0))->properties().name, "Fake GPU");
  EXPECT_EQ(Device::open(fakeDevice(1))->properties().name, "Second fake GPU");
}

TEST(OldDriverTest, AnNvrtcTooNewForItIsNamed) {
  if (!hasCompiler()) { GTEST_SKIP() << "needs NVRTC 13"; }
  try {
    const Compiler older(12040);
    GTEST_SKIP() << "there is an NVRTC 12, too";
  } catch (const Unavailable& missing) {
    EXPECT_NE(std::string(missing.what()).find("NVRTC 13"), std::string::npos) << missing.what();
    EXPECT_NE(std::string(missing.what()).find("the driver is for CUDA 12.4"), std::string::npos) << missing.what();
  }
}

/// Where it is missing; here, after `mount -t tmpfs none /usr/local/cuda-13.0`.
TEST(NoNvrtcTest, WhatToInstallIsSaid) {
  try {
    const Compiler found(13000);
    GTEST_SKIP() << "NVRTC is here: " << found.path();
  } catch (const Unavailable& missing) {
    EXPECT_NE(std::string(missing.what()).find("install the CUDA toolkit"), std::string::npos) << missing.what();
  }
}

TEST(ErrorTest, AFaultEndsTheProcessAndLackOfRoomDoesNot) {
  for (const int code : {46, 214, 700, 702, 709, 710, 715, 716, 719, 999}) {
    EXPECT_TRUE(Error("", code).endsProcess()) << code;
  }
  for (const int code : {1, 2, 200, 304, 500, 600, 701}) { EXPECT_FALSE(Error("", code).endsProcess()) << code; }
}

// --- A kernel in a process of its own ---

/// A launch of `text` on two squares of `edge`², the first full of 2.
KernelJob jobOf(const std::string& text, int edge, const DeviceOptions& device = {}) {
  KernelJob job;
  job.device = device;
  job.text = {.file = "job.cu", .text = text, .defines = {}};
  job.program = frontend::compile("job.cu", text).program;
  job.launch.configuration.block.x = 256;
  job.launch.configuration.grid.x = static_cast<std::uint32_t>((edge * edge + 255) / 256);
  job.launch.arguments = {0, 0, static_cast<std::uint64_t>(edge)};
  job.launch.arrays.resize(job.program.objects.size());
  const std::vector<float> two(static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge), 2.0F);
  for (ArrayData& array : job.launch.arrays) {
    array.extents = {edge, edge};
    array.bytes = bytesOf(two);
  }
  return job;
}

constexpr const char* kAddOne =
    "__global__ void addOne(const float* in, float* out, int N) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < N * N) { out[i] = in[i] + 1.0f; }\n"
    "}\n";

/// What the emulator would have refused; its name tells the fake driver nothing.
struct Bad {
  const char* name;
  const char* text;
  const char* trouble;  ///< for the fake driver
  const char* says;     ///< part of the message
};
constexpr const char* kWild =
    "__global__ void wild(const float* in, float* out, int N) {\n"
    "  out[((long long)1 << 40) + threadIdx.x] = in[0];\n"
    "}\n";
constexpr const char* kSkewed =
    "__global__ void skewed(const float* in, float* out, int N) {\n"
    "  *(float4*)(out + 1) = *(const float4*)in;\n"
    "}\n";
constexpr const char* kEndless =
    "__global__ void endless(const float* in, float* out, int N) {\n"
    "  float x = 1;\n"
    "  while (x > 0) {\n"
    "    x = in[(int)x];\n"
    "    out[threadIdx.x] = x;\n"
    "  }\n"
    "}\n";

class KernelProcessTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam() && !hasFakeDriver()) { GTEST_SKIP() << "built without the fake driver"; }
    if (GetParam()) { device_ = fakeDevice(); }
    const DeviceSearch search = findDevice(device_);
    if (!search.device) { GTEST_SKIP() << "needs a GPU: " << search.missing; }
    inThisProcess_ = search.device;
    try {
      (void)search.device->compiler();
    } catch (const Unavailable& missing) { GTEST_SKIP() << missing.what(); }
  }

  /// That the GPU still does what it should, in this process.
  void expectGpuWorksHere() const {
    KernelJob job = jobOf(kAddOne, 40);
    (void)run(inThisProcess_, job.text, job.program, job.launch);
    EXPECT_EQ(floatsOf(job.launch.arrays[1].bytes).at(77), 3.0F);
  }

  DeviceOptions device_;
  std::shared_ptr<Device> inThisProcess_;
};

TEST_P(KernelProcessTest, GivesWhatTheKernelComputed) {
  const Launch result = runApart(jobOf(kAddOne, 40, device_), theProgram());
  EXPECT_EQ(floatsOf(result.arrays[1].bytes), std::vector<float>(1600, 3.0F));
}

TEST_P(KernelProcessTest, SweepsAFieldAndTakesAnother) {
  KernelJob job = jobOf(kAddOne, 40, device_);
  job.input = job.program.findObject("in");
  job.output = job.program.findObject("out");
  const std::vector<std::byte> field = std::move(job.launch.arrays[job.input].bytes);
  job.launch.arrays[job.input].bytes = {};
  job.launch.arrays[job.output].bytes = {};
  KernelProcess process(job, field, theProgram());
  EXPECT_FALSE(process.gpuName().empty());
  process.begin(5);
  EXPECT_TRUE(process.finish());
  EXPECT_EQ(floatsOf(process.field()), std::vector<float>(1600, 7.0F));
  EXPECT_EQ(process.times().size(), 5U);
  process.replaceField(bytesOf(std::vector<float>(1600, 20.0F)));
  process.begin(2);
  process.finish();
  EXPECT_EQ(floatsOf(process.field()), std::vector<float>(1600, 22.0F));
  EXPECT_EQ(process.problem(), "");
}

TEST_P(KernelProcessTest, AnErrorOfTheTextIsTold) {
  KernelJob job = jobOf(kAddOne, 40, device_);
  job.text.text = "__global__ void addOne(const float* in, float* out, int N) { out[0] = missing; }";
  try {
    (void)runApart(job, theProgram());
    FAIL();
  } catch (const std::runtime_error& refused) {
    EXPECT_NE(std::string(refused.what()).find("\"missing\" is undefined"), std::string::npos) << refused.what();
  }
}

TEST_P(KernelProcessTest, AProgramThatCannotBeStartedIsNamed) {
  EXPECT_THROW((void)runApart(jobOf(kAddOne, 40, device_), "/nowhere/haloscope"), std::runtime_error);
  EXPECT_THROW((void)runApart(jobOf(kAddOne, 40, device_), "/bin/true"), std::runtime_error);
}

TEST_P(KernelProcessTest, AFaultEndsThatProcessAlone) {
  for (const Bad& bad : {Bad{"wild", kWild, "fault=700", "(700)"}, Bad{"skewed", kSkewed, "fault=716", "(716)"}}) {
    const FakeTrouble trouble(GetParam() ? bad.trouble : "");
    const auto begin = Clock::now();
    try {
      (void)runApart(jobOf(bad.text, 40, device_), theProgram());
      ADD_FAILURE() << bad.name << " was taken for right";
    } catch (const std::runtime_error& fault) {
      EXPECT_NE(std::string(fault.what()).find(bad.says), std::string::npos) << fault.what();
    }
    const double toFault = secondsSince(begin);
    setenv("HALOSCOPE_FAKE", "", 1);
    expectGpuWorksHere();
    std::printf("%s: %.2f s from its start to its message, %.3f s to the next result here\n", bad.name, toFault,
                secondsSince(begin) - toFault);
    EXPECT_LT(secondsSince(begin), 20);
  }
}

TEST_P(KernelProcessTest, AKernelThatNeverEndsIsStopped) {
  const FakeTrouble trouble(GetParam() ? "endless=1" : "");
  ProcessLimits limits;
  limits.run = std::chrono::milliseconds(500);
  KernelProcess process(jobOf(kEndless, 40, device_), {}, theProgram(), limits);
  const auto begin = Clock::now();
  process.begin(1);
  EXPECT_TRUE(process.finish());
  const double toStop = secondsSince(begin);
  EXPECT_NE(process.problem().find("did not end within 0.5 s"), std::string::npos) << process.problem();
  EXPECT_FALSE(process.alive());
  setenv("HALOSCOPE_FAKE", "", 1);
  expectGpuWorksHere();
  std::printf("endless: stopped after %.2f s, %.3f s to the next result here\n", toStop, secondsSince(begin) - toStop);
  EXPECT_GE(toStop, 0.5);
  EXPECT_LT(secondsSince(begin), 20);
}

INSTANTIATE_TEST_SUITE_P(Driver, KernelProcessTest, testing::Bool(),
                         [](const auto& one) { return one.param ? "fake" : "real"; });

// --- The field ---

/// Right at the sizes that the emulator tries; at 512 the index that stands in for an overflow leaves the array, or
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

class FieldFaultTest : public testing::Test {
 protected:
  void TearDown() override {
    unsetenv("HALOSCOPE_FAKE");
    if (!folder_.empty()) { std::filesystem::remove_all(folder_); }
  }

  /// False: this machine lacks something, and the test is skipped.
  bool prepare(const DeviceOptions& device, bool softwareOpenGL, const char* text) {
    options_.device = device;
    options_.program = theProgram();
    options_.shaders = resourceFolder("shaders", HALOSCOPE_SOURCE_DIR);
    try {
      const auto opened = Device::open(device);
      (void)opened->compiler();
      render::OffscreenOptions offscreen;
      offscreen.software = softwareOpenGL;
      if (!softwareOpenGL) { offscreen.cudaDevice = 0; }
      context_ = render::Context::offscreen(offscreen);
    } catch (const std::runtime_error&) { return false; }
    options_.software = context_->isSoftware();
    folder_ = std::filesystem::path(testing::TempDir()) / ("haloscope_faults_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_ / "test");
    std::ofstream(folder_ / "test" / "add_one.cu") << kHeader << text;
    state_.catalogue = Catalogue::read(folder_);
    state_.fieldWishes.width = 160;
    state_.fieldWishes.height = 160;
    experiment::RunOptions run;
    run.record = false;
    experiment::Choice choice;
    choice.kernel = "test/add_one";
    state_.experiment = experiment::run(state_.catalogue, choice, run);
    return true;
  }

  double middle(render::FieldController& controller) {
    state_.fieldWishes.pointer = {82.0F, 82.0F};
    controller.settle(state_);
    EXPECT_TRUE(state_.field.probe);
    return state_.field.probe ? state_.field.probe->value : 0;
  }

  /// One sweep is asked for; until the field is there again. Returns the longest update() in seconds.
  double sweepThroughTrouble(render::FieldController& controller) {
    state_.fieldWishes.singleSweep = true;
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

  render::FieldOptions options_;
  std::unique_ptr<render::Context> context_;
  std::filesystem::path folder_;
  AppState state_;
};

TEST_F(FieldFaultTest, AfterAFaultHereTheFieldGoesOnInAnotherProcess) {
  if (!prepare(fakeDevice(), true, kAddOne)) { GTEST_SKIP() << "needs NVRTC and the fake driver"; }
  render::FieldController controller(options_);
  const double start = middle(controller);
  setenv("HALOSCOPE_FAKE", "fault=700", 1);
  state_.fieldWishes.singleSweep = true;
  controller.update(state_);
  unsetenv("HALOSCOPE_FAKE");
  controller.settle(state_);
  EXPECT_NE(state_.gpuTrouble.find("Fake GPU failed"), std::string::npos) << state_.gpuTrouble;
  EXPECT_EQ(state_.gpuName, "Fake GPU");
  EXPECT_EQ(state_.field.path, FieldPath::HostCopy);
  EXPECT_NE(state_.field.pathReason.find("in a process of its own"), std::string::npos) << state_.field.pathReason;
  EXPECT_EQ(state_.field.problem, "");
  EXPECT_EQ(middle(controller), start);
  controller.sweep(state_, 3);
  EXPECT_NEAR(middle(controller), start + 3, 1e-5);
  EXPECT_EQ(state_.field.sweeps, 3U);
  EXPECT_EQ(state_.field.ring.size(), 3U);
}

TEST_F(FieldFaultTest, AKernelThatNeverEndsHereIsGivenUpAndFramesStayShort) {
  if (!prepare(fakeDevice(), true, kAddOne)) { GTEST_SKIP() << "needs NVRTC and the fake driver"; }
  options_.limits.run = std::chrono::milliseconds(300);
  render::FieldController controller(options_);
  const double start = middle(controller);
  setenv("HALOSCOPE_FAKE", "endless=1", 1);
  state_.fieldWishes.singleSweep = true;
  controller.update(state_);
  unsetenv("HALOSCOPE_FAKE");
  EXPECT_LT(sweepThroughTrouble(controller), 2.0);
  EXPECT_NE(state_.gpuTrouble.find("test/add_one did not end within 0.3 s"), std::string::npos) << state_.gpuTrouble;
  EXPECT_EQ(state_.field.path, FieldPath::HostCopy);
  state_.fieldWishes.reset = true;
  EXPECT_EQ(middle(controller), start);
}

TEST_F(FieldFaultTest, AGpuThatIsLostLeavesTheEmulator) {
  if (!prepare(fakeDevice(), true, kAddOne)) { GTEST_SKIP() << "needs NVRTC and the fake driver"; }
  render::FieldController controller(options_);
  const double start = middle(controller);
  setenv("HALOSCOPE_FAKE", "fault=719,retain=46", 1);
  state_.fieldWishes.singleSweep = true;
  controller.settle(state_);
  EXPECT_NE(state_.gpuTrouble.find("(719)"), std::string::npos) << state_.gpuTrouble;
  EXPECT_EQ(state_.field.path, FieldPath::Emulator);
  EXPECT_NE(state_.field.pathReason.find("(46)"), std::string::npos) << state_.field.pathReason;
  controller.sweep(state_, 2);
  EXPECT_NEAR(middle(controller), start + 2, 1e-5);
}

TEST_F(FieldFaultTest, AFaultyKernelRunsOnlyIfThePersonInsists) {
  if (!prepare(fakeDevice(), true, kBeyond)) { GTEST_SKIP() << "needs NVRTC and the fake driver"; }
  render::FieldController controller(options_);
  controller.settle(state_);
  EXPECT_TRUE(state_.field.refused);
  EXPECT_EQ(state_.field.path, FieldPath::None);
  EXPECT_NE(state_.field.problem.find("add_one.cu"), std::string::npos) << state_.field.problem;

  state_.fieldWishes.insistedOn = "test/add_one";
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

TEST_F(FieldFaultTest, AFaultOfAnInsistedKernelIsSaidAndResetTriesAgain) {
  if (!prepare(fakeDevice(), true, kBeyond)) { GTEST_SKIP() << "needs NVRTC and the fake driver"; }
  render::FieldController controller(options_);
  controller.settle(state_);
  state_.fieldWishes.insistedOn = "test/add_one";
  setenv("HALOSCOPE_FAKE", "fault=716", 1);
  controller.settle(state_);
  ASSERT_EQ(state_.field.path, FieldPath::HostCopy) << state_.field.problem;
  const double start = middle(controller);
  state_.fieldWishes.run = true;
  state_.fieldWishes.singleSweep = true;
  controller.settle(state_);
  EXPECT_NE(state_.field.problem.find("(716)"), std::string::npos) << state_.field.problem;
  EXPECT_EQ(state_.gpuTrouble, "") << "this process's GPU is untouched";
  unsetenv("HALOSCOPE_FAKE");
  state_.fieldWishes.run = false;
  state_.fieldWishes.reset = true;
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
  if (!prepare(fakeDevice(), true, kAddOne)) { GTEST_SKIP() << "needs NVRTC and the fake driver"; }
  setenv("HALOSCOPE_FAKE", GetParam().trouble, 1);
  render::FieldController controller(options_);
  const double start = middle(controller);
  EXPECT_EQ(state_.field.path, FieldPath::HostCopy);
  EXPECT_EQ(state_.field.pathReason, GetParam().reason);
  EXPECT_EQ(state_.gpuTrouble, "");
  controller.sweep(state_, 4);
  EXPECT_NEAR(middle(controller), start + 4, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    All, InteropRefusedTest,
    testing::Values(Refusal{"opengl_on_another_gpu", "glDevice=1", "OpenGL draws on another GPU than Fake GPU"},
                    Refusal{"opengl_on_no_gpu", "glDevices=100", "OpenGL does not draw on a GPU that CUDA knows"},
                    Refusal{"wsl", "glDevices=999,register=304", "cuGraphicsGLRegisterBuffer: fake trouble (304)"},
                    Refusal{"virtual_gl", "glDevices=999,register=999",
                            "cuGraphicsGLRegisterBuffer: fake trouble (999)"},
                    Refusal{"registers_and_does_not_map", "glDevice=0", "cuGraphicsMapResources: fake trouble (999)"}),
    [](const auto& one) { return one.param.name; });

TEST_F(FieldFaultTest, OpenGLHasItsBufferWheneverNoCopyIsQueued) {
  if (!prepare(fakeDevice(), true, kAddOne)) { GTEST_SKIP() << "needs NVRTC and the fake driver"; }
  setenv("HALOSCOPE_FAKE", "glDevice=0,map=0", 1);
  options_.limits.run = std::chrono::milliseconds(300);
  render::FieldController controller(options_);
  controller.sweep(state_, 5);
  EXPECT_EQ(state_.field.path, FieldPath::Interop) << state_.field.pathReason;
  EXPECT_EQ(state_.field.problem, "");
  EXPECT_EQ(state_.field.sweeps, 5U);
  // A kernel that never ends does not have it.
  setenv("HALOSCOPE_FAKE", "glDevice=0,map=0,endless=1", 1);
  state_.fieldWishes.singleSweep = true;
  controller.update(state_);
  setenv("HALOSCOPE_FAKE", "", 1);
  EXPECT_LT(sweepThroughTrouble(controller), 2.0);
  EXPECT_EQ(state_.field.path, FieldPath::HostCopy);
  EXPECT_EQ(state_.field.problem, "");
}

TEST_F(FieldFaultTest, AFieldThatDoesNotFitIsRefusedWithTheRoomThereIs) {
  if (!prepare(fakeDevice(), true, kAddOne)) { GTEST_SKIP() << "needs NVRTC and the fake driver"; }
  render::FieldController controller(options_);
  (void)middle(controller);
  setenv("HALOSCOPE_FAKE", "free=3", 1);
  state_.fieldWishes.size = 1024;
  controller.settle(state_);
  EXPECT_EQ(state_.field.problem,
            "the GPU has no room for the field: cuMemAlloc of 4 MiB (3 MiB are free): fake trouble (2)");
  EXPECT_EQ(state_.gpuTrouble, "");
  unsetenv("HALOSCOPE_FAKE");
  state_.fieldWishes.size = 0;
  const double start = middle(controller);
  controller.sweep(state_, 1);
  EXPECT_FLOAT_EQ(middle(controller), start + 1) << "a smaller one still does";
}

/// On a real GPU, with interop, in a process of their own: their faults end CUDA there.
class RealFieldFaultTest : public FieldFaultTest {
 protected:
  /// A field of 512², where the kernel fails, and then one of 40², which it sweeps rightly. Returns what is wrong.
  std::string failAndGoOn(const char* text) {
    if (!prepare({}, false, text)) { return "this machine lacks what it had"; }
    render::FieldController controller(options_);
    state_.fieldWishes.size = 512;
    controller.settle(state_);
    if (state_.field.path != FieldPath::Interop) { std::printf("no interop: %s\n", state_.field.pathReason.c_str()); }
    const double longest = sweepThroughTrouble(controller);
    if (state_.gpuTrouble.empty()) { return "the fault was not noticed"; }
    if (state_.field.path != FieldPath::HostCopy) { return "no field afterwards: " + state_.field.problem; }
    if (longest > 2) { return "a frame took " + std::to_string(longest) + " s"; }
    controller.sweep(state_, 1);
    if (state_.field.problem.empty()) { return "the kernel did not fail in the other process"; }
    std::printf("  there: %s\n", state_.field.problem.c_str());
    state_.fieldWishes.size = 0;
    const double start = middle(controller);
    controller.sweep(state_, 3);
    if (middle(controller) != start + 3) { return "three sweeps did not add 3"; }
    // Whether OpenGL still draws is up to the driver; that Haloscope says so if it does not, is not.
    bool told = false;
    try {
      context_->expectDrawing();
    } catch (const render::ContextError&) { told = true; }
    return told == render::drawsTriangles() ? "whether OpenGL still draws is not told" : "";
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
