#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "KernelCatalogue.h"
#include "actions/PlaygroundActions.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "inputs/ChosenData.h"
#include "program/SourceLocation.h"
#include "simt/Executor.h"
#include "state/AppState.h"
#include "state/Playground.h"

/// What the playground chooses: problems, and the kernels that compute them.
namespace haloscope {
namespace {

using test::catalogue;

class PlaygroundTest : public ::testing::Test {
 protected:
  PlaygroundTest() { state_.catalogue = catalogue(); }

  void begin(const std::string& id, std::int64_t size) {
    startProblem(state_, id);
    choosePlaySize(state_, size);
  }

  [[nodiscard]] ArrayData output() const {
    experiment::RunOptions options;
    options.record = options.countGrid = true;
    const auto made = experiment::run(state_.catalogue, state_.choice, options);
    EXPECT_FALSE(made->fault) << state_.choice.kernel;
    return made->launch->arrays[made->program->findObject(made->file.computes->output)];
  }

  /// A picture of the repository, as it is read beside the frames.
  void drop(const std::string& file) {
    dropPicture(state_, std::filesystem::path(HALOSCOPE_SOURCE_DIR) / file);
    inputs::ChosenData read;
    std::string problem;
    try {
      inputs::choose(read, "picture", "@" + state_.playground.dropped.string());
    } catch (const UserError& refused) { problem = refused.message(); }
    takePicture(state_, read["picture"], problem);
  }

  /// The field after so many sweeps of what is chosen.
  [[nodiscard]] std::vector<double> swept(int sweeps) const {
    experiment::RunOptions options;
    options.record = false;
    const auto made = experiment::run(state_.catalogue, state_.choice, options);
    Launch launch = experiment::initialLaunch(*made);
    const ObjectId in = made->program->findObject(made->file.computes->input);
    const ObjectId out = made->program->findObject(made->file.computes->output);
    launch.arrays[out].bytes = launch.arrays[in].bytes;
    for (int i = 0; i < sweeps; ++i) {
      simt::execute(*made->program, launch);
      std::swap(launch.arrays[in].bytes, launch.arrays[out].bytes);
    }
    std::vector<double> values;
    for (std::int64_t i = 0; i < launch.arrays[in].elementCount(); ++i) {
      values.push_back(experiment::valueAt(launch.arrays[in], i));
    }
    return values;
  }

  AppState state_;
};

TEST_F(PlaygroundTest, EveryEngineComputesTheSame) {
  for (const auto& [id, size] : {std::pair("playground/heat_plate", 40), std::pair("playground/heat_block", 24),
                                 std::pair("playground/picture", 40)}) {
    begin(id, size);
    const ArrayData expected = output();
    const std::vector<const KernelFile*> engines = enginesOf(state_.catalogue, state_.catalogue.at(id));
    EXPECT_GT(engines.size(), 3U) << id;
    double largest = 0;
    for (std::int64_t i = 0; i < expected.elementCount(); ++i) {
      largest = std::max(largest, std::abs(experiment::valueAt(expected, i)));
    }
    EXPECT_GT(largest, 0.1) << id;
    for (const KernelFile* engine : engines) {
      if (engine->steps(engine->defaults()) != 1) { continue; }
      chooseEngine(state_, engine->id);
      ASSERT_EQ(state_.choice.kernel, engine->id);
      const ArrayData made = output();
      ASSERT_EQ(made.elementCount(), expected.elementCount()) << engine->id;
      for (std::int64_t i = 0; i < expected.elementCount(); ++i) {
        ASSERT_NEAR(experiment::valueAt(made, i), experiment::valueAt(expected, i), 1e-5 * largest)
            << engine->id << " at " << i;
      }
      begin(id, size);
    }
  }
}

TEST_F(PlaygroundTest, CoefficientsReachEveryEngine) {
  begin("playground/heat_plate", 33);
  const ArrayData slow = output();
  const auto coefficients = state_.catalogue.at("playground/heat_plate").coefficientsOfProblem();
  ASSERT_EQ(coefficients.size(), 1U);
  EXPECT_EQ(coefficients[0]->name, "RATE");
  chooseEngine(state_, "stencil/2d_5_tiled");
  chooseCoefficient(state_, "RATE", 5);
  const ArrayData fast = output();
  EXPECT_NE(slow.bytes, fast.bytes);
  chooseEngine(state_, "playground/heat_plate");
  EXPECT_EQ(coefficientOf(state_, *coefficients[0]), 5);
  EXPECT_EQ(output().bytes, fast.bytes);
}

TEST_F(PlaygroundTest, AFilterIsKeptByTheNextEngine) {
  begin("playground/picture", 24);
  const SweptProblem& problem = *state_.catalogue.at("playground/picture").problem;
  const auto& box = problem.filters.at(1);
  ASSERT_EQ(box.weights.size(), 25U);
  chooseFilter(state_, box.weights);
  EXPECT_EQ(chosenFilter(state_), box.weights);
  chooseEngine(state_, "convolution/constant");
  EXPECT_EQ(chosenFilter(state_), box.weights);
  EXPECT_EQ(state_.choice.bindings.at("FILTER_RADIUS"), 2);
}

TEST_F(PlaygroundTest, APictureThatIsNoneIsRefusedAndNothingElseChanges) {
  begin("playground/picture", 24);
  const experiment::Choice before = state_.choice;
  drop("README.md");
  EXPECT_FALSE(state_.playground.trouble.empty());
  EXPECT_EQ(state_.choice, before);
  drop("assets/images/start.png");
  EXPECT_TRUE(state_.playground.trouble.empty()) << state_.playground.trouble;
  EXPECT_NE(state_.choice, before);
}

TEST_F(PlaygroundTest, APictureThatIsDroppedAnywhereBeginsTheProblemThatTakesIt) {
  state_.choice.kernel = "stencil/tiled";
  state_.view.tabs.enter(Workspace::Walk);
  drop("assets/images/start.png");
  EXPECT_EQ(state_.view.tabs.workspace(), Workspace::Play);
  EXPECT_EQ(state_.choice.kernel, "playground/picture");
  EXPECT_TRUE(state_.playground.trouble.empty()) << state_.playground.trouble;
  EXPECT_EQ(state_.playground.picture.filename(), "start.png");
}

TEST_F(PlaygroundTest, OtherKernelsAreNoEngines) {
  begin("playground/life", 24);
  ASSERT_NE(playedProblem(state_), nullptr);
  chooseEngine(state_, "stencil/2d_5_basic");
  EXPECT_EQ(state_.choice.kernel, "playground/life");
  state_.choice.kernel = "stencil/2d_5_basic";
  EXPECT_EQ(playedProblem(state_), nullptr);
}

/// The rate of the field on screen, as it is measured in the window.
TEST_F(PlaygroundTest, TheEmulatorsSpeedChoosesTheSizeOnce) {
  const auto swept = [&](double rate, FieldPath path) {
    startProblem(state_, "playground/heat_plate");
    state_.view.tabs.enter(Workspace::Play);
    state_.playground.entered = true;
    state_.field = {};
    state_.field.path = path;
    state_.field.kernel = state_.choice.kernel;
    state_.field.extents = {512, 512};
    state_.field.sweepsPerSecond = rate;
    followPlayground(state_);
    return state_.choice.bindings.at("N");
  };
  EXPECT_EQ(swept(6, FieldPath::Interop), 512) << "a GPU keeps the problem's size";
  EXPECT_EQ(swept(60, FieldPath::Emulator), 512);
  EXPECT_EQ(state_.playground.sizeNote, "");
  EXPECT_EQ(swept(10, FieldPath::Emulator), 256) << "forty there";
  EXPECT_NE(state_.playground.sizeNote, "");
  EXPECT_EQ(swept(1, FieldPath::Emulator), 128) << "the smallest that there is";
  choosePlaySize(state_, 512);
  followPlayground(state_);
  EXPECT_EQ(state_.choice.bindings.at("N"), 512) << "as chosen by hand";
  EXPECT_EQ(state_.playground.sizeNote, "");
}

/// Several time steps in a launch: as many of the problem's own kernel.
TEST_F(PlaygroundTest, AnEngineWithSeveralStepsComputesAsManySweeps) {
  for (const auto& [id, size] : {std::pair("playground/heat_plate", 40), std::pair("playground/heat_block", 24)}) {
    begin(id, size);
    int tried = 0;
    for (const KernelFile* engine : enginesOf(state_.catalogue, state_.catalogue.at(id))) {
      const auto steps = static_cast<int>(engine->steps(engine->defaults()));
      if (steps == 1 || tried == 2) { continue; }
      begin(id, size);
      const std::vector<double> expected = swept(steps);
      chooseEngine(state_, engine->id);
      ASSERT_EQ(state_.choice.kernel, engine->id);
      const std::vector<double> made = swept(1);
      ASSERT_EQ(made.size(), expected.size()) << engine->id;
      const double largest = *std::ranges::max_element(expected);
      EXPECT_GT(largest, 0.1);
      for (std::size_t i = 0; i < made.size(); ++i) {
        ASSERT_NEAR(made[i], expected[i], 1e-5 * largest) << engine->id << " at " << i;
      }
      ++tried;
    }
    EXPECT_GT(tried, 0) << id;
  }
}

}  // namespace
}  // namespace haloscope
