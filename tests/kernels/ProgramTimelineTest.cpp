#include "state/ProgramTimeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ProgramSample.h"
#include "running/AllocationNames.h"

/// A program's calls as columns and its arrays as rows.
namespace haloscope::test {
namespace {

using Kind = ProgramColumn::Kind;
using ::testing::ElementsAre;

std::vector<Kind> kinds(const ProgramTimeline& timeline) {
  std::vector<Kind> all;
  for (const ProgramColumn& column : timeline.columns) { all.push_back(column.kind); }
  return all;
}

/// "0r 1w": rows that a column reads or writes.
std::string usesOf(const ShownProgram& program, std::size_t column) {
  std::string text;
  for (const ArrayUse& use : program.timeline.uses(program.run, column)) {
    text += (text.empty() ? "" : " ") + std::to_string(use.row) + (use.reads ? "r" : "") + (use.writes ? "w" : "");
  }
  return text;
}

TEST(ProgramTimelineTest, ColumnsAreTheCallsInTheirOrderAndWhatWasPrintedBetween) {
  const ShownProgram program = ProgramSample(2).shown();
  EXPECT_THAT(kinds(program.timeline), ElementsAre(Kind::Allocate, Kind::Allocate, Kind::Copy, Kind::Launch,
                                                   Kind::Launch, Kind::Print, Kind::Copy, Kind::Free));
  EXPECT_EQ(program.timeline.columns[4].printed, 0U);
  EXPECT_EQ(program.timeline.columns[5].printed, 5U);
  EXPECT_THAT(program.timeline.launches, ElementsAre(3U, 4U));
  EXPECT_EQ(program.timeline.launchAt(program.run, 4), 1U);
  EXPECT_EQ(program.timeline.launchAt(program.run, 5), std::nullopt);
}

TEST(ProgramTimelineTest, PingPongIsSeen) {
  const ShownProgram program = ProgramSample(3).shown();
  EXPECT_EQ(usesOf(program, 2), "0w") << "the copy to the device";
  EXPECT_EQ(usesOf(program, 3), "0r 1w");
  EXPECT_EQ(usesOf(program, 4), "0w 1r");
  EXPECT_EQ(usesOf(program, 5), "0r 1w");
  EXPECT_EQ(usesOf(program, 7), "1r") << "the copy back";
}

TEST(ProgramTimelineTest, RowsBeginAndEndWithTheirMemory) {
  const ShownProgram program = ProgramSample(2).shown();
  ASSERT_EQ(program.timeline.rows.size(), 2U);
  const ProgramRow& a = program.timeline.rows[0];
  const ProgramRow& b = program.timeline.rows[1];
  EXPECT_EQ(a.begin, 0U);
  EXPECT_EQ(a.end, program.timeline.columns.size()) << "freed in the last column";
  EXPECT_EQ(a.firstWrite, 2U);
  EXPECT_EQ(b.begin, 1U);
  EXPECT_EQ(b.firstWrite, 3U) << "by the first launch";
}

TEST(ProgramTimelineTest, AnArrayThatIsReadAndWrittenIsOneUse) {
  ProgramSample sample(1);
  for (running::LaunchPointer& pointer : sample.run().launches[0].pointers) {
    pointer.place = running::DevicePlace{0, 0};
  }
  EXPECT_EQ(usesOf(sample.shown(), 3), "0rw");
}

TEST(ProgramTimelineTest, AVariableThatNothingUsesHasNoRow) {
  ProgramSample sample(1);
  for (const char* name : {"used", "unused"}) {
    running::Allocation variable;
    variable.id = static_cast<running::AllocationId>(sample.run().allocations.size());
    variable.name = name;
    sample.run().allocations.push_back(variable);
  }
  sample.run().launches[0].variables = {
      {.parameter = "used", .place = running::DevicePlace{2, 0}, .reads = true, .writes = false}};
  const ShownProgram program = sample.shown();
  ASSERT_EQ(program.timeline.rows.size(), 3U);
  EXPECT_EQ(program.timeline.rows[2].name, "used");
  EXPECT_EQ(usesOf(program, 3), "0r 1w 2r");
}

TEST(ProgramTimelineTest, LaunchesInTurnAreRepetitionsOfTwo) {
  EXPECT_THAT(ProgramSample(8).shown().timeline.repeats, ElementsAre()) << "four repetitions are few";
  EXPECT_THAT(ProgramSample(100).shown().timeline.repeats,
              ElementsAre(RepeatedColumns{.begin = 3, .period = 2, .times = 50}));
}

TEST(ProgramTimelineTest, ALaunchWithAFindingIsNoRepetition) {
  ProgramSample sample(100);
  sample.run().launches[49].findings.emplace_back();
  EXPECT_THAT(sample.shown().timeline.repeats, ElementsAre(RepeatedColumns{.begin = 3, .period = 2, .times = 24},
                                                           RepeatedColumns{.begin = 53, .period = 2, .times = 25}));
}

TEST(FoldedColumnsTest, ShowTheFirstTwoRepetitionsAndTheLast) {
  const ProgramTimeline timeline = ProgramSample(100).shown().timeline;
  const FoldedColumns columns(timeline, std::nullopt, true);
  EXPECT_TRUE(columns.foldsAny());
  EXPECT_EQ(columns.width(), timeline.columns.size() - 94 + FoldedColumns::kFoldWidth);
  const FoldedColumns::Item fold{.place = 7, .first = 7, .count = 94, .period = 2};
  EXPECT_EQ(columns.at(6), (FoldedColumns::Item{.place = 6, .first = 6}));
  EXPECT_EQ(columns.at(7), fold);
  EXPECT_EQ(columns.at(8), fold) << "it is two columns wide";
  EXPECT_EQ(columns.at(9), (FoldedColumns::Item{.place = 9, .first = 101}));
  EXPECT_EQ(columns.itemOf(50), fold);
  EXPECT_EQ(columns.itemOf(102).place, 10U);
}

TEST(FoldedColumnsTest, TheRepetitionThatIsLookedAtIsOpen) {
  const ProgramTimeline timeline = ProgramSample(100).shown().timeline;
  const FoldedColumns columns(timeline, 52, true);
  EXPECT_TRUE(columns.at(7).folded());
  EXPECT_EQ(columns.at(7).count, 44U);
  EXPECT_EQ(columns.itemOf(51), (FoldedColumns::Item{.place = 9, .first = 51}));
  EXPECT_EQ(columns.itemOf(52), (FoldedColumns::Item{.place = 10, .first = 52}));
  EXPECT_EQ(columns.at(11).first, 53U);
  EXPECT_EQ(columns.at(11).count, 48U);
  const FoldedColumns unfolded(timeline, 52, false);
  EXPECT_FALSE(unfolded.foldsAny());
  EXPECT_EQ(unfolded.width(), timeline.columns.size());
}

TEST(AllocationNamesTest, AreTheVariablesOfTheHost) {
  EXPECT_THAT(ProgramSample(1).shown().names, ElementsAre("a", "b"));
  struct Case {
    const char* text;
    const char* name;
  };
  for (const Case& one : {Case{"cudaMalloc(&d_in, n);", "d_in"},
                          {"CHECK(cudaMalloc((void **)&d_in, n * sizeof(float)));", "d_in"},
                          {"cudaMalloc(reinterpret_cast<void**>(&grid.data), n);", "grid.data"},
                          {"cudaMallocPitch(&fields[i + 1], &pitch, w, h);", "fields[i+1]"},
                          {"cudaMallocManaged((&p->next), n);", "p->next"},
                          {"auto x = make();", ""}}) {
    EXPECT_EQ(running::allocatedVariable(one.text, 1, 0), one.name) << one.text;
  }
  const char* const two = "cudaMalloc(&a, n); cudaMalloc(&b, n);";
  EXPECT_EQ(running::allocatedVariable(two, 1, 1), "b");
  EXPECT_EQ(running::allocatedVariable(two, 1, 2), "a") << "the line is in a loop";
  EXPECT_EQ(running::allocatedVariable(two, 2, 0), "");
}

TEST(AllocationNamesTest, TellArraysOfOneNameApart) {
  ProgramSample sample(1);
  sample.run().allocations[1].allocatedAt.line = kAllocations;
  EXPECT_THAT(sample.shown().names, ElementsAre("a #0", "a #1"));
  sample.run().allocations[1].allocatedAt.line = kCopyIn;
  EXPECT_THAT(sample.shown().names, ElementsAre("a", "#1, line 9"));
}

}  // namespace
}  // namespace haloscope::test
