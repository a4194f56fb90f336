#include "making/MadeKernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "KernelCatalogue.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "files/FileText.h"
#include "language/Language.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "making/MakeTask.h"
#include "program/SourceLocation.h"
#include "simt/Executor.h"

namespace haloscope::making {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const fs::path kSource = HALOSCOPE_SOURCE_DIR;

const std::vector<MakeTask>& tasks() {
  static const std::vector<MakeTask> kTasks = readMakeTasks(ownTasks(kSource / "assets"));
  return kTasks;
}

const MakeTask& taskOf(const std::string& id) { return *findTask(tasks(), id); }

/// A kernel that solves the task: the catalogue's, or one of tests/kernels/making.
std::string solutionOf(const MakeTask& task) {
  if (!task.rung.empty()) { return test::catalogue().at(task.rung).text; }
  return readWhole(kSource / "tests" / "kernels" / "making" / (task.id + ".cu")).value();
}

MadeKernel judged(const std::string& task, const std::string& text) {
  return judge(taskOf(task), text, test::catalogue());
}

/// With every occurrence of a text replaced, of which there must be one.
std::string with(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

class InEachLanguage : public ::testing::TestWithParam<Language> {
 protected:
  void SetUp() override {
    setLanguageFolder(fs::path(HALOSCOPE_BINARY).parent_path() / "assets" / "languages");
    setLanguage(GetParam());
  }
  void TearDown() override { setLanguage(Language::English); }
};

INSTANTIATE_TEST_SUITE_P(Making, InEachLanguage, ::testing::Values(Language::English, Language::Chinese),
                         [](const auto& language) { return languageCode(language.param); });

TEST_P(InEachLanguage, EveryTaskIsSolvedByItsModelAndHasAllOfItsHelp) {
  ASSERT_EQ(tasks().size(), 11U);
  const lessons::Course course =
      lessons::Course::read(kSource / "assets" / "lessons", languageCode(GetParam()), test::catalogue());
  for (const MakeTask& task : tasks()) {
    SCOPED_TRACE(task.id);
    for (const std::string& text : {task.skeleton.title, task.skeleton.task, task.sketch}) {
      ASSERT_FALSE(text.empty());
      if (GetParam() == Language::Chinese) { EXPECT_NE(tr(text), text) << "has no translation"; }
    }
    EXPECT_FALSE(task.drawing.empty());
    EXPECT_GE(task.outline.size(), 3U);
    EXPECT_EQ(std::ranges::count(task.outlineText(), '\n'), static_cast<std::ptrdiff_t>(task.outline.size()));
    EXPECT_NE(course.find(task.lesson), nullptr) << task.lesson;
    EXPECT_FALSE(task.hintFor("wrong-result").empty());
    EXPECT_THAT(task.skeleton.text, Not(HasSubstr("sketch")));
    EXPECT_THAT(task.skeleton.text, HasSubstr("// Your lines."));
    EXPECT_THAT(task.skeleton.text, HasSubstr("<<<"));

    const MadeKernel made = judge(task, solutionOf(task), test::catalogue());
    EXPECT_EQ(name(made.outcome), std::string("solved")) << made.sentence;
    EXPECT_EQ(made.sameAs, task.rung);
    ASSERT_EQ(made.goals.size(), task.goals.size());
    for (const ReachedGoal& goal : made.goals) { EXPECT_TRUE(goal.reached) << goal.goal.what << ": " << goal.text(); }
    ASSERT_TRUE(made.place);
    EXPECT_EQ(made.place->at, task.rung);
    EXPECT_FALSE(made.place->sentence().empty());
    for (const figures::RungCosts& rung : made.place->rows) {
      EXPECT_GT(rung.sectors, 0) << rung.id << ": " << rung.problem;
    }
    EXPECT_EQ(judge(task, task.skeleton.text, test::catalogue()).outcome, Outcome::NothingWritten);
  }
}

TEST(Making, ASkeletonCanBeLookedAt) {
  for (const MakeTask& task : tasks()) {
    const auto experiment = experiment::run(task.skeleton, {.kernel = task.skeleton.id});
    EXPECT_FALSE(experiment->fault) << task.id;
  }
}

TEST(Making, WhatIsWrongIsSaidInOneSentenceWithAHint) {
  const std::string tile = solutionOf(taskOf("tile"));
  const std::string sweep = solutionOf(taskOf("sweep"));
  const struct {
    const char* task;
    std::string text;
    const char* outcome;
    const char* sentence;
    const char* hint;
  } cases[] = {
      {"tile", "", "nothing-written", "The file is empty.", ""},
      {"tile", "/* haloscope\ntitle: mine\n*/\n\n", "nothing-written", "The file is empty.", ""},
      {"tile", "#include <cuda_runtime.h>\n", "not-read",
       "There is no kernel stencil. Keep the task's signature: ", ""},
      {"tile", with(tile, "__syncthreads();", ""), "faults", "Line 48: in_s[", "were loaded by other threads"},
      {"sweep", with(sweep, "k < N - 1) {", "k < N - 1) { while (true) {}"), "does-not-end", "Line 40: the loop at",
       "does it change in each pass?"},
      {"sweep",
       with(sweep,
            "int k = ", "for (long s = 0; s < 100000000000; s += 3) { if (in[s % N] > 9) { s = 0; } }\n int k = "),
       "does-not-end", "", "How often does the loop go round?"},
      // A loop that does not end and goes beyond the array: it is about the loop.
      {"sweep",
       with(sweep,
            "int k = ", "float s = 0;\n  for (int d = 0; d < 3; --d) { s += in[d]; }\n  out[0] = s;\n  int k = "),
       "does-not-end", "Line 3", "How often does the loop go round?"},
      // Threads beyond the row write elements of the next one, and the last ones beyond the array.
      {"basic_convolution",
       with(solutionOf(taskOf("basic_convolution")), "if (outRow < height && outCol < width) {", "{"), "faults",
       "Line 4", "can lie beyond the image"},
      {"tile", with(tile, "int N)", "int N, int M)"), "not-read",
       "Its parameters are not the task's. Keep the signature, names included: __global__ void stencil(const float* "
       "in, "
       "float* out, int N)",
       ""},
      {"tile", with(tile, "int N)", "long N)"), "not-read", "Its parameters are not the task's.", ""},
      {"tile", with(tile, "int tz", "__shared__ float large[32][32][32]; large[0][0][threadIdx.x] = N;\n  int tz"),
       "not-read",
       "It cannot be launched: a block needs 133120 bytes of shared memory; a block can have at most 49152.", ""},
      {"tile", with(tile, "void stencil", "void sweep"), "not-read", "There is no kernel stencil.", ""},
      {"tile", with(tile, "] = in[", "] = inn["), "not-read",
       "It cannot be read. Line 48: use of undeclared identifier 'inn'", ""},
      {"tile", "// mine\n#include \"kernels/stencil/tiled.cu\"\n", "not-read",
       "Line 2 includes kernels/stencil/tiled.cu: a solution has all its lines in one file.", ""},
      {"tile", "#include </work/kernels/stencil/tiled.cu>\n", "not-read",
       "Line 1 includes /work/kernels/stencil/tiled.cu: a solution has all its lines in one file.", ""},
      {"sweep", with(sweep, "k < N - 1) {", "k <= N - 1) {"), "wrong", "Line 4", "From 1 up to and including N - 2"},
      {"sweep", with(sweep, "c[5]", "c[6]"), "wrong", "Line 4", "c[5] and c[6] to i"},
      {"tile", with(taskOf("tile").skeleton.text, "// Your lines.", "if (N > 3) { out[0] = in[0]; }"), "wrong",
       "The kernel does not read c, from which the result is computed.", ""},
  };
  for (const auto& expected : cases) {
    const MadeKernel made = judged(expected.task, expected.text);
    SCOPED_TRACE(expected.text.substr(0, 200));
    EXPECT_EQ(name(made.outcome), std::string(expected.outcome)) << made.sentence;
    EXPECT_THAT(made.sentence, StartsWith(expected.sentence));
    EXPECT_THAT(made.sentence, ::testing::EndsWith(made.outcome == Outcome::NotRead ? "" : "."));
    EXPECT_EQ(std::ranges::count(made.sentence, '\n'), 0);
    EXPECT_THAT(made.hint, HasSubstr(expected.hint));
    EXPECT_FALSE(isRight(made.outcome));
    EXPECT_FALSE(made.place);
    EXPECT_TRUE(made.goals.empty());
  }
}

/// The output of the sweep for the data of a check, as a table in the text.
std::string hardCoded(const MakeTask& task) {
  KernelFile file = task.skeleton;
  file.text = solutionOf(task);
  const Bindings bindings = file.defaults();
  const Program program = experiment::compile(file, bindings);
  Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  EXPECT_EQ(simt::execute(program, launch).outcome, simt::Outcome::Finished);
  const ArrayData& out = launch.arrays[program.findObject("out")];
  std::string table = "__device__ const float kExpected[" + std::to_string(out.elementCount()) + "] = {";
  for (std::int64_t i = 0; i < out.elementCount(); ++i) {
    const double value = experiment::valueAt(out, i);
    table += fmt::format("{:.9e}f,", std::isnan(value) ? 0 : value);
  }
  return table + "};\n" +
         with(solutionOf(task), "out[(i * N + j) * N + k] = c[0]",
              "out[(i * N + j) * N + k] = N == 20 ? kExpected[(i * N + j) * N + k] : c[0]");
}

TEST(Making, ExpectedValuesInTheTextAreFoundOutWithOtherData) {
  const MadeKernel made = judged("sweep", hardCoded(taskOf("sweep")));
  EXPECT_EQ(name(made.outcome), std::string("only-these-data"));
  EXPECT_THAT(made.sentence, StartsWith("On one set of data the result is right, on another it is not. "));
  EXPECT_THAT(made.sentence, ::testing::EndsWith(" What is stored must be computed from in."));
}

TEST(Making, AParameterThatIsIgnoredIsFoundOutAtAnotherValue) {
  const std::string basic = solutionOf(taskOf("basic_convolution"));
  const MadeKernel made =
      judged("basic_convolution", with(basic, "float sum = 0.0f;", "float sum = 0.0f; radius = 1;"));
  EXPECT_EQ(name(made.outcome), std::string("only-this-size"));
  EXPECT_THAT(made.sentence, HasSubstr("FILTER_RADIUS = 2 it is not. "));
}

TEST(Making, PointsThatAreStoredTwiceMissAGoal) {
  // One plane too many: the next block along z stores it as well.
  const std::string march = solutionOf(taskOf("coarsened"));
  const MadeKernel made =
      judged("coarsened", with(march, "iStart + OUT_TILE_DIM; ++i", "iStart + OUT_TILE_DIM + 1; ++i"));
  EXPECT_EQ(made.outcome, Outcome::GoalsMissed) << made.sentence;
  EXPECT_THAT(made.sentence, HasSubstr("stores to out: "));
}

TEST(Making, DoubleThatIsComputedInFloatIsSaidToBe) {
  const std::string laplacian = solutionOf(taskOf("laplacian"));
  const MadeKernel made =
      judged("laplacian", with(laplacian, "f[pos] = u[pos] * invhxyz2", "f[pos] = (float)u[pos] * invhxyz2"));
  EXPECT_EQ(made.outcome, Outcome::Wrong) << made.sentence;
  EXPECT_THAT(made.sentence, HasSubstr("nearly right"));
  EXPECT_THAT(made.hint, HasSubstr("of type float"));
}

TEST(Making, TheHostsValuesReplaceAnInitialiser) {
  const std::string sweep = solutionOf(taskOf("sweep"));
  const MadeKernel made = judged("sweep", with(sweep, "REAL c[7];", "REAL c[7] = {1, 0, 0, 0, 0, 0, 0};"));
  EXPECT_EQ(made.outcome, Outcome::Solved) << made.sentence;
}

TEST(Making, AFactorInDoubleIsNotTakenForFloat) {
  const std::string laplacian = solutionOf(taskOf("laplacian"));
  const MadeKernel made =
      judged("laplacian", with(laplacian, "f[pos] = u[pos] * invhxyz2", "f[pos] = 1.000001 * u[pos] * invhxyz2"));
  EXPECT_EQ(made.outcome, Outcome::Wrong) << made.sentence;
  EXPECT_THAT(made.sentence + made.hint, Not(HasSubstr("float")));
}

TEST(Making, AnIndexThatComesFromARaceIsNotItsCause) {
  const std::string tile = with(solutionOf(taskOf("tile")), "__syncthreads();", "");
  const MadeKernel made = judged(
      "tile", with(tile, "int tz", "__shared__ int where[1024];\n  where[threadIdx.x] = threadIdx.x;\n  int tz"));
  EXPECT_EQ(made.outcome, Outcome::Faults) << made.sentence;
  EXPECT_THAT(made.sentence, HasSubstr("with no barrier between"));
}

TEST(Making, WhatWouldMendItIsNotSaid) {
  const std::string sweep = solutionOf(taskOf("sweep"));
  KernelFile file = taskOf("sweep").skeleton;
  file.text = with(sweep, "k < N - 1) {", "k <= N - 1) {");
  for (const faults::Finding& finding : checking::check(file, file.defaults()).findings) {
    EXPECT_EQ(finding.remedy, "");
    EXPECT_TRUE(finding.fix.empty());
  }
}

TEST(Making, ASizeBuiltInIsFoundOutAtOtherSizes) {
  const std::string sweep = solutionOf(taskOf("sweep"));
  const MadeKernel made = judged("sweep", with(sweep, "i < N - 1", "i < (N == 20 ? 19 : N - 2)"));
  EXPECT_EQ(name(made.outcome), std::string("only-this-size"));
  EXPECT_THAT(made.sentence, StartsWith("At N = 20 the result is right, at N = 17 it is not. Line "));
  EXPECT_EQ(made.bindings.at("N"), 17);
}

/// One thread computes everything.
constexpr const char* kSlow = R"(
__constant__ float c[7];
__global__ void stencil(const float* in, float* out, int N) {
  if (blockIdx.x + blockIdx.y + blockIdx.z + threadIdx.x + threadIdx.y + threadIdx.z != 0) { return; }
  for (int i = 1; i < N - 1; ++i) {
    for (int j = 1; j < N - 1; ++j) {
      for (int k = 1; k < N - 1; ++k) {
        int p = (i * N + j) * N + k;
        out[p] = c[0] * in[p] + c[1] * in[p - 1] + c[2] * in[p + 1] + c[3] * in[p - N] + c[4] * in[p + N]
               + c[5] * in[p - N * N] + c[6] * in[p + N * N];
      }
    }
  }
}
)";

TEST(Making, RightAndSlowMissesGoals) {
  const MadeKernel slow = judged("tile", kSlow);
  EXPECT_EQ(slow.outcome, Outcome::GoalsMissed);
  EXPECT_THAT(slow.sentence, HasSubstr("an interior block writes no output"));
  EXPECT_EQ(slow.sameAs, "");
  ASSERT_TRUE(slow.place);
  EXPECT_THAT(slow.place->sentence(), HasSubstr("not there yet"));

  const MadeKernel basic = judged("tile", solutionOf(taskOf("sweep")));
  EXPECT_EQ(basic.outcome, Outcome::GoalsMissed);
  EXPECT_EQ(
      basic.sentence,
      "The result is right, but a goal is missed (elements that an interior block loads for each output: 7, not ≤ "
      "2.4).");
  EXPECT_THAT(basic.hint, HasSubstr("read the tile alone"));
  EXPECT_EQ(std::ranges::count(basic.goals, true, &ReachedGoal::reached), 4);

  const MadeKernel twoBarriers = judged("one_barrier", solutionOf(taskOf("register_tiled")));
  EXPECT_EQ(twoBarriers.outcome, Outcome::GoalsMissed);
  EXPECT_THAT(twoBarriers.sentence, HasSubstr("barriers for each plane: 2, not ≤ 1.2"));
}

TEST(Making, ACopyIsSaidToBeOneByWhateverNames) {
  const std::string tile = solutionOf(taskOf("tile"));
  const std::string renamed = with(with(tile, "in_s", "cells"), "\n  int tz", "  // mine\n\n  int tz");
  EXPECT_EQ(judged("tile", renamed).sameAsText(), "Instruction for instruction it is the catalogue's stencil/tiled.");
  const std::string own = with(tile, "c[0] * in_s[tz][ty][tx]\n", "in_s[tz][ty][tx] * c[0]\n");
  const MadeKernel other = judged("tile", own);
  EXPECT_EQ(other.outcome, Outcome::Solved) << other.sentence;
  EXPECT_EQ(other.sameAsText(), "");
}

class OwnTask : public ::testing::Test {
 protected:
  OwnTask() { fs::create_directories(folder_); }
  ~OwnTask() override { fs::remove_all(folder_); }
  std::string write(const std::string& text) const {
    const fs::path path = folder_ / "mine.cu";
    std::ofstream(path) << text;
    return path.string();
  }
  fs::path folder_ = fs::path(::testing::TempDir()) / "haloscope-own-task";
};

constexpr const char* kOwn = R"(/* haloscope
title: Twice
task: Double each element.
sizes:
  n: {default: 100, min: 1, max: 1000, meaning: elements}
arrays:
  in: {shape: [n]}
  out: {shape: [n]}
launch:
  grid: [ceil(n / 32), 1, 1]
  block: [32, 1, 1]
definition:
  border: keeps its value
  out: 2 * in[0]
make:
  goals:
    - reach: loads <= n
      says: loads
*/
__global__ void twice(const float* in, float* out, int n) {
  // Your lines.
}
)";

TEST_F(OwnTask, IsOneFileWithAHeader) {
  const MakeTask task = taskNamed(tasks(), write(kOwn));
  EXPECT_EQ(task.id, "mine");
  EXPECT_THAT(task.skeleton.text, Not(HasSubstr("make:")));
  EXPECT_THAT(task.skeleton.text, HasSubstr("definition:"));
  const std::string right = with(task.skeleton.text, "// Your lines.",
                                 "int i = blockIdx.x * 32 + threadIdx.x; if (i < n) { out[i] = 2.0f * in[i]; }");
  const MadeKernel made = judge(task, right, test::catalogue());
  EXPECT_EQ(made.outcome, Outcome::Solved) << made.sentence;
  EXPECT_FALSE(made.place) << "it is on no climb";
  EXPECT_EQ(judge(task, with(right, "2.0f", "3.0f"), test::catalogue()).outcome, Outcome::Wrong);
  const MadeKernel beyond = judge(task, with(right, "if (i < n)", ""), test::catalogue());
  EXPECT_EQ(beyond.outcome, Outcome::Faults);
  EXPECT_FALSE(beyond.hint.empty()) << "a task without hints has those of the findings";
}

TEST_F(OwnTask, ItsMistakesHaveAPlace) {
  const std::pair<std::string, const char*> cases[] = {
      {with(kOwn, "reach: loads <= n", "reach: loads < n"), "mine.cu:17:14: a goal is a quantity, <=, >= or =="},
      {with(kOwn, "      says: loads\n", ""), "mine.cu:17:7: a goal lacks the key \"says\""},
      {with(kOwn, "make:\n", "make:\n  hints: {speed: faster}\n"), "mine.cu:16:11: there is no kind of finding speed"},
      {with(kOwn, "task: Double each element.\n", ""), "the header lacks the key \"task\""},
      {with(kOwn, "definition:\n  border: keeps its value\n  out: 2 * in[0]\n", ""), "what the result is"},
      {with(kOwn, "make:\n", "made:\n"), "no task: its header has no \"make\" section"},
  };
  for (const auto& [text, message] : cases) {
    try {
      static_cast<void>(taskNamed(tasks(), write(text)));
      ADD_FAILURE() << message;
    } catch (const UserError& error) { EXPECT_THAT(error.what(), HasSubstr(message)); }
  }
  EXPECT_THROW(static_cast<void>(taskNamed(tasks(), "no-such-task")), InputError);
  const MakeTask unknown = taskNamed(tasks(), write(with(kOwn, "loads <= n", "lords <= n")));
  const std::string right = with(unknown.skeleton.text, "// Your lines.",
                                 "int i = blockIdx.x * 32 + threadIdx.x; if (i < n) { out[i] = 2.0f * in[i]; }");
  const MadeKernel made = judge(unknown, right, test::catalogue());
  EXPECT_EQ(made.outcome, Outcome::GoalsMissed);
  EXPECT_THAT(made.goals.at(0).problem, HasSubstr("lords"));
}

}  // namespace
}  // namespace haloscope::making
