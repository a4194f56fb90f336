#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "FaultSupport.h"
#include "driver/Run.h"
#include "frontend/Frontend.h"
#include "program/ElapsedTime.h"

/// Kernels in a process of their own, also such as the emulator would have refused: the table in README.md names these
/// tests. They run on a fake driver that gives the errors and, where there is one, on a GPU.
namespace haloscope::gpu {
namespace {

using Clock = std::chrono::steady_clock;

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

class KernelProcessTest : public testing::TestWithParam<bool>, public OnDevice {
 protected:
  void SetUp() override {
    if (GetParam()) { where_ = fakeDevice(); }
    open(where_);
  }

  /// That the GPU still does what it should, in this process.
  void expectGpuWorksHere() const {
    KernelJob job = jobOf(kAddOne, 40);
    (void)run(TestClearance::make(), device_, job.text, job.program, job.launch);
    EXPECT_EQ(floatsOf(job.launch.arrays[1].bytes).at(77), 3.0F);
  }

  DeviceOptions where_;
};

TEST_P(KernelProcessTest, GivesWhatTheKernelComputed) {
  const Launch result = runInChildProcess(jobOf(kAddOne, 40, where_), theProgram());
  EXPECT_EQ(floatsOf(result.arrays[1].bytes), std::vector<float>(1600, 3.0F));
}

TEST_P(KernelProcessTest, SweepsAFieldAndTakesAnother) {
  KernelJob job = jobOf(kAddOne, 40, where_);
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

TEST_P(KernelProcessTest, AnErrorOfTheTextIsReported) {
  KernelJob job = jobOf(kAddOne, 40, where_);
  job.text.text = "__global__ void addOne(const float* in, float* out, int N) { out[0] = missing; }";
  try {
    (void)runInChildProcess(job, theProgram());
    FAIL();
  } catch (const std::runtime_error& refused) {
    EXPECT_NE(std::string(refused.what()).find("\"missing\" is undefined"), std::string::npos) << refused.what();
  }
}

TEST_P(KernelProcessTest, AProgramThatCannotBeStartedIsNamed) {
  EXPECT_THROW((void)runInChildProcess(jobOf(kAddOne, 40, where_), "/nowhere/haloscope"), std::runtime_error);
  EXPECT_THROW((void)runInChildProcess(jobOf(kAddOne, 40, where_), "/bin/true"), std::runtime_error);
}

TEST_P(KernelProcessTest, AFaultEndsThatProcessAlone) {
  for (const Bad& bad : {Bad{"wild", kWild, "fault=700", "(700)"}, Bad{"skewed", kSkewed, "fault=716", "(716)"}}) {
    const FakeTrouble trouble(GetParam() ? bad.trouble : "");
    const auto begin = Clock::now();
    try {
      (void)runInChildProcess(jobOf(bad.text, 40, where_), theProgram());
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
  KernelProcess process(jobOf(kEndless, 40, where_), {}, theProgram(), limits);
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

}  // namespace
}  // namespace haloscope::gpu
