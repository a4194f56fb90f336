#include "program/BugLab.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "simt/Executor.h"

namespace haloscope {
namespace {

const BugLab& lab() {
  static const BugLab kLab = BugLab::read(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets" / "buglab");
  return kLab;
}

TEST(BugLab, HasTasksThatSayWhatTheStudentSees) {
  ASSERT_GE(lab().tasks().size(), 20U);
  for (const BugTask& task : lab().tasks()) {
    EXPECT_FALSE(task.title.empty()) << task.id;
    EXPECT_EQ(task.faulty.task, task.fixed.task) << task.id;
    EXPECT_NE(task.faulty.text, task.fixed.text) << task.id;
    EXPECT_NE(lab().catalogue().find(task.id + "/faulty"), nullptr);
  }
  EXPECT_EQ(lab().tasks().front().id, "flicker");
  EXPECT_EQ(lab().find("no_such_task"), nullptr);
}

TEST(BugLab, EveryFixedTwinComputesWhatItShould) {
  for (const BugTask& task : lab().tasks()) {
    SCOPED_TRACE(task.id);
    const Bindings bindings = task.fixed.defaults();
    const Program program = experiment::compile(task.fixed, bindings);
    const Launch before = experiment::makeLaunch(task.fixed, bindings, program, experiment::InputKind::Random);
    Launch after = before;
    const simt::ExecuteResult result = simt::execute(program, after);
    EXPECT_EQ(result.outcome, simt::Outcome::Finished) << result.message;
    EXPECT_EQ(result.outOfBounds, 0U) << result.firstOutOfBoundsMessage;
    if (task.fixed.computes) {
      EXPECT_TRUE(experiment::compareWithReference(task.fixed, bindings, program, before.arrays, after.arrays).pass());
    }
  }
}

/// A race may leave the right values, and a write behind the array too; every other fault shows, in the result or as a
/// fault that the emulator itself reports.
TEST(BugLab, EveryFaultyKernelCompiles) {
  for (const BugTask& task : lab().tasks()) {
    SCOPED_TRACE(task.id);
    EXPECT_FALSE(experiment::compile(task.faulty, task.faulty.defaults()).code.empty());
  }
}

}  // namespace
}  // namespace haloscope
