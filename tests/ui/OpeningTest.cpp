#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "ExecutedPrograms.h"
#include "TextFile.h"
#include "UiDriver.h"

/// Files that the user opens: through the dialog and the launch table, and while another program writes them.
namespace haloscope::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = R"(__global__ void average(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}
__global__ void twice(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
int main() {
  float *a, *b;
  int n = 500;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  average<<<(n + 127) / 128, 128>>>(a, b, n);
  twice<<<(n + 127) / 128, 128>>>(b, a, n);
}
)";

/// The program's text for another size.
std::string ofSize(int n) {
  std::string text = kProgram;
  const std::string from = "n = 500";
  return text.replace(text.find(from), from.size(), "n = " + std::to_string(n));
}

class Opening : public ::testing::Test {
 protected:
  Opening() {
    std::string name = (fs::temp_directory_path() / "haloscope-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    writeFile(file(), kProgram);
    start();
  }
  ~Opening() override {
    driver_.reset();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void start(ProgramRunner::Execution programs = {}) {
    driver_.reset();
    driver_.emplace([&](AppOptions& options) {
      options.memory = folder_ / "memory";
      options.programs = std::move(programs);
    });
  }
  void openFile() {
    state().fileRequests.open = file();
    driver_->app().frame(1.0 / 60);
    driver_->settle();
    ASSERT_EQ(state().choice.kernel, "opened/mine");
    ASSERT_TRUE(state().experiment);
  }
  [[nodiscard]] fs::path file() const { return folder_ / "mine.cu"; }
  AppState& state() { return driver_->state(); }
  [[nodiscard]] Dim3 blockNow() { return state().experiment->configuration.block; }

  /// Frames go by as in the window, until `done` or for some seconds.
  template <typename Done>
  bool until(Done done) {
    const auto begin = std::chrono::steady_clock::now();
    while (!done() && std::chrono::steady_clock::now() - begin < std::chrono::seconds(20)) {
      driver_->app().frame(1.0 / 60);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return done();
  }
  bool untilSizeIs(std::int64_t n) {
    return until([&] { return state().experiment && state().experiment->bindings.at("n") == n; });
  }
  /// Enters a value into a field of the launch table.
  void enter(const char* field, const char* value) {
    ASSERT_TRUE(driver_->act([&](ImGuiTestContext* user) {
      user->SetRef("Launch");
      user->ItemClick(field);
      user->KeyCharsReplaceEnter(value);
      user->Yield(3);
    }));
    driver_->settle();
  }

  fs::path folder_;
  std::optional<UiDriver> driver_;
};

TEST_F(Opening, AValueOfTheLaunchTableChangesTheExperimentAndNotTheFile) {
  openFile();
  EXPECT_EQ(blockNow().x, 128U);
  state().view.showLaunch = true;
  driver_->settle();
  enter("launch/launch/##block", "64");
  EXPECT_EQ(blockNow().x, 64U);
  enter("launch/binding/##n", "300");
  EXPECT_EQ(state().experiment->bindings.at("n"), 300);
  EXPECT_EQ(readFile(file()), kProgram);
  EXPECT_NE(readFile(folder_ / "memory" / "launches.json").find("mine.cu"), std::string::npos);
  // The next run of the program knows it, and an empty field is proposed again.
  start();
  openFile();
  EXPECT_EQ(blockNow().x, 64U);
  EXPECT_EQ(state().experiment->bindings.at("n"), 300);
  state().view.showLaunch = true;
  driver_->settle();
  enter("launch/launch/##block", "");
  EXPECT_EQ(blockNow().x, 128U);
}

TEST_F(Opening, ABlockThatIsNoneLeavesTheLaunchAsItIs) {
  openFile();
  state().view.showLaunch = true;
  driver_->settle();
  enter("launch/launch/##block", "many");
  EXPECT_EQ(blockNow().x, 128U);
  enter("launch/launch/##block", "4096");
  EXPECT_TRUE(state().problem.has_value());
  EXPECT_EQ(blockNow().x, 128U) << "the last good picture stays";
  enter("launch/launch/##block", "32");
  EXPECT_FALSE(state().problem.has_value());
  EXPECT_EQ(blockNow().x, 32U);
}

TEST_F(Opening, AnotherKernelOfTheFileIsChosenInTheLaunchTable) {
  openFile();
  EXPECT_EQ(state().experiment->program->kernel, "average");
  state().view.showLaunch = true;
  driver_->settle();
  ASSERT_TRUE(driver_->act([&](ImGuiTestContext* user) {
    user->SetRef("Launch");
    user->ComboClick("##kernel/twice");
    user->Yield(3);
  }));
  driver_->settle();
  EXPECT_EQ(state().experiment->program->kernel, "twice");
}

TEST_F(Opening, TheDialogOpensAPathThatIsTyped) {
  ASSERT_TRUE(driver_->act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    user->Yield(3);
    EXPECT_EQ(state().view.fileDialog, View::FileDialog::Open);
    user->KeyCharsReplaceEnter(file().c_str());
    user->Yield(3);
  }));
  driver_->settle();
  EXPECT_EQ(state().choice.kernel, "opened/mine");
  EXPECT_EQ(state().view.fileDialog, View::FileDialog::None);
}

TEST_F(Opening, TheDialogListsTheKernelFilesOfAFolderThatIsTyped) {
  writeFile(folder_ / "notes.txt", "none");
  ASSERT_TRUE(driver_->act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    user->Yield(3);
    user->KeyCharsReplaceEnter(folder_.c_str());
    user->Yield(3);
    EXPECT_EQ(state().view.fileDialog, View::FileDialog::Open) << "a folder is looked into";
    EXPECT_TRUE(user->ItemExists("//###file/**/mine.cu"));
    EXPECT_FALSE(user->ItemExists("//###file/**/notes.txt"));
    user->ItemClick("//###file/**/mine.cu");
    user->ItemClick("//###file/Open");
    user->Yield(3);
  }));
  driver_->settle();
  EXPECT_EQ(state().choice.kernel, "opened/mine");
}

TEST_F(Opening, TheDialogFiltersAsOneTypesAndTabCompletes) {
  writeFile(folder_ / "heat_one.cu", "none");
  writeFile(folder_ / "heat_two.cu", "none");
  std::filesystem::create_directory(folder_ / "others");
  const auto typed = [&](ImGuiTestContext* user) {
    user->Yield(2);
    const ImGuiInputTextState* field = ImGui::GetInputTextState(ImGui::GetActiveID());
    return field != nullptr ? std::string(field->TextA.Data) : std::string("no field");
  };
  ASSERT_TRUE(driver_->act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    user->Yield(3);
    user->KeyCharsReplaceEnter(folder_.c_str());
    user->Yield(3);
    EXPECT_TRUE(user->ItemExists("//###file/**/mine.cu"));
    user->KeyChars("HE");
    user->Yield(3);
    EXPECT_FALSE(user->ItemExists("//###file/**/mine.cu"));
    EXPECT_TRUE(user->ItemExists("//###file/**/heat_one.cu")) << "whatever case it is typed in";
    user->KeyPress(ImGuiKey_Tab);
    EXPECT_EQ(typed(user), "heat_") << "as far as both agree";
    user->KeyChars("tw");
    user->KeyPress(ImGuiKey_Tab);
    EXPECT_EQ(typed(user), "heat_two.cu");
    user->KeyCharsReplace("oth");
    user->KeyPress(ImGuiKey_Tab);
    EXPECT_EQ(typed(user), "others/");
    user->Yield(3);
    EXPECT_FALSE(user->ItemExists("//###file/**/mine.cu")) << "the folder is listed while its name is typed";
    user->KeyCharsReplace("ine");
    user->KeyPress(ImGuiKey_Enter);
    user->Yield(3);
  }));
  driver_->settle();
  EXPECT_EQ(state().choice.kernel, "opened/mine") << "the one that has it in its name";
}

TEST_F(Opening, TheArrowsChooseInTheDialog) {
  writeFile(folder_ / "another.cu", "none");
  ASSERT_TRUE(driver_->act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    user->Yield(3);
    user->KeyCharsReplaceEnter(folder_.c_str());
    user->Yield(3);
    user->KeyPress(ImGuiKey_DownArrow, 4);  // "..", "memory", "another.cu", "mine.cu"
    user->KeyPress(ImGuiKey_Enter);
    user->Yield(3);
  }));
  driver_->settle();
  EXPECT_EQ(state().choice.kernel, "opened/mine");
}

TEST_F(Opening, WhileTheDialogIsOpenKeysActOnNothingElse) {
  const bool light = state().view.light;
  ASSERT_TRUE(driver_->act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    user->Yield(3);
    user->ItemClick("//###file/**/mine.cu", ImGuiMouseButton_Left, ImGuiTestOpFlags_NoError);  // leaves the field
    user->MouseMove("//###file/Cancel");
    user->KeyPress(ImGuiKey_T);
    user->KeyPress(ImGuiKey_2);
    user->KeyPress(ImGuiKey_Escape);
    user->Yield(3);
    EXPECT_EQ(state().view.fileDialog, View::FileDialog::None) << "gone with one key";
    EXPECT_EQ(state().view.light, light);
    user->KeyPress(ImGuiKey_T);
  }));
  EXPECT_NE(state().view.light, light) << "and the keys are the window's again";
  ASSERT_TRUE(driver_->act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    user->Yield(3);
    EXPECT_EQ(state().view.fileDialog, View::FileDialog::Open);
    user->KeyPress(ImGuiKey_Escape);
    user->Yield(3);
    EXPECT_EQ(state().view.fileDialog, View::FileDialog::None) << "also from the field";
  }));
}

TEST_F(Opening, AFolderThatIsDroppedIsListed) {
  state().fileRequests.open = folder_;
  driver_->app().frame(1.0 / 60);
  EXPECT_TRUE(until([&] { return state().view.fileDialog == View::FileDialog::Open; }));
  ASSERT_TRUE(driver_->act([&](ImGuiTestContext* user) {
    user->Yield(3);
    user->ItemClick("//###file/**/mine.cu");
    user->ItemClick("//###file/Open");
    user->Yield(3);
  }));
  driver_->settle();
  EXPECT_EQ(state().choice.kernel, "opened/mine");
}

TEST_F(Opening, AFileThatIsNotThereIsSaid) {
  state().fileRequests.open = folder_ / "none.cu";
  driver_->app().frame(1.0 / 60);
  EXPECT_TRUE(until([&] { return state().problem.has_value(); }));
  EXPECT_NE(state().problem->message.find("none.cu"), std::string::npos);
  EXPECT_EQ(state().choice.kernel, "stencil/tiled");
}

/// Its sizes are those that it launches with.
class WatchedProgram : public Opening {
 protected:
  WatchedProgram() { start(executedPrograms()); }
};

TEST_F(WatchedProgram, APictureWaitsForWhatTheProgramLaunches) {
  openFile();
  state().program.awaited = true;
  static_cast<void>(driver_->picture());
  ASSERT_TRUE(state().experiment);
  EXPECT_EQ(state().experiment->bindings.at("n"), 500);
  EXPECT_FALSE(state().computing);
}

TEST_F(WatchedProgram, AFileSavedInPlaceIsShown) {
  openFile();
  writeFile(file(), ofSize(400));
  EXPECT_TRUE(untilSizeIs(400));
}

TEST_F(WatchedProgram, AFileThatAnotherIsRenamedOverIsShown) {
  openFile();
  writeFile(folder_ / "mine.cu~", ofSize(410));
  fs::rename(folder_ / "mine.cu~", file());
  EXPECT_TRUE(untilSizeIs(410));
  // It is still watched: the name counts, not what it first was.
  writeFile(file(), ofSize(420));
  EXPECT_TRUE(untilSizeIs(420));
}

TEST_F(WatchedProgram, ATruncatedFileKeepsTheLastGoodPictureUntilItHasAText) {
  openFile();
  ASSERT_TRUE(untilSizeIs(500));
  writeFile(file(), "");
  EXPECT_TRUE(until([&] { return state().problem.has_value(); }));
  ASSERT_TRUE(state().experiment);
  EXPECT_EQ(state().experiment->bindings.at("n"), 500);
  writeFile(file(), ofSize(430));
  EXPECT_TRUE(untilSizeIs(430));
  EXPECT_FALSE(state().problem.has_value());
}

TEST_F(WatchedProgram, ADeletedFileStaysOnScreenAndIsShownWhenItIsThereAgain) {
  openFile();
  ASSERT_TRUE(untilSizeIs(500));
  fs::remove(file());
  for (int i = 0; i < 30; ++i) {
    driver_->app().frame(1.0 / 60);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(state().experiment->bindings.at("n"), 500);
  EXPECT_FALSE(state().problem.has_value());
  writeFile(file(), ofSize(440));
  EXPECT_TRUE(untilSizeIs(440));
}

}  // namespace
}  // namespace haloscope::test
