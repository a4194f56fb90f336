#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <tuple>

#include "UiDriver.h"
#include "actions/Barriers.h"
#include "actions/BugLabTasks.h"
#include "actions/Findings.h"
#include "actions/Fixes.h"
#include "checking/BarrierRepair.h"
#include "checking/LabVerdict.h"
#include "files/FileText.h"
#include "ui/window/PanelList.h"

/// What a user does with findings and barriers. The reports are made here: what the checks find has its own tests.
namespace haloscope::test {
namespace {

using faults::Finding;
using faults::FindingKind;

/// A checker that has two things to say against the line of the sum.
checking::CheckReport complain(const experiment::Experiment& experiment, const std::stop_token&) {
  checking::CheckReport report;
  report.kernel = "stencil";
  report.seconds = 0.01;
  const auto lineOf = [&](const std::string& word) {
    const std::string& text = experiment.file.text;
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(text.find(word));
    return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
  };
  const int line = lineOf("out[(i * N");
  Finding race;
  race.kind = FindingKind::RaceShared;
  const int load = lineOf("in_s[tz][ty][tx] =");
  race.where = {load, 5, load, 21};
  race.other = {line, 7, line, 30};
  race.otherReads = true;
  race.message = "in_s[3][2][1] is written by thread (1,2,3) and read by thread (1,2,4) with no barrier between";
  race.threads = {{{1, 0, 0}, {1, 2, 3}}, {{1, 0, 0}, {1, 2, 4}}};
  race.interval = 1;
  race.object = experiment.footprint.output;
  for (const std::size_t output : {0, 3}) {
    race.reach({experiment.footprint.output, experiment.footprint.outputs.at(output)}, 16);
  }
  Finding wrong;
  wrong.kind = FindingKind::WrongResult;
  wrong.where = race.other;
  wrong.message = "out[1057] is 0.25, and should be 0.5";
  const int other = lineOf("int j = ");
  wrong.also = {{{other, 3, other, 20}, {}, "j is off by one"}};
  report.findings = {race, wrong};
  return report;
}

checking::CheckReport praise(const experiment::Experiment&, const std::stop_token&) {
  checking::CheckReport report;
  report.evidence.add({verdict::Basis::Definition, verdict::Outcome::Agrees});
  report.maxError = 1e-7;
  return report;
}

class Findings : public ::testing::Test {
 protected:
  explicit Findings(const checking::Checker& checker = complain)
      : driver_([&](AppOptions& options) { options.checker = checker; }) {}
  AppState& state() { return driver_.state(); }
  void open(Tab tab) {
    state().view.tabs.bringToFront(tab);
    driver_.settle();
  }
  void press(ImGuiKeyChord keys) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) { user->KeyPress(keys); }));
  }
  UiDriver driver_;
};

checking::CheckReport refuse(const experiment::Experiment&, const std::stop_token&) {
  checking::CheckReport report;
  report.notChecked = "The grid has more threads than the checks can execute.";
  return report;
}

class NoFindings : public Findings {
 protected:
  NoFindings() : Findings(praise) {}
};

TEST_F(Findings, APanelWithFindingsComesToTheFront) {
  ASSERT_NE(state().report, nullptr);
  EXPECT_EQ(findings(state()).size(), 2U);
  EXPECT_EQ(state().view.tabs.workspace(), Workspace::Walk) << "the one that the user has chosen stays";
  state().view.tabs.enter(Workspace::Learn);  // where they are tabs with the source
  driver_.settle();
  EXPECT_TRUE(windowOf(state(), Tab::Findings)->DockTabIsVisible);
}

TEST_F(NoFindings, ACleanKernelLeavesTheSourceInFront) {
  ASSERT_NE(state().report, nullptr);
  state().view.tabs.enter(Workspace::Learn);
  driver_.settle();
  EXPECT_FALSE(windowOf(state(), Tab::Findings)->DockTabIsVisible);
  EXPECT_TRUE(windowOf(state(), Tab::Source)->DockTabIsVisible);
}

class NotChecked : public Findings {
 protected:
  NotChecked() : Findings(refuse) {}
};

TEST_F(NotChecked, ThePanelSaysWhy) {
  state().view.tabs.bringToFront(Tab::Findings);
  driver_.settle();
  std::string shown;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    ImGui::LogToBuffer();
    ImGui::GetCurrentContext()->LogWindow = nullptr;  // the log covers the whole frame, not one window
    user->Yield();
    shown = ImGui::GetCurrentContext()->LogBuffer.c_str();
    ImGui::LogFinish();
  }));
  EXPECT_NE(shown.find(state().report->notChecked), std::string::npos) << shown;
  EXPECT_EQ(shown.find("No findings."), std::string::npos) << shown;
}

TEST_F(Findings, F8LeadsToTheBlockTheThreadAndTheStatement) {
  EXPECT_EQ(faultyCells(state()).size(), 2U);
  press(ImGuiKey_F8);
  driver_.settle();
  const Finding* finding = chosenFinding(state());
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->kind, FindingKind::RaceShared);
  EXPECT_EQ(state().experiment->block, (Dim3{1, 0, 0}));
  const Dim3& block = state().experiment->configuration.block;
  // Where the race shows: at its later access.
  EXPECT_EQ(state().selection.thread, linear({1, 2, 4}, block));
  ASSERT_NE(state().cursor.current(), nullptr);
  const auto& statement = state().experiment->program->statements[state().cursor.current()->statement];
  EXPECT_LE(statement.range.line, finding->other.line);
  EXPECT_GE(statement.range.endLine, finding->other.line);
  EXPECT_EQ(state().cursor.current()->interval, 1U);
  EXPECT_TRUE(faultyCells(state()).empty()) << "it reaches outputs of another block";
  EXPECT_EQ(faultyRuns(state()).size(), 2U);
  press(ImGuiKey_F8);
  EXPECT_EQ(state().selection.finding, 1U);
  press(ImGuiKey_F8);
  EXPECT_EQ(state().selection.finding, 0U) << "round again";
  press(ImGuiMod_Shift | ImGuiKey_F8);
  EXPECT_EQ(state().selection.finding, 1U);
}

TEST_F(Findings, AClickOnOneChoosesIt) {
  open(Tab::Findings);
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->SetRef(pathOf(state(), Tab::Findings).c_str());
    user->ItemClick("**/$$1/finding");
  }));
  EXPECT_EQ(state().selection.finding, 1U);
}

TEST_F(Findings, ArrowsAndEnterWalkThroughThem) {
  open(Tab::Findings);
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->SetRef(pathOf(state(), Tab::Findings).c_str());
    user->ItemClick("**/$$0/finding");
    user->KeyPress(ImGuiKey_DownArrow);
    EXPECT_EQ(state().selection.finding, 1U);
    user->KeyPress(ImGuiKey_DownArrow);
    EXPECT_EQ(state().selection.finding, 1U) << "there is no further one";
    user->KeyPress(ImGuiKey_UpArrow);
    EXPECT_EQ(state().selection.finding, 0U);
  }));
  driver_.settle();
  const std::size_t position = state().cursor.position();
  ASSERT_GT(position, 0U);
  state().cursor.goTo(0);
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->WindowFocus(pathOf(state(), Tab::Findings).c_str());
    user->KeyPress(ImGuiKey_Enter);
  }));
  EXPECT_EQ(state().cursor.position(), position);
}

TEST_F(Findings, AnotherPlaceOfTheSameMistakeLeadsThere) {
  open(Tab::Findings);
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->SetRef(pathOf(state(), Tab::Findings).c_str());
    user->ItemClick("**/$$1/finding");
    user->Yield(2);
    user->ItemClick("**/$$1/$$0/also");
  }));
  ASSERT_NE(state().cursor.current(), nullptr);
  const SourceRange& where = chosenFinding(state())->also.front().where;
  const auto& statement = state().experiment->program->statements[state().cursor.current()->statement];
  EXPECT_EQ(statement.range.line, where.line);
}

TEST_F(Findings, AnotherBlockKeepsTheReport) {
  const auto report = state().report;
  state().choice.block = Dim3{0, 0, 0};
  driver_.settle();
  EXPECT_EQ(state().report, report);
}

TEST_F(Findings, AClickTakesTheBarrierOutAndPutsItBack) {
  open(Tab::Source);
  const std::set<int> lines = state().experiment->barriers;
  ASSERT_EQ(lines.size(), 1U);
  ASSERT_TRUE(state().cursor.goToLine(*lines.begin()));
  driver_.settle();
  const auto click = [&] {
    return driver_.act([&](ImGuiTestContext* user) {
      user->SetRef(pathOf(state(), Tab::Source).c_str());
      const std::string item = "**/$$" + std::to_string(*lines.begin()) + "/barrier";
      user->ItemClick(item.c_str());
    });
  };
  ASSERT_TRUE(click());
  EXPECT_EQ(state().choice.withoutBarriers, lines);
  driver_.settle();
  EXPECT_EQ(state().experiment->choice.withoutBarriers, lines);
  ASSERT_TRUE(state().cursor.goToLine(*lines.begin())) << "the race was shown";
  driver_.settle();
  ASSERT_TRUE(click());
  EXPECT_TRUE(state().choice.withoutBarriers.empty());
}

TEST_F(Findings, XTakesOutTheNextBarrier) {
  press(ImGuiKey_X);
  EXPECT_EQ(state().choice.withoutBarriers, state().experiment->barriers);
  press(ImGuiKey_X);
  EXPECT_TRUE(state().choice.withoutBarriers.empty());
}

TEST_F(NoFindings, XPutsBackWhatItTookOutWhereverTheCursorIs) {
  state().choice.kernel = "stencil/coarsened";
  driver_.settle();
  const std::set<int> lines = state().experiment->barriers;
  ASSERT_GE(lines.size(), 2U);
  ASSERT_TRUE(state().cursor.goToLine(*lines.begin()));
  press(ImGuiKey_X);
  EXPECT_EQ(state().choice.withoutBarriers, std::set<int>{*lines.begin()});
  driver_.settle();
  ASSERT_TRUE(state().cursor.goToLine(*lines.rbegin()));
  press(ImGuiKey_X);
  EXPECT_TRUE(state().choice.withoutBarriers.empty());
  driver_.settle();
  ASSERT_TRUE(state().cursor.goToLine(*lines.rbegin()));
  press(ImGuiKey_X);
  EXPECT_EQ(state().choice.withoutBarriers, std::set<int>{*lines.rbegin()}) << "and then begins anew";
}

TEST_F(NoFindings, XSaysThatThereIsNoBarrier) {
  state().choice.kernel = "stencil/basic";
  driver_.settle();
  press(ImGuiKey_X);
  press(ImGuiKey_X);
  EXPECT_EQ(state().editing.notices, std::vector<std::string>{"stencil/basic has no __syncthreads() to remove."});
}

TEST_F(Findings, TheOrderOfWarpsIsChosenInTheMenu) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->SetRef("##toolbar");
    user->ItemClick("Menu");
    user->SetRef("//$FOCUSED");
    user->MenuClick("###Execution/reversed");
  }));
  EXPECT_EQ(state().choice.order, simt::WarpOrder::Reversed);
  driver_.settle();
  EXPECT_EQ(state().experiment->choice.order, simt::WarpOrder::Reversed);
}

TEST_F(Findings, TheBugLabHidesThemUntilTheyAreRevealed) {
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiKey_U);
    user->Yield(2);
    user->SetRef("//$FOCUSED");
    user->ItemClick("###flicker");
  }));
  driver_.settle();
  const BugTask& task = *state().bugLab.find("flicker");
  EXPECT_EQ(state().choice.kernel, task.faulty.id);
  ASSERT_NE(state().experiment, nullptr);
  EXPECT_EQ(state().experiment->file.id, task.faulty.id);
  EXPECT_TRUE(findings(state()).empty());
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->WindowFocus(pathOf(state(), Tab::BugLab).c_str());
    user->Yield(2);
    user->ItemClick((pathOf(state(), Tab::BugLab) + "/Reveal").c_str());
  }));
  EXPECT_EQ(findings(state()).size(), 2U);
  EXPECT_TRUE(state().labProgress.at(task.id).revealed);
}

class BugLabTask : public Findings {
 protected:
  BugLabTask()
      : Findings([](const experiment::Experiment& experiment, const std::stop_token& stop) {
          const std::filesystem::path source = HALOSCOPE_SOURCE_DIR;
          return checking::checkInLab(BugLab::read(source / "assets" / "buglab"), experiment, stop);
        }) {}
};

TEST_F(BugLabTask, IsSolvedWhenItIsMended) {
  const BugTask& task = *state().bugLab.find("flicker");
  openLabTask(state(), task);
  driver_.settle();
  EXPECT_FALSE(state().labProgress[task.id].solved);
  EXPECT_EQ(labSentence(state()), "");
  std::string& text = state().copies.at(task.faulty.id).text;
  const std::string faulty = text;
  state().copies.at(task.faulty.id).setText(faulty + "\n");
  driver_.settle();
  EXPECT_FALSE(state().labProgress[task.id].solved);
  EXPECT_NE(labSentence(state()).find("race"), std::string::npos) << labSentence(state());
  state().copies.at(task.faulty.id).setText(faulty + "{");
  driver_.settle();
  EXPECT_NE(labSentence(state()).find("cannot be run"), std::string::npos) << labSentence(state());
  state().copies.at(task.faulty.id).setText(task.fixed.text);
  driver_.settle();
  EXPECT_TRUE(state().labProgress[task.id].solved);
  EXPECT_NE(labSentence(state()).find("Solved"), std::string::npos) << labSentence(state());
}

/// The window with a file that the user opened.
TEST(OpenedFile, IsShownWhereItsFirstFindingShows) {
  const std::string path = HALOSCOPE_SOURCE_DIR "/kernels/stencil/tiled.cu";
  UiDriver driver([&](AppOptions& options) {
    options.checker = complain;
    options.state.catalogue = Catalogue::read(HALOSCOPE_SOURCE_DIR "/kernels/convolution");
    options.state.fileRequests.text = OpenedText{path, readWhole(path).value()};
  });
  driver.settle();
  AppState& state = driver.state();
  ASSERT_TRUE(state.choice.kernel.starts_with("opened/")) << state.choice.kernel;
  EXPECT_EQ(state.selection.finding, 0U);
  EXPECT_EQ(state.experiment->block, (Dim3{1, 0, 0}));
  EXPECT_EQ(state.selection.thread, linear({1, 2, 4}, state.experiment->configuration.block));
  ASSERT_NE(state.cursor.current(), nullptr);
  EXPECT_EQ(state.cursor.current()->interval, 1U);
}

TEST(OpenedFile, IsShownInTheIterationOfItsFinding) {
  const std::string text =
      "__device__ float in[1000];\n"
      "__global__ void sums(float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i >= n) { return; } float sum = 0.0f;\n"
      "  for (int j = -1; j <= 1; ++j) {\n"
      "    if (i + j >= 0 && i + j <= n) {\n"
      "      sum += in[i + j];\n"
      "    }\n"
      "  }\n"
      "  out[i] = sum;\n"
      "}\n";
  UiDriver driver([&](AppOptions& options) {
    options.checker = [](const experiment::Experiment& experiment, const std::stop_token& stop) {
      return checking::check(experiment, stop);
    };
    options.state.fileRequests.text = OpenedText{"/tmp/sums.cu", text};
  });
  driver.settle();
  const AppState& state = driver.state();
  ASSERT_FALSE(findings(state).empty());
  const Finding& finding = findings(state).front();
  ASSERT_EQ(finding.kind, FindingKind::OutOfBounds);
  ASSERT_NE(state.cursor.current(), nullptr);
  const recording::Recording& recording = state.cursor.recording();
  const StatementId statement = state.cursor.current()->statement;
  EXPECT_EQ(recording.program->statements[statement].range.line, 7);
  const std::uint32_t thread = state.selection.thread;
  int executed = 0;  // of j = -1, 0 and 1
  for (std::size_t step = 0; step < state.cursor.position(); ++step) {
    const LaneMask active = recording.warpState(step, thread / kWarpSize).active;
    if (recording.steps[step].statement == statement && (active >> thread % kWarpSize & 1U) != 0) { ++executed; }
  }
  EXPECT_EQ(executed, 3);
}

TEST(OpenedFile, IsComparedWithItsOtherKernels) {
  std::string text = "__constant__ float c[3];\n";
  for (const auto& [name, left, right] : {std::tuple{"plain", 0, 2}, {"second", 0, 2}, {"swapped", 2, 0}}) {
    text += fmt::format(
        "__global__ void {}(const float* in, float* out, int n) {{\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i > 0 && i < n - 1) out[i] = c[{}] * in[i - 1] + c[1] * in[i] + c[{}] * in[i + 1];\n}}\n",
        name, left, right);
  }
  UiDriver driver([&](AppOptions& options) {
    options.checker = [](const experiment::Experiment& experiment, const std::stop_token& stop) {
      return checking::check(experiment, stop);
    };
    options.state.fileRequests.text = OpenedText{"/tmp/three_kernels.cu", text, {}, "swapped"};
  });
  driver.settle();
  const AppState& state = driver.state();
  ASSERT_EQ(findings(state).size(), 1U);
  EXPECT_EQ(findings(state)[0].kind, FindingKind::WrongResult);
  const std::string& message = findings(state)[0].message;
  EXPECT_NE(message.find("it takes c[0] where the others take c[2]"), std::string::npos) << message;
}

// With the checks themselves: what is found is found by them.
class RaceDemonstration : public ::testing::Test {
 protected:
  RaceDemonstration()
      : driver_([](AppOptions& options) {
          options.checker = [](const experiment::Experiment& experiment, const std::stop_token& stop) {
            checking::CheckReport report = checking::check(experiment, stop);
            checking::mendRace(report, experiment, stop);
            return report;
          };
          options.state.view.tabs.enter(Workspace::Learn);  // where the findings are tabs with the source
        }) {}
  void press(ImGuiKeyChord key) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) { user->KeyPress(key); }));
    driver_.settle();
  }
  [[nodiscard]] bool findingsInFront() { return windowOf(driver_.state(), Tab::Findings)->DockTabIsVisible; }
  UiDriver driver_;
};

TEST_F(RaceDemonstration, IsThreeKeyPresses) {
  AppState& state = driver_.state();
  driver_.settle();
  ASSERT_EQ(state.experiment->file.id, "stencil/tiled");
  EXPECT_FALSE(findingsInFront());

  press(ImGuiKey_X);  // wherever the cursor is
  const Finding* race = chosenFinding(state);
  ASSERT_NE(race, nullptr);
  EXPECT_EQ(race->kind, FindingKind::RaceShared);
  EXPECT_EQ(race->threads.size(), 2U);
  EXPECT_TRUE(findingsInFront());
  EXPECT_TRUE(raceOnStage(state)) << "both accesses are in the block on screen";
  ASSERT_NE(state.cursor.current(), nullptr);
  const SourceRange& at = state.experiment->program->statements[state.cursor.current()->statement].range;
  EXPECT_TRUE(at.holdsBeginOf(race->other)) << "where the race shows";

  press(ImGuiKey_O);
  ASSERT_TRUE(state.experiment->barrierEffect);
  const std::size_t wrong = state.experiment->barrierEffect->differences.size();
  const std::size_t outputs = state.experiment->footprint.outputs.size();  // of the block that the race is in
  EXPECT_GT(wrong, 0U);
  const auto staged = raceOnStage(state);
  ASSERT_TRUE(staged);
  const analysis::RaceAccess& load = staged->first.store ? staged->second : staged->first;
  EXPECT_EQ(state.cursor.position(), load.step + 1) << "at the first read that goes wrong, not at the end";
  EXPECT_EQ(state.selection.thread, load.thread);
  press(ImGuiKey_End);
  EXPECT_NE(barrierSentence(state).find(fmt::format("{} of {} outputs of this block are wrong", wrong, outputs)),
            std::string::npos)
      << barrierSentence(state);

  press(ImGuiKey_X);
  EXPECT_TRUE(state.choice.withoutBarriers.empty());
  EXPECT_EQ(state.choice.order, simt::WarpOrder::SideBySide);
  EXPECT_FALSE(state.experiment->barrierEffect);
  EXPECT_EQ(state.blockView.outputsWritten, outputs);
  EXPECT_TRUE(findings(state).empty());
  EXPECT_EQ(barrierSentence(state), "");
}

TEST_F(RaceDemonstration, AFixIsTriedOnScreenAndTakenBackByItsKey) {
  AppState& state = driver_.state();
  state.view.tabs.enter(Workspace::Walk);
  driver_.settle();
  WorkingCopy& copy = state.copies.at("stencil/tiled");
  std::string text = copy.text;
  const std::size_t barrier = text.find("__syncthreads();");
  ASSERT_NE(barrier, std::string::npos);
  text.erase(barrier, std::string("__syncthreads();").size());
  copy.setText(text);
  driver_.settle();
  ASSERT_FALSE(findings(state).empty());
  const Finding finding = findings(state).front();
  ASSERT_TRUE(canTryFix(state, finding));
  ASSERT_TRUE(
      driver_.act([&](ImGuiTestContext* user) { user->ItemClick((pathOf(state, Tab::Block) + "/###fix").c_str()); }));
  driver_.settle();
  EXPECT_NE(copy.text, text);
  EXPECT_TRUE(hasTriedFix(state));
  EXPECT_TRUE(findings(state).empty()) << "the mended text was executed";
  const experiment::Choice choice = state.choice;
  press(ImGuiMod_Ctrl | ImGuiKey_UpArrow);  // a larger tile
  ASSERT_FALSE(state.choice == choice);
  press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_TRUE(state.choice == choice) << "what was done last is undone first";
  EXPECT_TRUE(hasTriedFix(state));
  press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(copy.text, text);
  EXPECT_FALSE(hasTriedFix(state));
  EXPECT_FALSE(findings(state).empty());
  press(ImGuiMod_Ctrl | ImGuiKey_Y);
  EXPECT_NE(copy.text, text) << "and comes back, before the choice that was made after it";
  EXPECT_TRUE(hasTriedFix(state));
  EXPECT_TRUE(state.choice == choice);
  driver_.settle();
  EXPECT_TRUE(findings(state).empty());
  press(ImGuiMod_Ctrl | ImGuiKey_Y);
  EXPECT_FALSE(state.choice == choice) << "then that choice";
  press(ImGuiMod_Ctrl | ImGuiKey_Z);
  press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(copy.text, text);
  copy.setText(text + "\n");
  press(ImGuiMod_Ctrl | ImGuiKey_Y);
  EXPECT_EQ(copy.text, text + "\n") << "not into a text that has changed since";
}

TEST(BugLabGallery, IsForKeysToo) {
  UiDriver driver;
  AppState& state = driver.state();
  ASSERT_TRUE(driver.act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiKey_U);
    user->Yield(3);
    user->SetRef("//$FOCUSED");
    for (const BugTask& task : state.bugLab.tasks()) {
      EXPECT_TRUE(user->ItemExists(("###" + task.id).c_str())) << task.id;
    }
    user->KeyPress(ImGuiKey_RightArrow);
    user->KeyPress(ImGuiKey_Enter);
  }));
  driver.settle();
  const BugTask* const second = labTask(state);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->id, state.bugLab.tasks().at(1).id);
  ASSERT_TRUE(driver.act([&](ImGuiTestContext* user) {
    user->ItemClick((pathOf(state, Tab::BugLab) + "/###all").c_str());
    user->KeyPress(ImGuiKey_Escape);
    user->Yield(2);
  }));
  EXPECT_EQ(labTask(state), second) << "Esc closes the gallery alone";
  EXPECT_TRUE(state.view.tabs.inFront(Tab::BugLab));
}

}  // namespace
}  // namespace haloscope::test
