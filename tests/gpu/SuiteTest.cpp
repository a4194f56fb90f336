#include "measuring/SuiteRun.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "FaultSupport.h"
#include "catalogue/LimitSuite.h"
#include "experiment/InputData.h"
#include "measuring/GpuGate.h"
#include "measuring/SuitePlan.h"
#include "measuring/TileSearch.h"
#include "measuring/TunedTiles.h"
#include "work/Pool.h"

/// Suites: what is planned needs no GPU; what is measured comes from a fake driver too, which does the sweeps itself.
namespace haloscope::measuring {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

LimitClass starOf(std::int64_t size, ValueType precision = ValueType::F32, std::int64_t steps = 1) {
  return {.name = "star",
          .climb = "7-point star",
          .problem = {{"N", size}},
          .precision = precision,
          .steps = steps,
          .reach = 0.9,
          .aim = 0.95};
}

std::vector<std::string> idsOf(const PlannedClass& plan) {
  std::vector<std::string> ids;
  for (const PlannedVariant& variant : plan.variants) { ids.push_back(variant.file->id); }
  return ids;
}

std::string reasonOf(const PlannedClass& plan, const std::string& id) {
  const auto found = std::ranges::find(plan.leftOut, id, &LeftOut::id);
  return found == plan.leftOut.end() ? "" : found->reason;
}

TEST(SuitePlanTest, TheShippedSuitesClimbsAreThereOrSaidToBeMissing) {
  const LimitSuite suite = LimitSuite::read(gpu::shipped("assets") / "suites" / "limit.yaml");
  EXPECT_EQ(suite.classes.size(), 22U);
  for (const LimitClass& one : suite.classes) {
    const PlannedClass plan = planClass(gpu::theCatalogue(), one);
    EXPECT_NE(plan.variants.empty(), plan.problem.empty()) << one.name;
    if (!plan.problem.empty()) { EXPECT_THAT(plan.problem, HasSubstr("no variant names the climb")) << one.name; }
  }
}

TEST(SuitePlanTest, RungsThatSolveTheProblemFollowTheRoot) {
  const PlannedClass plan = planClass(gpu::theCatalogue(), starOf(512));
  EXPECT_EQ(idsOf(plan).front(), "stencil/basic");
  EXPECT_THAT(idsOf(plan), Contains("beyond/3d_7_shuffle"));
  for (const PlannedVariant& variant : plan.variants) { EXPECT_EQ(variant.bindings.at("N"), 512); }
  EXPECT_EQ(reasonOf(plan, "beyond/3d_7_two_steps"), "beyond/3d_7_two_steps computes 2 time steps per launch");
}

TEST(SuitePlanTest, ARungMustComputeInTheTypeAndTheSteps) {
  const PlannedClass twice = planClass(gpu::theCatalogue(), starOf(64, ValueType::F64, 2));
  EXPECT_EQ(idsOf(twice).front(), "stencil/basic") << "the root, in one step";
  EXPECT_THAT(idsOf(twice), Contains("beyond/3d_7_two_steps"));
  EXPECT_EQ(twice.variants.front().bindings.at("REAL"), 8);
  EXPECT_EQ(reasonOf(twice, "stencil/tiled"), "stencil/tiled computes 1 time step per launch");
  const PlannedClass inDouble = planClass(gpu::theCatalogue(), starOf(64, ValueType::F64));
  EXPECT_EQ(reasonOf(inDouble, "stencil/vector_loads"), "stencil/vector_loads does not compute in double");
}

TEST(SuitePlanTest, ATunableOfTheProblemIsSet) {
  LimitClass wide = starOf(64);
  wide.climb = "2D convolution";
  wide.problem = {{"width", 100}, {"height", 50}, {"FILTER_RADIUS", 5}};
  const PlannedClass plan = planClass(gpu::theCatalogue(), wide);
  ASSERT_FALSE(plan.variants.empty());
  EXPECT_EQ(plan.variants.front().bindings.at("FILTER_RADIUS"), 5);
  wide.problem["FILTER_RADIUS"] = 6;
  EXPECT_THAT(planClass(gpu::theCatalogue(), wide).problem, HasSubstr("FILTER_RADIUS = 6 is outside its range 1 to 5"));
  EXPECT_THAT(planClass(gpu::theCatalogue(), starOf(5000)).problem, HasSubstr("N = 5000"));
}

TEST(TileSearchTest, FindsTheBestOfAllTunablesWithinTheTrials) {
  const KernelFile& file = gpu::theCatalogue().at("stencil/basic");
  const auto slower = [](std::int64_t value, double best) {
    return std::abs(std::log2(static_cast<double>(value)) - best);
  };
  int timed = 0;
  const TimeTiles time = [&](const std::vector<Bindings>& all) {
    std::vector<double> times;
    for (const Bindings& one : all) {
      ++timed;
      EXPECT_LE(one.at("BLOCK_X") * one.at("BLOCK_Y") * one.at("BLOCK_Z"), 1024);
      times.push_back(1 + slower(one.at("BLOCK_X"), 6) + slower(one.at("BLOCK_Y"), 2) + slower(one.at("BLOCK_Z"), 0));
    }
    return times;
  };
  const TileSearch found = searchTiles(file, file.defaults(), 200, time);
  EXPECT_EQ(tileText(file, found.best), "BLOCK_X 64, BLOCK_Y 4, BLOCK_Z 1");
  EXPECT_EQ(found.milliseconds, 1);
  EXPECT_EQ(found.tried, timed);
  EXPECT_LT(found.tried, 80) << "far fewer than all combinations";
  timed = 0;
  const TileSearch bounded = searchTiles(file, file.defaults(), 5, time);
  EXPECT_EQ(timed, 5);
  EXPECT_EQ(bounded.tried, 5);
}

TEST(TileSearchTest, WhatCannotRunIsNotTheBest) {
  const KernelFile& file = gpu::theCatalogue().at("stencil/tiled");
  const TileSearch none =
      searchTiles(file, file.defaults(), 10, [](const auto& all) { return std::vector<double>(all.size(), 0.0); });
  EXPECT_EQ(none.milliseconds, 0);
  EXPECT_EQ(none.best, file.defaults());
}

class TunedTilesTest : public testing::Test {
 protected:
  TunedTilesTest() : folder_(std::filesystem::path(testing::TempDir()) / "haloscope-tiles") {}
  ~TunedTilesTest() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] TunedTiles tiles(const std::string& gpu = "A GPU", const std::string& driver = "1",
                                 const std::string& compiler = "13.0") const {
    return {gpu::DiskCache(folder_, 1U << 20U), gpu, driver, compiler};
  }

  std::filesystem::path folder_;
};

TEST_F(TunedTilesTest, ATileIsKeptForItsGpuTextSizeAndPrecision) {
  const KernelFile& file = gpu::theCatalogue().at("stencil/basic");
  Bindings tuned = file.bind({{"N", 512}, {"BLOCK_X", 64}, {"BLOCK_Y", 2}});
  EXPECT_EQ(tiles().choose(file, tuned).source, TileSource::Default);
  EXPECT_TRUE(tiles().keep(file, tuned, 0.5));
  const TunedTiles::Chosen chosen = tiles().choose(file, file.bind({{"N", 512}}));
  EXPECT_EQ(chosen.source, TileSource::Tuned);
  EXPECT_EQ(chosen.bindings, tuned);
  EXPECT_FALSE(tiles().find(file, file.bind({{"N", 256}})));
  EXPECT_FALSE(tiles().find(file, file.bind({{"N", 512}, {"REAL", 8}})));
  EXPECT_FALSE(tiles("Another GPU").find(file, tuned));
  EXPECT_FALSE(tiles("A GPU", "2").find(file, tuned));
  EXPECT_FALSE(tiles("A GPU", "1", "13.1").find(file, tuned)) << "another compiler";
  KernelFile edited = file;
  edited.text += "// edited\n";
  EXPECT_FALSE(tiles().find(edited, tuned));
  tuned["BLOCK_X"] = 32;
  EXPECT_FALSE(tiles().keep(file, tuned, 0.6)) << "slower";
  EXPECT_TRUE(tiles().keep(file, tuned, 0.4));
  EXPECT_EQ(tiles().find(file, tuned)->tunables.at("BLOCK_X"), 32);
}

TEST_F(TunedTilesTest, AnEntryThatIsNoTileIsIgnored) {
  const KernelFile& file = gpu::theCatalogue().at("stencil/basic");
  KernelFile narrow = file;
  const Bindings tuned = file.bind({{"BLOCK_X", 256}});
  EXPECT_TRUE(tiles().keep(file, tuned, 0.5));
  for (Tunable& tunable : narrow.tunables) { tunable.maximum = 8; }
  EXPECT_FALSE(tiles().find(narrow, narrow.defaults()));
  EXPECT_FALSE(TunedTiles(gpu::DiskCache(), "A GPU", "1", "13.0").find(file, tuned)) << "there is no folder";
}

TEST(SampledCheckTest, FindsAWrongPointAndAChangedBorder) {
  const KernelFile& file = gpu::theCatalogue().at("stencil/basic");
  const Bindings bindings = file.bind({{"N", 20}});
  const std::vector<std::int64_t> extents{20, 20, 20};
  ArrayData weights{.element = ValueType::F64, .extents = {7}, .bytes = std::vector<std::byte>(7 * sizeof(double))};
  experiment::fillWeights(weights);
  const auto input = [](std::uint64_t element, ValueType) { return static_cast<double>(element % 17) - 8; };
  const auto elements = sampledElements(extents, 100);
  ASSERT_GT(elements.size(), 300U);
  std::vector<double> results;
  std::size_t computed = 0;
  for (const std::uint64_t element : elements) {
    const auto at = static_cast<std::int64_t>(element);
    const std::int64_t z = at / 400, y = at / 20 % 20, x = at % 20;
    const bool border = std::min({z, y, x}) == 0 || std::max({z, y, x}) == 19;
    double sum = 0;
    constexpr std::array kOffsets = {0, -1, 1, -20, 20, -400, 400};
    for (std::size_t tap = 0; tap < 7; ++tap) {
      const auto from = static_cast<std::uint64_t>(border ? at : at + kOffsets.at(tap));
      sum += experiment::valueAt(weights, static_cast<std::int64_t>(tap)) * input(from, ValueType::F64);
    }
    results.push_back(border ? input(element, ValueType::F64) : sum);
    if (!border) { computed = results.size() - 1; }
  }
  const auto check = [&] {
    return checkSamples(file, bindings, weights, extents, ValueType::F64, elements, results, input);
  };
  EXPECT_TRUE(check().pass());
  EXPECT_EQ(check().points, static_cast<std::int64_t>(elements.size()));
  results[computed] += 1e-9;
  EXPECT_EQ(check().wrong, 1);
  results.front() += 1e-15;  // a corner
  EXPECT_EQ(check().wrong, 2);
  results.front() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(check().wrong, 2);
}

/// On a device: true: the fake driver.
class SuiteOnDeviceTest : public TunedTilesTest, public testing::WithParamInterface<bool>, public gpu::OnDevice {
 protected:
  void SetUp() override { open(GetParam() ? gpu::fakeDevice() : gpu::DeviceOptions()); }
  [[nodiscard]] SuiteOptions options(bool right = true) const {
    return {.inCache = true, .verify = [right](const KernelFile&, const Bindings& bindings, measuring::GpuGate&) {
              EXPECT_EQ(bindings.at("N"), 33);
              return std::vector<Verification>{{.where = "here", .comparedWith = "reference", .pass = right}};
            }};
  }

  measuring::GpuGate gate_;
  work::Pool pool_;
  gpu::FakeTrouble sweeps_{"sweeps=1"};
};

TEST_P(SuiteOnDeviceTest, EveryRungIsTimedAndVerified) {
  SuiteRun run(device_, gate_, pool_, tiles());
  const SuiteClass measured = run.measure(planClass(gpu::theCatalogue(), starOf(24)), options());
  EXPECT_EQ(measured.problem, "");
  ASSERT_GT(measured.entries.size(), 5U);
  EXPECT_GT(measured.copy.gbs, 0);
  EXPECT_GT(measured.multiplyAdds, 0);
  EXPECT_TRUE(measured.right());
  EXPECT_TRUE(measured.complete);
  ASSERT_TRUE(measured.rootSampled);
  EXPECT_TRUE(measured.rootSampled->pass()) << measured.rootSampled->maxRelativeError;
  for (const SuiteEntry& entry : measured.entries) {
    SCOPED_TRACE(entry.variant.file->id);
    EXPECT_EQ(entry.problem, "");
    EXPECT_TRUE(entry.verified);
    EXPECT_GE(entry.time.samples, 20);
    EXPECT_GE(entry.warmups, 3);
    EXPECT_NEAR(entry.effectiveGBs, 4 * (24.0 * 24 * 24 + 22 * 22 * 22) / (entry.time.medianMs * 1e6), 1e-9);
    EXPECT_NEAR(entry.fractionOfCopy, entry.effectiveGBs / measured.copy.gbs, 1e-12);
    EXPECT_NEAR(entry.multiplyAdds, 7.0 * 24 * 24 * 24 / (entry.time.medianMs * 1e6), 1e-9);
    EXPECT_GT(entry.resources.registersPerThread, 0);
    EXPECT_GT(entry.occupancy, 0);
    EXPECT_EQ(entry.tile, TileSource::Default);
    EXPECT_LE(entry.fraction(LimitClass::Measure::Copy), measured.best()->fraction(LimitClass::Measure::Copy));
  }
}

TEST_P(SuiteOnDeviceTest, ASizeThatNoVectorOrTileDividesIsRight) {
  SuiteRun run(device_, gate_, pool_, tiles());
  for (const std::int64_t size : {3, 33}) {
    const SuiteClass measured = run.measure(planClass(gpu::theCatalogue(), starOf(size)), options());
    EXPECT_TRUE(measured.right()) << size;
    EXPECT_NE(measured.best(), nullptr);
  }
}

TEST_P(SuiteOnDeviceTest, AWrongRungIsFound) {
  if (!GetParam()) { GTEST_SKIP() << "only the fake device computes wrongly on request"; }
  SuiteRun run(device_, gate_, pool_, tiles());
  PlannedClass plan = planClass(gpu::theCatalogue(), starOf(24));
  plan.variants.resize(3);
  {
    const gpu::FakeTrouble trouble("sweeps=1,wrong=2");
    const SuiteClass measured = run.measure(plan, options());
    EXPECT_FALSE(measured.right());
    EXPECT_TRUE(measured.rootIsRight());
    EXPECT_TRUE(measured.entries.at(0).verified);
    EXPECT_FALSE(measured.entries.at(1).verified);
    EXPECT_EQ(measured.entries[1].differing, 1U);
    EXPECT_NEAR(measured.entries[1].largestDifference, 0.25, 1e-6);
    EXPECT_TRUE(measured.entries.at(2).verified);
    ASSERT_NE(measured.best(), nullptr);
    EXPECT_TRUE(measured.best()->verified);
  }
  const gpu::FakeTrouble trouble("sweeps=2");  // the root leaves its output as it was
  const SuiteClass measured = run.measure(plan, options());
  ASSERT_TRUE(measured.rootSampled);
  EXPECT_GT(measured.rootSampled->wrong, 1000);
  EXPECT_FALSE(measured.entries.at(0).verified) << "it agrees with itself alone";
  EXPECT_EQ(measured.best(), nullptr);
  EXPECT_FALSE(measured.right());
}

TEST_P(SuiteOnDeviceTest, AProblemInTheCacheIsRefused) {
  SuiteRun run(device_, gate_, pool_, tiles());
  SuiteOptions asked = options();
  asked.inCache = false;
  const SuiteClass measured = run.measure(planClass(gpu::theCatalogue(), starOf(24)), asked);
  EXPECT_THAT(measured.problem, HasSubstr("its input of 0.1 MiB fits into the L2 cache of"));
  EXPECT_FALSE(measured.right());
}

TEST_P(SuiteOnDeviceTest, OneThatWasNotMeasuredIsNotRight) {
  SuiteRun run(device_, gate_, pool_, tiles());
  EXPECT_FALSE(run.measure(planClass(gpu::theCatalogue(), starOf(5000)), options()).right()) << "not planned";
  PlannedClass plan = planClass(gpu::theCatalogue(), starOf(24));
  plan.variants.resize(1);
  KernelFile broken = *plan.variants[0].file;
  broken.text += "#error broken\n";
  plan.variants[0].file = &broken;
  EXPECT_FALSE(run.measure(plan, options()).right()) << "every rung failed";
}

TEST_P(SuiteOnDeviceTest, WithoutCountersARungIsTimedAllTheSame) {
  if (!GetParam()) { GTEST_SKIP() << "only the fake device has none for certain"; }
  SuiteRun run(device_, gate_, pool_, tiles());
  PlannedClass plan = planClass(gpu::theCatalogue(), starOf(24));
  plan.variants.resize(1);
  SuiteOptions asked = options();
  asked.counters = true;
  const SuiteEntry entry = run.measure(plan, asked).entries.at(0);
  EXPECT_FALSE(entry.counters);
  EXPECT_NE(entry.countersMissing, "");
  EXPECT_EQ(entry.problem, "");
  EXPECT_GT(entry.fractionOfCopy, 0);
}

TEST_P(SuiteOnDeviceTest, ARunThatIsStoppedLeavesWhatItMeasured) {
  SuiteRun run(device_, gate_, pool_, tiles());
  PlannedClass plan = planClass(gpu::theCatalogue(), starOf(24));
  std::stop_source stop;
  SuiteOptions stopping = options();
  stopping.stop = stop.get_token();
  int begun = 0;
  stopping.progress = [&](const SuiteEntry&) {
    if (++begun == 2) { stop.request_stop(); }
  };
  const SuiteClass measured = run.measure(plan, stopping);
  EXPECT_EQ(measured.entries.size(), 2U);
  EXPECT_GT(measured.entries.at(0).fractionOfCopy, 0);
  EXPECT_FALSE(measured.complete);
}

TEST_P(SuiteOnDeviceTest, OfSeveralStepsEachCountsAsASweep) {
  SuiteRun run(device_, gate_, pool_, tiles());
  const gpu::FakeTrouble trouble("sweeps=1,twice=2");
  const SuiteClass measured = run.measure(planClass(gpu::theCatalogue(), starOf(24, ValueType::F32, 2)), options());
  ASSERT_GE(measured.entries.size(), 2U);
  EXPECT_EQ(measured.entries.front().steps, 1);
  const SuiteEntry& twice = measured.entries[1];
  EXPECT_EQ(twice.steps, 2);
  EXPECT_TRUE(twice.verified) << twice.largestDifference << " " << twice.tolerance;
  EXPECT_NEAR(twice.effectiveGBs, 2 * 4 * (24.0 * 24 * 24 + 22 * 22 * 22) / (twice.time.medianMs * 1e6), 1e-9);
  ASSERT_NE(measured.best(), nullptr);
  EXPECT_EQ(measured.best()->steps, 2);
}

TEST_P(SuiteOnDeviceTest, ATileThatWasTunedIsUsedAndNamed) {
  SuiteRun run(device_, gate_, pool_, tiles());
  PlannedClass plan = planClass(gpu::theCatalogue(), starOf(24));
  plan.variants.resize(1);
  SuiteOptions tuning = options();
  tuning.tuneCandidates = 4;
  const SuiteEntry entry = run.measure(plan, tuning).entries.at(0);
  EXPECT_EQ(entry.tile, TileSource::Tuned);
  EXPECT_TRUE(tiles().find(*entry.variant.file, entry.variant.bindings));
}

TEST_P(SuiteOnDeviceTest, WhatIsWrongIsSaid) {
  SuiteRun run(device_, gate_, pool_, tiles());
  PlannedClass plan = planClass(gpu::theCatalogue(), starOf(24));
  plan.variants.resize(2);
  const SuiteClass wrong = run.measure(plan, options(false));
  EXPECT_FALSE(wrong.right()) << "the root differs from the reference";
  EXPECT_EQ(wrong.best(), nullptr);
  const KernelFile& second = *plan.variants[1].file;
  KernelFile edited = second;
  edited.text += "#error broken\n";
  plan.variants[1].file = &edited;
  const SuiteClass measured = run.measure(plan, options());
  ASSERT_EQ(measured.entries.size(), 2U);
  EXPECT_THAT(measured.entries[1].problem, HasSubstr("broken"));
  EXPECT_EQ(measured.entries[0].problem, "");
  KernelFile newer = second;
  newer.leastCapability = 999;
  plan.variants[1].file = &newer;
  EXPECT_THAT(run.measure(plan, options()).entries.at(1).problem,
              HasSubstr("needs a GPU of compute capability 99.9; "));
  KernelFile root = *plan.variants[0].file;
  root.text += "#error no root\n";
  plan.variants[0].file = &root;
  plan.variants[1].file = &second;
  EXPECT_THAT(run.measure(plan, options()).entries.at(1).problem, HasSubstr("the root"));
}

TEST_P(SuiteOnDeviceTest, AProblemThatDoesNotFitIsRefused) {
  if (!GetParam()) { GTEST_SKIP() << "only the fake device is this small"; }
  SuiteRun run(device_, gate_, pool_, tiles());
  const gpu::FakeTrouble trouble("free=16,sweeps=1");
  const SuiteClass measured = run.measure(planClass(gpu::theCatalogue(), starOf(256)), options());
  ASSERT_FALSE(measured.entries.empty());
  EXPECT_THAT(measured.entries[0].problem, HasSubstr("the class needs 0.3 GiB of device memory"));
  EXPECT_EQ(measured.best(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Driver, SuiteOnDeviceTest, testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "fake" : "real"; });

}  // namespace
}  // namespace haloscope::measuring
