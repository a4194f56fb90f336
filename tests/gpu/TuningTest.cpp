#include "live/LiveTuning.h"
#include "measuring/Tuning.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "FaultSupport.h"
#include "driver/Compiler.h"
#include "hardware/LaunchTimer.h"
#include "measuring/GpuGate.h"
#include "measuring/TuningSizes.h"
#include "work/Pool.h"

/// The map over tile and block sizes. What is planned and compiled needs no GPU; times come from a fake driver too.
namespace haloscope::experiment {
namespace {

class TuningTest : public testing::Test {
 protected:
  [[nodiscard]] const KernelFile& file(const char* id) const { return catalogue_.at(id); }
  [[nodiscard]] measuring::TuningRequest request(const char* id, std::int64_t size) const {
    measuring::TuningRequest request;
    request.file = file(id);
    request.bindings = request.file.defaults();
    request.size = size;
    request.target = {nullptr, "NVIDIA H100", "9.0", 132, 0, "none is there"};
    return request;
  }
  [[nodiscard]] measuring::TuningMap plan(const char* id, const measuring::AxisChoice& axes = {}) const {
    return measuring::planTuning(file(id), file(id).defaults(), 64, axes, limits_);
  }

  Catalogue catalogue_ = gpu::theCatalogue();
  gpu::MultiprocessorLimits limits_ = *gpu::limitsOf("9.0");
  measuring::GpuGate gate_;
  work::Pool pool_;
};

TEST_F(TuningTest, ShortRangesAreTriedWholeLongOnesByPowers) {
  const auto tried = [](std::int64_t from, std::int64_t to, std::int64_t chosen) {
    return measuring::triedValues({"T", from, from, to, ""}, chosen);
  };
  EXPECT_EQ(tried(3, 12, 8), (std::vector<std::int64_t>{3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(tried(3, 32, 8), (std::vector<std::int64_t>{3, 4, 6, 8, 12, 16, 24, 32}));
  EXPECT_EQ(tried(3, 32, 11), (std::vector<std::int64_t>{3, 4, 6, 8, 11, 12, 16, 24, 32}));
  EXPECT_EQ(tried(1, 256, 16), (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 128, 256}));
  EXPECT_EQ(tried(5, 5, 5), std::vector<std::int64_t>{5});
}

TEST_F(TuningTest, TheSidesAreTileAndBlockSizesNotTheProblems) {
  EXPECT_EQ(measuring::tuningAxes(file("convolution/constant")), (std::vector<std::string>{"BLOCK_X", "BLOCK_Y"}));
  EXPECT_EQ(measuring::tuningAxes(file("stencil/tiled")), std::vector<std::string>{"IN_TILE_DIM"});
  const measuring::TuningMap tiled = plan("stencil/tiled");
  EXPECT_EQ(tiled.columns.name, "IN_TILE_DIM");
  EXPECT_TRUE(tiled.rows.ofRegisters());
  EXPECT_EQ(tiled.rows.values, (std::vector<std::int64_t>{0, 32}));
  EXPECT_EQ(tiled.cells.size(), 20U);
  const measuring::TuningMap basic = plan("stencil/basic");
  EXPECT_EQ(basic.columns.name, "BLOCK_X");
  EXPECT_EQ(basic.rows.name, "BLOCK_Y");
  const measuring::TuningMap other = plan("stencil/basic", {"BLOCK_Z", "BLOCK_X"});
  EXPECT_EQ(other.columns.name, "BLOCK_Z");
  EXPECT_EQ(other.rows.name, "BLOCK_X");
  const measuring::TuningMap unknown = plan("stencil/basic", {"NO_SUCH", "BLOCK_X"});
  EXPECT_EQ(unknown.rows.name, "BLOCK_X");
  EXPECT_EQ(unknown.columns.name, "BLOCK_Y");
}

TEST_F(TuningTest, TheSizeIsTheOneThatTheKernelCanTake) {
  const KernelFile& tiled = file("stencil/tiled");
  const std::int64_t most = tiled.sizes.front().maximum;
  const measuring::TuningMap map = measuring::planTuning(tiled, tiled.defaults(), most * 16, {}, limits_);
  EXPECT_EQ(map.size, most);
  EXPECT_EQ(map.bindings.at("N"), most);
  EXPECT_EQ(measuring::planTuning(tiled, tiled.defaults(), 0, {}, limits_).size, tiled.defaults().at("N"));
}

TEST_F(TuningTest, ACellThatCannotRunSaysWhy) {
  const measuring::TuningMap map = plan("stencil/tiled");
  EXPECT_EQ(map.at(9, 0).limit, "a block of 12×12×12 has 1728 threads; a block can have at most 1024");
  EXPECT_EQ(map.at(7, 0).limit, "");
  EXPECT_EQ(map.chosen(map.bindings), 5U) << "IN_TILE_DIM = 8";
  EXPECT_FALSE(map.best());
}

TEST_F(TuningTest, WithoutAGpuCellsHaveWhatTheCodeTakes) {
  try {
    (void)gpu::Compiler(13000);
  } catch (const gpu::Unavailable& missing) { GTEST_SKIP() << missing.what(); }
  measuring::Tuner tuner(pool_, gate_);
  const measuring::TuningMap map = tuner.tune(request("stencil/tiled", 64));
  EXPECT_TRUE(map.complete);
  EXPECT_FALSE(map.timing);
  EXPECT_EQ(map.note, "Times need a GPU: none is there.");
  const measuring::TuningCell& eight = map.at(5, 0);
  EXPECT_GT(eight.registers, 10);
  EXPECT_EQ(eight.sharedBytes, 8 * 8 * 8 * 4);
  EXPECT_EQ(eight.occupancy.residentBlocks, 4);
  EXPECT_EQ(eight.occupancy.limitedBy, "threads");
  EXPECT_FALSE(eight.timed());
  EXPECT_LE(map.at(5, 1).registers, 32);
  ASSERT_GT(map.sizes.size(), 10U);
  EXPECT_EQ(map.sizes.back().size, 64);
  for (std::size_t i = 1; i < map.sizes.size(); ++i) { EXPECT_GT(map.sizes[i].size, map.sizes[i - 1].size); }
  EXPECT_NEAR(map.sizes.back().waves, 11 * 11 * 11 / (132.0 * 4), 1e-9);
  EXPECT_EQ(map.sizes.back().points, 64.0 * 64 * 64);
}

TEST_F(TuningTest, SharedMemoryBeyondTheLimitIsACellThatCannotRun) {
  KernelFile large = file("stencil/tiled");
  const std::string line = "__shared__ REAL in_s";
  const std::size_t at = large.text.find(line);
  ASSERT_NE(at, std::string::npos);
  large.text.insert(at, "__shared__ float more[12000]; more[threadIdx.x] = 0; ");
  measuring::TuningRequest asked = request("stencil/tiled", 32);
  asked.file = large;
  measuring::Tuner tuner(pool_, gate_);
  const measuring::TuningMap map = tuner.tune(asked);
  EXPECT_EQ(map.at(7, 0).limit, "a block needs 52000 bytes of shared memory; the maximum is 49152");
  EXPECT_EQ(map.at(0, 0).limit, "");
}

TEST_F(TuningTest, AFaultOnTheEmulatorKeepsTheCellFromTheGpu) {
  measuring::TuningRequest asked = request("stencil/tiled", 32);
  const std::string guard = "i < N";
  for (std::size_t at = 0; (at = asked.file.text.find(guard, at)) != std::string::npos; ++at) {
    asked.file.text.replace(at, guard.size(), "i < N + 9");
  }
  measuring::Tuner tuner(pool_, gate_);
  const measuring::TuningMap map = tuner.tune(asked);
  EXPECT_NE(map.at(5, 0).limit.find("line "), std::string::npos) << map.at(5, 0).limit;
  EXPECT_FALSE(map.at(5, 0).compiled);
}

TEST_F(TuningTest, AnUnknownMultiprocessorIsRefused) {
  measuring::TuningRequest asked = request("stencil/tiled", 32);
  asked.target.computeCapability = "3.5";
  measuring::Tuner tuner(pool_, gate_);
  EXPECT_THROW((void)tuner.tune(asked), InputError);
}

TEST_F(TuningTest, SizesAreCloseTogetherWhereTheWavesAreFew) {
  measuring::TuningCell cell;
  cell.bindings = file("stencil/tiled").defaults();
  cell.occupancy.residentBlocks = 4;
  const std::vector<measuring::SizePoint> points = measuring::planSizes(file("stencil/tiled"), cell, 512, 132);
  ASSERT_FALSE(points.empty());
  EXPECT_LE(points.front().waves, 0.5);
  EXPECT_EQ(points.back().size, 512);
  EXPECT_GE(std::ranges::count_if(points, [](const measuring::SizePoint& point) { return point.waves <= 8; }), 30);
  EXPECT_LE(points.size(), 70U);
  cell.occupancy.residentBlocks = 0;
  EXPECT_TRUE(measuring::planSizes(file("stencil/tiled"), cell, 512, 132).empty());
}

TEST(SizesOfWaves, AreFoundBetweenTwoSizes) {
  measuring::SizePoint a, b;
  a.size = 100;
  a.waves = 0.5;
  b.size = 200;
  b.waves = 2.5;
  EXPECT_NEAR(*measuring::sizeOfWaves({a, b}, 1), 125, 1e-9);
  EXPECT_NEAR(*measuring::sizeOfWaves({a, b}, 2), 175, 1e-9);
  EXPECT_FALSE(measuring::sizeOfWaves({a, b}, 3));
  EXPECT_NEAR(a.fullness(), 0.5, 1e-12);
  EXPECT_NEAR(b.fullness(), 2.5 / 3, 1e-12);
  EXPECT_EQ(measuring::SizePoint{}.fullness(), 0);
}

/// On a device: true: the fake driver.
class TuningOnDeviceTest : public TuningTest, public testing::WithParamInterface<bool>, public gpu::OnDevice {
 protected:
  void SetUp() override { open(GetParam() ? gpu::fakeDevice() : gpu::DeviceOptions()); }
  [[nodiscard]] measuring::TuningRequest onDevice(const char* id, std::int64_t size) const {
    measuring::TuningRequest asked = request(id, size);
    asked.target = measuring::targetOf(device_, 1000);
    return asked;
  }
};

TEST_P(TuningOnDeviceTest, EveryCellThatCanRunIsTimed) {
  measuring::Tuner tuner(pool_, gate_);
  std::size_t steps = 0;
  const measuring::TuningMap map = tuner.tune(onDevice("stencil/tiled", 64), [&](const measuring::TuningMap& sofar) {
    EXPECT_EQ(sofar.cells.size(), 20U);
    ++steps;
  });
  EXPECT_TRUE(map.timing);
  EXPECT_GT(steps, 20U) << "after every cell";
  for (const measuring::TuningCell& cell : map.cells) {
    EXPECT_EQ(cell.timed(), cell.limit.empty());
    if (!cell.timed()) { continue; }
    EXPECT_GE(cell.time.samples, 3);
    EXPECT_GT(cell.time.medianMs, 0);
    EXPECT_NEAR(cell.effectiveGBs, 4.0 * (64 * 64 * 64 + 62 * 62 * 62) / (cell.time.medianMs * 1e6), 1e-6);
    EXPECT_NEAR(cell.fractionOfCopy, cell.effectiveGBs / 1000, 1e-9);
  }
  ASSERT_TRUE(map.best());
  for (const measuring::TuningCell& cell : map.cells) {
    if (cell.timed()) { EXPECT_GE(cell.time.medianMs, map.cells[*map.best()].time.medianMs); }
  }
  for (const measuring::SizePoint& point : map.sizes) { EXPECT_GT(point.nsPerPoint, 0) << point.size; }
}

TEST_P(TuningOnDeviceTest, WithAnotherCellChosenOnlyTheSizesAreTimedAgain) {
  measuring::Tuner tuner(pool_, gate_);
  measuring::TuningRequest asked = onDevice("stencil/tiled", 48);
  const measuring::TuningMap first = tuner.tune(asked);
  asked.bindings["IN_TILE_DIM"] = 6;
  const measuring::TuningMap second = tuner.tune(asked, {}, {}, &first);
  for (std::size_t i = 0; i < first.cells.size(); ++i) {
    EXPECT_EQ(second.cells[i].time.medianMs, first.cells[i].time.medianMs);
  }
  EXPECT_NE(second.sizes.back().blocks, first.sizes.back().blocks);
  EXPECT_EQ(second.chosen(second.bindings), 3U);
}

TEST_P(TuningOnDeviceTest, ANewerRequestReplacesAStaleOne) {
  TuningRunner runner(pool_, gate_);
  runner.request(onDevice("stencil/basic", 64));
  runner.request(onDevice("stencil/tiled", 64));
  runner.wait();
  const auto map = runner.poll();
  EXPECT_FALSE(runner.busy());
  ASSERT_TRUE(map);
  EXPECT_EQ((*map)->kernel, "stencil/tiled");
  EXPECT_TRUE((*map)->complete);
  EXPECT_FALSE(runner.poll()) << "once per change";

  runner.request(onDevice("stencil/basic", 64));
  runner.cancel();
  const auto begin = std::chrono::steady_clock::now();
  runner.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST_P(TuningOnDeviceTest, AFailureIsReportedInTheMap) {
  TuningRunner runner(pool_, gate_);
  measuring::TuningRequest asked = onDevice("stencil/tiled", 64);
  asked.target.computeCapability = "1.0";
  runner.request(asked);
  runner.wait();
  const auto map = runner.poll();
  ASSERT_TRUE(map);
  EXPECT_TRUE((*map)->cells.empty());
  EXPECT_NE((*map)->problem, "");
}

TEST_P(TuningOnDeviceTest, AnOpenedFileIsCheckedAndTimedAtItsOwnSizesAlone) {
  measuring::TuningRequest asked = onDevice("stencil/tiled", 0);
  asked.file.chapter = "opened";
  asked.bindings["IN_TILE_DIM"] = 6;
  const std::int64_t size = asked.bindings.at("N");
  measuring::Tuner tuner(pool_, gate_);
  const measuring::TuningMap good = tuner.tune(asked);
  EXPECT_EQ(good.size, size);
  EXPECT_TRUE(good.at(3, 0).timed()) << good.at(3, 0).limit;
  EXPECT_TRUE(good.sizes.empty());
  EXPECT_NE(good.note.find("other N"), std::string::npos);

  // Without its barriers it finishes on the emulator, but is a race.
  const std::string barrier = "__syncthreads();";
  for (std::size_t at = 0; (at = asked.file.text.find(barrier, at)) != std::string::npos;) {
    asked.file.text.erase(at, barrier.size());
  }
  const measuring::TuningMap race = tuner.tune(asked);
  EXPECT_FALSE(race.at(3, 0).timed());
  EXPECT_NE(race.at(3, 0).limit, "");
}

TEST_P(TuningOnDeviceTest, AKernelThatNeverEndsIsGivenUp) {
  if (!GetParam()) { GTEST_SKIP() << "only the fake driver can forget it"; }
  const gpu::Kernel kernel(gpu::TestClearance::make(), device_, {"nothing.cu", "__global__ void nothing() {}", {}},
                           "nothing");
  hardware::LaunchTimer timer(device_);
  setenv("HALOSCOPE_FAKE", "endless=1", 1);
  try {
    (void)timer.time([&](const gpu::Stream& stream) { kernel.launch({}, std::array<std::uint64_t, 1>{}, stream); }, 3);
    ADD_FAILURE() << "nothing was said";
  } catch (const gpu::Error& error) {
    EXPECT_TRUE(error.endsProcess());
    EXPECT_NE(std::string(error.what()).find("did not end within 2.0 s"), std::string::npos) << error.what();
  }
  unsetenv("HALOSCOPE_FAKE");
  EXPECT_FALSE(device_->tryMakeCurrent()) << "abandoned, so that no destructor waits";
}

INSTANTIATE_TEST_SUITE_P(Driver, TuningOnDeviceTest, testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "fake" : "real"; });

}  // namespace
}  // namespace haloscope::experiment
