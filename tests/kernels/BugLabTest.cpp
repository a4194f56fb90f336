#include "catalogue/BugLab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "KernelCatalogue.h"
#include "checking/Diagnosis.h"
#include "checking/LabVerdict.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "faults/NumberChecks.h"
#include "simt/Executor.h"

namespace haloscope {
namespace {

const BugLab& lab() {
  static const BugLab kLab = BugLab::read(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets" / "buglab");
  return kLab;
}

TEST(BugLab, HasTasksThatDescribeTheSymptom) {
  ASSERT_GE(lab().tasks().size(), 20U);
  for (const BugTask& task : lab().tasks()) {
    EXPECT_FALSE(task.title.empty()) << task.id;
    EXPECT_EQ(task.faulty.task, task.fixed.task) << task.id;
    EXPECT_NE(task.faulty.text, task.fixed.text) << task.id;
    EXPECT_NE(lab().catalogue().find(task.id + "/faulty"), nullptr);
    EXPECT_THAT(task.difficulty, ::testing::AllOf(::testing::Ge(1), ::testing::Le(3))) << task.id;
    EXPECT_FALSE(task.lesson.empty()) << task.id;
  }
  EXPECT_EQ(lab().tasks().front().id, "darkness");
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

TEST(BugLab, EveryFaultyKernelCompiles) {
  for (const BugTask& task : lab().tasks()) {
    SCOPED_TRACE(task.id);
    EXPECT_FALSE(experiment::compile(task.faulty, task.faulty.defaults()).code.empty());
  }
}

std::vector<faults::Finding> numberFindings(const KernelFile& file) {
  const Bindings bindings = file.defaults();
  const Program program = experiment::compile(file, bindings);
  Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  faults::NumberChecks checks(program);
  simt::ExecuteOptions options;
  options.instructionBudget = 20000;
  static_cast<void>(simt::execute(program, launch, checks.observers(), options));
  return checks.findings();
}

/// The line of the finding, without its indentation.
std::string lineOf(const KernelFile& file, const faults::Finding& finding) {
  std::istringstream lines(file.text);
  std::string line;
  for (int number = 0; number < finding.where.line; ++number) { std::getline(lines, line); }
  return line.substr(std::min(line.size(), line.find_first_not_of(' ')));
}

TEST(BugLab, NumberFaultsAreFoundWhereTheyAre) {
  const struct {
    const char* id;
    faults::FindingKind kind;
    const char* line;
    const char* words;
  } cases[] = {
      {"below_zero", faults::FindingKind::UnsignedWrap, "if (left >= 0) {", "left is unsigned"},
      {"below_zero", faults::FindingKind::UnsignedWrap, "sum += c[0] * in[left];", "left: 0 - 1 became 4294967295"},
      {"endless", faults::FindingKind::UnsignedWrap, "for (unsigned tap = 2; tap >= 0; --tap) {", "always true"},
      {"darkness", faults::FindingKind::IntegerTruncation, "float weight = 1 / 3;", "1 / 3"},
      {"coarse_steps", faults::FindingKind::IntegerTruncation,
       "sum += filter[filterRow * (2 * radius + 1) + filterCol] * in[inRow * width + inCol];", "in the integer sum"},
  };
  for (const auto& expected : cases) {
    SCOPED_TRACE(expected.id);
    const KernelFile& file = lab().find(expected.id)->faulty;
    std::string all;
    bool found = false;
    for (const faults::Finding& finding : numberFindings(file)) {
      all += lineOf(file, finding) + ": " + finding.message + '\n';
      found = found || (finding.kind == expected.kind && lineOf(file, finding) == expected.line &&
                        finding.message.find(expected.words) != std::string::npos);
    }
    EXPECT_TRUE(found) << all;
  }
}

TEST(BugLab, KernelsWithoutFaultsOfNumbersHaveNoSuchFinding) {
  const Catalogue& variants = test::catalogue();
  for (const KernelFile& file : variants.kernels()) {
    for (const auto& finding : numberFindings(file)) { ADD_FAILURE() << file.id << ": " << finding.message; }
  }
  for (const BugTask& task : lab().tasks()) {
    for (const auto& finding : numberFindings(task.fixed)) { ADD_FAILURE() << task.id << ": " << finding.message; }
  }
}

std::vector<faults::Finding> diagnosis(const KernelFile& file) {
  const Bindings bindings = file.defaults();
  const Program program = experiment::compile(file, bindings);
  const Launch before = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  Launch after = before;
  static_cast<void>(simt::execute(program, after));
  return checking::diagnose(file, bindings, program, before, after).findings;
}

TEST(BugLab, WrongResultsAreDiagnosed) {
  const struct {
    const char* id;
    const char* line;
    const char* words;
  } cases[] = {
      {"crossed_taps", "+ c[3] * in[(i * N + (j + 1)) * N + k]", "c[3] and c[4] are exchanged"},
      {"turned_filter", "out[outRow * width + outCol] = sum;", "transposed"},
      {"shifted_image", "out[outRow * width + outCol] = sum;", "the radius is not subtracted"},
      {"precedence", "#define OUT_TILE_DIM IN_TILE_DIM - 2", "OUT_TILE_DIM expands to IN_TILE_DIM - 2"},
      {"wrong_stride", "out[outRow * width + outCol] = sum;", "3 elements apart, but the kernel steps by 1"},
      {"stale_plane", "+ c[5] * inPrev_s[ty][tx]", "c[5] is multiplied by in[i][j][k]"},
      {"used_twice", "+ c[5] * in[((i - 1) * N + j) * N + k]", "c[5] is used twice and c[6] never"},
  };
  for (const auto& expected : cases) {
    SCOPED_TRACE(expected.id);
    const KernelFile& file = lab().find(expected.id)->faulty;
    const auto findings = diagnosis(file);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].kind, faults::FindingKind::WrongResult);
    EXPECT_NE(findings[0].message.find(expected.words), std::string::npos) << findings[0].message;
    EXPECT_EQ(lineOf(file, findings[0]), expected.line) << findings[0].message;
    EXPECT_GT(findings[0].outputCount, 0U);
  }
}

TEST(BugLab, ARightResultHasNoDiagnosis) {
  for (const BugTask& task : lab().tasks()) { EXPECT_TRUE(diagnosis(task.fixed).empty()) << task.id; }
}

TEST(BugLab, UndefinedPointsAreLeftToTheAnalysesOfThem) {
  EXPECT_TRUE(diagnosis(lab().find("garbage_rim")->faulty).empty());
  EXPECT_TRUE(diagnosis(lab().find("bare_edge")->faulty).empty());
}

TEST(BugLab, AMendedTextIsJudgedByWhatTheTwinComputes) {
  for (const BugTask& task : lab().tasks()) {
    SCOPED_TRACE(task.id);
    const checking::LabVerdict mended = checking::judge(task, task.fixed.text);
    EXPECT_TRUE(mended.solved) << mended.sentence;
    const checking::LabVerdict unchanged = checking::judge(task, task.faulty.text);
    EXPECT_FALSE(unchanged.solved) << unchanged.sentence;
    EXPECT_TRUE(unchanged.sentence.starts_with("Not solved yet: ")) << unchanged.sentence;

    // A kernel that does nothing has no fault either, and its header may declare no output.
    std::string gutted = task.fixed.text;
    const std::size_t kernel = gutted.find("__global__");
    gutted.replace(gutted.find('{', kernel), std::string::npos, "{}\n");
    const checking::LabVerdict empty = checking::judge(task, gutted);
    EXPECT_FALSE(empty.solved) << empty.sentence;
    const std::size_t computes = gutted.find("computes:");
    if (computes != std::string::npos) { gutted.erase(computes, gutted.find("*/") - computes); }
    EXPECT_FALSE(checking::judge(task, gutted).solved);
  }
}

TEST(BugLab, AVerdictSaysWhatIsStillWrong) {
  const BugTask& darkness = *lab().find("darkness");
  std::string text = darkness.fixed.text;
  text.replace(text.find("1.0f / 3.0f"), 11, "1.0f / 4.0f");
  const checking::LabVerdict verdict = checking::judge(darkness, text);
  EXPECT_FALSE(verdict.solved);
  EXPECT_EQ(verdict.sentence,
            "Not solved yet: 100 of 100 elements of out are not what the task asks for; the first is out[0].");
  EXPECT_EQ(checking::judge(darkness, darkness.faulty.text).sentence,
            "Not solved yet: integer arithmetic loses a fraction.");
  const BugTask& flicker = *lab().find("flicker");
  const std::string race = checking::judge(flicker, flicker.faulty.text).sentence;
  EXPECT_TRUE(race.starts_with("Not solved yet: two threads race on an element in shared memory, which reaches "))
      << race;
}

}  // namespace
}  // namespace haloscope
