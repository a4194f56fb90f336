
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "KernelCatalogue.h"
#include "analysis/StagedRace.h"
#include "experiment/Experiment.h"
#include "program/BarrierRemoval.h"

namespace haloscope::experiment {
namespace {

using test::catalogue;

/// Line of the first barrier.
int barrierLine(const KernelFile& file) {
  std::istringstream lines(file.text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.find("__syncthreads();") != std::string::npos) { return number; }
  }
  return 0;
}

std::shared_ptr<const Experiment> runChoice(const Choice& choice) {
  RunOptions options;
  options.countGrid = false;
  return run(catalogue(), choice, options);
}

TEST(BarrierLines, AreThoseOfTheTextAlsoOfABarrierLeftOut) {
  KernelFile file = catalogue().at("stencil/tiled");
  const int line = barrierLine(file);
  const std::size_t code = file.text.find("__global__");
  file.text.insert(code, "// __syncthreads();\n");  // a comment is not a barrier
  Choice choice{file.id, {}, std::nullopt};
  choice.withoutBarriers = {line, line + 1};
  RunOptions options;
  options.countGrid = false;
  const auto experiment = run(file, choice, options);
  EXPECT_EQ(experiment->barriers, std::set<int>{line + 1});
  EXPECT_EQ(experiment->choice.withoutBarriers, std::set<int>{line + 1}) << "the other line has no barrier";
  EXPECT_TRUE(barrierLines(*experiment->program).empty());
}

TEST(BarrierEffect, ATelledOrderGivesWrongOutputsInEveryTiledKernel) {
  for (const char* id : {"stencil/tiled", "stencil/coarsened", "stencil/register_tiled",
                         "convolution/tiled_input_block", "convolution/tiled_output_block"}) {
    SCOPED_TRACE(id);
    Choice choice{id, {}, std::nullopt};
    choice.withoutBarriers = {barrierLine(catalogue().at(id))};
    const auto hidden = runChoice(choice);
    ASSERT_TRUE(hidden->barrierEffect);
    EXPECT_TRUE(hidden->barrierEffect->differences.empty());
    ASSERT_TRUE(hidden->barrierEffect->revealing);

    choice.order = hidden->barrierEffect->revealing->order;
    choice.orderSeed = hidden->barrierEffect->revealing->seed;
    const auto shown = runChoice(choice);
    ASSERT_TRUE(shown->barrierEffect);
    EXPECT_EQ(shown->barrierEffect->differences.size(), hidden->barrierEffect->revealing->differences);
    EXPECT_FALSE(shown->barrierEffect->revealing);

    // A load that sees another value than with the barrier: what was stored too early, or not yet.
    std::set<std::uint32_t> wrong;
    for (const OutputDifference& difference : shown->barrierEffect->differences) {
      wrong.insert(*shown->writes.writer(difference.element));
    }
    const auto race = analysis::firstRacyLoad(*shown->recording, wrong);
    ASSERT_TRUE(race);
    EXPECT_NE(race->first.store, race->second.store);
    EXPECT_LE(race->first.step, race->second.step);
    EXPECT_NE(race->first.thread / kWarpSize, race->second.thread / kWarpSize);
    EXPECT_EQ(shown->recording->steps[race->first.step].interval, shown->recording->steps[race->second.step].interval);
    EXPECT_TRUE(wrong.contains((race->first.store ? race->second : race->first).thread));
    for (const analysis::RaceAccess& access : {race->first, race->second}) {
      EXPECT_EQ(analysis::accessOf(*shown->recording, access.step, access.thread, race->object, race->element), access);
    }

    // The differences match the picture: the recording's last write is not the value with the barrier.
    choice.withoutBarriers.clear();
    const auto right = runChoice(choice);
    EXPECT_FALSE(right->barrierEffect);
    std::set<std::uint32_t> all;
    for (std::uint32_t thread = 0; thread < right->recording->threadCount(); ++thread) { all.insert(thread); }
    EXPECT_EQ(analysis::firstRacyLoad(*right->recording, all), std::nullopt);
    const auto valuesOf = [](const Experiment& experiment) {
      recording::Cursor cursor(experiment.recording);
      cursor.goTo(cursor.end());
      return recording::viewBlock(cursor, experiment.footprint, experiment.carriers).outputs;
    };
    const auto with = valuesOf(*right);
    const auto without = valuesOf(*shown);
    ASSERT_EQ(with.size(), without.size());
    std::vector<OutputDifference> differences;
    for (std::size_t i = 0; i < with.size(); ++i) {
      ASSERT_EQ(with[i].element, without[i].element);
      if (with[i].bits != without[i].bits) { differences.push_back({with[i].element, with[i].bits}); }
    }
    EXPECT_EQ(differences, shown->barrierEffect->differences);
  }
}

TEST(BarrierEffect, AnUnneededBarrierChangesNothingInAnyOrder) {
  KernelFile file = catalogue().at("stencil/tiled");
  const std::string barrier = "__syncthreads();";
  file.text.insert(file.text.find(barrier), barrier + " ");
  // Both are on one line and are removed together; another one on a separate line stays.
  file.text.insert(file.text.find('\n', file.text.find(barrier)) + 1, barrier + "\n");
  Choice choice{file.id, {}, std::nullopt};
  choice.withoutBarriers = {barrierLine(file)};
  RunOptions options;
  options.countGrid = false;
  const auto experiment = run(file, choice, options);
  ASSERT_TRUE(experiment->barrierEffect);
  EXPECT_TRUE(experiment->barrierEffect->differences.empty());
  EXPECT_FALSE(experiment->barrierEffect->revealing);
  EXPECT_EQ(experiment->barrierEffect->ordersTried, 12U);
}

}  // namespace
}  // namespace haloscope::experiment
