#include <gtest/gtest.h>

#include <algorithm>

#include "DeviceCompiler.h"
#include "UiDriver.h"
#include "actions/Choices.h"
#include "figures/ConstantUse.h"
#include "measuring/GpuSpecs.h"
#include "parts/FigureList.h"

/// The figures that tell what a kernel costs: OP/B, constant memory, the tail, registers.
namespace haloscope::test {
namespace {

class CostFiguresTest : public ::testing::Test {
 protected:
  AppState& state() { return driver_.state(); }

  void open(const std::string& figure, const std::string& kernel = "stencil/tiled") {
    state().choice = {.kernel = kernel, .bindings = {}, .block = {}};
    state().figures.inFront = figure;
    state().view.tabs.bringToFront(Tab::Figures);
    driver_.settle();
    ASSERT_TRUE(state().figures.shows(figure.c_str()));
  }

  UiDriver driver_{[](AppOptions& options) {
    options.state.gpuSpecs =
        measuring::readGpuSpecs(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets" / "gpus.json");
  }};
};

TEST_F(CostFiguresTest, TheExplorerFillsItsCurveAndItsTable) {
  open("opb");
  const OpPerByteFigure& figure = state().figures.opPerByte;
  EXPECT_EQ(figure.curve.tunable, "IN_TILE_DIM");
  EXPECT_EQ(figure.curve.points.size(), 10U);
  EXPECT_TRUE(std::ranges::all_of(figure.curve.points, &figures::OpPerBytePoint::done));
  ASSERT_NE(figure.curve.at(8), nullptr);
  EXPECT_NEAR(figure.curve.at(8)->executed(), 13.0 / 4 * 216 / 512, 1e-12);
  EXPECT_EQ(figure.curve.walls.front().last, 10);
  EXPECT_GT(figure.allVariants, 8U);
  EXPECT_EQ(figure.variants.size(), figure.allVariants);
}

TEST_F(CostFiguresTest, AnotherTileKeepsTheCurveAndAnotherKernelMakesANewOne) {
  open("opb");
  const auto file = state().figures.opPerByte.curve.file;
  state().choice = withValue(*chosenFile(state()), state().choice, "IN_TILE_DIM", 6);
  driver_.settle();
  EXPECT_EQ(state().figures.opPerByte.curve.file, file);
  EXPECT_EQ(state().figures.opPerByte.curve.bindings.at("IN_TILE_DIM"), 6);
  open("opb", "convolution/tiled_input_block");
  EXPECT_NE(state().figures.opPerByte.curve.file, file);
  EXPECT_EQ(state().figures.opPerByte.curve.file->id, "convolution/tiled_input_block");
}

TEST_F(CostFiguresTest, AWordChoosesWhatIsPlottedAndOverWhat) {
  open("opb", "convolution/tiled_output_block");
  EXPECT_EQ(state().figures.opPerByte.curve.tunable, "OUT_TILE_DIM");
  state().figures.opPerByte.tunable = "FILTER_RADIUS";
  state().figures.opPerByte.quantity = OpPerByteFigure::Quantity::IdleLanes;
  driver_.settle();
  EXPECT_EQ(state().figures.opPerByte.curve.tunable, "FILTER_RADIUS");
  EXPECT_EQ(state().figures.opPerByte.curve.points.size(), 5U);
}

TEST_F(CostFiguresTest, TheTailIsExecutedAtItsOwnSize) {
  open("tail", "convolution/basic");
  const TailFigure& figure = state().figures.tail;
  ASSERT_NE(figure.tail, nullptr);
  EXPECT_TRUE(figure.tail->executed) << figure.tail->problem;
  // 258 × 258 pixels in blocks of 16 × 16: 17 × 17 of them.
  EXPECT_EQ(figure.tail->work.threads, 17U * 17 * 256);
  EXPECT_EQ(figure.tail->work.working, 258U * 258);
  EXPECT_FALSE(figure.counting);
  EXPECT_NE(state().experiment->bindings.at("width"), 258) << "the window keeps its size";
  ASSERT_NE(figure.curve, nullptr);
  EXPECT_EQ(figure.curve->note, "");
  const auto sample = std::ranges::find(figure.curve->samples, 258, &figures::TailSample::size);
  ASSERT_NE(sample, figure.curve->samples.end());
  EXPECT_EQ(sample->threads, figure.tail->work.threads);
  EXPECT_EQ(sample->working, figure.tail->work.working);
}

TEST_F(CostFiguresTest, AnotherSizeIsExecuted) {
  open("tail", "convolution/basic");
  state().figures.tail.sizes["width"] = 256;
  state().figures.tail.sizes["height"] = 256;
  driver_.settle();
  EXPECT_EQ(state().figures.tail.tail->work.idle, 0U);
  EXPECT_EQ(state().figures.tail.tail->work.threads, 65536U);
}

TEST_F(CostFiguresTest, RegistersAreOfTheChapterOrOfTheTileSizes) {
  open("registers");
  const RegistersFigure& figure = state().figures.registers;
  EXPECT_EQ(figure.missing.empty(), missingDeviceCompiler().empty()) << figure.missing;
  if (!figure.missing.empty()) { GTEST_SKIP() << figure.missing; }
  EXPECT_EQ(figure.reports.size(), state().catalogue.chapter("stencil").size());
  EXPECT_TRUE(std::ranges::all_of(figure.reports, &figures::CodeReport::done));
  state().figures.registers.ofSizes = true;
  driver_.settle();
  ASSERT_FALSE(figure.reports.empty());
  EXPECT_TRUE(std::ranges::all_of(figure.reports, [](const auto& report) { return report.id == "stencil/tiled"; }));
  const auto eight =
      std::ranges::find_if(figure.reports, [](const auto& report) { return report.bindings.at("IN_TILE_DIM") == 8; });
  ASSERT_NE(eight, figure.reports.end());
  EXPECT_EQ(eight->sharedBytes, 2048);
  state().view.gpuSpec = static_cast<int>(state().gpuSpecs.size()) - 1;
  driver_.settle();
  EXPECT_EQ(figure.target.name, state().gpuSpecs.back().name);
}

TEST_F(CostFiguresTest, ConstantMemoryFollowsTheStep) {
  open("constant", "convolution/constant");
  state().cursor.goTo(0);
  driver_.settle();
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) { user->ItemClick("**/go to line 46"); }));
  ASSERT_FALSE(state().cursor.atStart());
  const auto accesses = state().cursor.recording().accessesOf(state().cursor.position() - 1);
  EXPECT_TRUE(std::ranges::any_of(accesses, [](const auto& one) { return one.space == MemorySpace::Constant; }));
}

TEST_F(CostFiguresTest, FromFigureToFigureByKey) {
  open("opb");
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) { user->KeyChars("."); }));
  EXPECT_EQ(state().figures.inFront, neighbourFigure("opb", 1).id);
  for (const char* kernel : {"stencil/basic", "convolution/basic", "convolution/cached_halo"}) {
    for (const std::string& figure : figureIds()) { open(figure, kernel); }
  }
}

TEST_F(CostFiguresTest, ConstantMemoryIsAddedUpOnceForAnExperiment) {
  open("constant", "convolution/constant");
  const ConstantFigure& figure = state().figures.constant;
  ASSERT_NE(figure.use, nullptr);
  EXPECT_EQ(figure.experiment, state().experiment);
  EXPECT_EQ(figure.use->bytes, 36);
  const auto before = figure.use;
  driver_.settle();
  EXPECT_EQ(figure.use, before);
  open("constant", "stencil/basic");
  EXPECT_EQ(figure.experiment, state().experiment);
  EXPECT_NE(figure.use, before);
}

}  // namespace
}  // namespace haloscope::test
