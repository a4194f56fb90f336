#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "TextFile.h"
#include "UiDriver.h"
#include "actions/Choices.h"
#include "actions/TypedCellActions.h"
#include "experiment/InputData.h"
#include "state/TypedCell.h"

/// Numbers typed into cells, patterns chosen for arrays, and undo.
namespace haloscope::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TypedCells : public ::testing::Test {
 protected:
  TypedCells() { state().playback.playing = false; }

  /// in = 8 2 5 4 1 7 3 and filter = 1 3 5 3 1.
  void showSevenNumbers() {
    experiment::Choice choice{"convolution/1d_basic", {{"width", 7}}};
    inputs::choose(choice.data, "in=8,2,5,4,1,7,3");
    inputs::choose(choice.data, "filter=1,3,5,3,1");
    state().choice = choice;
    driver_.settle();
    ASSERT_EQ(state().experiment->file.id, "convolution/1d_basic") << (state().problem ? state().problem->message : "");
  }
  /// Opens the dialog for an element and types a text, without Enter.
  void type(const std::string& array, std::int64_t element, const char* text) {
    typeCell(state(), state().experiment->program->findObject(array), element);
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
      user->Yield(3);
      user->KeyCharsReplace(text);
    }));
  }
  void press(ImGuiKeyChord keys) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) { user->KeyPress(keys); }));
  }
  [[nodiscard]] double output(std::int64_t element) {
    const experiment::Experiment& shown = *state().experiment;
    return experiment::valueAt(shown.launch->arrays[shown.program->findObject("out")], element);
  }
  AppState& state() { return driver_.state(); }

  UiDriver driver_;
};

TEST_F(TypedCells, EnterTakesANumberAndMarksWhatItChanged) {
  showSevenNumbers();
  EXPECT_EQ(output(2), 52);
  type("in", 2, "6");
  EXPECT_EQ(output(2), 52) << "not before Enter";
  press(ImGuiKey_Enter);
  driver_.settle();
  EXPECT_THAT(inputs::texts(state().choice.data), ElementsAre("filter=1,3,5,3,1", "in=8,2,5,4,1,7,3", "in@2=6"));
  EXPECT_EQ(output(2), 57);
  EXPECT_TRUE(state().typedCell.array.empty()) << "the dialog is closed";
  std::vector<std::int64_t> changed;
  for (const ChangedOutput& one : state().changedOutputs.elements) { changed.push_back(one.element); }
  EXPECT_THAT(changed, ElementsAre(0, 1, 2, 3, 4));
  const ChangedOutput* const middle = state().changedOutputs.find(*state().experiment, 2);
  ASSERT_NE(middle, nullptr);
  EXPECT_EQ(middle->before, 52);
  EXPECT_EQ(middle->now, 57);
}

TEST_F(TypedCells, EscapeLeavesTheNumber) {
  showSevenNumbers();
  const auto before = state().experiment;
  type("in", 2, "6");
  press(ImGuiKey_Escape);
  driver_.settle();
  EXPECT_EQ(state().experiment, before);
  EXPECT_TRUE(state().typedCell.array.empty());
}

TEST_F(TypedCells, WhatIsNoNumberIsRefusedInPlace) {
  showSevenNumbers();
  const auto before = state().experiment;
  type("in", 2, "six");
  press(ImGuiKey_Enter);
  driver_.settle();
  EXPECT_THAT(state().typedCell.refusal, HasSubstr("\"six\" is not a number"));
  EXPECT_EQ(state().experiment, before);
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) { user->KeyCharsReplaceEnter("7"); }))
      << "the field still has the focus";
  driver_.settle();
  EXPECT_EQ(output(2), 62);
}

TEST_F(TypedCells, AnArrayTakesAPatternOrAList) {
  showSevenNumbers();
  typeArray(state(), "in");
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->Yield(3);
    user->ItemClick("//$FOCUSED/###impulse");
  }));
  driver_.settle();
  EXPECT_EQ(output(3), 5);
  EXPECT_EQ(output(2), 3);
  typeArray(state(), "in");
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->Yield(3);
    user->ItemClick("//$FOCUSED/##file");
    user->KeyCharsReplaceEnter("1,2,3,4,5,6");
  }));
  driver_.settle();
  ASSERT_TRUE(state().problem);
  EXPECT_THAT(state().problem->message, HasSubstr("6 numbers for 7 elements"));
  EXPECT_EQ(output(3), 5) << "the last good picture stays";
}

TEST_F(TypedCells, AFileIsReadBesideTheFrames) {
  showSevenNumbers();
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "haloscope_typed.csv";
  writeFile(file, "1,2,3,4,5,6,7\n");
  const auto enter = [&](const std::string& path) {
    typeArray(state(), "in");
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
      user->Yield(3);
      user->ItemClick("//$FOCUSED/##file");
      user->KeyCharsReplaceEnter(path.c_str());
    }));
  };
  enter(file.string());
  driver_.settle();
  EXPECT_THAT(inputs::texts(state().choice.data), ::testing::Contains("in=@" + file.string()));
  EXPECT_EQ(output(3), 1 * 2 + 3 * 3 + 5 * 4 + 3 * 5 + 1 * 6);
  EXPECT_TRUE(state().typedCell.array.empty()) << "the dialog is closed";
  std::filesystem::remove(file);
  enter(file.string() + ".npy");
  driver_.settle();
  EXPECT_THAT(state().typedCell.refusal, HasSubstr("haloscope_typed.csv.npy"));
  EXPECT_EQ(output(3), 52) << "the last good picture stays";
}

TEST_F(TypedCells, AFileIsNotReadInTheFrame) {
  showSevenNumbers();
  typeArray(state(), "in");
  EXPECT_FALSE(takeSpec(state(), "@/none.csv"));
  EXPECT_EQ(state().typedCell.refusal, "") << "it was not looked for yet";
  EXPECT_EQ(state().typedCell.reading, "@/none.csv");
}

TEST_F(TypedCells, ADoubleClickOnACellOfAStripAsksForItsElement) {
  state().choice = experiment::Choice{"convolution/1d_basic", {{"width", 12}}, {}};
  driver_.settle();
  const SceneCamera camera = state().view.camera;
  std::string array;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    const ImRect scene = user->ItemInfo("//###Walk Block/scene").RectFull;
    for (float y = scene.Min.y + 24; !state().selection.hoveredPoint && y < scene.Max.y; y += 4) {
      user->MouseMoveToPos({scene.GetCenter().x + 6, y});
      user->Yield(2);
    }
    user->MouseDoubleClick();
    user->Yield(2);
    array = state().typedCell.array;
  }));
  EXPECT_EQ(array, "in");
  EXPECT_EQ(state().view.camera.zoom, camera.zoom);
}

TEST_F(TypedCells, EnterAsksForTheElementUnderThePointer) {
  state().cursor.goTo(state().cursor.end());
  driver_.settle();
  std::string before = "none", array;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    const ImRect scene = user->ItemInfo("//###Walk Block/scene").RectFull;
    user->MouseMoveToPos({scene.Min.x + 2, scene.Max.y - 2});
    user->KeyPress(ImGuiKey_Enter);
    before = state().typedCell.array;
    user->MouseMoveToPos(firstCell(user, state(), "//###Walk Block/scene", 0.2F, 0.9F));
    user->KeyPress(ImGuiKey_Enter);
    user->Yield(2);
    array = state().typedCell.array;
  }));
  EXPECT_EQ(before, "") << "there is no cell in the corner";
  EXPECT_EQ(array, "in");
}

TEST_F(TypedCells, CtrlZTakesBackEveryChoice) {
  showSevenNumbers();
  const experiment::Choice seven = state().choice;
  type("in", 2, "6");
  press(ImGuiKey_Enter);
  driver_.settle();
  const experiment::Choice typed = state().choice;
  press(ImGuiMod_Ctrl | ImGuiKey_UpArrow);  // a larger tunable
  driver_.settle();
  const experiment::Choice larger = state().choice;
  ASSERT_FALSE(larger == typed);
  press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_TRUE(state().choice == typed);
  press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_TRUE(state().choice == seven);
  driver_.settle();
  EXPECT_EQ(output(2), 52);
  press(ImGuiMod_Ctrl | ImGuiKey_Y);
  press(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
  EXPECT_TRUE(state().choice == larger);
  press(ImGuiMod_Ctrl | ImGuiKey_Y);
  EXPECT_TRUE(state().choice == larger) << "there is no more";
}

TEST(ChoiceHistory, ADragIsOneStep) {
  ChoiceHistory history;
  Chosen chosen{.choice = {"a", {{"N", 1}}}};
  history.note(chosen, false);
  for (std::int64_t n = 2; n < 9; ++n) {
    chosen.choice.bindings["N"] = n;
    history.note(chosen, n < 8);
  }
  const auto before = history.back(chosen);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->choice.bindings.at("N"), 1);
  EXPECT_FALSE(history.back(*before));
  Chosen other = *before;
  other.choice.kernel = "b";
  history.note(other, false);
  EXPECT_FALSE(history.forward(other)) << "a new choice ends what could be redone";
}

TEST(ChoiceHistory, TheLaunchTableIsUndoneToo) {
  AppState state;
  state.choice = {"mine", {}};
  OpenedLaunch& launch = state.launches["mine"];
  launch.kernel = "blur";
  state.history.note(chosenNow(state), false);
  launch.overrides.block = Dim3{8, 8, 1};
  launch.overrides.bindings["width"] = "64";
  state.history.note(chosenNow(state), false);
  launch.kernel = "sobel";
  state.history.note(chosenNow(state), false);
  const std::uint64_t revision = launch.revision;
  undoChoice(state);
  EXPECT_EQ(launch.kernel, "blur");
  EXPECT_EQ(launch.overrides.block, (Dim3{8, 8, 1}));
  EXPECT_GT(launch.revision, revision) << "else the file is not read again";
  undoChoice(state);
  EXPECT_FALSE(launch.overrides.block);
  EXPECT_TRUE(launch.overrides.bindings.empty());
  redoChoice(state);
  redoChoice(state);
  EXPECT_EQ(launch.kernel, "sobel");
  EXPECT_EQ(launch.overrides.bindings.at("width"), "64");
}

}  // namespace
}  // namespace haloscope::test
