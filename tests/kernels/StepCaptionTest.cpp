#include "recording/StepCaption.h"
#include "recording/StepWords.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "KernelCatalogue.h"
#include "RecordingSupport.h"
#include "recording/GridShape.h"

namespace haloscope::recording {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Without the backticks around names.
std::string unquoted(std::string title) {
  std::erase(title, '`');
  return title;
}

/// The titles of all steps, in order.
std::vector<std::string> captionTitles(test::Recorded& block) {
  std::vector<std::string> titles;
  for (std::size_t position = 1; position <= block.cursor.end(); ++position) {
    block.cursor.goTo(position);
    titles.push_back(unquoted(captionOf(block.cursor, block.footprint, block.carriers, block.view()).title));
  }
  return titles;
}

std::vector<std::string> captionTitles(const test::Prepared& kernel, const Dim3& block) {
  test::Recorded recorded(kernel.record(block));
  return captionTitles(recorded);
}

/// Those from the first one that is `first` on.
std::vector<std::string> titlesFrom(const std::vector<std::string>& titles, const std::string& first,
                                    std::size_t count) {
  const auto begin = std::ranges::find(titles, first);
  const auto left = static_cast<std::size_t>(titles.end() - begin);
  return {begin, begin + static_cast<std::ptrdiff_t>(std::min(count, left))};
}

TEST(StepCaptionTest, OfNothingAndOfTheStart) {
  EXPECT_EQ(captionOf({}, {}, {}, {}), StepCaption());
  test::Recorded block(test::prepare("stencil/coarsened", {{"N", 32}, {"IN_TILE_DIM", 8}}).record({2, 2, 2}));
  const std::size_t end = block.cursor.end();
  EXPECT_EQ(captionOf(block.cursor, block.footprint, block.carriers, block.view()),
            (StepCaption{"Before the first step", "step 0 of " + std::to_string(end)}));
  block.cursor.goToPlane(0);
  EXPECT_EQ(stepPlaceText(block.cursor), "step " + std::to_string(block.cursor.position()) + " of " +
                                             std::to_string(end) + " · barrier interval 0 · plane i = 12");
  block.cursor.goToPlane(1);
  block.cursor.step(-1);
  EXPECT_EQ(captionOf(block.cursor, block.footprint, block.carriers, block.view()).title, "`i` becomes 13");
  EXPECT_THAT(stepPlaceText(block.cursor), EndsWith(" · end of plane i = 12"));
}

TEST(StepCaptionTest, CoarsenedBlockMovesThroughTheGrid) {
  const auto titles = captionTitles(test::prepare("stencil/coarsened", {{"N", 32}, {"IN_TILE_DIM", 8}}), {2, 2, 2});
  EXPECT_THAT(titlesFrom(titles, "ty is set by each thread", 8),
              ElementsAre("ty is set by each thread", "tx is set by each thread", "iStart becomes 12",
                          "j is computed by each thread", "k is computed by each thread", "inGrid becomes true",
                          "inOutTile is computed by each thread", "computes is computed by each thread"));
  EXPECT_THAT(titles, Contains("Plane 11 is loaded from in into inPrev_s"));
  EXPECT_THAT(
      titlesFrom(titles, "i becomes 13", 12),
      ElementsAre("i becomes 13", "The loop goes on for all 64 threads", "The condition holds for all 64 threads",
                  "Plane 14 is loaded from in into inNext_s", "All threads wait at the barrier",
                  "The condition holds for 36 of 64 threads", "Plane 13 of out is computed: 36 outputs",
                  "All threads wait at the barrier", "Plane 13 is copied from inCurr_s to inPrev_s",
                  "Plane 14 is copied from inNext_s to inCurr_s", "i becomes 14",
                  "The loop goes on for all 64 threads"));
  EXPECT_EQ(titles.back(), "The loop ends for all 64 threads");
}

TEST(StepCaptionTest, CoarsenedBlockAtTheBorderLeavesGhostsOut) {
  const auto titles = captionTitles(test::prepare("stencil/coarsened", {{"N", 32}, {"IN_TILE_DIM", 8}}), {0, 0, 0});
  EXPECT_THAT(titles, Contains("The condition holds for none of 64 threads")) << "there is no plane -1";
  EXPECT_THAT(titles, Contains("The condition holds for 49 of 64 threads"));
  EXPECT_THAT(titles, Contains("Plane 0 is loaded from in into inCurr_s"));
  EXPECT_THAT(titles, Contains("Plane 1 of out is computed: 25 outputs"));
  EXPECT_THAT(titles, Not(Contains(HasSubstr("Plane 0 of out"))));
}

TEST(StepCaptionTest, WarpsThatAreThereFirstWaitForTheOthers) {
  const test::Prepared kernel = test::prepare("stencil/coarsened", {{"N", 32}, {"IN_TILE_DIM", 8}});
  test::Recorded block(analysis::record(kernel.program, kernel.launch, {2, 2, 2}, {.order = simt::WarpOrder::InOrder}));
  const auto titles = captionTitles(block);
  EXPECT_THAT(titles, Contains("Warp 0 waits at the barrier for warp 1"));
  EXPECT_THAT(titles, Contains("All threads wait at the barrier"));
  EXPECT_THAT(titles, Contains("i becomes 13 in 32 of 64 threads"));
  EXPECT_THAT(titles, Not(Contains(HasSubstr("of out is computed")))) << "each warp computes a part of the plane";
  EXPECT_THAT(titles, Contains("18 outputs are written to plane 12 of out"));
}

TEST(StepCaptionTest, RegisterTiledBlockCopiesBetweenRegistersAndSharedMemory) {
  const test::Prepared kernel = test::prepare("stencil/register_tiled", {{"N", 32}, {"IN_TILE_DIM", 8}});
  EXPECT_THAT(titlesFrom(captionTitles(kernel, {2, 2, 2}), "Plane 13 is loaded from in into inNext", 8),
              ElementsAre("Plane 13 is loaded from in into inNext", "All threads wait at the barrier",
                          "The condition holds for 36 of 64 threads", "Plane 12 of out is computed: 36 outputs",
                          "All threads wait at the barrier", "Plane 12 is copied from inCurr to inPrev",
                          "Plane 13 is copied from inNext to inCurr", "Plane 13 is copied from inCurr to inCurr_s"));
  EXPECT_THAT(captionTitles(kernel, {0, 0, 0}), Contains("Plane 1 is loaded from in into inNext"));
}

TEST(StepCaptionTest, ImagesHaveNoPlanes) {
  const test::Prepared kernel = test::prepare("convolution/tiled_input_block", {});
  const auto titles = captionTitles(kernel, {1, 1, 0});
  EXPECT_THAT(titles, Each(AllOf(Not(HasSubstr("lane ")), Not(HasSubstr("filled")))));
  EXPECT_THAT(titles, Contains("in_s is loaded from in"));
  EXPECT_THAT(titles, Contains("sum becomes 0 in 196 of 256 threads"));
  EXPECT_THAT(titles, Contains("sum is computed from in_s and filter"));
  EXPECT_EQ(titles.back(), "196 outputs are written to out");
  EXPECT_THAT(titlesFrom(captionTitles(kernel, {0, 0, 0}), "The condition holds for 225 of 256 threads", 3),
              ElementsAre("The condition holds for 225 of 256 threads", "in_s is loaded from in",
                          "in_s is filled with 0 where it lies outside the array"));
}

TEST(StepCaptionTest, LineIsLoadedInParts) {
  const auto titles = captionTitles(test::prepare("convolution/1d_tiled", {}), {1, 0, 0});
  EXPECT_EQ(std::ranges::count(titles, "Values are loaded from in into in_s"), 2) << "64 elements, then 4";
  EXPECT_THAT(titles, Contains("64 outputs are written to out"));
}

TEST(StepCaptionTest, BasicStencilReadsAndWritesAtOnce) {
  test::Recorded block(test::prepare("stencil/basic", {{"N", 32}}).record({0, 1, 1}));
  EXPECT_THAT(captionTitles(block),
              Contains(std::to_string(block.footprint.outputs.size()) + " outputs are written to out"));
}

TEST(StepCaptionTest, AsynchronousCopiesAreOnTheirWayAndArrive) {
  const auto titles = captionTitles(test::prepare("beyond/3d_7_async", {}), {0, 1, 1});
  const auto issued = std::ranges::find(titles, "A copy from plane 11 of in to tile_s is on its way");
  const auto arrived = std::ranges::find(titles, "A copy from plane 11 of in to tile_s has arrived");
  ASSERT_NE(arrived, titles.end());
  EXPECT_LT(issued - titles.begin(), arrived - titles.begin());
}

TEST(StepCaptionTest, BlocksOfAClusterReadEachOther) {
  const auto titles = captionTitles(test::prepare("beyond/3d_7_cluster", {}), {0, 0, 0});
  EXPECT_THAT(titles, Contains(StartsWith("tile_s is read from the shared memory of block rank ")));
  EXPECT_THAT(titles, Contains(EndsWith(" at the barrier of the cluster")));
}

TEST(StepCaptionTest, ConditionsSayForHowManyThreadsTheyHold) {
  const test::Prepared kernel = test::prepareText(
      "__global__ void k(const float* in, float* out, int N) {\n"
      "  int x = threadIdx.x;\n"
      "  if (x >= N) { return; }\n"
      "  if (x < 7 && in[x] > -1000.0f) { out[x] = 1.0f; }\n"
      "  if (x > 3) {}\n"
      "  float sum = 0.0f;\n"
      "  for (int i = 0; i < x % 3; ++i) { sum += in[i]; }\n"
      "  out[x] = sum;\n"
      "}\n",
      {{1, 1, 1}, {32, 1, 1}, 0}, 24, 1);
  EXPECT_THAT(
      captionTitles(kernel, {0, 0, 0}),
      ElementsAre("x is set by each thread", "The condition holds for 8 of 32 threads", "8 threads leave the kernel",
                  "The condition holds for 7 of 24 threads", "7 outputs are written to out", "A condition is evaluated",
                  "sum becomes 0 in 24 of 32 threads", "i becomes 0 in 24 of 32 threads",
                  "The loop begins for 16 of 24 threads", "sum is computed from in", "i becomes 1 in 16 of 32 threads",
                  "The loop goes on for 8 of 16 threads", "sum is computed from in", "i becomes 2 in 8 of 32 threads",
                  "The loop ends for all 8 threads", "24 outputs are written to out"));
}

TEST(StepCaptionTest, ConditionsAreNotGuessedAt) {
  const test::Prepared kernel = test::prepareText(
      "__device__ bool far(int x) { return x > 3; }\n"
      "__global__ void k(const float* in, float* out, int N) {\n"
      "  int x = threadIdx.x;\n"
      "  if (far(x)) { out[x % N] = in[0]; }\n"
      "  do { ++x; } while (x < 40);\n"
      "}\n",
      {{1, 1, 1}, {32, 1, 1}, 0}, 24, 1);
  const auto recording = kernel.record({0, 0, 0});
  std::size_t conditions = 0;
  for (std::size_t step = 0; step < recording->steps.size(); ++step) {
    const StatementId statement = recording->steps[step].statement;
    if (statement == kNone) { continue; }
    const StatementKind kind = kernel.program->statements[statement].kind;
    if (kind != StatementKind::Condition && kind != StatementKind::LoopCondition) { continue; }
    ++conditions;
    EXPECT_EQ(threadsGoingOn(*recording, step), std::nullopt);
  }
  EXPECT_GT(conditions, 2U);
}

/// Properties of every kernel of the catalogue, at every step.
class StepCaptionOfKernel : public testing::TestWithParam<std::string> {
 protected:
  /// The names of the arrays and variables that a step changes.
  static std::set<std::string> changedNames(const Recording& recording, std::size_t step) {
    std::set<std::string> names;
    for (const Change& change : recording.changesOf(step)) {
      names.insert(change.kind == Change::Kind::Variable ? recording.program->variables[change.id].name
                                                         : recording.program->objects[change.id].name);
    }
    return names;
  }
  /// Whether a title says that something of this name was written.
  static bool saysWritten(const std::string& title, const std::string& name) {
    if (title.ends_with("is on its way") || title.find("the shared memory of") != std::string::npos) { return false; }
    constexpr std::array kVerbs{" is loaded ", " is computed ", " is set ", " is filled ", " is read ", " becomes "};
    if (std::ranges::any_of(kVerbs, [&](const char* verb) { return title.starts_with(name + verb); })) { return true; }
    for (const std::string_view into : {" into ", " to "}) {
      const std::size_t at = title.find(std::string(into) + name);
      if (at == std::string::npos) { continue; }
      const std::size_t after = at + into.size() + name.size();
      if (after == title.size() || title[after] == ' ' || title[after] == ',') { return true; }
    }
    return false;
  }
  /// Checks that what a step copied of the input lies in the plane that its title names.
  static void expectPlane(const test::Recorded& block, std::size_t step, const std::string& title) {
    constexpr std::string_view kPlane = "lane ";
    const std::size_t at = title.find(kPlane);
    const bool numbered = at != std::string::npos && title.find_first_of("-0123456789", at) == at + kPlane.size();
    if (!numbered || title.find(" of ", at) != std::string::npos) { return; }
    const std::int64_t plane = std::stoll(title.substr(at + kPlane.size()));
    const GridShape shape(block.footprint.inputExtents);
    for (const Change& change : block.recording->changesOf(step)) {
      const Origin& origin = change.originAfter;
      if (origin.kind != Origin::Kind::Element || origin.object != block.footprint.input) { continue; }
      EXPECT_EQ(shape.point(origin.element).z, plane) << title;
    }
  }
};

TEST_P(StepCaptionOfKernel, SaysNothingThatDidNotHappen) {
  const test::Prepared kernel = test::prepare(GetParam(), {});
  const Dim3& grid = kernel.launch.configuration.grid;
  test::Recorded block(kernel.record({grid.x / 2, grid.y / 2, grid.z / 2}));
  for (std::size_t position = 0; position <= block.cursor.end(); ++position) {
    block.cursor.goTo(position);
    // Only what is said of a carrier that is written depends on the view, which takes far longer than a caption.
    const bool writes = position > 0 && block.recording->steps[position - 1].changeCount > 0;
    const BlockView view = writes ? block.view() : BlockView{};
    StepCaption caption = captionOf(block.cursor, block.footprint, block.carriers, view);
    EXPECT_EQ(std::ranges::count(caption.title, '`') % 2, 0) << caption.title;
    caption.title = unquoted(caption.title);
    ASSERT_FALSE(caption.title.empty()) << "step " << position;
    ASSERT_LE(caption.title.size(), 90U) << caption.title;
    ASSERT_THAT(caption.title, AllOf(Not(HasSubstr("  ")), Not(HasSubstr("unwritten")))) << caption.title;
    if (position == 0) { continue; }
    const std::set<std::string> changed = changedNames(*block.recording, position - 1);
    for (const Carrier& carrier : block.carriers) {
      if (saysWritten(caption.title, carrier.name)) {
        EXPECT_TRUE(changed.contains(carrier.name)) << "step " << position << ": " << caption.title;
      }
    }
    expectPlane(block, position - 1, caption.title);
    if (HasFailure()) { break; }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, StepCaptionOfKernel, testing::ValuesIn(test::catalogueIds()),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::ranges::replace_if(name, [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace haloscope::recording
