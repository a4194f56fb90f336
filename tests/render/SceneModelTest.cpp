#include "render/SceneModel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "SceneFixture.h"
#include "recording/PlaneSlots.h"
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

/// Cells of the carriers that have a colour.
std::size_t carried(const SceneModel& model, SceneColour colour) {
  std::size_t cells = 0;
  for (const SceneBox& box : model.boxes) {
    if (box.kind == SceneSource::Kind::Carrier && box.colour == colour && box.style == SceneStyle::Solid) { ++cells; }
  }
  return cells;
}

/// The middle of a carrier's slot.
glm::vec3 slotOf(const SceneModel& model, std::uint32_t carrier) {
  glm::vec3 low{1e9F}, high{-1e9F};
  for (const SceneBox& box : model.boxes) {
    if (box.kind != SceneSource::Kind::Carrier || box.carrier != carrier) { continue; }
    low = glm::min(low, box.low);
    high = glm::max(high, box.high);
  }
  return (low + high) / 2.0F;
}

/// The slots of a carrier that is one array of several planes: the middles of what is written in them.
std::set<std::pair<float, float>> slotsOf(const RecordedBlock& block, const SceneModel& model, std::uint32_t carrier) {
  const recording::PlaneSlots& slots = block.facts.carriers.at(carrier).slots;
  std::map<std::size_t, std::pair<glm::vec2, glm::vec2>> extents;
  for (const SceneBox& box : model.boxes) {
    if (box.kind != SceneSource::Kind::Carrier || box.carrier != carrier) { continue; }
    const glm::vec2 low{box.low.x, box.low.z}, high{box.high.x, box.high.z};
    auto& [least, most] = extents.try_emplace(slots.of(model.source(box).index), low, high).first->second;
    least = glm::min(least, low);
    most = glm::max(most, high);
  }
  std::set<std::pair<float, float>> middles;
  for (const auto& [slot, extent] : extents) {
    const glm::vec2 middle = (extent.first + extent.second) / 2.0F;
    middles.emplace(std::round(middle.x), std::round(middle.y));
  }
  return middles;
}

TEST(SceneModel, TileShowsEveryCellByItsRole) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel model = block.atEnd().model();
  EXPECT_EQ(model.title, "8 × 8 × 8 tile in shared memory");
  EXPECT_EQ(model.count(SceneColour::Interior), 2 * 216U) << "in global memory and in the tile";
  EXPECT_EQ(model.count(SceneColour::Halo), 2 * (512U - 216U));
  EXPECT_EQ(model.count(SceneColour::Output), 216U);
  EXPECT_EQ(slotsOf(block, model, 0).size(), 8U) << "each of its planes lies in a slot of its own";
}

/// Whatever the arrays are called and however they are indexed: what is loaded comes out of a stack of the grid's
/// planes.
TEST(SceneModel, EveryPlaneOfSharedMemoryIsLoadedFromGlobalMemory) {
  for (const char* kernel :
       {"stencil/tiled", "convolution/3d_tiled", "beyond/3d_7_async", "beyond/3d_7_bulk", "beyond/3d_25_ring"}) {
    RecordedBlock block(kernel);
    std::size_t loaded = 0;
    for (std::size_t at = 1; at <= block.cursor.end() && loaded == 0; ++at) {
      block.cursor.goTo(at);
      block.view = recording::viewBlock(block.cursor, block.experiment->footprint, block.experiment->carriers);
      const auto fromInput = [&](const recording::CarrierCell& cell) {
        return cell.changed && cell.cell.origin.kind == recording::Origin::Kind::Element &&
               cell.cell.origin.object == block.experiment->footprint.input;
      };
      const bool any = std::ranges::any_of(block.view.carriers, [&](const recording::CarrierView& view) {
        return view.carrier->kind == recording::Carrier::Kind::SharedArray && view.movedFrom == kNone &&
               std::ranges::any_of(view.cells, fromInput);
      });
      if (!any) { continue; }
      const SceneModel model = block.model();
      std::set<float> planes;  // of the input
      for (const SceneBox& box : model.boxes) {
        if (box.kind == SceneSource::Kind::Input) { planes.insert(box.low.y); }
      }
      EXPECT_GT(planes.size(), 1U) << kernel;
      for (const SceneBox& box : model.boxes) {
        if (box.kind != SceneSource::Kind::Carrier || !box.changed) { continue; }
        const auto& view = block.view.carriers[box.carrier];
        if (view.movedFrom != kNone || !fromInput(view.cells[model.source(box).index])) { continue; }
        ++loaded;
        EXPECT_TRUE(planes.contains((box.low + box.travel).y)) << kernel << " at " << at;
      }
    }
    EXPECT_GT(loaded, 0U) << kernel;
  }
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
  // Seven cells read and one written, four lines each; seven rays to above the middle; shaft and head of one arrow.
  EXPECT_EQ(yellow(block.threadAt(3, 3, 3)), 8 * 4 + 7 + 2);
  // A thread of the halo computes nothing.
  EXPECT_EQ(yellow(block.threadAt(0, 3, 3)), 0);
}

TEST(SceneModel, PlanesAreColouredByTheirPlaceInTheRotation) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel model = block.after("out[(i * N + j) * N + k] =", 3).model();
  EXPECT_EQ(model.title, "three planes in shared memory");
  EXPECT_EQ(carried(model, SceneColour::Previous), 36U);
  EXPECT_EQ(carried(model, SceneColour::Interior), 36U);
  EXPECT_EQ(carried(model, SceneColour::Next), 36U);
  EXPECT_EQ(carried(model, SceneColour::Halo), 3U * 28U);
  EXPECT_EQ(unusedCells(model), 3U * 4U);  // the corners
  EXPECT_EQ(model.count(SceneColour::Output), 3U * 36U);
  // prev, curr, next in the text, and in line on the bench.
  EXPECT_LT(slotOf(model, 0).x, slotOf(model, 1).x);
  EXPECT_LT(slotOf(model, 1).x, slotOf(model, 2).x);
  EXPECT_EQ(slotOf(model, 0).y, slotOf(model, 2).y);
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
  // The copied cells come from the slot of their source, in its colour; what they replace stays until then.
  const auto moved = std::find_if(toCurrent.boxes.begin(), toCurrent.boxes.end(), [](const SceneBox& box) {
    return box.changed && box.colour == SceneColour::Interior;
  });
  ASSERT_NE(moved, toCurrent.boxes.end());
  EXPECT_NEAR(moved->travel.x, slotOf(toCurrent, 2).x - slotOf(toCurrent, 1).x, 1e-3F);
  EXPECT_FLOAT_EQ(moved->travelScale, 1);
  EXPECT_EQ(moved->travelColour, SceneColour::Next);
  EXPECT_EQ(std::ranges::count_if(toCurrent.boxes, &SceneBox::leaves), 64);
}

TEST(SceneModel, SlotsStayWhereTheyAre) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel early = block.after("out[(i * N + j) * N + k] =", 1).model();
  const SceneModel late = block.after("inCurr_s[ty][tx] = inNext_s", 5).model();
  for (std::uint32_t c = 0; c < 3; ++c) { EXPECT_EQ(slotOf(early, c), slotOf(late, c)); }
}

TEST(SceneModel, LoadedPlanesComeOutOfGlobalMemory) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel model = block.after("inNext_s[ty][tx] = in[", 2).model();
  std::set<float> turns;
  for (const SceneBox& box : model.boxes) {
    if (!box.changed || box.kind != SceneSource::Kind::Carrier) { continue; }
    const SceneSource source = model.source(box);
    const recording::CarrierCell& cell = block.view.carriers.at(source.carrier).cells.at(source.index);
    const auto input = std::ranges::find_if(model.boxes, [&](const SceneBox& other) {
      const std::int64_t x = box.at.x - other.at.x, y = box.at.y - other.at.y;
      return other.kind == SceneSource::Kind::Input && other.at.z == cell.at.z && x >= 0 && x < other.cellsX &&
             y >= 0 && y < other.cellsZ;
    });
    ASSERT_NE(input, model.boxes.end());
    const glm::vec3 begin = box.low + box.travel;
    const auto corner =
        SceneModel::top(*input, static_cast<int>(box.at.x - input->at.x), static_cast<int>(box.at.y - input->at.y))[0];
    EXPECT_NEAR(begin.x, corner.x, 1e-3F);
    EXPECT_NEAR(begin.z, corner.z, 1e-3F);
    EXPECT_LT(box.travelScale, 1);
    turns.insert(box.turn);
  }
  EXPECT_EQ(turns, (std::set<float>{0, 1})) << "warp by warp";
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

TEST(SceneModel, OutputsCountWhenTheyHaveArrived) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneLabel first = labelOf(block.after("out[(i * N + j) * N + k] =").model(), "out");
  EXPECT_EQ(first.earlier, "0 of 216 written");
  EXPECT_EQ(first.detail, "36 of 216 written");
  const SceneLabel second = labelOf(block.after("out[(i * N + j) * N + k] =", 2).model(), "out");
  EXPECT_EQ(second.earlier, "36 of 216 written");
  EXPECT_EQ(second.detail, "72 of 216 written");
  EXPECT_EQ(labelOf(block.atStart().model(), "out").earlier, "") << "nothing is on its way";
}

TEST(SceneModel, BasicKernelShowsItsFootprint) {
  RecordedBlock block("stencil/basic");
  const SceneModel model = block.after("out[(i * N + j) * N + k] =").model();
  EXPECT_EQ(model.title, "every read goes to global memory");
  const std::size_t loads = block.experiment->footprint.loads.size();
  EXPECT_EQ(model.count(SceneColour::Interior) + model.count(SceneColour::Halo), loads);
  EXPECT_EQ(model.count(SceneColour::Output), block.experiment->footprint.outputs.size());
}

TEST(SceneModel, SumsInSharedMemoryAreNoCopyOfTheInput) {
  RecordedBlock block("beyond/convolution_separable");
  EXPECT_EQ(block.atStart().model().title, "every input is read from global memory");
  const SceneModel model = block.after("sums_s[t][threadIdx.x] = sum;", 3).model();
  EXPECT_EQ(model.title, "every input is read from global memory");
  EXPECT_TRUE(labelOf(model, "sums_s").inside);
  EXPECT_EQ(carried(model, SceneColour::Computed), 32U * 20U);
  EXPECT_EQ(carried(model, SceneColour::Interior), 0U);
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

/// The x of the input point that a cell of a 1D scene represents.
std::int64_t indexOf(const RecordedBlock& block, const SceneSource& source) {
  if (source.kind == SceneSource::Kind::Ghost) { return block.facts.ghosts.at(source.index).x; }
  if (source.kind == SceneSource::Kind::Input) { return block.view.inputs.at(source.index).at.x; }
  if (source.kind == SceneSource::Kind::Output) { return block.view.outputs.at(source.index).at.x; }
  return block.view.carriers.at(source.carrier).cells.at(source.index).at.x;
}

/// Each cell of a strip lies below its index, those of the output under those of the input.
void expectIndicesAboveTheirCells(const RecordedBlock& block, const SceneModel& model) {
  ASSERT_TRUE(model.isStrip());
  std::set<std::int64_t> ruled;
  for (const SceneRuler& ruler : model.rulers) {
    for (std::int64_t index = ruler.first; index <= ruler.last; ++index) { EXPECT_TRUE(ruled.insert(index).second); }
  }
  for (const SceneBox& box : model.boxes) {
    for (int x = 0; x < box.cellsX; ++x) {
      const std::int64_t index = indexOf(block, model.source(box, x));
      const auto ruler =
          std::ranges::find_if(model.rulers, [&](const SceneRuler& r) { return index >= r.first && index <= r.last; });
      ASSERT_NE(ruler, model.rulers.end()) << index;
      const glm::vec3 corner = SceneModel::top(box, x, 0)[0];
      EXPECT_FLOAT_EQ(corner.x, ruler->from.x + static_cast<float>(index - ruler->first)) << index;
      const float below = corner.z - ruler->from.z;
      if (box.kind == SceneSource::Kind::Output) {
        EXPECT_GT(below, 1) << index;
      } else {
        EXPECT_NEAR(below, 0, 1e-4F) << index;
      }
    }
  }
}

TEST(SceneModel, A1DBlockIsAStripWithItsIndices) {
  RecordedBlock block("darkness/fixed", {}, Dim3{1, 0, 0}, "assets/buglab");
  const SceneModel model = block.atEnd().model();
  EXPECT_EQ(model.count(SceneColour::Output), 32U);
  ASSERT_EQ(model.rulers.size(), 2U);
  EXPECT_EQ(model.rulers[0].first, 31) << "its halo cell is in line with the first row";
  EXPECT_EQ(model.rulers[0].last, 47);
  EXPECT_EQ(model.rulers[1].first, 48);
  EXPECT_EQ(model.rulers[1].last, 64);
  expectIndicesAboveTheirCells(block, model);
}

TEST(SceneModel, AStripOfFewCellsIsOneRow) {
  RecordedBlock block("convolution/1d_tiled", {{"width", 12}, {"OUT_TILE_DIM", 12}});
  const SceneModel model = block.atEnd().model();
  ASSERT_EQ(model.rulers.size(), 1U);
  EXPECT_EQ(model.rulers[0].first, -2);
  EXPECT_EQ(model.rulers[0].last, 13);
  EXPECT_EQ(model.count(SceneColour::Ghost), 4U);
  expectIndicesAboveTheirCells(block, model);
}

TEST(SceneModel, AStripOfManyCellsFitsItsPicture) {
  RecordedBlock block("convolution/1d_tiled", {{"width", 4096}, {"OUT_TILE_DIM", 1024}}, Dim3{1, 0, 0});
  const SceneModel model = block.atEnd().model();
  expectIndicesAboveTheirCells(block, model);
  const SceneSpace space;
  float low = 0, high = 0;
  for (const glm::vec3& point : model.extent) {
    low = std::min(low, point.z);
    high = std::max(high, point.z);
  }
  const SceneProjection projection(model, {}, space.width, space.height);
  EXPECT_LE((high - low) * projection.pixelsPerUnit(), space.height + 1);
}

TEST(SceneModel, GhostCellsAreAtBothEndsOfTheOnlyBlock) {
  RecordedBlock block("convolution/1d_basic", {{"width", 48}});
  const SceneModel model = block.atEnd().model();
  EXPECT_EQ(model.count(SceneColour::Ghost, SceneStyle::Outline), 4U);
  EXPECT_EQ(model.rulers.front().first, -2);
  EXPECT_EQ(model.rulers.back().last, 49);
  expectIndicesAboveTheirCells(block, model);
}

TEST(SceneModel, WhatKeepsItsValueHasNoGhostCells) {
  EXPECT_TRUE(RecordedBlock("stencil/finite_difference_3", {{"N", 24}}).facts.ghosts.empty());
  EXPECT_TRUE(RecordedBlock("convolution/1d_basic", {}, Dim3{1, 0, 0}).facts.ghosts.empty()) << "an interior block";
}

TEST(SceneModel, TapsOfAStripReachTheirOutput) {
  RecordedBlock block("convolution/1d_basic", {{"width", 48}});
  const SceneModel model = block.after("sum += filter", 3).model(10);
  const auto lines = [&](SceneColour colour, float opacity) {
    return std::ranges::count_if(
        model.lines, [&](const SceneLine& line) { return line.colour == colour && line.opacity == opacity; });
  };
  EXPECT_EQ(lines(SceneColour::Text, 0.4F), 5) << "all taps of the thread";
  EXPECT_EQ(lines(SceneColour::Active, 0.6F), 1) << "the tap of the current step";
}

TEST(SceneFold, KeepsRowsTogetherAndHalosAtTheEnds) {
  // 256 outputs of three rows from y = 8 on, in bands of 32: halos at x = -1 and x = 256 stay at the ends.
  const SceneFold fold{0, 32, 8, 4, 0, 7};
  EXPECT_EQ(fold({5, 8, 0}), (recording::GridPoint{5, 0, 0}));
  EXPECT_EQ(fold({5, 10, 31}), (recording::GridPoint{5, 2, 31}));
  EXPECT_EQ(fold({5, 8, 32}), (recording::GridPoint{5, 4, 0}));
  EXPECT_EQ(fold({5, 9, -1}), (recording::GridPoint{5, 1, -1}));
  EXPECT_EQ(fold({5, 9, 256}), (recording::GridPoint{5, 29, 32}));
}

/// What a scene's cells represent, by their folded places: no two cells of a stack lie in one.
void expectPlacesOfTheirOwn(const SceneModel& model) {
  std::set<std::tuple<SceneSource::Kind, float, float, float>> places;
  for (const SceneBox& box : model.boxes) {
    if (box.kind == SceneSource::Kind::None) { continue; }
    for (int z = 0; z < box.cellsZ; ++z) {
      for (int x = 0; x < box.cellsX; ++x) {
        const glm::vec3 corner = SceneModel::top(box, x, z)[0];
        EXPECT_TRUE(places.emplace(box.kind, std::round(corner.x * 2), box.low.y, std::round(corner.z * 2)).second);
      }
    }
  }
}

TEST(SceneModel, ALongThinBlockIsFoldedIntoItsWarps) {
  RecordedBlock block("laplacian/basic");
  const SceneModel model = block.atEnd().model();
  ASSERT_EQ(model.fold.columns, 32);
  EXPECT_EQ(model.fold.stride, 4);
  EXPECT_EQ(model.fold.first, 0);  // of lane 0, which computes no output at the array's edge
  EXPECT_EQ(model.count(SceneColour::Output), 254U);
  expectPlacesOfTheirOwn(model);
  for (int warp = 0; warp < 8; ++warp) {
    const std::string sign = "x = " + std::to_string(32 * warp) + ", warp " + std::to_string(warp);
    EXPECT_TRUE(std::ranges::any_of(model.labels, [&](const SceneLabel& l) { return l.row && l.detail == sign; }))
        << sign;
  }
  // Each output's cell represents the element at its unfolded place.
  const std::int64_t columns = block.experiment->footprint.outputExtents.back();
  for (const SceneBox& box : model.boxes) {
    if (box.kind != SceneSource::Kind::Output) { continue; }
    const std::int64_t element = block.view.outputs.at(model.source(box).index).element;
    EXPECT_EQ(element % columns, box.at.x + 32 * (box.at.y / 4));
  }
}

TEST(SceneModel, AThinBlockIn2DIsFoldedToo) {
  RecordedBlock block("stencil/2d_5_basic", {{"BLOCK_X", 256}, {"BLOCK_Y", 1}, {"N", 1024}}, Dim3{1, 9, 0});
  const SceneModel model = block.atEnd().model();
  EXPECT_EQ(model.fold.columns, 32);
  EXPECT_EQ(model.fold.first, 256);
  EXPECT_EQ(model.count(SceneColour::Output), 256U);
  expectPlacesOfTheirOwn(model);
  // The halo cells before the first band and after the last are in line with them.
  EXPECT_TRUE(std::ranges::any_of(model.boxes, [](const SceneBox& box) { return box.at.x == -1 && box.at.y == 1; }));
  EXPECT_TRUE(std::ranges::any_of(model.boxes, [](const SceneBox& box) { return box.at.x == 32 && box.at.y == 29; }));
}

TEST(SceneModel, AShortRowIsNot) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  EXPECT_EQ(block.atEnd().model().fold.columns, 0);
}

TEST(SceneModel, MarksOutputsThatAreWrongOnceTheyAreWritten) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const std::vector<std::int64_t> wrong = {block.experiment->footprint.outputs.at(0),
                                           block.experiment->footprint.outputs.at(40)};
  for (const bool end : {false, true}) {
    if (end) { block.atEnd(); }
    SceneSubject subject{block.cursor, block.experiment->footprint, block.experiment->carriers, block.view,
                         block.facts};
    subject.wrong = wrong;
    const SceneModel model = buildScene(subject);
    EXPECT_EQ(model.count(SceneColour::Fault), end ? 2U : 0U);
    EXPECT_EQ(std::ranges::count(model.boxes, SceneColour::Fault, &SceneBox::colour), end ? 2 : 0);
    EXPECT_EQ(std::ranges::count(model.legend, "wrong without the barrier", &SceneLegendEntry::word), end ? 1 : 0);
    const bool said =
        std::ranges::any_of(model.labels, [](const SceneLabel& label) { return label.detail.ends_with(", 2 wrong"); });
    EXPECT_EQ(said, end) << "of outputs that are written";
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
  for (const SceneBox& box : model.boxes) {
    if (box.kind != SceneSource::Kind::Carrier || box.carrier != 2) { continue; }
    const auto top = SceneModel::top(box, 0, 0);
    const auto hit = projection.pick(model, projection.project((top[0] + top[2]) * 0.5F));
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->source, model.source(box));
  }
  EXPECT_FALSE(projection.pick(model, {2, 478}));
}

}  // namespace
}  // namespace haloscope::render
