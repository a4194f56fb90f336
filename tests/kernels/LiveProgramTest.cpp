#include "actions/Choices.h"
#include "live/LiveProgram.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "ProgramSample.h"
#include "actions/ProgramSteps.h"
#include "running/LaunchVerdict.h"
#include "work/Pool.h"

/// The program of the opened file, executed beside the frames. Execution itself is a function of the test's.
namespace haloscope::test {
namespace {

namespace fs = std::filesystem;

class LiveProgramTest : public ::testing::Test {
 protected:
  LiveProgramTest() {
    fs::create_directories(folder_);
    state_.view.tabs.bringToFront(Tab::Program);
    execution_.options = [](const measuring::GpuSpec&) { return running::RunOptions{}; };
    execution_.run = [this](const running::ProgramFiles& files, const running::RunOptions&) {
      last_ = files.program;
      ++runs_;
      return ProgramSample(4).run();
    };
  }
  ~LiveProgramTest() override { fs::remove_all(folder_); }

  void write(const char* name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  void open(const char* name) {
    KernelFile file;
    file.id = std::string("opened/") + name;
    file.path = folder_ / name;
    file.markOpened();
    state_.catalogue.put(file);
    WorkingCopy copy;
    copy.id = file.id;
    copy.path = file.path;
    copy.opened = true;
    std::ifstream in(file.path);
    copy.text = copy.fileText = std::string(std::istreambuf_iterator<char>(in), {});
    state_.copies[file.id] = copy;
    state_.launches[file.id].kernels = {"other", "sweep"};
    state_.choice.kernel = file.id;
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("program" + std::to_string(::getpid()));
  AppState state_;
  work::Pool pool_;
  ProgramRunner::Execution execution_;
  host::HostProgram last_;
  std::atomic<int> runs_ = 0;
};

TEST_F(LiveProgramTest, AFileWithMainIsExecutedAndAgainWhenItsTextChanges) {
  write("sample.cu", kSampleText);
  open("sample.cu");
  LiveProgram live(pool_, execution_);
  live.settle(state_);
  ASSERT_NE(state_.program.executed, nullptr) << state_.program.missing;
  EXPECT_EQ(state_.program.executed->title, "sample.cu");
  EXPECT_EQ(state_.program.executed->timeline.launches.size(), 4U);
  EXPECT_FALSE(state_.program.running);
  live.settle(state_);
  EXPECT_EQ(runs_, 1) << "nothing has changed";

  WorkingCopy& copy = state_.copies.at(state_.choice.kernel);
  copy.setText(copy.text + "// edited\n");
  live.update(state_, true);
  EXPECT_FALSE(live.busy()) << "the user is typing";
  live.settle(state_);
  EXPECT_EQ(runs_, 2);
  EXPECT_TRUE(last_.files.at(0).text.ends_with("// edited\n")) << "the text of the editor, not the file's";
  EXPECT_EQ(last_.files.at(0).name, "sample.cu");
}

TEST_F(LiveProgramTest, OneSentenceSaysWhyThereIsNoProgram) {
  write("kernel.cu", "__global__ void k() {}\n");
  open("kernel.cu");
  LiveProgram live(pool_, execution_);
  live.settle(state_);
  EXPECT_EQ(state_.program.missing, "kernel.cu has no main(): there is no program to execute.");
  EXPECT_EQ(runs_, 0);

  write("sample.cu", kSampleText);
  open("sample.cu");
  state_.program.allowed = false;
  live.settle(state_);
  EXPECT_EQ(state_.program.missing, "Host code is not executed: --no-host was given.");
  EXPECT_EQ(runs_, 0);
}

TEST_F(LiveProgramTest, WhatCannotBeStartedIsASentenceToo) {
  write("sample.cu", kSampleText);
  open("sample.cu");
  execution_.run = [](const running::ProgramFiles&, const running::RunOptions&) {
    running::ProgramRun run;
    run.end = running::ProgramEnd::Failed;
    run.message = "This system cannot confine a program.";
    return run;
  };
  LiveProgram live(pool_, execution_);
  live.settle(state_);
  EXPECT_EQ(state_.program.executed, nullptr);
  EXPECT_EQ(state_.program.missing, "This system cannot confine a program.");
}

TEST_F(LiveProgramTest, AFolderIsOneProgram) {
  write("main.cu", "#include \"kernels.h\"\nint main() { run(); }\n");
  write("kernels.cu", "__global__ void k() {}\nvoid run() { k<<<1, 1>>>(); }\n");
  state_.program.folder = folder_;
  LiveProgram live(pool_, execution_);
  live.settle(state_);
  ASSERT_NE(state_.program.executed, nullptr) << state_.program.missing;
  EXPECT_EQ(state_.program.executed->title, folder_.filename());
  EXPECT_EQ(last_.files.size(), 2U);
  open("kernels.cu");
  live.settle(state_);
  ASSERT_NE(state_.program.executed, nullptr) << "it belongs to the folder's program: " << state_.program.missing;
  EXPECT_EQ(runs_, 1);

  write("other.cu", "int main() {}\n");
  state_.copies.at(state_.choice.kernel).setText("// edited\n");
  live.settle(state_);
  EXPECT_EQ(state_.program.executed, nullptr) << "there are two main functions now";
  open("other.cu");
  live.settle(state_);
  ASSERT_NE(state_.program.executed, nullptr) << state_.program.missing;
  EXPECT_EQ(state_.program.executed->title, "other.cu") << "two programs in a folder: the file's own";
}

TEST_F(LiveProgramTest, TheRunIsShownBeforeItIsJudged) {
  write("sample.cu", kSampleText);
  open("sample.cu");
  LiveProgram live(pool_, execution_);
  live.settle(state_);
  ASSERT_NE(state_.program.executed, nullptr);
  EXPECT_TRUE(state_.program.executed->judged);
  EXPECT_FALSE(state_.program.comparing);
  EXPECT_EQ(state_.program.revision, 2U) << "asked for, and executed: verdicts change nothing of the launches";
}

TEST_F(LiveProgramTest, AKernelWithAFindingIsShownUnlessTheUserChoseOne) {
  write("sample.cu", kSampleText);
  open("sample.cu");
  execution_.run = [](const running::ProgramFiles&, const running::RunOptions&) {
    running::ProgramRun run = ProgramSample(2).run();
    run.launches.front().findings.emplace_back();
    return run;
  };
  LiveProgram live(pool_, execution_);
  live.settle(state_);
  OpenedLaunch& launch = state_.launches.at(state_.choice.kernel);
  EXPECT_EQ(launch.kernel, "sweep") << "the first is \"other\"";

  launch.kernel = "other";
  WorkingCopy& copy = state_.copies.at(state_.choice.kernel);
  copy.setText(copy.text + "// edited\n");
  live.settle(state_);
  EXPECT_EQ(launch.kernel, "other");
}

TEST_F(LiveProgramTest, WhatAStoppedProgramDidStays) {
  write("sample.cu", kSampleText);
  open("sample.cu");
  execution_.run = [](const running::ProgramFiles&, const running::RunOptions& options) {
    options.progress({.compiled = true, .calls = 3, .launches = 1, .at = {"sample.cu", 7}, .kernel = "sweep"});
    while (!options.stop.stop_requested()) { std::this_thread::yield(); }
    running::ProgramRun run = ProgramSample(1).run();
    run.end = running::ProgramEnd::Stopped;
    run.message = "The program was stopped.";
    return run;
  };
  LiveProgram live(pool_, execution_);
  live.update(state_, false);
  while (!state_.program.progress.compiled) { live.update(state_, false); }
  EXPECT_TRUE(state_.program.running);
  EXPECT_EQ(progressText(state_.program), "executing launch 1: sweep, line 7");
  state_.program.cancel = true;
  live.update(state_, false);
  live.settle(state_);
  ASSERT_NE(state_.program.executed, nullptr);
  EXPECT_EQ(endText(*state_.program.executed), "The program was stopped.");
  EXPECT_EQ(state_.program.executed->timeline.launches.size(), 1U);
}

TEST_F(LiveProgramTest, TheDataOfTheSelectedLaunchAreFetched) {
  write("sample.cu", kSampleText);
  open("sample.cu");
  std::optional<std::size_t> asked;
  execution_.run = [&](const running::ProgramFiles&, const running::RunOptions& options) {
    ProgramSample sample(4);
    if (options.keepLaunch) {
      asked = options.keepLaunch;
      sample.keepLaunch();
    }
    return sample.run();
  };
  LiveProgram live(pool_, execution_);
  live.settle(state_);
  const std::string& id = state_.choice.kernel;
  OpenedLaunch& launch = state_.launches.at(id);
  opening::Request request = requestOf(state_, state_.choice);
  EXPECT_TRUE(request.reread) << "the program says how its kernels are launched";
  EXPECT_EQ(request.overrides.executed.size(), 1U);
  EXPECT_EQ(request.file.data, nullptr);
  launch.readProgram = state_.program.revision;
  launch.readRevision = launch.revision;

  state_.choice.bindings["n"] = 7;
  selectColumn(state_, state_.program.executed->timeline.launches[2]);
  EXPECT_TRUE(state_.choice.bindings.empty()) << "the launch says how large it is";
  live.settle(state_);
  EXPECT_EQ(asked, 2U);
  ASSERT_NE(state_.program.data, nullptr) << state_.program.noData;
  EXPECT_EQ(state_.program.data->launch, "launch 3 of 4");
  request = requestOf(state_, state_.choice);
  EXPECT_TRUE(request.reread);
  EXPECT_EQ(request.file.data, state_.program.data);

  state_.copies.at(id).setText(std::string(kSampleText) + "// edited\n");
  request = requestOf(state_, state_.choice);
  EXPECT_TRUE(request.overrides.executed.empty()) << "the program had another text";
  EXPECT_EQ(request.file.data, nullptr);
  state_.copies.at(id).setText(kSampleText);

  deselectColumn(state_);
  live.settle(state_);
  EXPECT_EQ(state_.program.data, nullptr);
  EXPECT_EQ(requestOf(state_, state_.choice).file.data, nullptr);
}

class ProgramStepsTest : public LiveProgramTest {
 protected:
  ProgramStepsTest() {
    write("sample.cu", kSampleText);
    open("sample.cu");
    LiveProgram(pool_, execution_).settle(state_);
    auto shown = std::make_shared<ShownProgram>(*state_.program.executed);
    shown->files.folder = folder_;
    shown->files.program.files = {{"sample.cu", kSampleText}};
    state_.program.executed = std::move(shown);
  }
};

TEST_F(ProgramStepsTest, BracketsWalkOverLaunches) {
  ASSERT_TRUE(programShown(state_));
  EXPECT_EQ(selectedLaunch(state_), std::nullopt);
  selectNextLaunch(state_);
  EXPECT_EQ(selectedLaunch(state_), 0U);
  selectNextLaunch(state_);
  selectNextLaunch(state_);
  EXPECT_EQ(selectedLaunch(state_), 2U);
  selectPreviousLaunch(state_);
  EXPECT_EQ(selectedLaunch(state_), 1U);
  selectColumn(state_, 0);
  EXPECT_EQ(selectedLaunch(state_), std::nullopt) << "an allocation";
  selectPreviousLaunch(state_);
  EXPECT_EQ(state_.program.column, 0U) << "there is no launch before it";
  selectNextLaunch(state_);
  EXPECT_EQ(selectedLaunch(state_), 0U);
}

TEST_F(ProgramStepsTest, ALaunchChoosesItsKernel) {
  OpenedLaunch& launch = state_.launches.at(state_.choice.kernel);
  const std::uint64_t before = launch.revision;
  selectNextLaunch(state_);
  EXPECT_EQ(launch.kernel, "sweep");
  EXPECT_EQ(launch.revision, before + 1);
}

TEST_F(ProgramStepsTest, TheOutputIsThatUpToTheSelectedCall) {
  EXPECT_EQ(printedSoFar(state_), "done\n") << "all of it, while nothing is selected";
  selectColumn(state_, 6);
  EXPECT_EQ(printedSoFar(state_), "");
  selectColumn(state_, 7);
  EXPECT_EQ(printedSoFar(state_), "done\n");
}

TEST_F(ProgramStepsTest, TheHostsLineIsThatOfTheSameText) {
  KernelFile file = state_.catalogue.at(state_.choice.kernel);
  file.text = kSampleText;
  EXPECT_EQ(hostLineIn(state_, file), 0) << "nothing is selected";
  selectNextLaunch(state_);
  EXPECT_EQ(hostLineIn(state_, file), kLaunches);
  file.text += "// edited\n";
  EXPECT_EQ(hostLineIn(state_, file), 0);
}

TEST_F(ProgramStepsTest, CallsAreSentences) {
  const ShownProgram& program = *state_.program.executed;
  EXPECT_EQ(columnText(program, 0), "allocates 128 bytes for a");
  EXPECT_EQ(columnText(program, 2), "copies 128 bytes from the host to a");
  EXPECT_EQ(columnText(program, 3), "launches sweep");
  EXPECT_EQ(columnText(program, 7), "prints");
  EXPECT_EQ(columnText(program, 8), "copies 128 bytes from a to the host");
  EXPECT_EQ(columnText(program, 9), "frees a");
  EXPECT_EQ(endText(program), "The program ended with status 0 after 4 launches.");
  EXPECT_EQ(pointedText(program, running::DevicePlace{1, 64}), "b + 64 bytes");
  EXPECT_EQ(pointedText(program, std::nullopt), "null");
}

TEST_F(ProgramStepsTest, AVerdictCountsFindings) {
  running::ProgramLaunch launch = ProgramSample(1).run().launches[0];
  EXPECT_TRUE(launchVerdict(launch).good);
  EXPECT_EQ(launchVerdict(launch).text, "no fault");
  launch.findings.resize(2);
  launch.findings[0].kind = launch.findings[1].kind = faults::FindingKind::OutOfBounds;
  EXPECT_FALSE(launchVerdict(launch).good);
  EXPECT_EQ(launchVerdict(launch).text, "2 out-of-bounds");
  launch.executed = false;
  EXPECT_EQ(launchVerdict(launch).text, "not executed");
}

TEST_F(ProgramStepsTest, ATimeIsCalledAPrediction) {
  const ShownProgram& program = *state_.program.executed;
  ShownProgram known = program;
  known.device = {.name = "test GPU", .properties = {}, .bytesPerSecond = 1e9, .flopsPerSecond = 1e12};
  EXPECT_EQ(predictedText(known, known.run.launches[0]), "256 ns on test GPU, by its roofline");
  known.device = {};
  EXPECT_EQ(predictedText(known, known.run.launches[0]), "");
}

}  // namespace
}  // namespace haloscope::test
