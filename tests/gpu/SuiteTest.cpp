#include "measuring/SuiteRun.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "FaultSupport.h"
#include "checking/GpuGate.h"
#include "measuring/Peers.h"
#include "measuring/SuitePlan.h"
#include "measuring/TileSearch.h"
#include "measuring/TunedTiles.h"
#include "program/LimitSuite.h"
#include "work/Pool.h"

/// Suites: what is planned needs no GPU; what is measured comes from a fake driver too, whose kernels do nothing.
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
  EXPECT_EQ(suite.classes.size(), 13U);
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
  EXPECT_EQ(reasonOf(plan, "beyond/3d_7_two_steps"), "beyond/3d_7_two_steps computes 2 time steps a launch");
}

TEST(SuitePlanTest, ARungMustComputeInTheTypeAndTheSteps) {
  const PlannedClass twice = planClass(gpu::theCatalogue(), starOf(64, ValueType::F64, 2));
  EXPECT_EQ(idsOf(twice).front(), "stencil/basic") << "the root, in one step";
  EXPECT_THAT(idsOf(twice), Contains("beyond/3d_7_two_steps"));
  EXPECT_EQ(twice.variants.front().bindings.at("REAL"), 8);
  EXPECT_EQ(reasonOf(twice, "stencil/tiled"), "stencil/tiled computes 1 time step a launch");
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
  [[nodiscard]] TunedTiles tiles(const std::string& gpu = "A GPU", const std::string& driver = "1") const {
    return {gpu::DiskCache(folder_, 1U << 20U), gpu, driver};
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
  EXPECT_FALSE(TunedTiles(gpu::DiskCache(), "A GPU", "1").find(file, tuned)) << "there is no folder";
}

TEST(PeerTest, ItsCommandHasTheProblemsValues) {
  const Peer peer = peerOf("AN5D=./an5d {size} {steps} {precision} {N} {");
  EXPECT_EQ(peer.name, "AN5D");
  EXPECT_EQ(commandFor(peer, starOf(512, ValueType::F64, 4)), "./an5d 512 4 double 512 {");
  EXPECT_THROW(static_cast<void>(commandFor(peerOf("A=run {radius}"), starOf(8))), InputError);
  EXPECT_THROW(static_cast<void>(peerOf("no command")), InputError);
  EXPECT_THROW(static_cast<void>(peerOf("=command")), InputError);
}

TEST(PeerTest, TheLastNumberIsTheTime) {
  EXPECT_EQ(lastNumber("run 1 of 2: 0.75 ms\nmedian 0.5 ms\n"), 0.5);
  EXPECT_EQ(lastNumber("1e-3"), 1e-3);
  EXPECT_EQ(lastNumber("nothing"), 0);
}

TEST(PeerTest, WhatItDoesWrongIsSaid) {
  SuiteClass measured{.limit = starOf(64)};
  measured.points = 64 * 64 * 64;
  measured.copy.gbs = 100;
  const PeerTime good = timePeer({"good", "echo took 0.5 ms"}, measured);
  EXPECT_EQ(good.problem, "");
  EXPECT_NEAR(good.effectiveGBs, 2 * 4 * measured.points / 0.5e6, 1e-9);
  EXPECT_NEAR(good.fraction, good.effectiveGBs / 100, 1e-12);
  EXPECT_EQ(timePeer({"bad", "echo broken >&2; exit 3"}, measured).problem, "it ended with status 3: broken");
  EXPECT_EQ(timePeer({"mute", "true"}, measured).problem, "it printed no number of milliseconds");
  EXPECT_EQ(timePeer({"slow", "sleep 20"}, measured, std::chrono::seconds(0)).problem, "it did not end within 0 s");
}

/// On a device: true: the fake driver.
class SuiteOnDeviceTest : public TunedTilesTest, public testing::WithParamInterface<bool>, public gpu::OnDevice {
 protected:
  void SetUp() override { open(GetParam() ? gpu::fakeDevice() : gpu::DeviceOptions()); }
  [[nodiscard]] SuiteOptions options(bool right = true) const {
    return {.verify = [right](const KernelFile&, const Bindings& bindings, checking::GpuGate&) {
      EXPECT_EQ(bindings.at("N"), 33);
      return std::vector<Verification>{{.where = "here", .comparedWith = "reference", .pass = right}};
    }};
  }

  checking::GpuGate gate_;
  work::Pool pool_;
};

TEST_P(SuiteOnDeviceTest, EveryRungIsTimedAndVerified) {
  SuiteRun run(device_, gate_, pool_, tiles());
  const SuiteClass measured = run.measure(planClass(gpu::theCatalogue(), starOf(64)), options());
  EXPECT_EQ(measured.problem, "");
  ASSERT_GT(measured.entries.size(), 5U);
  EXPECT_GT(measured.copy.gbs, 0);
  EXPECT_GT(measured.multiplyAdds, 0);
  EXPECT_TRUE(measured.right());
  for (const SuiteEntry& entry : measured.entries) {
    SCOPED_TRACE(entry.variant.file->id);
    EXPECT_EQ(entry.problem, "");
    EXPECT_TRUE(entry.verified);
    EXPECT_GE(entry.time.samples, 20);
    EXPECT_GE(entry.warmups, 3);
    EXPECT_NEAR(entry.effectiveGBs, 2.0 * 4 * 64 * 64 * 64 / (entry.time.medianMs * 1e6), 1e-9);
    EXPECT_NEAR(entry.fractionOfCopy, entry.effectiveGBs / measured.copy.gbs, 1e-12);
    EXPECT_NEAR(entry.multiplyAdds, 7.0 * 64 * 64 * 64 / (entry.time.medianMs * 1e6), 1e-9);
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

TEST_P(SuiteOnDeviceTest, OfSeveralStepsEachCountsAsASweep) {
  SuiteRun run(device_, gate_, pool_, tiles());
  const SuiteClass measured = run.measure(planClass(gpu::theCatalogue(), starOf(64, ValueType::F32, 2)), options());
  ASSERT_GE(measured.entries.size(), 2U);
  EXPECT_EQ(measured.entries.front().steps, 1);
  const SuiteEntry& twice = measured.entries[1];
  EXPECT_EQ(twice.steps, 2);
  EXPECT_TRUE(twice.verified) << twice.largestDifference << " " << twice.tolerance;
  EXPECT_NEAR(twice.effectiveGBs, 2 * 2.0 * 4 * 64 * 64 * 64 / (twice.time.medianMs * 1e6), 1e-9);
  ASSERT_NE(measured.best(), nullptr);
  EXPECT_EQ(measured.best()->steps, 2);
}

TEST_P(SuiteOnDeviceTest, ATileThatWasTunedIsUsedAndNamed) {
  SuiteRun run(device_, gate_, pool_, tiles());
  PlannedClass plan = planClass(gpu::theCatalogue(), starOf(64));
  plan.variants.resize(1);
  SuiteOptions tuning = options();
  tuning.tuneCandidates = 4;
  const SuiteEntry entry = run.measure(plan, tuning).entries.at(0);
  EXPECT_EQ(entry.tile, TileSource::Tuned);
  EXPECT_TRUE(tiles().find(*entry.variant.file, entry.variant.bindings));
}

TEST_P(SuiteOnDeviceTest, WhatIsWrongIsSaid) {
  SuiteRun run(device_, gate_, pool_, tiles());
  PlannedClass plan = planClass(gpu::theCatalogue(), starOf(64));
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
  const gpu::FakeTrouble trouble("free=16");
  const SuiteClass measured = run.measure(planClass(gpu::theCatalogue(), starOf(256)), options());
  ASSERT_FALSE(measured.entries.empty());
  EXPECT_THAT(measured.entries[0].problem, HasSubstr("the class needs 0.3 GiB of device memory"));
  EXPECT_EQ(measured.best(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Driver, SuiteOnDeviceTest, testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "fake" : "real"; });

}  // namespace
}  // namespace haloscope::measuring
