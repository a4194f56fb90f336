#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "CommandLineSupport.h"

/// `haloscope make`: the tasks, their skeletons and help, and the verdict on a solution.
namespace haloscope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::CommandLineTest;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kTiled = HALOSCOPE_SOURCE_DIR "/kernels/stencil/tiled.cu";

TEST_F(CommandLineTest, MakeListsTasksAndWritesTheirSkeletons) {
  const Reply list = run("make");
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_THAT(list.out, AllOf(HasSubstr("basic_convolution"), HasSubstr("block.loads_per_output <= 2.4")));
  const json tasks = json::parse(run("make --json").out);
  ASSERT_EQ(tasks.size(), 11U);
  EXPECT_EQ(tasks.at(6).at("id"), "tile");
  EXPECT_EQ(tasks.at(6).at("rung"), "stencil/tiled");

  const std::string mine = (folder_ / "mine.cu").string();
  const Reply written = run("make tile -o " + mine);
  EXPECT_EQ(written.status, 0) << written.err;
  EXPECT_EQ(written.out, "");
  EXPECT_THAT(written.err, HasSubstr("haloscope make tile --check " + mine));
  const std::string skeleton = run("make tile").out;
  EXPECT_EQ(read(mine), skeleton);
  EXPECT_THAT(skeleton,
              AllOf(StartsWith("/* haloscope\n"), HasSubstr("// Your lines."), Not(HasSubstr("race-shared"))));
  const Reply again = run("make tile -o " + mine);
  EXPECT_EQ(again.status, 2) << "a solution is not overwritten";
  EXPECT_THAT(again.err, HasSubstr("is there already"));
  const Reply unknown = run("make tiles");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("there is no task tiles; the tasks are basic_convolution, "));
}

TEST_F(CommandLineTest, MakeHelpsInThreeLevels) {
  const Reply sketch = run("make tile --sketch");
  EXPECT_THAT(sketch.out, AllOf(HasSubstr("one point larger than the output tile"), HasSubstr("h o o o o o o h"),
                                Not(HasSubstr("// 1.")), Not(HasSubstr("\\n"))));
  const Reply outline = run("make tile --outline");
  EXPECT_THAT(outline.out, StartsWith("// 1. An array of three axes in shared memory"));
  std::string racing = read(kTiled);
  racing.erase(racing.find("__syncthreads();"), 16);
  const std::string mine = (folder_ / "mine.cu").string();
  std::ofstream(mine) << racing;
  const Reply check = run("make tile --check " + mine);
  EXPECT_EQ(check.status, 1);
  EXPECT_THAT(check.out, AllOf(HasSubstr("race-shared: in_s["), HasSubstr("\nNot right yet. Begin with line 48.\n"),
                               Not(HasSubstr("Hint"))));
  EXPECT_THAT(check.err, HasSubstr("--hint gives a hint"));
  EXPECT_THAT(run("make tile --hint --check " + mine).out, HasSubstr("Hint: Six of the seven values"));
}

TEST_F(CommandLineTest, MakePlacesARightSolutionOnTheClimb) {
  const Reply solved = run("make tile --check " + kTiled);
  EXPECT_EQ(solved.status, 0) << solved.out;
  EXPECT_THAT(solved.out, AllOf(HasSubstr("Solved: the result is right, and all goals are reached."),
                                HasSubstr("  reached  barriers of a block: 1 = 1\n"),
                                HasSubstr("Instruction for instruction it is the catalogue's stencil/tiled."),
                                HasSubstr("On the climb “7-point star” it is the rung stencil/tiled, one above "
                                          "stencil/basic."),
                                HasSubstr("  your kernel ")));
  const std::string basic = HALOSCOPE_SOURCE_DIR "/kernels/stencil/basic.cu";
  const Reply missed = run("make tile --json --hint --check " + basic);
  EXPECT_EQ(missed.status, 1);
  const json report = json::parse(missed.out);
  EXPECT_EQ(report.at("outcome"), "goals-missed");
  EXPECT_EQ(report.at("right"), true);
  EXPECT_EQ(report.at("goals").at(1).at("value"), 7);
  EXPECT_EQ(report.at("goals").at(1).at("reached"), false);
  EXPECT_TRUE(report.at("same_as").is_null());
  EXPECT_EQ(report.at("climb").at("below"), "stencil/basic");
  EXPECT_EQ(report.at("climb").at("rungs").size(), 3U);
  EXPECT_THAT(report.at("hint").get<std::string>(), HasSubstr("read the tile alone"));
}

}  // namespace
}  // namespace haloscope
