#include "FaultSupport.h"
#include "driver/SweepRunner.h"
#include "frontend/Frontend.h"
#include "hardware/Bench.h"
#include "hardware/Peaks.h"

/// Sweeps, their times, and what they are compared with; on the real GPU, and on a fake driver where there is none.
namespace haloscope::gpu {
namespace {

constexpr const char* kSweepText =
    "__global__ void addOne(const float* in, float* out, int N) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < N * N) { out[i] = in[i] + 1.0f; }\n"
    "}\n";

struct AddOne {
  static constexpr int kEdge = 200;
  static constexpr std::int64_t kPoints = std::int64_t{kEdge} * kEdge;

  Program program = frontend::compile("add_one.cu", kSweepText).program;
  Launch launch;

  AddOne() {
    launch.configuration.block.x = 256;
    launch.configuration.grid.x = (kPoints + 255) / 256;
    launch.arguments = {0, 0, kEdge};
    launch.arrays.resize(program.objects.size());
    for (ArrayData& array : launch.arrays) {
      array.extents = {kEdge, kEdge};
      array.bytes.resize(kPoints * sizeof(float));
    }
  }
  [[nodiscard]] ObjectId in() const { return program.findObject("in"); }
  [[nodiscard]] ObjectId out() const { return program.findObject("out"); }
};

/// True: the fake driver.
class SweepTest : public testing::TestWithParam<bool>, public OnDevice {
 protected:
  void SetUp() override { open(GetParam() ? fakeDevice() : DeviceOptions()); }
};

TEST_P(SweepTest, FieldsChangePlacesAndEverySweepIsCounted) {
  const AddOne one;
  auto kernel =
      std::make_shared<Kernel>(TestClearance::make(), device_, KernelText{"add_one.cu", kSweepText, {}}, one.program);
  SweepRunner runner(kernel, one.program, one.launch, one.in(), one.out());
  const std::size_t bytes = AddOne::kPoints * sizeof(float);
  DeviceMemory a(device_, bytes);
  DeviceMemory b(device_, bytes);
  const std::vector<float> start(AddOne::kPoints, 2.0F);
  a.upload(bytesOf(start));
  b.upload(bytesOf(start));
  EXPECT_EQ(runner.affordableSweeps(6), 1) << "nothing is known about its time yet";

  constexpr int kSweeps = 101;  // more than the ring holds
  for (int i = 0; i < kSweeps; ++i) { runner.sweep((i % 2 == 0 ? a : b).address(), (i % 2 == 0 ? b : a).address()); }
  runner.stream().synchronize();
  for (int i = 0; i < 2 * kSweeps; ++i) { runner.poll(); }
  EXPECT_TRUE(runner.idle());
  EXPECT_EQ(runner.sweeps(), static_cast<std::uint64_t>(kSweeps));
  EXPECT_EQ(runner.ring().size(), SweepRunner::kRing);
  const Spread spread = runner.spread();
  EXPECT_GT(spread.medianMs, 0);
  EXPECT_LE(spread.p10Ms, spread.medianMs);
  EXPECT_LE(spread.medianMs, spread.p90Ms);
  EXPECT_GE(runner.affordableSweeps(1000), 1);
  EXPECT_LE(runner.affordableSweeps(1e9), SweepRunner::kMostSweeps);

  std::vector<std::byte> result(bytes);
  b.download(result);
  for (const float value : floatsOf(result)) { ASSERT_EQ(value, 2.0F + kSweeps); }
}

TEST_P(SweepTest, PollingNeverWaits) {
  const AddOne one;
  auto kernel =
      std::make_shared<Kernel>(TestClearance::make(), device_, KernelText{"add_one.cu", kSweepText, {}}, one.program);
  SweepRunner runner(kernel, one.program, one.launch, one.in(), one.out());
  DeviceMemory a(device_, AddOne::kPoints * sizeof(float));
  DeviceMemory b(device_, AddOne::kPoints * sizeof(float));
  runner.sweep(a.address(), b.address());
  int polls = 0;
  while (runner.ring().empty() && polls < 10'000'000) {
    runner.poll();
    ++polls;
  }
  EXPECT_EQ(runner.ring().size(), 1U);
}

TEST_P(SweepTest, ABenchmarkReportsTimesAndTheCopyAlongside) {
  const AddOne one;
  const hardware::BenchResult result =
      hardware::bench(TestClearance::make(), device_, {"add_one.cu", kSweepText, {}}, one.program, one.launch,
                      {.warmups = 1, .rounds = 2, .launches = 3});
  EXPECT_EQ(result.kernel.samples, 6);
  EXPECT_EQ(result.bytes, 2.0 * AddOne::kPoints * sizeof(float));
  EXPECT_GE(result.copyBytes, 256e6);
  EXPECT_GT(result.copyGBs, 0);
  EXPECT_NEAR(result.fractionOfCopy, result.effectiveGBs / result.copyGBs, 1e-9);
  EXPECT_GT(result.resources.registersPerThread, 0);
  EXPECT_GT(result.residentBlocks, 0);
  EXPECT_GT(result.occupancy, 0);
  EXPECT_LE(result.occupancy, 1);
}

TEST_P(SweepTest, PeaksAreFound) {
  const hardware::Peaks peaks = hardware::measurePeaks(device_);
  EXPECT_GT(peaks.copyGBs, 0);
  EXPECT_GT(peaks.fp32GFlops, 0);
  EXPECT_GT(peaks.fp64GFlops, 0);
  RecordProperty("copyGBs", std::to_string(peaks.copyGBs));
  RecordProperty("fp32GFlops", std::to_string(peaks.fp32GFlops));
  RecordProperty("fp64GFlops", std::to_string(peaks.fp64GFlops));
}

TEST_P(SweepTest, ALaunchWithoutItsDataIsRefused) {
  AddOne one;
  one.launch.arrays[one.in()].bytes.clear();
  Kernel kernel(TestClearance::make(), device_, {"add_one.cu", kSweepText, {}}, one.program);
  EXPECT_THROW(LaunchArrays(kernel, one.program, one.launch), InputError);
  EXPECT_NO_THROW(LaunchArrays(kernel, one.program, one.launch, {one.in()}));
}

INSTANTIATE_TEST_SUITE_P(Driver, SweepTest, testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "fake" : "real"; });

TEST(SpreadTest, PercentilesAreInterpolated) {
  const Spread spread = spreadOf({5, 1, 3, 2, 4});
  EXPECT_DOUBLE_EQ(spread.medianMs, 3);
  EXPECT_DOUBLE_EQ(spread.p10Ms, 1.4);
  EXPECT_DOUBLE_EQ(spread.p90Ms, 4.6);
  EXPECT_DOUBLE_EQ(spread.minimumMs, 1);
  EXPECT_EQ(spreadOf({}).samples, 0);
}

}  // namespace
}  // namespace haloscope::gpu
