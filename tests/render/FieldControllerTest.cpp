#include <chrono>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <thread>

#include "FieldSupport.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "field/CurveColumns.h"
#include "field/FieldController.h"
#include "simt/Executor.h"
#include "tests/kernels/KernelCatalogue.h"
#include "work/Pool.h"

/// The running field without a GPU: swept by the emulator.
namespace haloscope::render {
namespace {

class FieldControllerTest : public FieldTest {
 protected:
  void SetUp() override {
    FieldTest::SetUp();
    if (!context_) { return; }
    state_.catalogue = test::catalogue();
    state_.fieldControls.width = 96;
    state_.fieldControls.height = 96;
    choose("stencil/tiled", 12);
  }

  void choose(const std::string& kernel, std::int64_t size) {
    experiment::RunOptions options;
    options.record = false;
    experiment::Choice choice;
    choice.kernel = kernel;
    choice.bindings["N"] = size;
    state_.experiment = experiment::run(state_.catalogue, choice, options);
  }

  /// The field after this many sweeps, computed here.
  std::vector<float> expected(int sweeps) const {
    const experiment::Experiment& experiment = *state_.experiment;
    Launch launch = *experiment.launch;
    const ObjectId in = experiment.program->findObject("in");
    const ObjectId out = experiment.program->findObject("out");
    launch.arrays[out].bytes = launch.arrays[in].bytes;
    for (int i = 0; i < sweeps; ++i) {
      simt::execute(*experiment.program, launch);
      std::swap(launch.arrays[in].bytes, launch.arrays[out].bytes);
    }
    std::vector<float> values(launch.arrays[in].bytes.size() / sizeof(float));
    std::memcpy(values.data(), launch.arrays[in].bytes.data(), launch.arrays[in].bytes.size());
    return values;
  }

  /// The value in the middle of the picture, as the pointer finds it.
  FieldProbe probeMiddle(field::FieldController& controller) {
    state_.fieldControls.pointer = {50.0F, 50.0F};
    controller.update(state_);
    EXPECT_TRUE(state_.field.probe);
    return state_.field.probe.value_or(FieldProbe{});
  }

  void expectProbe(field::FieldController& controller, int sweeps) {
    const FieldProbe probe = probeMiddle(controller);
    const auto at = static_cast<std::size_t>((probe.point.z * 12 + probe.point.y) * 12 + probe.point.x);
    EXPECT_EQ(probe.value, expected(sweeps).at(at)) << sweeps << " sweeps";
  }

  work::Pool pool_;
  AppState state_;
};

TEST_F(FieldControllerTest, AFieldOfOneAxisIsACurve) {
  choose("stencil/finite_difference_3", 24);
  field::FieldController controller({.shaders = shaderFolder(), .software = true, .gpu = false}, pool_);
  controller.settle(state_);
  controller.sweep(state_, 1);
  const FieldCurve& curve = state_.field.curve;
  const std::vector<float> input = expected(0);
  const std::vector<float> now = expected(1);
  ASSERT_EQ(curve.now.size(), 24U);
  for (std::size_t i = 0; i < 24; ++i) {
    EXPECT_EQ(curve.input.at(i), (FieldCurve::Column{input[i], input[i]})) << i;
    EXPECT_EQ(curve.now.at(i), (FieldCurve::Column{now[i], now[i]})) << i;
  }
  // The pointer in the middle of the plot is at the middle of the array.
  state_.fieldControls.pointer = {48.0F, 10.0F};
  controller.update(state_);
  ASSERT_TRUE(state_.field.probe);
  EXPECT_EQ(state_.field.probe->point, (recording::GridPoint{0, 0, 12}));
  EXPECT_EQ(state_.field.probe->value, now[12]);

  choose("stencil/tiled", 12);
  controller.settle(state_);
  EXPECT_TRUE(state_.field.curve.now.empty());
}

TEST(CurveColumns, HoldTheLowestAndTheHighestOfTheirPoints) {
  const std::vector<float> values = {1, 3, 2, -1, INFINITY, 5, NAN, NAN};
  const auto bytes = std::as_bytes(std::span(values));
  const auto four = field::curveColumns(bytes, ValueType::F32, 4);
  ASSERT_EQ(four.size(), 4U);
  EXPECT_EQ(four[0], (FieldCurve::Column{1, 3}));
  EXPECT_EQ(four[1], (FieldCurve::Column{-1, 2}));
  EXPECT_EQ(four[2], (FieldCurve::Column{5, 5}));
  EXPECT_TRUE(std::isnan(four[3][0]));
  EXPECT_EQ(field::curveColumns(bytes, ValueType::F32, 100).size(), values.size());
}

TEST_F(FieldControllerTest, SweepsOnTheEmulatorAndSaysSo) {
  field::FieldController controller({.shaders = shaderFolder(), .software = true, .gpu = false}, pool_);
  controller.settle(state_);
  EXPECT_EQ(state_.field.path, FieldPath::Emulator);
  EXPECT_FALSE(state_.field.pathReason.empty());
  EXPECT_EQ(state_.field.problem, "");
  EXPECT_EQ(state_.field.extents, (std::vector<std::int64_t>{12, 12, 12}));
  EXPECT_EQ(state_.field.kernel, "stencil/tiled");
  EXPECT_NE(state_.field.texture, 0U);
  EXPECT_FALSE(controller.changes());
  expectProbe(controller, 0);
  controller.sweep(state_, 3);
  EXPECT_EQ(state_.field.sweeps, 3U);
  expectProbe(controller, 3);
  EXPECT_LT(state_.field.low, state_.field.high);
  EXPECT_TRUE(state_.field.ring.empty()) << "the emulator's time says nothing about a GPU";
}

TEST_F(FieldControllerTest, ALaplacianInDoubleIsTheSameInside) {
  experiment::Choice choice;
  choice.kernel = "laplacian/basic";
  choice.bindings = {{"nx", 12}, {"ny", 12}, {"nz", 12}};
  experiment::RunOptions options;
  options.record = false;
  state_.experiment = experiment::run(state_.catalogue, choice, options);
  field::FieldController controller({.shaders = shaderFolder(), .software = true, .gpu = false}, pool_);
  controller.sweep(state_, 1);
  EXPECT_EQ(state_.field.problem, "");
  EXPECT_EQ(state_.field.element, ValueType::F64);
  EXPECT_EQ(probeMiddle(controller).value, 3.0);
}

TEST_F(FieldControllerTest, ALaplacianIsNoTimeStepAndIsComputedFromTheSameInputAgain) {
  experiment::Choice choice;
  choice.kernel = "laplacian/basic";
  choice.bindings = {{"nx", 12}, {"ny", 12}, {"nz", 12}};
  experiment::RunOptions options;
  options.record = false;
  state_.experiment = experiment::run(state_.catalogue, choice, options);
  field::FieldController controller({.shaders = shaderFolder(), .software = true, .gpu = false}, pool_);
  controller.sweep(state_, 3);
  EXPECT_EQ(state_.field.sweeps, 3U);
  EXPECT_NE(state_.field.noTimeStep.find("add up to 0"), std::string::npos) << state_.field.noTimeStep;
  EXPECT_EQ(probeMiddle(controller).value, 3.0) << "the Laplacian of a Laplacian would be 0";
  choose("stencil/basic", 12);
  controller.settle(state_);
  EXPECT_EQ(state_.field.noTimeStep, "");
}

/// A problem's arrays, swept by hand.
class ProblemTest : public FieldControllerTest, public testing::WithParamInterface<const char*> {};

TEST_P(ProblemTest, ItsArraysTakeEachOthersPlaces) {
  choose(GetParam(), 24);
  const KernelFile& file = state_.experiment->file;
  const Program& program = *state_.experiment->program;
  const SweptProblem& problem = *file.problem;
  Launch launch = experiment::initialLaunch(*state_.experiment);
  for (const auto& [to, from] : problem.advance) {
    if (problem.successor(problem.successor(to)) == to) {
      launch.arrays[program.findObject(from)].bytes = launch.arrays[program.findObject(to)].bytes;
    }
  }
  constexpr int kSweeps = 5;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    simt::execute(program, launch);
    std::map<std::string, std::vector<std::byte>> before;
    for (const MemoryObject& object : program.objects) {
      before[object.name] = launch.arrays[program.findObject(object.name)].bytes;
    }
    for (const auto& [name, bytes] : before) {
      launch.arrays[program.findObject(name)].bytes = before.at(problem.successor(name));
    }
    for (std::size_t i = 0; i < program.parameters.size(); ++i) {
      if (program.parameters[i].name == problem.alternates) { launch.arguments[i] = 1 - launch.arguments[i]; }
    }
  }
  const ArrayData& expected = launch.arrays[program.findObject(problem.shows)];
  field::FieldController controller({.shaders = shaderFolder(), .software = true, .gpu = false}, pool_);
  controller.sweep(state_, kSweeps);
  EXPECT_EQ(state_.field.problem, "");
  EXPECT_EQ(state_.field.noTimeStep.empty(), !problem.advance.empty() || !problem.alternates.empty());
  bool differ = false;
  for (int x = 3; x < 96; x += 8) {
    state_.fieldControls.pointer = {static_cast<float>(x), 40.0F};
    controller.update(state_);
    if (!state_.field.probe) { continue; }
    const auto& at = state_.field.probe->point;
    const std::int64_t element = (at.z * 24 + at.y) * 24 + at.x;
    EXPECT_EQ(state_.field.probe->value, experiment::valueAt(expected, element)) << at.x;
    differ |= state_.field.probe->value != experiment::valueAt(expected, 0);
  }
  EXPECT_TRUE(differ) << "nothing happens here";
}

INSTANTIATE_TEST_SUITE_P(Playground, ProblemTest,
                         testing::Values("playground/heat_plate", "playground/wave", "playground/gray_scott",
                                         "playground/poisson_red_black", "playground/gray_scott_3d"),
                         [](const auto& id) { return std::string(id.param).substr(11); });

TEST_F(FieldControllerTest, TheBrushWritesAroundThePointer) {
  choose("playground/heat_plate", 24);
  field::FieldController controller({.shaders = shaderFolder(), .software = true, .gpu = false}, pool_);
  controller.settle(state_);
  state_.fieldControls.pointer = {70.0F, 20.0F};
  controller.update(state_);
  ASSERT_TRUE(state_.field.probe);
  EXPECT_EQ(state_.field.probe->value, 0);
  state_.fieldControls.brush = {{"in", 0.25}};
  state_.fieldControls.brushRadius = 2;
  state_.fieldControls.painting = true;
  controller.settle(state_);
  EXPECT_FALSE(state_.fieldControls.painting);
  controller.update(state_);
  EXPECT_EQ(state_.field.probe->value, 0.25);
  state_.fieldControls.pointer = {93.0F, 93.0F};  // of the outermost points
  state_.fieldControls.painting = true;
  controller.settle(state_);
  controller.update(state_);
  EXPECT_EQ(state_.field.probe->value, 0) << "which are the problem's border";
}

TEST_F(FieldControllerTest, AResidualFalls) {
  choose("playground/poisson_jacobi", 32);
  field::FieldController controller({.shaders = shaderFolder(), .software = true, .gpu = false}, pool_);
  controller.settle(state_);
  ASSERT_FALSE(state_.field.residuals.empty());
  const double first = state_.field.residuals.front().value;
  EXPECT_EQ(state_.field.residuals.front().points, 30U * 30);
  EXPECT_GT(first, 0);
  controller.sweep(state_, 200);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // until it is due again
  controller.settle(state_);
  EXPECT_LT(state_.field.residuals.back().value, first / 20);
}

TEST_F(FieldControllerTest, ResetGivesTheInputBack) {
  field::FieldController controller({.shaders = shaderFolder(), .software = true, .gpu = false}, pool_);
  controller.sweep(state_, 2);
  state_.fieldControls.reset = true;
  controller.settle(state_);
  EXPECT_FALSE(state_.fieldControls.reset);
  EXPECT_EQ(state_.field.sweeps, 0U);
  expectProbe(controller, 0);
}

TEST_F(FieldControllerTest, AnotherKernelGoesOnWithTheField) {
  field::FieldController controller({.shaders = shaderFolder(), .software = true, .gpu = false}, pool_);
  controller.sweep(state_, 2);
  choose("stencil/register_tiled", 12);
  controller.settle(state_);
  EXPECT_EQ(state_.field.kernel, "stencil/register_tiled");
  EXPECT_EQ(state_.field.sweeps, 2U);
  expectProbe(controller, 2);
  choose("stencil/register_tiled", 16);
  controller.settle(state_);
  EXPECT_EQ(state_.field.sweeps, 0U) << "another size is another field";
  EXPECT_EQ(state_.field.extents, (std::vector<std::int64_t>{16, 16, 16}));
}

TEST_F(FieldControllerTest, RunsSweepAfterSweepUntilPaused) {
  field::FieldController controller({.shaders = shaderFolder(), .software = true, .gpu = false}, pool_);
  state_.fieldControls.run = true;
  state_.fieldControls.volume = true;
  const auto begin = std::chrono::steady_clock::now();
  while (state_.field.sweeps < 3 && std::chrono::steady_clock::now() - begin < std::chrono::seconds(60)) {
    controller.update(state_);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_GE(state_.field.sweeps, 3U);
  EXPECT_TRUE(state_.field.running);
  EXPECT_TRUE(controller.changes());
  state_.fieldControls.run = false;
  controller.settle(state_);
  EXPECT_FALSE(state_.field.running);
}

TEST_F(FieldControllerTest, AMissingDriverIsNamed) {
  field::FieldOptions options{.shaders = shaderFolder(), .software = true};
  options.device.driver = "libcuda-that-is-not-there.so.1";
  field::FieldController controller(options, pool_);
  controller.settle(state_);
  EXPECT_EQ(state_.field.path, FieldPath::Emulator);
  EXPECT_EQ(state_.gpuMissing, "no NVIDIA driver (libcuda-that-is-not-there.so.1 not found)");
  EXPECT_EQ(state_.gpuName, "");
}

}  // namespace
}  // namespace haloscope::render
