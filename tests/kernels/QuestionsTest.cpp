#include "questions/Questions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "KernelCatalogue.h"
#include "program/SourceLocation.h"
#include "questions/Execution.h"
#include "questions/Quantities.h"

// Quantities by name from an execution. Expected numbers are calculated here, from tile, filter and array.

namespace haloscope {
namespace {

using questions::Answer;
using questions::AnswerKind;
using questions::Execution;
using questions::Origin;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

Execution executionOf(const std::string& id, const Bindings& bindings, std::optional<Dim3> block = std::nullopt) {
  return Execution(test::catalogue().at(id), {id, bindings, block});
}

double numberOf(const std::string& query, Execution& execution) {
  const Answer answer = questions::answer(query, execution);
  EXPECT_EQ(answer.kind, AnswerKind::Number) << query;
  return answer.number;
}

std::vector<std::string> cellsOf(const std::string& query, Execution& execution) {
  const Answer answer = questions::answer(query, execution);
  EXPECT_EQ(answer.kind, AnswerKind::Cells) << query;
  std::vector<std::string> cells;
  for (const recording::GridPoint& cell : answer.cells.cells) { cells.push_back(cellText(answer.cells, cell)); }
  return cells;
}

struct Tile {
  const char* id;
  const char* tunable;
  int outputs, threads;  ///< along an axis
};

class QuestionsOfTiles : public ::testing::TestWithParam<Tile> {};

TEST_P(QuestionsOfTiles, FollowFromTileAndFilter) {
  constexpr int kRadius = 1, kWidth = 24, kHeight = 24;
  const auto [id, tunable, outputs, threads] = GetParam();
  const int edge = tunable == std::string("IN_TILE_DIM") ? outputs + 2 * kRadius : outputs;
  Execution execution =
      executionOf(id, {{"width", kWidth}, {"height", kHeight}, {"FILTER_RADIUS", kRadius}, {tunable, edge}});
  const int inputs = outputs + 2 * kRadius;
  const int blocks = (kWidth / outputs) * (kHeight / outputs);
  const int taps = (2 * kRadius + 1) * (2 * kRadius + 1);
  EXPECT_EQ(numberOf("blocks", execution), blocks);
  EXPECT_EQ(numberOf("grid.x * grid.y * grid.z", execution), blocks);
  EXPECT_EQ(numberOf("threads", execution), threads * threads);
  EXPECT_EQ(numberOf("all_threads", execution), blocks * threads * threads);
  EXPECT_EQ(numberOf("block.loads", execution), inputs * inputs);
  EXPECT_EQ(numberOf("block.inputs", execution), inputs * inputs);
  EXPECT_EQ(numberOf("block.halo", execution), inputs * inputs - outputs * outputs);
  EXPECT_EQ(numberOf("block.inside", execution), outputs * outputs);
  EXPECT_EQ(numberOf("block.outputs", execution), outputs * outputs);
  EXPECT_EQ(numberOf("block.stores", execution), outputs * outputs);
  EXPECT_EQ(numberOf("block.idle", execution), threads * threads - outputs * outputs);
  EXPECT_EQ(numberOf("block.multiplications", execution), outputs * outputs * taps);
  EXPECT_EQ(numberOf("block.flops", execution), 2 * outputs * outputs * taps);
  EXPECT_EQ(numberOf("block.barriers", execution), 1);
  EXPECT_EQ(numberOf("block.shared_bytes / sizeof(4)", execution), inputs * inputs);
  EXPECT_DOUBLE_EQ(numberOf("block.loads_per_output", execution), 1.0 * inputs * inputs / outputs / outputs);
  EXPECT_DOUBLE_EQ(numberOf("op_per_byte.block", execution), 2.0 * outputs * outputs * taps / (4 * inputs * inputs));
  EXPECT_DOUBLE_EQ(numberOf("op_per_byte.formula", execution), numberOf("op_per_byte.block", execution));
  EXPECT_EQ(numberOf("taps", execution), taps);
  EXPECT_EQ(numberOf("radius", execution), kRadius);
  EXPECT_EQ(numberOf("points", execution), kWidth * kHeight);
  EXPECT_EQ(numberOf("outputs", execution), kWidth * kHeight);
  EXPECT_EQ(numberOf("kept", execution), 0);
  EXPECT_EQ(numberOf("elements(in)", execution), kWidth * kHeight);
  EXPECT_EQ(numberOf("extent(filter, 1)", execution), 2 * kRadius + 1);
  EXPECT_EQ(numberOf("count(idle_threads)", execution), threads * threads - outputs * outputs);
  EXPECT_EQ(numberOf("count(halo_cells)", execution), inputs * inputs - outputs * outputs);
  EXPECT_EQ(numberOf("count(written_by_block)", execution), outputs * outputs);
}

INSTANTIATE_TEST_SUITE_P(BothOrganisations, QuestionsOfTiles,
                         ::testing::Values(Tile{"convolution/tiled_input_block", "IN_TILE_DIM", 6, 8},
                                           Tile{"convolution/tiled_output_block", "OUT_TILE_DIM", 6, 6}),
                         [](const auto& one) { return one.param.tunable; });

TEST(Questions, GhostCellsOfArraysInOneAndTwoDimensions) {
  Execution line = executionOf("convolution/1d_basic", {{"width", 7}, {"FILTER_RADIUS", 2}, {"BLOCK_X", 4}});
  EXPECT_EQ(numberOf("ghost.cells", line), 4);
  EXPECT_EQ(numberOf("ghost.reads", line), 2 * (2 + 1));
  EXPECT_EQ(numberOf("multiplications", line), 7 * 5 - 6);
  EXPECT_THAT(cellsOf("ghost_cells", line), ElementsAre("in[-2]", "in[-1]", "in[7]", "in[8]"));
  EXPECT_THAT(cellsOf("needed_by(0)", line), ElementsAre("in[0]", "in[1]", "in[2]"));
  EXPECT_THAT(cellsOf("needed_by(6)", line), ElementsAre("in[4]", "in[5]", "in[6]"));

  Execution plane = executionOf("convolution/tiled_output_block",
                                {{"width", 5}, {"height", 4}, {"FILTER_RADIUS", 1}, {"OUT_TILE_DIM", 4}});
  EXPECT_EQ(numberOf("ghost.cells", plane), 7 * 6 - 5 * 4);
  // Of the 9 factors of each output: 3 for each axis, of which the first and the last one lie outside once.
  EXPECT_EQ(numberOf("ghost.reads", plane), 5 * 4 * 9 - (3 * 5 - 2) * (3 * 4 - 2));
  // This kernel multiplies with zeros instead of leaving products out.
  EXPECT_EQ(numberOf("multiplications", plane), 5 * 4 * 9);
  EXPECT_GE(numberOf("multiplications.by_zero", plane), numberOf("ghost.reads", plane));
}

/// A kernel whose text was changed.
KernelFile changed(const std::string& id, const std::string& from, const std::string& to) {
  const KernelFile& file = test::catalogue().at(id);
  std::string text = file.text;
  text.replace(text.find(from), from.size(), to);
  return KernelFile::parse(file.id, file.path, text);
}

TEST(Questions, GhostCellsAreThoseThatTheKernelLeavesOut) {
  // This one takes the first element for a ghost cell: outputs 0 to 2 lack it.
  const KernelFile wrong = changed("convolution/1d_basic", "inIndex >= 0", "inIndex > 0");
  Execution line(wrong, {wrong.id, {{"width", 7}, {"FILTER_RADIUS", 2}, {"BLOCK_X", 4}}});
  EXPECT_THAT(cellsOf("ghost_cells", line), ElementsAre("in[-2]", "in[-1]", "in[0]", "in[7]", "in[8]"));
  EXPECT_EQ(numberOf("ghost.reads", line), 6 + 3);
}

TEST(Questions, PointsAreTracedInALargerGridWhereThisOneIsTooSmall) {
  Execution small = executionOf("convolution/1d_basic", {{"width", 3}, {"FILTER_RADIUS", 2}, {"BLOCK_X", 4}});
  EXPECT_EQ(numberOf("taps", small), 5);
  EXPECT_EQ(numberOf("ghost.reads", small), 2 * (2 + 1));
  EXPECT_THAT(questions::answer("taps", small).origins, ElementsAre(Origin::Executed));
}

TEST(Questions, SayWhereTheirNumbersComeFrom) {
  Execution march = executionOf("stencil/coarsened", {{"N", 20}, {"IN_TILE_DIM", 8}});
  const auto origins = [&](const char* query) { return questions::answer(query, march).origins; };
  EXPECT_THAT(origins("op_per_byte.block"), ElementsAre(Origin::Executed));
  EXPECT_THAT(origins("op_per_byte.formula"), ElementsAre(Origin::Header));
  EXPECT_THAT(origins("op_per_byte.block / op_per_byte.formula"), ElementsAre(Origin::Executed, Origin::Header));
  EXPECT_THAT(origins("2 * IN_TILE_DIM * blocks"), ElementsAre(Origin::Launch));
  EXPECT_THAT(origins("bytes(in)"), ElementsAre(Origin::Launch));
  EXPECT_THAT(origins("value(out, 0)"), ElementsAre(Origin::Executed));
  EXPECT_THAT(origins("count(halo_cells)"), ElementsAre(Origin::Executed));
  EXPECT_THAT(origins("halo_cells"), ElementsAre(Origin::Executed));
  EXPECT_THAT(origins("store_line"), ElementsAre(Origin::Text));
  EXPECT_THAT(origins("2 * 3"), IsEmpty());
  EXPECT_THAT(origins("gpu(NVIDIA H200 SXM 141 GB, bandwidth_gbs)"), ElementsAre(Origin::DataSheet));
  EXPECT_THAT(origins("recorded(7-point float 512³, stencil/basic, counters.dram_bytes_per_point)"),
              ElementsAre(Origin::Recorded));
  // Too many outputs to trace each: the header says what lies outside.
  Execution large = executionOf("convolution/1d_basic", {{"width", 200'000}, {"FILTER_RADIUS", 2}});
  EXPECT_EQ(numberOf("ghost.reads", large), 2 * (2 + 1));
  EXPECT_THAT(questions::answer("ghost.reads", large).origins, ElementsAre(Origin::Definition));
  EXPECT_THAT(questions::answer("ghost_cells", large).origins, ElementsAre(Origin::Definition));
  EXPECT_THAT(questions::answer("multiplications", large).origins, ElementsAre(Origin::Executed));
}

TEST(Questions, NumbersOfAGpuAreThoseOfTheFiles) {
  Execution any = executionOf("stencil/basic", {{"N", 8}});
  EXPECT_EQ(numberOf("gpu(NVIDIA H200 SXM 141 GB, fp32_gflops) / gpu(NVIDIA H200 SXM 141 GB, bandwidth_gbs)", any),
            67'000.0 / 4'800);
  EXPECT_NEAR(numberOf("recorded(convolution float 8192², radius 1, convolution/basic, fraction)", any), 0.5, 0.5);
  EXPECT_GT(numberOf("recorded(3 × 3 convolution, whole call, 500², whole_ms)", any),
            numberOf("recorded(3 × 3 convolution, whole call, 500², launch_ms)", any));
  EXPECT_GT(numberOf("recorded(7-point float 512³, stencil/tiled, counters.stalls.barrier.cycles)", any), 0);
  const auto asked = [&](const char* query) { return [&any, query] { (void)questions::answer(query, any); }; };
  EXPECT_THAT(asked("recorded(7-point float 512³, stencil/basic, counters.stalls.hunger.cycles)"),
              ThrowsMessage<InputError>(HasSubstr("no \"hunger\" among ")));
  EXPECT_THAT(asked("recorded(7-point, stencil/basic, fraction)"),
              ThrowsMessage<InputError>(HasSubstr("no \"7-point\" among 7-point float 512³")));
  EXPECT_THAT(asked("recorded(7-point float 512³, stencil/basic, speed)"),
              ThrowsMessage<InputError>(HasSubstr("no number \"speed\"; there are")));
  EXPECT_THAT(asked("recorded(fraction)"), ThrowsMessage<InputError>(HasSubstr("recorded(CLASS, VARIANT, FIELD)")));
  EXPECT_THAT(asked("gpu(NVIDIA H200 SXM 141 GB, source)"), ThrowsMessage<InputError>(HasSubstr("bandwidth_gbs")));
}

TEST(Questions, PlanesLieApartInMemory) {
  Execution cube = executionOf("stencil/basic", {{"N", 12}, {"BLOCK_X", 4}, {"BLOCK_Y", 4}, {"BLOCK_Z", 4}});
  EXPECT_EQ(numberOf("chosen.span", cube), 2 * 12 * 12);
  // A star's thread has its column in registers and borrows the rest; a box's sums take points of each plane.
  Execution star = executionOf("stencil/register_tiled", {{"N", 20}, {"IN_TILE_DIM", 8}});
  EXPECT_EQ(numberOf("count(borrowed_by(9, 9, 9))", star), 4);
  Execution box = executionOf("stencil/3d_27_register_tiled", {{"N", 20}, {"IN_TILE_DIM", 8}});
  EXPECT_EQ(numberOf("count(borrowed_by(9, 9, 9))", box), 24);
  EXPECT_EQ(numberOf("op_per_byte.bound", star), 13.0 / 4);
}

TEST(Questions, ValuesAreThoseOfTheLaunch) {
  Execution line = executionOf("convolution/1d_basic", {{"width", 9}, {"FILTER_RADIUS", 1}, {"BLOCK_X", 4}});
  const double sum =
      numberOf("value(in,3)*value(filter,0) + value(in, 4)*value(filter, 1) + value(in,5)*value(filter,2)", line);
  EXPECT_NEAR(numberOf("value(out, 4)", line), sum, 1e-6);
  EXPECT_EQ(numberOf("value(out, 2 * FILTER_RADIUS + 2) == value(out, 4)", line), 1);
  EXPECT_EQ(numberOf("width > 8 && !(BLOCK_X > 4)", line), 1);
}

TEST(Questions, StencilsKeepTheirBorder) {
  for (const char* const id : {"stencil/basic", "stencil/coarsened"}) {
    Execution cube = executionOf(id, {{"N", 10}});
    EXPECT_EQ(numberOf("points", cube), 1000) << id;
    EXPECT_EQ(numberOf("outputs", cube), 8 * 8 * 8) << id;
    EXPECT_EQ(numberOf("kept", cube), 1000 - 512) << id;
    EXPECT_EQ(numberOf("count(kept_points)", cube), 1000 - 512) << id;
    EXPECT_EQ(numberOf("ghost.cells", cube), 0) << id;
    EXPECT_EQ(numberOf("flops", cube), 512 * 13) << id;
    EXPECT_EQ(numberOf("taps", cube), 7) << id;
    EXPECT_EQ(numberOf("order", cube), 1) << id;
    EXPECT_THAT(cellsOf("needed_by(0,0,0)", cube), IsEmpty()) << id;
    EXPECT_THAT(cellsOf("needed_by(4,5,6)", cube),
                ElementsAre("in[3][5][6]", "in[4][4][6]", "in[4][5][5]", "in[4][5][6]", "in[4][5][7]", "in[4][6][6]",
                            "in[5][5][6]"))
        << id;
  }
  Execution coarse = executionOf("stencil/coarsened", {{"N", 26}, {"IN_TILE_DIM", 8}});
  EXPECT_EQ(numberOf("block.planes", coarse), 6);
  EXPECT_EQ(numberOf("block.shared_bytes", coarse), 3 * 8 * 8 * 4);
  EXPECT_EQ(numberOf("block.loads", coarse), 8 * 8 * 8);
}

TEST(Questions, ABlockCanBeChosen) {
  Execution corner =
      executionOf("convolution/tiled_input_block",
                  {{"width", 24}, {"height", 24}, {"FILTER_RADIUS", 1}, {"IN_TILE_DIM", 8}}, Dim3{0, 0, 0});
  EXPECT_EQ(numberOf("chosen.inputs", corner), 7 * 7);
  EXPECT_EQ(numberOf("chosen.halo", corner), 49 - 36);
  EXPECT_EQ(numberOf("block.inputs", corner), 64);
  EXPECT_THAT(cellsOf("loaded_by(0, 0)", corner), IsEmpty());
  EXPECT_THAT(cellsOf("loaded_by(1, 2, 0)", corner), ElementsAre("in[1][0]"));
  EXPECT_THAT(cellsOf("idle_threads", corner), SizeIs(64 - 36));
}

TEST(Questions, WarpsDivideAtTheEdgeOnly) {
  // 8 threads a block: the first warp, of 8 lanes, reads beyond the left end; the last one has threads without output.
  Execution line = executionOf("convolution/1d_basic", {{"width", 16}, {"FILTER_RADIUS", 1}, {"BLOCK_X", 8}});
  // Each of the two warps divides once at a tap: element -1 and element 16.
  EXPECT_EQ(numberOf("divergent_warps", line), 2);
  const Answer lines = questions::answer("line_that_diverges", line);
  ASSERT_EQ(lines.kind, AnswerKind::Lines);
  EXPECT_THAT(lines.lines, SizeIs(1));
}

TEST(Questions, LinesComeFromTheExecution) {
  const KernelFile& file = test::catalogue().at("convolution/tiled_output_block");
  Execution tile(file, {file.id, {{"width", 24}, {"height", 24}}});
  const auto textOf = [&](const char* query) {
    const Answer answer = questions::answer(query, tile);
    EXPECT_THAT(answer.lines, SizeIs(1)) << query;
    std::size_t begin = 0;
    for (int line = 1; line < answer.lines.at(0); ++line) { begin = file.text.find('\n', begin) + 1; }
    return file.text.substr(begin, file.text.find('\n', begin) - begin);
  };
  EXPECT_THAT(textOf("barrier_whose_removal_races"), HasSubstr("__syncthreads()"));
  EXPECT_THAT(textOf("first_load_of_halo"), HasSubstr("= in[inRow * width + inCol]"));
  EXPECT_THAT(textOf("store_line"), HasSubstr("out[outRow * width + outCol] = sum"));
  EXPECT_THAT(textOf("line_with_most_sectors"), HasSubstr("= in[inRow * width + inCol]"));
  const Answer lanes = questions::answer("lanes_active(at=tileCol += OUT_TILE_DIM))", tile);
  EXPECT_THAT(lanes.cells.cells, SizeIs(32));
  EXPECT_EQ(numberOf("times(int inRow = rowStart + tileRow)", tile), 4);
}

TEST(Questions, UnknownNamesAreReportedWithTheNearest) {
  Execution tile = executionOf("convolution/tiled_output_block", {{"width", 24}, {"height", 24}});
  const auto asked = [&](const char* query) { return [&tile, query] { (void)questions::answer(query, tile); }; };
  EXPECT_THAT(asked("2 * block.hallo"),
              ThrowsMessage<InputError>(HasSubstr("character 5: there is no quantity \"block.hallo\"; did you mean "
                                                  "block.halo?")));
  EXPECT_THAT(asked("value(inn, 3)"), ThrowsMessage<InputError>(HasSubstr("no array \"inn\"")));
  EXPECT_THAT(asked("value(in, 576)"), ThrowsMessage<InputError>(HasSubstr("index 576 is outside 0 to 575")));
  EXPECT_THAT(asked("cout(halo_cells)"), ThrowsMessage<InputError>(HasSubstr("did you mean count?")));
  EXPECT_THAT(asked("halo_cells + 1"), ThrowsMessage<InputError>(HasSubstr("is not a number; count(halo_cells)")));
  EXPECT_THAT(asked("loaded_by(99)"), ThrowsMessage<InputError>(HasSubstr("none with threadIdx.x = 99")));
  EXPECT_THAT(asked("halo_cells(3)"), ThrowsMessage<InputError>(HasSubstr("write halo_cells")));
  EXPECT_THAT(asked("needed_by"), ThrowsMessage<InputError>(HasSubstr("write needed_by(i[,j[,k]])")));
  EXPECT_THAT(asked("threads - "), ThrowsMessage<InputError>(HasSubstr("in the expression")));
  EXPECT_THAT(asked("threads / kept"), ThrowsMessage<InputError>(HasSubstr("divides by zero")));
  EXPECT_THAT(asked("  "), ThrowsMessage<InputError>(HasSubstr("empty")));
  EXPECT_THAT(asked("lanes_active(at=nowhere to be found)"),
              ThrowsMessage<InputError>(HasSubstr("executes no line that contains")));
}

TEST(Questions, NothingIsExecutedForTheLaunchAlone) {
  // 268 million elements: executing them would take minutes.
  Execution image = executionOf("convolution/basic", {{"width", 16384}, {"height", 16384}});
  EXPECT_EQ(numberOf("blocks * threads", image), 16384.0 * 16384.0);
}

TEST(Questions, EveryQuantityHasAValue) {
  Execution tile = executionOf("convolution/tiled_output_block", {{"width", 24}, {"height", 24}});
  for (const questions::Quantity& quantity : questions::quantities()) {
    if (std::string(quantity.name) == "registers" || std::string(quantity.name).starts_with("occupancy")) { continue; }
    EXPECT_NO_THROW((void)questions::answer(quantity.name, tile)) << quantity.name;
  }
}

TEST(Predictions, AreNumbersOrCalculations) {
  EXPECT_EQ(questions::predictionOf("64"), 64);
  EXPECT_EQ(questions::predictionOf(" 8 * 8 - 36 "), 28);
  EXPECT_DOUBLE_EQ(questions::predictionOf("12.5 %"), 0.125);
  EXPECT_THROW((void)questions::predictionOf("many"), InputError);
  EXPECT_THROW((void)questions::predictionOf(""), InputError);
  EXPECT_THROW((void)questions::predictionOf("1 / 0"), InputError);
}

TEST(Predictions, AgreeExactlyOrToTheTypedDigits) {
  EXPECT_TRUE(questions::agrees(64, "64"));
  EXPECT_TRUE(questions::agrees(3, "0.1 * 30"));
  EXPECT_FALSE(questions::agrees(6400, "6401"));
  EXPECT_TRUE(questions::agrees(0.4615, "0.46"));
  EXPECT_TRUE(questions::agrees(6.0 / 13, "46 %"));
  EXPECT_TRUE(questions::agrees(6.0 / 13, "6 / 13"));
  EXPECT_FALSE(questions::agrees(0.4615, "0.47"));
  EXPECT_FALSE(questions::agrees(0.4615, "0.5")) << "one digit is too few";
  EXPECT_FALSE(questions::agrees(2.68, "3"));
  EXPECT_TRUE(questions::agrees(10.5, "10.5"));
  EXPECT_FALSE(questions::agrees(10.5, "10.6"));
  EXPECT_FALSE(questions::agrees(10.5, "21 / 2 + 0.05"));
  EXPECT_TRUE(questions::agrees(64, "66", 0.05));
}

}  // namespace
}  // namespace haloscope
