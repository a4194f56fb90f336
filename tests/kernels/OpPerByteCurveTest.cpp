#include "figures/OpPerByteCurve.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "KernelCatalogue.h"
#include "figures/OpPerByteSeries.h"
#include "figures/ReuseBounds.h"
#include "figures/ThreadOrganisation.h"

/// The curves of the OP/B explorer, against numbers derived by hand from the tiles.
namespace haloscope::figures {
namespace {

using test::catalogue;

OpPerByteCurve curveOf(const std::string& id, const std::string& tunable, const Bindings& chosen = {}) {
  const auto file = std::make_shared<const KernelFile>(catalogue().at(id));
  return planOpPerByte(file, file->bind(chosen), tunable);
}

OpPerBytePoint executed(const OpPerByteCurve& curve, std::int64_t value) {
  const OpPerBytePoint* planned = curve.at(value);
  EXPECT_NE(planned, nullptr);
  OpPerBytePoint point = planned == nullptr ? OpPerBytePoint{} : *planned;
  execute(*curve.file, point);
  return point;
}

TEST(OpPerByteCurve, TheTileOfAStencilByFormulaAndByExecution) {
  const OpPerByteCurve curve = curveOf("stencil/tiled", "IN_TILE_DIM");
  for (const auto& [edge, expected] : {std::pair{4, 13.0 / 4 * 8 / 64}, std::pair{8, 13.0 / 4 * 216 / 512}}) {
    const OpPerBytePoint point = executed(curve, edge);
    ASSERT_TRUE(point.count) << point.refused;
    EXPECT_NEAR(point.executed(), expected, 1e-12);
    ASSERT_TRUE(point.formula);
    EXPECT_NEAR(*point.formula, expected, 1e-12);
    ASSERT_TRUE(point.bound);
    EXPECT_NEAR(*point.bound, 3.25, 1e-6);
    EXPECT_DOUBLE_EQ(point.count->reuseBound(), 3.25);
  }
  const OpPerBytePoint point = executed(curve, 8);
  EXPECT_EQ(point.count->outputs, 216U);
  EXPECT_EQ(point.sharedBytes, 2048);
  EXPECT_DOUBLE_EQ(point.count->block.haloFraction.value(), 1 - 216.0 / 512);
  EXPECT_DOUBLE_EQ(point.count->withoutOutput(), 1 - 216.0 / 512);
  ASSERT_EQ(point.count->tile.size(), 3U);
  for (const TileAxis& axis : point.count->tile) {
    EXPECT_EQ(axis.outputs, 6);
    EXPECT_EQ(axis.inputs(), 8);
    EXPECT_EQ(axis.threads, 8);
  }
}

TEST(OpPerByteCurve, TheLineOfTheFormulaGoesThroughEveryPoint) {
  // A range of more values than the line has corners.
  for (const auto& [id, tunable] :
       {std::pair{"convolution/1d_tiled", "OUT_TILE_DIM"}, std::pair{"stencil/tiled", "IN_TILE_DIM"}}) {
    OpPerByteCurve curve = curveOf(id, tunable);
    findWalls(curve, "NVIDIA H200", "9.0");
    ASSERT_FALSE(curve.points.empty());
    for (const OpPerBytePoint& point : curve.points) {
      if (!point.formula) { continue; }
      const auto corner = std::ranges::find(curve.line, point.value, &FormulaSample::value);
      ASSERT_NE(corner, curve.line.end()) << id << " at " << point.value;
      EXPECT_EQ(corner->opPerByte, *point.formula);
    }
  }
}

TEST(OpPerByteCurve, AGridOfBorderPointsAloneHasNoNumber) {
  // Three points on each side keep their value: of 6 points none is computed, of 7 one.
  const std::string id = "stencil/finite_difference_7";
  for (const std::int64_t value : {1, 32, 1024}) {
    const OpPerBytePoint point = executed(curveOf(id, "BLOCK_X", {{"N", 6}}), value);
    EXPECT_EQ(point.refused, "At N = 6 no point is computed: the grid is too small.");
    EXPECT_FALSE(point.count);
    EXPECT_FALSE(point.formula);
  }
  EXPECT_TRUE(curveOf(id, "BLOCK_X", {{"N", 6}}).line.empty());
  EXPECT_TRUE(opPerByteSeries(curveOf(id, "BLOCK_X", {{"N", 6}})).executed.empty());
  const OpPerByteCurve larger = curveOf(id, "BLOCK_X", {{"N", 7}});
  EXPECT_EQ(larger.at(1)->refused, "");
  EXPECT_TRUE(larger.at(1)->formula);
}

TEST(OpPerByteCurve, AGridThatIsLargerThanTheChosenOneIsNamed) {
  // 8 points are two blocks of 6 along each axis, none of which has whole neighbours on both sides. 64 points suffice.
  const OpPerByteCurve small = curveOf("stencil/tiled", "IN_TILE_DIM", {{"N", 8}});
  const OpPerBytePoint point = executed(small, 8);
  ASSERT_TRUE(point.count) << point.refused;
  EXPECT_EQ(point.otherSizes(*small.file).substr(0, 4), "N = ");
  const OpPerByteCurve large = curveOf("stencil/tiled", "IN_TILE_DIM", {{"N", 64}});
  EXPECT_EQ(executed(large, 8).otherSizes(*large.file), "");
}

TEST(OpPerByteCurve, WhatBreaksALimitIsRefusedWithItsNumbers) {
  const OpPerBytePoint point = executed(curveOf("stencil/tiled", "IN_TILE_DIM"), 11);
  EXPECT_TRUE(point.done);
  EXPECT_FALSE(point.count);
  EXPECT_NE(point.refused.find("1331"), std::string::npos) << point.refused;
}

TEST(OpPerByteCurve, AValueWithoutMeaningHasAReasonAndNoNumber) {
  // A tile of 4 leaves nothing within a halo of 2 on each side.
  OpPerByteCurve curve = curveOf("convolution/tiled_input_block", "IN_TILE_DIM", {{"FILTER_RADIUS", 2}});
  findWalls(curve, "some GPU", "8.6");
  for (const std::int64_t value : {3, 4}) {
    const OpPerBytePoint* point = curve.at(value);
    if (point == nullptr) { continue; }
    EXPECT_TRUE(point->done) << value;
    EXPECT_NE(point->refused.find("IN_TILE_DIM > 2 * FILTER_RADIUS"), std::string::npos) << point->refused;
    EXPECT_FALSE(point->formula) << value;
    EXPECT_FALSE(point->bound) << value;
  }
  ASSERT_NE(curve.at(5), nullptr);
  EXPECT_EQ(curve.at(5)->refused, "");
  ASSERT_FALSE(curve.line.empty());
  EXPECT_EQ(curve.line.front().value, 5);
  for (const FormulaSample& sample : curve.line) {
    EXPECT_GT(sample.opPerByte, 0) << sample.value;
    ASSERT_TRUE(sample.bound);
    EXPECT_LT(sample.opPerByte, *sample.bound) << sample.value;
  }
}

TEST(OpPerByteCurve, WhatIsRefusedOnlyWhenExecutedLeavesTheLine) {
  OpPerByteCurve curve = curveOf("stencil/tiled", "IN_TILE_DIM");
  const auto sampled = [&](std::int64_t value) {
    return std::ranges::find(curve.line, value, &FormulaSample::value) != curve.line.end();
  };
  ASSERT_TRUE(sampled(8));
  const auto index = static_cast<std::size_t>(curve.at(8) - curve.points.data());
  OpPerBytePoint point = curve.points[index];
  const auto broken = std::make_shared<KernelFile>(*curve.file);
  broken->text = "__global__ void broken( {";
  execute(*broken, point);
  EXPECT_FALSE(point.formula);
  EXPECT_NE(point.refused, "");
  putBack(curve, index, point);
  EXPECT_FALSE(sampled(8));
  EXPECT_TRUE(sampled(7));
}

TEST(OpPerByteCurve, ThreadsAndSharedMemoryAreWalls) {
  OpPerByteCurve cube = curveOf("stencil/tiled", "IN_TILE_DIM");
  findWalls(cube, "a GPU", "9.0");
  // 10^3 = 1000 threads; 23^3 · 4 = 48,668 bytes of 49,152; 38^3 · 4 = 219,488 bytes of 227 KB.
  ASSERT_EQ(cube.walls.size(), 3U);
  EXPECT_EQ(cube.walls[0].last, 10);
  EXPECT_EQ(cube.walls[1].last, 23);
  EXPECT_EQ(cube.walls[2].last, 38);
  EXPECT_EQ(cube.highest, 39);
  EXPECT_EQ(cube.line.back().value, 39);

  OpPerByteCurve flat = curveOf("stencil/coarsened", "IN_TILE_DIM");
  findWalls(flat, "a GPU", "7.5");
  // 32^2 threads; three planes of 64^2 floats are 48 KB, of 73^2 63,948 bytes of 64 KB.
  ASSERT_EQ(flat.walls.size(), 3U);
  EXPECT_EQ(flat.walls[0].last, 32);
  EXPECT_EQ(flat.walls[1].last, 64);
  EXPECT_EQ(flat.walls[2].last, 73);

  OpPerByteCurve plain = curveOf("stencil/basic", "BLOCK_X");
  findWalls(plain, "a GPU", "9.0");
  ASSERT_EQ(plain.walls.size(), 1U);
  EXPECT_EQ(plain.walls[0].last, 16);
}

TEST(OpPerByteCurve, AlongTheRadiusEachRadiusHasItsOwnBound) {
  const OpPerByteCurve curve = curveOf("convolution/tiled_output_block", "FILTER_RADIUS");
  const double expected[] = {4.5, 12.5, 24.5};
  for (std::int64_t radius = 1; radius <= 3; ++radius) {
    const OpPerBytePoint point = executed(curve, radius);
    ASSERT_TRUE(point.bound && point.count);
    EXPECT_NEAR(*point.bound, expected[radius - 1], 1e-5);
    EXPECT_DOUBLE_EQ(point.count->reuseBound(), expected[radius - 1]);
    const double taps = static_cast<double>((2 * radius + 1) * (2 * radius + 1));
    const double inputs = static_cast<double>((16 + 2 * radius) * (16 + 2 * radius));
    EXPECT_NEAR(point.executed(), 256 * taps * 2 / (inputs * 4), 1e-12);
  }
}

TEST(OpPerByteCurve, TheFirstToBeExecutedIsTheChosenValue) {
  OpPerByteCurve curve = curveOf("stencil/tiled", "IN_TILE_DIM", {{"IN_TILE_DIM", 6}});
  ASSERT_TRUE(curve.next());
  EXPECT_EQ(curve.points[*curve.next()].value, 6);
  curve.points[*curve.next()].done = true;
  EXPECT_EQ(curve.points[*curve.next()].value, 3);
  EXPECT_EQ(curve.points.size(), 10U);  // 3 … 12
}

TEST(OpPerByteCurve, AFormulaThatGrowsWithoutEndHasNoBound) {
  KernelFile file = catalogue().at("stencil/tiled");
  file.opPerByte = Expression("IN_TILE_DIM / 4");
  EXPECT_FALSE(formulaBound(file, file.defaults()));
  file.opPerByte.reset();
  EXPECT_FALSE(formulaBound(file, file.defaults()));
}

TEST(OpPerByteCurve, AKernelWithoutTunablesSaysSo) {
  const OpPerByteCurve curve = curveOf("stencil/tiled", "");
  EXPECT_TRUE(curve.points.empty());
  EXPECT_NE(curve.problem, "");
}

TEST(ThreadOrganisation, TheRimIdlesOrTheLastTurnDoes) {
  const auto tile = [](const std::string& id) {
    const OpPerBytePoint point =
        executed(curveOf(id, defaultTunable(catalogue().at(id))), id == "stencil/coarsened" ? 8 : 16);
    return *point.count;
  };
  const InteriorCount rim = tile("convolution/tiled_input_block");  // 16² threads, 14² outputs
  EXPECT_DOUBLE_EQ(organisationOf(rim.tile).idleComputing(), 1 - 196.0 / 256);
  EXPECT_DOUBLE_EQ(rim.withoutOutput(), 1 - 196.0 / 256);
  const InteriorCount turns = tile("convolution/tiled_output_block");  // 16² threads load 18² elements
  EXPECT_EQ(organisationOf(turns.tile).loadTurns(), 2);
  EXPECT_DOUBLE_EQ(organisationOf(turns.tile).idleLoading(), 1 - 324.0 / 512);
  EXPECT_DOUBLE_EQ(turns.withoutOutput(), 0);
  // A flat block loops along z: only its two axes have a rim.
  const InteriorCount flat = tile("stencil/coarsened");
  EXPECT_DOUBLE_EQ(organisationOf(flat.tile).idleComputing(), 1 - 36.0 / 64);
  EXPECT_DOUBLE_EQ(flat.withoutOutput(), 1 - 36.0 / 64);
}

TEST(ReuseBounds, AreThoseOfTheBook) {
  std::vector<double> stencils, convolutions;
  for (const ReuseBound& bound : reuseBounds()) {
    stencils.push_back(ReuseBound::opPerByte(bound.stencilPoints()));
    convolutions.push_back(ReuseBound::opPerByte(bound.convolutionPoints()));
  }
  EXPECT_EQ(stencils, (std::vector<double>{2.5, 4.5, 6.5, 3.5, 6.5, 9.5}));
  EXPECT_EQ(convolutions, (std::vector<double>{4.5, 12.5, 24.5, 13.5, 62.5, 171.5}));
}

TEST(ReuseBounds, AVariantExecutesTheOperationsOfItsText) {
  const VariantReuse stencil = variantReuse(catalogue().at("stencil/basic"));
  EXPECT_EQ(stencil.problem, "");
  EXPECT_EQ(stencil.points, 7);
  EXPECT_EQ(stencil.dimensions, 3);
  EXPECT_EQ(stencil.order, 1);
  EXPECT_DOUBLE_EQ(stencil.operationsPerOutput, 13);  // 7 products, 6 sums
  EXPECT_DOUBLE_EQ(stencil.bound, 3.25);
  EXPECT_DOUBLE_EQ(stencil.executed, 13.0 / 28);
  const VariantReuse convolution = variantReuse(catalogue().at("convolution/basic"));
  EXPECT_EQ(convolution.dimensions, 2);
  EXPECT_DOUBLE_EQ(convolution.operationsPerOutput, 18);  // every product is added to a sum
  EXPECT_DOUBLE_EQ(convolution.bound, 4.5);
  EXPECT_DOUBLE_EQ(convolution.executed, 0.25);
}

TEST(OpPerByteSeries, TheBoundOfReuseIsDrawnWhereItIsNotTheFormulas) {
  OpPerByteCurve curve = curveOf("stencil/tiled", "IN_TILE_DIM");
  for (OpPerBytePoint& point : curve.points) {
    if (point.value == 4 || point.value == 8) { execute(*curve.file, point); }
  }
  OpPerByteSeries series = opPerByteSeries(curve);
  EXPECT_EQ(series.executed, (SeriesPoints{{4, 13.0 / 4 * 8 / 64}, {8, 13.0 / 4 * 216 / 512}}));
  EXPECT_TRUE(series.reuse.empty()) << "13 operations for 4 bytes are the formula's limit, too";
  for (OpPerBytePoint& point : curve.points) { point.bound.reset(); }
  series = opPerByteSeries(curve);
  EXPECT_EQ(series.reuse,
            (SeriesPoints{{static_cast<double>(curve.lowest), 3.25}, {static_cast<double>(curve.highest), 3.25}}));
}

TEST(OpPerByteSeries, SharesOfATileFollowFromItsEdges) {
  OpPerByteCurve curve = curveOf("stencil/tiled", "IN_TILE_DIM");
  for (OpPerBytePoint& point : curve.points) {
    if (point.value == 8) { execute(*curve.file, point); }
  }
  // 6 × 6 × 6 outputs of 8 × 8 × 8 inputs; 216 threads load 512 points in three rounds with 648 lanes.
  const ShareSeries halo = haloSeries(curve);
  ASSERT_EQ(halo.byTile.size(), 1U);
  EXPECT_DOUBLE_EQ(halo.byTile[0].second, 1 - 216.0 / 512);
  EXPECT_DOUBLE_EQ(halo.executed[0].second, 1 - 216.0 / 512);
  EXPECT_TRUE(halo.byOutputTile.empty());
  const ShareSeries idle = idleSeries(curve);
  EXPECT_DOUBLE_EQ(idle.byTile[0].second, 1 - 216.0 / 512);
  EXPECT_DOUBLE_EQ(idle.byOutputTile[0].second, 1 - 512.0 / 648);
  EXPECT_DOUBLE_EQ(haloOfTile({{.outputs = 30, .threads = 32, .first = 1, .block = 0, .radius = 1},
                               {.outputs = 14, .threads = 16, .first = 1, .block = 0, .radius = 1}}),
                   1 - 30.0 * 14 / (32 * 16));
}

TEST(ReuseRows, VariantsAreGroupedByTheirShape) {
  VariantReuse five;
  five.id = "five";
  five.dimensions = 2;
  five.order = 1;
  five.points = 5;
  five.elementBytes = 4;
  five.operationsPerOutput = 9;
  five.bound = 2.25;
  VariantReuse ten = five;
  ten.id = "ten";
  ten.operationsPerOutput = 10;
  ten.bound = 2.5;
  VariantReuse line = five;
  line.id = "line";
  line.dimensions = 1;
  line.order = 2;
  VariantReuse broken = five;
  broken.problem = "No size has an interior block.";
  const std::vector<ReuseRow> rows = reuseRows({ten, line, five, broken});
  ASSERT_EQ(rows.size(), reuseBounds().size() + 1);
  EXPECT_EQ(rows[0].shape.dimensions, 1);
  EXPECT_EQ(rows[0].shape.order, 2);
  EXPECT_EQ(rows[0].stencil.variants.size(), 1U);
  EXPECT_TRUE(rows[0].filter.variants.empty()) << "its border has no ghost cells";
  const ReuseCell& cell = rows[1].stencil;
  EXPECT_EQ(cell.points, 5);
  EXPECT_DOUBLE_EQ(cell.formula, 2.5);
  ASSERT_EQ(cell.variants.size(), 2U);
  EXPECT_EQ(cell.leastBound, 2.25);
  EXPECT_EQ(cell.mostBound, 2.5);
  EXPECT_EQ(cell.leastOperations, 9);
  EXPECT_EQ(cell.mostOperations, 10);
  EXPECT_EQ(rows[1].filter.points, 9);
  EXPECT_DOUBLE_EQ(rows[1].filter.formula, 4.5);
  EXPECT_TRUE(rows[1].filter.variants.empty());
}

}  // namespace
}  // namespace haloscope::figures
