#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "TextFile.h"
#include "UiDriver.h"
#include "actions/Findings.h"
#include "actions/ProgramSteps.h"
#include "actions/SessionActions.h"
#include "state/ProgramFaults.h"
#include "state/Session.h"
#include "tests/kernels/ProgramSample.h"
#include "ui/window/PanelList.h"

/// The program of an opened file, in its panel. What executing it gives is made here.
namespace haloscope::test {
namespace {

namespace fs = std::filesystem;

running::ProgramRun shortRun(const running::RunOptions& options) {
  ProgramSample sample(4);
  if (options.keepLaunch) { sample.keepLaunch(); }
  sample.run().findings.push_back({.kind = running::HostFindingKind::NeverFreed,
                                   .at = {"sample.cu", kAllocations + 1},
                                   .message = "These 128 bytes are never freed."});
  return sample.run();
}

/// As shortRun(), with the arguments of the first launch.
running::ProgramRun boundRun(const running::RunOptions& options) {
  ProgramSample first(4);
  first.keepLaunch();
  const running::KeptLaunch& kept = *first.run().kept;
  running::BoundLaunch bound{
      .program = kept.program, .launch = kept.launch, .pointers = kept.pointers, .allocations = {}, .tables = {}};
  for (const ObjectId array : kept.arrays) { bound.allocations.emplace_back(array, array); }
  if (options.beforeLaunch) { options.beforeLaunch(first.run().launches.front(), {}, bound); }
  return shortRun(options);
}

running::ProgramRun crashedRun(const running::RunOptions&) {
  ProgramSample sample(2);
  sample.run().end = running::ProgramEnd::Crashed;
  sample.run().message = "Host code follows a null pointer.";
  sample.run().endedAt = {"sample.cu", kCopyOut};
  faults::Finding finding;
  finding.kind = faults::FindingKind::OutOfBounds;
  finding.where = {2, 1, 2, 4};
  finding.message = "a[64] is read";
  sample.run().launches[1].findings.push_back(finding);
  return sample.run();
}

running::ProgramRun longRun(const running::RunOptions&) { return ProgramSample(3000).run(); }

running::ProgramRun endlessRun(const running::RunOptions& options) {
  options.progress({.compiled = true, .calls = 3, .launches = 1, .at = {"sample.cu", kLaunches}, .kernel = "sweep"});
  while (!options.stop.stop_requested()) { std::this_thread::yield(); }
  ProgramSample sample(1);
  sample.run().end = running::ProgramEnd::Stopped;
  sample.run().message = "The program was stopped.";
  return sample.run();
}

using Execute = running::ProgramRun (*)(const running::RunOptions&);

class ProgramPanel : public ::testing::Test {
 protected:
  explicit ProgramPanel(Execute run = shortRun, bool ends = true) {
    std::string name = (fs::temp_directory_path() / "haloscope-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    writeFile(folder_ / "sample.cu", kSampleText);
    driver_.emplace([run](AppOptions& options) {
      options.programs.options = [](const measuring::GpuSpec&) { return running::RunOptions{}; };
      options.programs.run = [run](running::ProgramFiles&, const running::RunOptions& given) { return run(given); };
    });
    state().fileRequests.open = folder_ / "sample.cu";
    driver_->app().frame(1.0 / 60);
    driver_->settle();
    state().view.tabs.bringToFront(Tab::Program);
    if (ends) { driver_->settle(); }
  }
  ~ProgramPanel() override {
    driver_.reset();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  AppState& state() { return driver_->state(); }
  void type(const char* text) {
    ASSERT_TRUE(driver_->act([&](ImGuiTestContext* person) {
      person->KeyChars(text);
      person->Yield(2);
    }));
  }
  void press(ImGuiKeyChord keys) {
    ASSERT_TRUE(driver_->act([&](ImGuiTestContext* person) { person->KeyPress(keys); }));
  }
  void click(const char* item) {
    ASSERT_TRUE(driver_->act([&](ImGuiTestContext* person) {
      person->SetRef(pathOf(state(), Tab::Program).c_str());
      person->ItemClick(item);
    }));
  }
  /// All text of the window.
  std::string shown() {
    std::string text;
    EXPECT_TRUE(driver_->act([&](ImGuiTestContext* person) {
      ImGui::LogToBuffer();
      ImGui::GetCurrentContext()->LogWindow = nullptr;  // the log covers the whole frame, not one window
      person->Yield();
      text = ImGui::GetCurrentContext()->LogBuffer.c_str();
      ImGui::LogFinish();
    }));
    return text;
  }

  fs::path folder_;
  std::optional<UiDriver> driver_;
};

TEST_F(ProgramPanel, WhatIsJudgedLaterIsTheSameProgram) {
  const auto fits = [&] {
    bool all = false;
    EXPECT_TRUE(driver_->act([&](ImGuiTestContext* person) {
      person->Yield(2);
      ImGuiWindow* tracks = person->WindowInfo((pathOf(state(), Tab::Program) + "/tracks").c_str()).Window;
      IM_CHECK(tracks != nullptr);
      all = tracks->StateStorage.GetInt(tracks->GetID("fits")) != 0;
    }));
    return all;
  };
  ASSERT_TRUE(fits());
  ASSERT_TRUE(driver_->act([&](ImGuiTestContext* person) {
    person->SetRef(person->WindowInfo((pathOf(state(), Tab::Program) + "/tracks").c_str()).ID);
    person->MouseMove("columns");
    person->MouseWheelY(2);
  }));
  EXPECT_FALSE(fits());
  state().program.executed = std::make_shared<ShownProgram>(*state().program.executed);
  EXPECT_FALSE(fits()) << "another object, with what was found out since, but the same run: what was zoomed stays";
  ++state().program.runs;
  EXPECT_TRUE(fits()) << "of another run all is shown";
}

TEST_F(ProgramPanel, ShowsWhatTheProgramDid) {
  ASSERT_NE(state().program.executed, nullptr) << state().program.missing;
  const std::string text = shown();
  EXPECT_NE(text.find("The program ended with status 0 after 4 launches."), std::string::npos) << text;
  EXPECT_NE(text.find("done"), std::string::npos) << text;
}

TEST_F(ProgramPanel, ListsTheArraysAndWhatIsOnlyUntidyAsANote) {
  const std::string text = shown();
  EXPECT_NE(text.find("array"), std::string::npos) << text;
  EXPECT_NE(text.find("never"), std::string::npos) << "the second array is not freed\n" << text;
  EXPECT_EQ(countedFindings(findings(state()).size(), programFaults(state()).size()), "no findings · 1 note");
}

TEST_F(ProgramPanel, ASceneKnowsTheSelectedLaunchAndTheArguments) {
  state().program.arguments = {"7"};
  WorkingCopy& copy = state().copies.at(state().choice.kernel);
  copy.setText(copy.text + "\n");
  for (int i = 0; i < 3; ++i) { driver_->settle(); }
  ASSERT_EQ(state().program.executed->arguments, std::vector<std::string>{"7"});
  selectLaunch(state(), 2);
  for (int i = 0; i < 3; ++i) { driver_->settle(); }
  recordScene(state());
  ASSERT_EQ(state().session.scenes.size(), 1U);
  EXPECT_EQ(state().session.scenes[0].launch, 2U);
  EXPECT_EQ(state().session.scenes[0].texts.at(0)->arguments, std::vector<std::string>{"7"});
  selectLaunch(state(), 0);
  state().program.arguments.clear();
  driver_->settle();
  goToScene(state(), 0);
  for (int i = 0; i < 4; ++i) { driver_->settle(); }
  EXPECT_EQ(selectedLaunch(state()), 2U);
  EXPECT_EQ(state().program.arguments, std::vector<std::string>{"7"});
  EXPECT_FALSE(state().problem);
}

TEST_F(ProgramPanel, AProgramThatReadsFilesIsNotRecorded) {
  state().program.files.push_back({.name = "in.txt", .bytes = {}});
  WorkingCopy& copy = state().copies.at(state().choice.kernel);
  copy.setText(copy.text + "\n");
  for (int i = 0; i < 3; ++i) { driver_->settle(); }
  recordScene(state());
  EXPECT_TRUE(state().session.scenes.empty());
  ASSERT_TRUE(state().problem);
  EXPECT_NE(state().problem->message.find("its program reads in.txt"), std::string::npos);
}

running::ProgramRun smallerRun(const running::RunOptions&) {
  ProgramSample sample(2);
  sample.run().sizesText = "N is 256 here instead of 8192 (line 3), because 8192 takes about 68 min here.";
  return sample.run();
}

class SmallerProgram : public ProgramPanel {
 protected:
  SmallerProgram() : ProgramPanel(smallerRun) {}
};

TEST_F(SmallerProgram, SaysSoBeforeEverythingElse) {
  const std::string text = shown();
  const std::size_t notice = text.find("N is 256 here instead of 8192");
  ASSERT_NE(notice, std::string::npos) << text;
  EXPECT_LT(notice, text.find("The program ended with status 0 after 2 launches."));
}

TEST_F(ProgramPanel, BracketsStepOverLaunchesAndOtherwiseOverVariants) {
  type("]");
  EXPECT_EQ(selectedLaunch(state()), 0U);
  EXPECT_EQ(state().choice.kernel, "opened/sample");
  type("]");
  EXPECT_EQ(selectedLaunch(state()), 1U);
  type("[");
  EXPECT_EQ(selectedLaunch(state()), 0U);
  EXPECT_NE(shown().find("sweep<<<2×1×1, 32×1×1>>>"), std::string::npos);
  EXPECT_EQ(hostLineIn(state(), state().experiment->file), kLaunches);
  press(ImGuiMod_Alt | ImGuiKey_RightArrow);
  EXPECT_NE(state().choice.kernel, "opened/sample") << "Alt and an arrow choose a variant all the same";

  state().choice = {"stencil/tiled", {}, std::nullopt};
  state().view.tabs.enter(Workspace::Walk);
  driver_->settle();
  type("]");
  EXPECT_NE(state().choice.kernel, "stencil/tiled");
  EXPECT_EQ(selectedLaunch(state()), 0U);
}

TEST_F(ProgramPanel, AClickSelectsAColumn) {
  click("**/columns");
  ASSERT_TRUE(state().program.column.has_value());
  click("**/next launch of the program/step");
  EXPECT_TRUE(selectedLaunch(state()).has_value());
}

TEST_F(ProgramPanel, AFindingOfTheHostLeadsToItsCall) {
  click("**/program fault");
  EXPECT_EQ(state().program.column, 1U) << "the second allocation";
  EXPECT_EQ(hostLineIn(state(), state().experiment->file), kAllocations + 1);
}

TEST_F(ProgramPanel, WhatIsWrongWithTheHostIsAFindingOfTheWindow) {
  const std::vector<ProgramFault> faults = programFaults(state());
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].title, "memory never freed");
  EXPECT_FALSE(faults[0].grave);
  const std::string text = shown();
  EXPECT_NE(text.find("no findings · 1 note"), std::string::npos) << text;
  state().view.tabs.bringToFront(Tab::Findings);
  EXPECT_NE(shown().find("in the program"), std::string::npos);
  ASSERT_TRUE(driver_->act([&](ImGuiTestContext* person) {
    person->SetRef(pathOf(state(), Tab::Findings).c_str());
    person->ItemClick("**/program fault");
  }));
  EXPECT_EQ(state().program.column, 1U) << "the second allocation";
  EXPECT_EQ(hostLineIn(state(), state().experiment->file), kAllocations + 1);
}

class CrashedProgram : public ProgramPanel {
 protected:
  CrashedProgram() : ProgramPanel(crashedRun) {}
};

TEST_F(CrashedProgram, TheSourceShowsTheLineWhereItEnded) {
  EXPECT_EQ(hostLineIn(state(), state().experiment->file), kCopyOut);
  const std::vector<ProgramFault> faults = programFaults(state());
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].sentence, "Host code follows a null pointer.");
  EXPECT_EQ(faults[1].title, "out of bounds");
  EXPECT_TRUE(faults[1].sentence.starts_with("launch 2, sweep: ")) << faults[1].sentence;
  chooseProgramFault(state(), faults[1]);
  EXPECT_EQ(selectedLaunch(state()), 1U);
  EXPECT_EQ(hostLineIn(state(), state().experiment->file), 2);
  selectPreviousLaunch(state());
  EXPECT_EQ(hostLineIn(state(), state().experiment->file), kLaunches) << "the call of the launch";
}

TEST_F(ProgramPanel, TheWindowShowsTheSelectedLaunchWithItsOwnData) {
  const auto settle = [&] {
    driver_->settle();
    driver_->settle();  // the experiment with what the program said
  };
  type("]");
  settle();
  EXPECT_TRUE(showsLaunchData(state())) << state().program.noData;
  EXPECT_EQ(state().experiment->configuration.grid, (Dim3{2, 1, 1}));
  EXPECT_NE(shown().find("The window shows this launch, with its own data."), std::string::npos);
  deselectColumn(state());
  settle();
  EXPECT_FALSE(state().experiment->launchData);
}

class BoundProgram : public ProgramPanel {
 protected:
  BoundProgram() : ProgramPanel(boundRun) {}
};

TEST_F(BoundProgram, IsShownWithTheDataOfItsFirstLaunchUntilAnotherIsSelected) {
  driver_->settle();
  EXPECT_FALSE(state().program.column);
  EXPECT_TRUE(showsLaunchData(state()));
  ASSERT_NE(state().program.data, nullptr);
  EXPECT_EQ(state().program.data->launch, "launch 1 of 4");
  selectNextLaunch(state());
  selectNextLaunch(state());
  driver_->settle();
  driver_->settle();
  ASSERT_NE(state().program.data, nullptr) << state().program.noData;
  EXPECT_EQ(state().program.data->launch, "launch 2 of 4");
  deselectColumn(state());
  driver_->settle();
  EXPECT_EQ(state().program.data->launch, "launch 1 of 4");
}

TEST(KeptLaunch, IsTheLaunchAsItBegins) {
  const host::HostProgram program{.files = {{"sample.cu", kSampleText}}};
  running::RunOptions options;
  options.executable = HALOSCOPE_BINARY;
  options.compilerHeaders = fs::path(HALOSCOPE_BINARY).parent_path() / "assets" / "clang" / "include";
  const running::ProgramRun whole = running::run(program, options);
  ASSERT_EQ(whole.launches.size(), 4U) << whole.message;
  EXPECT_EQ(running::allocationNames(whole, program), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(whole.output, "done\n");
  EXPECT_EQ(whole.events.back().printed, whole.output.size());
  for (const running::ProgramEvent& event : whole.events) {
    if (event.at.line < kCopyOut) { EXPECT_EQ(event.printed, 0U) << event.at.line; }
  }
  options.keepLaunch = 1;
  options.compiled = whole.compiled;
  const running::ProgramRun run = running::run(program, options);
  ASSERT_NE(run.kept, nullptr) << run.message;
  EXPECT_EQ(run.launches.size(), 2U) << "the program ends there";
  EXPECT_EQ(run.kept->pointers.at(0).place->allocation, 1U) << "the arrays have changed places";
  const auto holdsNothing = [](const running::KeptLaunch& kept, std::size_t pointer) {
    return running::unwrittenWords(kept.launch.arrays.at(kept.pointers.at(pointer).object).bytes) != nullptr;
  };
  EXPECT_FALSE(holdsNothing(*run.kept, 0));
  options.keepLaunch = 0;
  const running::ProgramRun first = running::run(program, options);
  EXPECT_FALSE(holdsNothing(*first.kept, 0)) << "it was copied to the device";
  EXPECT_TRUE(holdsNothing(*first.kept, 1));
}

TEST_F(ProgramPanel, AKeyBringsItToTheFrontAndBack) {
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Program));
  press(ImGuiKey_J);
  driver_->settle();
  EXPECT_FALSE(state().view.tabs.inFront(Tab::Program));
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Block));
  press(ImGuiKey_J);
  driver_->settle();
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Program));
}

TEST_F(ProgramPanel, IsDrawnInEverySizeAndTheme) {
  type("]");
  for (const bool light : {false, true}) {
    for (const float scale : {1.0F, 1.5F, 2.0F}) {
      state().view.light = light;
      state().view.scale = scale;
      driver_->settle();
      state().view.tabs.bringToFront(Tab::Program);  // large text has a layout of its own
      driver_->settle();
      // With the largest text the words are below the panel's edge.
      if (scale < 2) { EXPECT_NE(shown().find("sweep<<<"), std::string::npos) << light << " " << scale; }
    }
  }
}

class LongProgram : public ProgramPanel {
 protected:
  LongProgram() : ProgramPanel(longRun) {}
};

TEST_F(LongProgram, IsFoldedUntilAllCallsAreWanted) {
  EXPECT_TRUE(state().program.folded);
  for (int i = 0; i < 6; ++i) { type("]"); }
  EXPECT_EQ(selectedLaunch(state()), 5U);
  click("**/fold/all calls");
  EXPECT_FALSE(state().program.folded);
  ASSERT_TRUE(driver_->act([&](ImGuiTestContext* person) {
    person->SetRef(pathOf(state(), Tab::Program).c_str());
    person->MouseMove("**/columns");
    for (int i = 0; i < 40; ++i) {  // until many columns share a pixel
      person->MouseWheelY(-1);
      person->Yield();
    }
  }));
  EXPECT_EQ(selectedLaunch(state()), 5U);
}

class EndlessProgram : public ProgramPanel {
 protected:
  EndlessProgram() : ProgramPanel(endlessRun, false) {}
};

TEST_F(EndlessProgram, SaysHowFarItIsAndCanBeStopped) {
  const std::string text = shown();
  EXPECT_NE(text.find("executing launch 1: sweep, line 10"), std::string::npos) << text;
  click("**/stop");
  driver_->settle();
  EXPECT_NE(shown().find("The program was stopped."), std::string::npos);
  EXPECT_EQ(state().program.executed->timeline.launches.size(), 1U) << "what it did until then stays";
}

class NoProgram : public ProgramPanel {
 protected:
  NoProgram()
      : ProgramPanel([](const running::RunOptions&) -> running::ProgramRun {
          throw MissingError("Host code cannot be confined on this system");
        }) {}
};

TEST_F(NoProgram, SaysWhyInOneSentence) {
  EXPECT_NE(shown().find("Host code cannot be confined on this system."), std::string::npos);
}

}  // namespace
}  // namespace haloscope::test
