#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

#include "TextFile.h"
#include "UiDriver.h"

/// Typing in a kernel's text: it runs, it is never lost, and the program's own files stay as they are.
namespace haloscope::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKernel = "stencil/tiled";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// A folder that goes when the test ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "haloscope-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// A window on copies of the kernels, which a test may change, with a recovery folder.
class Editor : public ::testing::Test {
 protected:
  Editor() {
    fs::copy(fs::path(HALOSCOPE_SOURCE_DIR) / "kernels", kernels(), fs::copy_options::recursive);
    open();
  }
  void open() {
    driver_.emplace([this](AppOptions& options) {
      options.state.catalogue = Catalogue::read(kernels());
      options.memory = folder_.path() / "memory";
    });
  }
  [[nodiscard]] fs::path kernels() const { return folder_.path() / "kernels"; }
  [[nodiscard]] fs::path file() const { return kernels() / "stencil" / "tiled.cu"; }
  AppState& state() { return driver_->state(); }
  WorkingCopy& copy() { return state().copies.at(kKernel); }

  /// Frames go by as in the window, until `done` or for some seconds. Returns the milliseconds it took.
  template <typename Done>
  double until(Done done) {
    const auto begin = std::chrono::steady_clock::now();
    const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    while (!done() && passed() < 10) {
      driver_->app().frame(1.0 / 60);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_TRUE(done());
    return passed() * 1e3;
  }
  /// Opens the editor, does what `user` does there, and leaves it as it is. In one act: the test engine takes the
  /// focus from every window when the test begins to act.
  void edit(const UiDriver::User& user) {
    ASSERT_TRUE(driver_->act([&](ImGuiTestContext* context) {
      context->KeyPress(ImGuiKey_E);
      context->Yield(3);
      EXPECT_TRUE(state().editing.open);
      EXPECT_TRUE(state().editing.focused);
      user(context);
      context->Yield(3);
    }));
  }

  TemporaryFolder folder_;
  std::optional<UiDriver> driver_;
};

TEST_F(Editor, EOpensItAndEscapeLeavesItWithoutAChange) {
  edit([&](ImGuiTestContext* user) {
    EXPECT_EQ(copy().revision, 0U);
    user->KeyPress(ImGuiKey_Escape);
  });
  EXPECT_FALSE(state().editing.open);
  EXPECT_EQ(copy().text, readFile(file()));
}

TEST_F(Editor, ATextThatEndsTheCompilerLeavesTheLastPictureAndItself) {
  const std::string before = copy().text;
  const std::string hostile = "__device__ int far[] = {[1 << 29] = 1};\n" + before;
  until([&] { return state().experiment != nullptr; });
  const auto shown = state().experiment;
  edit([&](ImGuiTestContext*) { copy().setText(hostile, true); });
  until([&] { return state().problem.has_value(); });
  EXPECT_NE(state().problem->message.find("the compiler needed more than 2 GB of memory"), std::string::npos)
      << state().problem->message;
  EXPECT_EQ(state().experiment, shown);
  EXPECT_EQ(copy().text, hostile);
  copy().setText("// harmless\n" + before, true);
  until([&] { return !state().problem && state().experiment != shown; });
}

TEST_F(Editor, LongLinesAreWrapped) {
  edit([&](ImGuiTestContext* user) {
    std::string words = "//";
    for (int i = 0; i < 100; ++i) { words += " word"; }
    copy().setText(words + "\n" + copy().text, true);
    user->Yield(3);
    int texts = 0;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (!window->WasActive || std::string_view(window->Name).find("/text_") == std::string_view::npos) { continue; }
      ++texts;
      EXPECT_EQ(window->ScrollMax.x, 0) << "nothing lies beyond the right edge";
    }
    EXPECT_EQ(texts, 1);
  });
}

TEST_F(Editor, WhatIsTypedRunsAndTheKernelsFileStays) {
  const std::string before = readFile(file());
  edit([](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_End);
    user->KeyChars("// typed by a test, E T B");
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
  });
  EXPECT_FALSE(state().view.light) << "letters go to the text";
  EXPECT_NE(copy().text.find("// typed by a test"), std::string::npos);
  until([&] { return state().experiment->file.text == copy().text; });
  driver_->settle();
  EXPECT_EQ(readFile(file()), before);
  EXPECT_FALSE(state().problem) << state().problem->message;
}

TEST_F(Editor, ItOpensAtTheKernelAndAtTheStatementThatTheReaderWasAt) {
  const std::string kernel = "__global__";
  const auto lineOf = [&](const std::string& word) {
    const std::string text = copy().text;
    return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(word)), '\n');
  };
  ASSERT_GT(lineOf(kernel), 20) << "the header comes first";
  edit([&](ImGuiTestContext* user) {
    EXPECT_EQ(state().editing.line, lineOf(kernel));
    user->KeyPress(ImGuiKey_Escape);
  });
  ASSERT_TRUE(state().cursor.goToLine(static_cast<int>(lineOf("int j = "))));
  edit([&](ImGuiTestContext*) { EXPECT_EQ(state().editing.line, lineOf("int j = ")); });
}

TEST_F(Editor, BracketsAndQuotesStayAsTheyWereTyped) {
  const fs::path mine = folder_.path() / "mine.cu";
  writeFile(mine, readFile(file()));
  state().fileRequests.open = mine;
  driver_->app().frame(1.0 / 60);
  driver_->settle();
  const std::string before = readFile(mine);
  edit([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_End);
    user->KeyChars("// a[b](c) {d} \"e\" ([{");
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
  });
  driver_->settle();
  EXPECT_EQ(readFile(mine), before + "// a[b](c) {d} \"e\" ([{\n");
}

TEST_F(Editor, AnErrorIsMarkedAndTheLastGoodRunStays) {
  const auto good = state().experiment;
  edit([&](ImGuiTestContext* user) {
    copy().setText(replaced(copy().text, "int i = ", "int i == "), true);
    for (int i = 0; i < 600 && !state().problem; ++i) { user->SleepNoSkip(0.01F, 0.01F); }
    ASSERT_TRUE(state().problem);
    const SourceRange where = state().problem->where;
    ASSERT_TRUE(where.valid());
    const std::string place = std::to_string(where.line) + ":" + std::to_string(where.column) + ": ";
    EXPECT_TRUE(state().problem->message.starts_with(place)) << state().problem->message;
    EXPECT_EQ(state().experiment, good);
    for (int i = 0; i < 60 && copy().text != good->file.text; ++i) {
      user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
      user->Yield(2);
    }
  });
  until([&] { return !state().problem.has_value(); });
  EXPECT_EQ(copy().text, good->file.text) << "undone";
}

TEST_F(Editor, AChangeByAnotherProgramIsOnScreenSoon) {
  const std::string before = readFile(file());
  const std::string after = replaced(before, "N: {default: 32,", "N: {default: 20,");
  writeFile(file(), after);
  const double took = until([&] { return state().experiment->file.text == after; });
  EXPECT_EQ(state().experiment->bindings.at("N"), 20);
  RecordProperty("milliseconds", static_cast<int>(took));
  EXPECT_LT(took, 5000);  // 200 on an idle machine
}

TEST_F(Editor, WhenBothChangedTheUserChooses) {
  const std::string before = readFile(file());
  copy().setText("// mine\n" + before);
  const std::string theirs = replaced(before, "N: {default: 32,", "N: {default: 20,");
  writeFile(file(), theirs);
  until([&] { return copy().outside.has_value(); });
  EXPECT_EQ(copy().text, "// mine\n" + before);
  ASSERT_TRUE(driver_->act([](ImGuiTestContext* user) { user->ItemClick("##status/Take the file's"); }));
  driver_->settle();
  EXPECT_EQ(copy().text, theirs);
  EXPECT_FALSE(copy().changed());
  EXPECT_FALSE(copy().outside);
}

TEST_F(Editor, TypedTextOutlivesTheProgram) {
  const std::string mine = replaced(copy().text, "N: {default: 32,", "N: {default: 24,");
  copy().setText(mine, true);
  until([&] { return !fs::is_empty(folder_.path() / "memory" / "recovery") && state().experiment->file.text == mine; });
  driver_->settle();
  driver_.reset();
  open();
  ASSERT_EQ(state().editing.found, std::vector<std::string>{kKernel});
  EXPECT_EQ(copy().text, mine);
  EXPECT_EQ(state().experiment->bindings.at("N"), 24);
  ASSERT_TRUE(driver_->act([](ImGuiTestContext* user) { user->ItemClick("##status/Back to the files"); }));
  driver_->settle();
  EXPECT_EQ(copy().text, readFile(file()));
  driver_.reset();
  open();
  EXPECT_TRUE(state().editing.found.empty());
}

TEST_F(Editor, AnOpenedFileIsSavedToItself) {
  const fs::path mine = folder_.path() / "mine.cu";
  writeFile(mine, readFile(file()));
  state().fileRequests.open = mine;
  driver_->app().frame(1.0 / 60);
  driver_->settle();
  ASSERT_EQ(state().choice.kernel, "opened/mine");
  EXPECT_EQ(state().experiment->file.id, "opened/mine");
  WorkingCopy& opened = state().copies.at("opened/mine");
  std::string text;
  edit([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_End);
    user->KeyChars("// mine");
    text = opened.text;
    EXPECT_TRUE(opened.changed());
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
  });
  driver_->settle();
  EXPECT_NE(text.find("// mine"), std::string::npos);
  EXPECT_EQ(readFile(mine), text);
  EXPECT_FALSE(opened.changed());
}

}  // namespace
}  // namespace haloscope::test
