#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ProgramTest.h"
#include "commands/CommandLine.h"
#include "commands/Screen.h"

/// `haloscope` without a command: what the window is asked to show.
namespace haloscope {
namespace {

class StateOnly : public Screen {
 public:
  void show(AppState state, const WindowOptions& /*options*/) override { shown = std::move(state); }
  void draw(const AppState& /*state*/, const PictureOptions& /*options*/) override {}
  bool exportPanel(const AppState& /*state*/, const PictureOptions& /*options*/, const ExportPlan& /*plan*/,
                   const ExportReport& /*report*/, const std::stop_token& /*stop*/) override {
    return false;
  }
  PlayedField play(const FieldToPlay& /*field*/) override { return {}; }

  std::optional<AppState> shown;
};

class WindowCommandTest : public ProgramTest {
 protected:
  WindowCommandTest() {
    std::ofstream(file_) << "__global__ void twice(float* a) { a[threadIdx.x] *= 2; }\n"
                            "int main() { twice<<<1, 32>>>(nullptr); }\n";
  }

  static AppState shownFor(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"haloscope", "--no-host", "--kernels", HALOSCOPE_SOURCE_DIR "/kernels"});
    std::vector<char*> pointers;
    for (std::string& argument : arguments) { pointers.push_back(argument.data()); }
    StateOnly screen;
    EXPECT_EQ(runCommandLine(static_cast<int>(pointers.size()), pointers.data(), screen), ExitCode::Good);
    return screen.shown.value_or(AppState());
  }
  static std::string openedIn(const AppState& state) {
    return state.fileRequests.text ? state.fileRequests.text->path.filename().string() : "";
  }

  std::string file_ = folder_ / "mine.cu";
};

TEST_F(WindowCommandTest, WithoutArgumentsThePlanesOfTheStartPageMove) {
  const AppState state = shownFor({});
  EXPECT_TRUE(state.start.shown);
  EXPECT_TRUE(state.playback.playing);
}

TEST_F(WindowCommandTest, AFileAfterTheListOfComparedVariantsIsTheFile) {
  const AppState state = shownFor({"--compare", "stencil/basic", file_});
  EXPECT_EQ(openedIn(state), "mine.cu");
  EXPECT_EQ(state.comparison.initial, std::vector<std::string>{"stencil/basic"});
  EXPECT_EQ(shownFor({file_, "--compare", "stencil/basic"}).comparison.initial, state.comparison.initial);
}

TEST_F(WindowCommandTest, AFileIsComparedIfAnotherKernelIsShown) {
  const AppState state = shownFor({"--kernel", "stencil/tiled", "--compare", file_});
  EXPECT_EQ(openedIn(state), "");
  EXPECT_EQ(state.choice.kernel, "stencil/tiled");
  EXPECT_EQ(state.comparison.initial, std::vector<std::string>{"opened/mine"});
  const AppState both = shownFor({"--kernel", "stencil/tiled", "--compare", "stencil/basic", file_});
  EXPECT_EQ(both.comparison.initial, (std::vector<std::string>{"stencil/basic", "opened/mine"}));
}

TEST_F(WindowCommandTest, WithoutAKernelTheFirstOfTheListIsShown) {
  const AppState state = shownFor({"--compare", "stencil/basic", "stencil/coarsened"});
  EXPECT_EQ(state.choice.kernel, "stencil/basic");
  EXPECT_EQ(state.comparison.initial, std::vector<std::string>{"stencil/coarsened"});
}

TEST_F(WindowCommandTest, OneAloneIsShownWhereOthersAreChosen) {
  const AppState variant = shownFor({"--compare", "stencil/basic"});
  EXPECT_EQ(variant.choice.kernel, "stencil/basic");
  EXPECT_TRUE(variant.comparison.initial.empty());
  EXPECT_EQ(variant.view.tabs.workspace(), Workspace::Compare);
  const AppState file = shownFor({"--compare", file_});
  EXPECT_EQ(openedIn(file), "mine.cu");
  EXPECT_EQ(file.view.tabs.workspace(), Workspace::Compare);
}

}  // namespace
}  // namespace haloscope
