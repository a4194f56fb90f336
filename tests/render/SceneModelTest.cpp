#include "render/SceneModel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "SceneFixture.h"
#include "render/SceneProjection.h"

namespace haloscope::render {
namespace {

using test::RecordedBlock;

const SceneLabel& labelOf(const SceneModel& model, const std::string& text) {
  const auto found = std::find_if(model.labels.begin(), model.labels.end(),
                                  [&](const SceneLabel& label) { return label.text == text; });
  EXPECT_NE(found, model.labels.end()) << text;
  return *found;
}

std::size_t unusedCells(const SceneModel& model) {
  return static_cast<std::size_t>(std::count_if(model.boxes.begin(), model.boxes.end(), [](const SceneBox& box) {
    return box.kind == SceneSource::Kind::Carrier && box.style == SceneStyle::Solid && box.opacity < 0.5F;
  }));
}

std::size_t changedCells(const SceneModel& model) {
  return static_cast<std::size_t>(
      std::count_if(model.boxes.begin(), model.boxes.end(), [](const SceneBox& box) { return box.changed; }));
}

/// Heights of a carrier's cells.
std::set<float> heights(const SceneModel& model, std::uint32_t carrier) {
  std::set<float> found;
  for (const SceneBox& box : model.boxes) {
    if (box.kind == SceneSource::Kind::Carrier && box.carrier == carrier) { found.insert(box.low.y); }
  }
  return found;
}

TEST(SceneModel, TileShowsEveryCellByItsRole) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel model = block.atEnd().model();
  EXPECT_EQ(model.title, "8 × 8 × 8 tile in shared memory");
  EXPECT_EQ(model.count(SceneColour::Interior), 216U);
  EXPECT_EQ(model.count(SceneColour::Halo), 512U - 216U);
  EXPECT_EQ(model.count(SceneColour::Output), 216U);
  EXPECT_EQ(heights(model, 0).size(), 8U);
}

TEST(SceneModel, TileDimsWhatTheStarNeverReads) {
  // The twelve edges of the cube, of six cells each, and its eight corners.
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  EXPECT_EQ(unusedCells(block.atEnd().model()), 12U * 6U + 8U);
}

TEST(SceneModel, BlockAtTheCornerHasGhosts) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}}, Dim3{0, 0, 0});
  const SceneModel model = block.atEnd().model();
  EXPECT_EQ(model.count(SceneColour::Ghost, SceneStyle::Outline), 8U * 8U * 8U - 7U * 7U * 7U);
  EXPECT_EQ(model.count(SceneColour::Ghost), 0U);
}

TEST(SceneModel, NothingIsLoadedAtTheStart) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel model = block.atStart().model();
  EXPECT_EQ(model.count(SceneColour::Unwritten, SceneStyle::Outline), 512U);
  EXPECT_EQ(model.count(SceneColour::Interior), 0U);
  EXPECT_EQ(model.count(SceneColour::Output), 0U);
  EXPECT_TRUE(model.moves.empty());
}

TEST(SceneModel, LoadedCellsAreMarked) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel model = block.after("in_s[tz][ty][tx] = in[").model();
  EXPECT_EQ(changedCells(model), 512U);
  EXPECT_TRUE(model.travels);
}

TEST(SceneModel, SelectedThreadReadsAStar) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  block.after("out[(i * N + j) * N + k] =");
  const auto yellow = [&](std::uint32_t thread) {
    const SceneModel model = block.model(thread);
    return std::count_if(model.lines.begin(), model.lines.end(),
                         [](const SceneLine& line) { return line.colour == SceneColour::Active; });
  };
  // Seven cells read and one written, four lines each; six rays to the middle; shaft and head of one arrow.
  EXPECT_EQ(yellow(block.threadAt(3, 3, 3)), 8 * 4 + 6 + 2);
  // A thread of the halo computes nothing.
  EXPECT_EQ(yellow(block.threadAt(0, 3, 3)), 0);
}

TEST(SceneModel, PlanesAreColouredByTheirPlaceInTheRotation) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel model = block.after("out[(i * N + j) * N + k] =", 3).model();
  EXPECT_EQ(model.title, "three planes in shared memory");
  EXPECT_EQ(model.count(SceneColour::Previous), 36U);
  EXPECT_EQ(model.count(SceneColour::Interior), 36U);
  EXPECT_EQ(model.count(SceneColour::Next), 36U);
  EXPECT_EQ(model.count(SceneColour::Halo), 3U * 28U);
  EXPECT_EQ(unusedCells(model), 3U * 4U);  // the corners
  EXPECT_EQ(model.count(SceneColour::Output), 3U * 36U);
  // prev, curr, next in the text; from the lowest to the highest in the scene.
  EXPECT_LT(*heights(model, 0).begin(), *heights(model, 1).begin());
  EXPECT_LT(*heights(model, 1).begin(), *heights(model, 2).begin());
}

TEST(SceneModel, PlanesAreNamed) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 8}, {"N", 32}}, Dim3{2, 2, 1});
  const SceneModel model = block.after("out[(i * N + j) * N + k] =", 2).model();
  // The block's planes begin at i = 6; its second turn computes plane 7.
  EXPECT_EQ(labelOf(model, "inPrev_s").detail, "shared, i = 6");
  EXPECT_EQ(labelOf(model, "inCurr_s").detail, "shared, i = 7");
  EXPECT_EQ(labelOf(model, "inNext_s").detail, "shared, i = 8");
  EXPECT_EQ(labelOf(model, "out").detail, "72 of 216 written");
  EXPECT_EQ(labelOf(model, "inPrev_s").colour, SceneColour::Previous);
  EXPECT_EQ(labelOf(model, "inNext_s").colour, SceneColour::Next);
}

TEST(SceneModel, RotationHasAnArrowFromPlaneToPlane) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel toPrevious = block.after("inPrev_s[ty][tx] = inCurr_s", 2).model();
  EXPECT_EQ(toPrevious.moves, (std::vector<SceneMove>{{1, 0}}));
  const SceneModel toCurrent = block.after("inCurr_s[ty][tx] = inNext_s", 2).model();
  EXPECT_EQ(toCurrent.moves, (std::vector<SceneMove>{{2, 1}}));
  // The copied cells come from the height of their source.
  const auto moved =
      std::find_if(toCurrent.boxes.begin(), toCurrent.boxes.end(), [](const SceneBox& box) { return box.changed; });
  ASSERT_NE(moved, toCurrent.boxes.end());
  EXPECT_FLOAT_EQ(moved->travel.y, *heights(toCurrent, 2).begin() - *heights(toCurrent, 1).begin());
}

TEST(SceneModel, FramingIsTheSameForAllSteps) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel first = block.atStart().model();
  const SceneModel last = block.atEnd().model();
  EXPECT_EQ(first.extent, last.extent);
}

TEST(SceneModel, RegistersArePlanesToo) {
  RecordedBlock block("stencil/register_tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel model = block.after("out[(i * N + j) * N + k] =", 2).model();
  EXPECT_EQ(model.title, "one plane in shared memory, three in registers");
  EXPECT_EQ(labelOf(model, "inPrev").colour, SceneColour::Previous);
  EXPECT_EQ(labelOf(model, "inCurr").colour, SceneColour::Interior);
  EXPECT_EQ(labelOf(model, "inCurr_s").colour, SceneColour::Interior);
  EXPECT_EQ(labelOf(model, "inNext").colour, SceneColour::Next);
}

TEST(SceneModel, BasicKernelShowsItsFootprint) {
  RecordedBlock block("stencil/basic");
  const SceneModel model = block.after("out[(i * N + j) * N + k] =").model();
  EXPECT_EQ(model.title, "every read goes to global memory");
  const std::size_t loads = block.experiment->footprint.loads.size();
  EXPECT_EQ(model.count(SceneColour::Interior) + model.count(SceneColour::Halo), loads);
  EXPECT_EQ(model.count(SceneColour::Output), block.experiment->footprint.outputs.size());
}

TEST(SceneModel, ConvolutionFloatsItsOutputAboveItsTile) {
  RecordedBlock block("convolution/tiled_input_block", {{"FILTER_RADIUS", 2}, {"IN_TILE_DIM", 16}});
  const SceneModel model = block.after("sum += filter", 8).model(block.threadAt(6, 6));
  EXPECT_EQ(model.title, "16 × 16 tile in shared memory");
  EXPECT_EQ(model.count(SceneColour::Interior), 144U);
  EXPECT_EQ(model.count(SceneColour::Halo), 256U - 144U);
  EXPECT_EQ(model.count(SceneColour::Pending, SceneStyle::Outline), 144U);
  float inputTop = -1e9F;
  float outputLow = 1e9F;
  for (const SceneBox& box : model.boxes) {
    if (box.kind == SceneSource::Kind::Carrier) { inputTop = std::max(inputTop, box.high.y); }
    if (box.kind == SceneSource::Kind::Output) { outputLow = std::min(outputLow, box.low.y); }
  }
  EXPECT_GT(outputLow, inputTop);
  // The border of the 5×5 window, the tap's outline, and the ray to the output.
  const auto yellow = std::count_if(model.lines.begin(), model.lines.end(),
                                    [](const SceneLine& line) { return line.colour == SceneColour::Active; });
  EXPECT_EQ(yellow, 4 * 5 + 4 + 1);
}

TEST(SceneModel, EveryCellCanBeAsked) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 32}, {"N", 64}});
  const SceneModel model = block.after("out[(i * N + j) * N + k] =", 3).model();
  std::size_t outputs = 0;
  for (const SceneBox& box : model.boxes) {
    for (int z = 0; z < box.cellsZ; ++z) {
      for (int x = 0; x < box.cellsX; ++x) {
        const SceneSource source = model.source(box, x, z);
        ASSERT_EQ(source.kind, box.kind);
        if (box.kind != SceneSource::Kind::Output) { continue; }
        ++outputs;
        const recording::PointView& point = block.view.outputs.at(source.index);
        ASSERT_EQ(point.at, (recording::GridPoint{box.at.z, box.at.y + z, box.at.x + x}));
      }
    }
  }
  EXPECT_EQ(outputs, block.view.outputs.size());
}

TEST(SceneFold, CountsRowsFromWhereTheFirstOneBegins) {
  const SceneFold fold{32, 8};
  EXPECT_EQ(fold({0, 0, 32}), (recording::GridPoint{0, 0, 0}));
  EXPECT_EQ(fold({0, 0, 47}), (recording::GridPoint{0, 1, 7}));
  EXPECT_EQ(fold({0, 0, 31}), (recording::GridPoint{0, -1, 7}));
  EXPECT_EQ(fold({0, 0, 24}), (recording::GridPoint{0, -1, 0}));
  EXPECT_EQ(SceneFold{}({2, 3, 4}), (recording::GridPoint{2, 3, 4}));
}

TEST(SceneModel, ALongRowIsFolded) {
  RecordedBlock block("darkness/fixed", {}, Dim3{1, 0, 0}, "assets/buglab");
  const SceneModel model = block.atEnd().model();
  ASSERT_EQ(model.fold.columns, 8);
  EXPECT_EQ(model.fold.first, 32);
  EXPECT_EQ(model.count(SceneColour::Output), 32U);
  float low = 0;
  float high = 0;
  for (const SceneBox& box : model.boxes) {
    EXPECT_GE(box.at.x, 0);
    EXPECT_LT(box.at.x + box.cellsX, 9);
    EXPECT_EQ(box.cellsZ, 1);
    low = std::min(low, box.low.z);
    high = std::max(high, box.high.z);
  }
  EXPECT_GT(high - low, 6);  // rows of the input: one halo cell, four rows, one halo cell
  for (const char* index : {"[32]", "[40]", "[48]", "[56]"}) {
    EXPECT_TRUE(std::ranges::any_of(model.labels, [&](const SceneLabel& label) { return label.detail == index; }))
        << index;
  }
}

TEST(SceneModel, AShortRowIsNot) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  EXPECT_EQ(block.atEnd().model().fold.columns, 0);
}

TEST(SceneModel, MarksOutputsThatAreWrong) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const std::vector<std::int64_t> wrong = {block.experiment->footprint.outputs.at(0),
                                           block.experiment->footprint.outputs.at(40)};
  for (const bool end : {false, true}) {
    if (end) { block.atEnd(); }
    SceneSubject subject{block.cursor, block.experiment->footprint, block.experiment->carriers, block.view,
                         block.facts};
    subject.wrong = wrong;
    const SceneModel model = buildScene(subject);
    const std::size_t solid = model.count(SceneColour::Fault);
    const std::size_t pending =
        model.count(SceneColour::Fault, SceneStyle::Outline) + model.count(SceneColour::Fault, SceneStyle::Frame);
    EXPECT_EQ(solid, end ? 2U : 0U);
    EXPECT_EQ(pending, end ? 0U : 2U);
    EXPECT_TRUE(std::ranges::any_of(
        model.legend, [](const SceneLegendEntry& entry) { return entry.word == "wrong for lack of the barrier"; }));
    EXPECT_TRUE(
        std::ranges::any_of(model.labels, [](const SceneLabel& label) { return label.detail.ends_with(", 2 wrong"); }));
  }
}

TEST(SceneProjection, FramesTheSceneWithinItsMargins) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel model = block.model(block.threadAt(3, 3, 3));
  const SceneMargins margins = {70, 10, 80, 20};
  const SceneProjection projection(model, {}, 550, 480, margins);
  for (const glm::vec3& point : model.extent) {
    const glm::vec2 pixel = projection.project(point);
    EXPECT_GE(pixel.x, 69.5F);
    EXPECT_LE(pixel.x, 470.5F);
    EXPECT_GE(pixel.y, 9.5F);
    EXPECT_LE(pixel.y, 460.5F);
  }
}

TEST(SceneProjection, AgreesWithItsMatrix) {
  RecordedBlock block("stencil/coarsened");
  const SceneModel model = block.model();
  const SceneProjection projection(model, {0.3F, 0.9F, 1.7F, 0.1F, -0.2F}, 640, 400, {});
  const glm::vec3 point = {1.5F, -2, 3};
  const glm::vec4 clip = projection.matrix() * glm::vec4(point, 1);
  const glm::vec2 pixel = projection.project(point);
  EXPECT_NEAR((clip.x + 1) / 2 * 640, pixel.x, 1e-2);
  EXPECT_NEAR((1 - clip.y) / 2 * 400, pixel.y, 1e-2);
}

TEST(SceneProjection, PicksTheNearestCell) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel model = block.after("out[(i * N + j) * N + k] =", 2).model();
  const SceneProjection projection(model, {}, 550, 480, {});
  const float highest = *heights(model, 2).begin();
  for (const SceneBox& box : model.boxes) {
    if (box.kind != SceneSource::Kind::Carrier || box.low.y != highest) { continue; }
    const auto top = SceneModel::top(box, 0, 0);
    const auto hit = projection.pick(model, projection.project((top[0] + top[2]) * 0.5F));
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->source, model.source(box));
  }
  EXPECT_FALSE(projection.pick(model, {2, 478}));
}

}  // namespace
}  // namespace haloscope::render
