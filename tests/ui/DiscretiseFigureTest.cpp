#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "UiDriver.h"
#include "actions/Choices.h"

/// The floating-point type of a text, chosen by the user; and the figure that compares the types.
namespace haloscope::test {
namespace {

ValueType outputType(const AppState& state) {
  const Program& program = *state.experiment->program;
  return program.objects[program.findObject(state.experiment->file.computes->output)].element;
}

TEST(PrecisionChoice, AKeyTakesTheNextType) {
  UiDriver driver([](AppOptions& options) { options.state.choice.kernel = "stencil/finite_difference_3"; });
  driver.settle();
  EXPECT_EQ(outputType(driver.state()), ValueType::F32);
  const auto press = [&] {
    ASSERT_TRUE(driver.act([](ImGuiTestContext* user) { user->KeyPress(ImGuiKey_D); }));
    driver.settle();
  };
  press();
  EXPECT_EQ(driver.state().choice.bindings.at("REAL"), 8);
  EXPECT_EQ(outputType(driver.state()), ValueType::F64);
  press();
  EXPECT_EQ(outputType(driver.state()), ValueType::F16);
  press();
  EXPECT_EQ(outputType(driver.state()), ValueType::F32);
}

TEST(PrecisionChoice, ItIsChosenInTheToolbarAndGoesAlongToTheNextVariant) {
  UiDriver driver([](AppOptions& options) { options.state.choice.kernel = "stencil/finite_difference_3"; });
  driver.settle();
  ASSERT_TRUE(driver.act([](ImGuiTestContext* user) {
    user->ItemClick("##toolbar/###more");  // where a small window has it
    user->SetRef("//$FOCUSED");
    user->ItemClick("##precision");
    user->SetRef("//$FOCUSED");
    user->ItemClick("double");
  }));
  driver.settle();
  EXPECT_EQ(outputType(driver.state()), ValueType::F64);
  driver.state().choice = withKernel(driver.state(), driver.state().catalogue.at("stencil/finite_difference_5"));
  driver.settle();
  EXPECT_EQ(driver.state().experiment->file.id, "stencil/finite_difference_5");
  EXPECT_EQ(outputType(driver.state()), ValueType::F64);
}

void showFigure(AppState& state, const char* id) {
  state.view.tabs.bringToFront(Tab::Figures);
  state.figures.inFront = id;
}

TEST(DiscretiseFigureTest, ShowsTheBooksSamplesAndAllCurves) {
  UiDriver driver([](AppOptions& options) { showFigure(options.state, "discretise"); });
  driver.settle();
  const DiscretiseFigure& figure = driver.state().figures.discretise;
  EXPECT_EQ(figure.problem, "");
  ASSERT_NE(figure.samples, nullptr);
  EXPECT_EQ(figure.samples->x.size(), 7U);
  ASSERT_NE(figure.errors, nullptr);
  EXPECT_EQ(figure.errors->size(), 9U) << "three formulas in three types";
  EXPECT_FALSE(figure.measuring);

  ASSERT_TRUE(driver.act([&](ImGuiTestContext* user) {
    user->ItemClick((pathOf(driver.state(), Tab::Figures) + "/**/type/float").c_str());
  }));
  driver.state().figures.discretise.points = 13;
  driver.settle();
  EXPECT_EQ(figure.samples->type, ValueType::F32);
  EXPECT_EQ(figure.samples->x.size(), 13U);
}

TEST(DiscretiseFigureTest, TheTypeOfTheKernelIsTheFiguresUntilAnotherIsChosen) {
  UiDriver driver([](AppOptions& options) {
    options.state.choice = {.kernel = "stencil/finite_difference_5", .bindings = {{"REAL", 2}}, .block = {}};
    showFigure(options.state, "discretise");
  });
  driver.settle();
  const DiscretiseFigure& figure = driver.state().figures.discretise;
  ASSERT_NE(figure.samples, nullptr);
  EXPECT_EQ(figure.samples->type, ValueType::F16);
  ASSERT_TRUE(driver.act([&](ImGuiTestContext* user) {
    user->ItemClick((pathOf(driver.state(), Tab::Figures) + "/**/type/double").c_str());
  }));
  driver.settle();
  EXPECT_EQ(figure.samples->type, ValueType::F64) << "chosen in the figure";
  driver.state().choice.bindings["REAL"] = 4;
  driver.settle();
  EXPECT_EQ(figure.samples->type, ValueType::F32);
}

TEST(DiscretiseFigureTest, ATypeThatWasAskedForIsShownForAnyKernel) {
  UiDriver driver([](AppOptions& options) {
    options.state.choice.kernel = "stencil/finite_difference_3";
    showFigure(options.state, "discretise");
    options.state.figures.discretise.choose(ValueType::F16);
  });
  driver.settle();
  ASSERT_NE(driver.state().figures.discretise.samples, nullptr);
  EXPECT_EQ(driver.state().figures.discretise.samples->type, ValueType::F16);
  driver.state().choice.bindings["REAL"] = 8;
  driver.settle();
  EXPECT_EQ(driver.state().figures.discretise.samples->type, ValueType::F64) << "chosen later, in the toolbar";
}

TEST(DiscretiseFigureTest, TheKernelsThatAreEditedAreTheOnesThatAreExecuted) {
  UiDriver driver([](AppOptions& options) { showFigure(options.state, "discretise"); });
  driver.settle();
  KernelFile file = driver.state().catalogue.at("stencil/finite_difference_3");
  const std::string sum = "out[i] = ";
  file.text.replace(file.text.find(sum), sum.size(), "out[i] = (REAL)2 * ");
  driver.state().catalogue.put(file);
  driver.settle();
  ASSERT_NE(driver.state().figures.discretise.samples, nullptr);
  EXPECT_GT(driver.state().figures.discretise.samples->slopes.front().largestError, 0.4);
}

TEST(DiscretiseFigureTest, AKernelThatCannotBeReadIsSaid) {
  UiDriver driver([](AppOptions& options) { showFigure(options.state, "discretise"); });
  driver.settle();
  KernelFile file = driver.state().catalogue.at("stencil/finite_difference_3");
  file.text += "\n__global__ void";
  driver.state().catalogue.put(file);
  driver.settle();
  EXPECT_NE(driver.state().figures.discretise.problem.find("finite_difference_3.cu:"), std::string::npos);
}

}  // namespace
}  // namespace haloscope::test
