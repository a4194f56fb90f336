#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "DeviceCompiler.h"
#include "ProgramTest.h"
#include "book/Figure.h"
#include "parts/FigureList.h"
#include "render/Image.h"
#include "reports/ProgressLine.h"
#include "work/Pool.h"

/// `haloscope figure`, and the same options on `haloscope render --figure`.
namespace haloscope {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class FigureCommandTest : public ProgramTest {
 protected:
  json numbers(const std::string& arguments) const {
    const Reply reply = run("figure " + arguments + " --json");
    EXPECT_EQ(reply.status, 0) << arguments << "\n" << reply.err;
    return reply.status == 0 ? json::parse(reply.out) : json();
  }
  void expectRefused(const std::string& arguments, const std::string& message) const {
    const Reply reply = run(arguments);
    EXPECT_EQ(reply.status, 2) << arguments;
    EXPECT_THAT(reply.err, HasSubstr(message)) << arguments;
    EXPECT_EQ(reply.out, "") << arguments;
  }
  std::string picture() const { return (folder_ / "picture.png").string(); }
  /// Options for small pictures without a GPU.
  Reply draw(const std::string& arguments) const {
    return run("render " + arguments + " --width 1280 --height 720 -o " + picture());
  }
};

TEST(Figures, EachIsListedOnceWithItsWorkAndItsCommand) {
  const std::vector<std::string> ids = figureIds();
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), ids.size());
  EXPECT_EQ(figureParts().size(), ids.size());
  work::Pool pool;
  EXPECT_EQ(figureWorks(pool).size(), ids.size());
  for (const std::string& id : ids) { EXPECT_EQ(listedFigures()[figureIndex(id)].id, id); }
}

TEST_F(FigureCommandTest, APictureTakesTheOptionsOfItsFigure) {
  for (const char* arguments :
       {"stencil/finite_difference_3 --figure discretise --points 13 --type half",
        "convolution/tiled_output_block --figure opb --over FILTER_RADIUS --arch sm_80",
        "stencil/basic --figure layout --edge 7 --point 1,2,3", "stencil/basic --figure layout --block 1,1,1 --warp 1",
        "stencil/tiled --figure boundary --plane 2"}) {
    const Reply reply = draw(arguments);
    EXPECT_EQ(reply.status, 0) << arguments << "\n" << reply.err;
  }
}

TEST_F(FigureCommandTest, AnOptionOfAnotherFigureIsRefusedInAPicture) {
  const std::array<std::pair<const char*, const char*>, 11> cases{{
      {"--figure shape --edge 5", "--edge: the figure \"shape\" has no such option; it belongs to --figure layout"},
      {"--figure layout --points 7",
       "--points: the figure \"layout\" has no such option; it belongs to --figure discretise"},
      {"--figure constant --arch sm_86", "it belongs to --figure opb, tail or registers"},
      {"--warp 0", "--warp belongs to --figure layout"},
      {"--figure layout --warp 0 --edge 5", "--edge selects a point of the small grid, --warp lanes"},
      {"--figure layout --warp 99", "--warp 99: a block of this launch has 16 warps"},
      {"--figure layout --edge 64", "--edge 64: grids of 5 to 9 points along each axis are drawn"},
      {"--figure layout --point 1,2",
       "--point 1,2: write 3 integers from 0 to 4, separated by commas, slowest axis first"},
      {"--figure opb --over NOTHING", "--over NOTHING: stencil/basic has no such tunable"},
      {"--figure boundary --plane 999", "--plane 999: there are planes"},
      {"--figure tail --gpu A100 --arch sm_80", "--gpu and --arch both select a GPU: give one of them"},
  }};
  for (const auto& [arguments, message] : cases) {
    expectRefused(std::string("render stencil/basic ") + arguments + " -o " + picture(), message);
  }
  EXPECT_FALSE(fs::exists(picture()));
}

TEST_F(FigureCommandTest, AnOptionThatChangesNothingIsRefused) {
  expectRefused("figure layout stencil/basic --size 33",
                "--size 33 applies to the kernel's own array, which --warp shows");
  expectRefused("figure layout stencil/basic -D N=33", "-D N=33 applies to the kernel's own array");
  expectRefused("figure layout stencil/basic --block 1,1,1", "--block 1,1,1 applies to the kernel's own grid");
  expectRefused("figure layout stencil/basic --warp 0 --edge 5", "--edge selects a point of the small grid");
  expectRefused("figure layout stencil/basic --warp 0 --point 1,1,1", "--point selects a point of the small grid");
  expectRefused("figure registers --all --size 100", "--all takes every variant at its defaults");
  expectRefused("figure registers --all -D IN_TILE_DIM=8", "--all takes every variant at its defaults");
  expectRefused("figure registers stencil/tiled --size 100", "--size 100: registers and shared memory");
  expectRefused("figure boundary convolution/basic --plane 0", "--plane 0: in has two axes");
}

TEST_F(FigureCommandTest, TheLayoutOfAPointIsWorkedOutFromItsIndices) {
  // Of 5 × 5 × 5 floats around (1,2,3): 25 k + 5 j + i.
  const json layout = numbers("layout stencil/basic --point 1,2,3");
  EXPECT_EQ(layout["extents"], (std::vector{5, 5, 5}));
  EXPECT_EQ(layout["orders"][0]["elements"], (std::vector{13, 33, 37, 38, 39, 43, 63}));
  // Eight floats in a sector.
  EXPECT_EQ(layout["orders"][0]["sectors"], (std::vector{1, 4, 5, 7}));
  EXPECT_EQ(numbers("layout stencil/basic")["orders"], layout["orders"]) << "next to the centre, as in the window";
  EXPECT_EQ(numbers("layout convolution/basic")["extents"], (std::vector{8, 8})) << "as small as the window draws it";
}

TEST_F(FigureCommandTest, ABorderPointIsNamedAsOne) {
  const Reply corner = run("figure layout stencil/basic --point 0,0,0");
  ASSERT_EQ(corner.status, 0) << corner.err;
  EXPECT_THAT(corner.out, HasSubstr("a border point: 3 of its points lie outside the grid"));
  EXPECT_TRUE(numbers("layout stencil/basic --point 1,2,3")["border"].is_null());
}

TEST_F(FigureCommandTest, AWarpsLayoutIsATable) {
  const Reply reply = run("figure layout stencil/basic --block 1,1,1 --warp 0");
  ASSERT_EQ(reply.status, 0) << reply.err;
  EXPECT_THAT(reply.out,
              HasSubstr("needed for                   elements  at least   x fastest   z fastest  executed\n"));
  EXPECT_THAT(reply.out, HasSubstr("in[z - 1][y][x]"));
  EXPECT_THAT(reply.out, Not(HasSubstr("least_sectors")));
  EXPECT_EQ(std::count(reply.out.begin(), reply.out.end(), '\n'), 1 + 1 + 7 + 1 + 1);
}

TEST_F(FigureCommandTest, WhatRoundsToZeroHasNoSign) {
  const Reply reply = run("figure discretise --type float");
  ASSERT_EQ(reply.status, 0) << reply.err;
  EXPECT_THAT(reply.out, Not(HasSubstr("-0.0000000")));
  EXPECT_THAT(reply.out, HasSubstr(" 0.0000000"));
}

TEST_F(FigureCommandTest, TheTailSaysItsSizes) {
  const Reply reply = run("figure tail convolution/basic");
  ASSERT_EQ(reply.status, 0) << reply.err;
  EXPECT_THAT(reply.out, HasSubstr("convolution/basic at width = 258, height = 258: grid 17×17×1 of blocks 16×16×1"));
}

TEST_F(FigureCommandTest, EachVariantHasRegistersAtItsOwnTileSizes) {
  // Two variants instead of the chapter's, each of which is compiled at each of its sizes.
  const fs::path kernels = folder_ / "kernels";
  fs::create_directories(kernels / "stencil");
  for (const char* file : {"stencil/basic.cu", "stencil/tiled.cu", "stencil/coarsened.cu"}) {
    fs::copy_file(fs::path(HALOSCOPE_SOURCE_DIR) / "kernels" / file, kernels / file);
  }
  const Reply reply = run("--kernels " + kernels.string() + " figure registers stencil/tiled --json");
  const std::string missing = test::missingDeviceCompiler();
  ASSERT_EQ(reply.status, missing.empty() ? 0 : 3) << reply.err;
  if (!missing.empty()) { GTEST_SKIP() << missing; }
  std::set<int> tiled, coarsened;
  const json document = json::parse(reply.out);
  for (const json& kernel : document["kernels"]) {
    if (kernel["kernel"] == "stencil/tiled") { tiled.insert(kernel["bindings"]["IN_TILE_DIM"].get<int>()); }
    if (kernel["kernel"] == "stencil/coarsened") { coarsened.insert(kernel["bindings"]["IN_TILE_DIM"].get<int>()); }
  }
  EXPECT_TRUE(tiled.contains(8));
  EXPECT_LE(*tiled.rbegin(), 12) << "a tile of 13 × 13 × 13 floats has more than 1,024 threads";
  EXPECT_TRUE(coarsened.contains(32)) << "its block has a thread for each point of one plane";
}

TEST_F(FigureCommandTest, ATileWithoutMeaningIsARowWithItsReason) {
  const json figure = numbers("opb convolution/tiled_input_block -D FILTER_RADIUS=2 --over IN_TILE_DIM");
  for (const json& point : figure["points"]) {
    const auto edge = point["value"].get<int>();
    if (edge > 4) {
      EXPECT_FALSE(point.contains("refused")) << edge;
      // The book's: (edge − 4)² outputs of 25 points, 2 operations each, for edge² floats.
      EXPECT_NEAR(point["formula"].get<double>(), (edge - 4.0) * (edge - 4) * 50 / (edge * edge * 4), 1e-9) << edge;
      EXPECT_LT(point["formula"], point["formula_bound"]) << edge;
    } else {
      EXPECT_THAT(point["refused"].get<std::string>(), HasSubstr("IN_TILE_DIM > 2 * FILTER_RADIUS")) << edge;
      EXPECT_TRUE(point["formula"].is_null()) << edge;
      EXPECT_TRUE(point["formula_bound"].is_null()) << edge;
    }
  }
}

TEST_F(FigureCommandTest, AFileWithoutATileSaysSo) {
  const Reply reply = run("figure opb " HALOSCOPE_SOURCE_DIR "/tests/kernels/styles/grid_stride.cu");
  ASSERT_EQ(reply.status, 0) << reply.err;
  EXPECT_THAT(reply.out, HasSubstr("This kernel has no adjustable tile size, block width or radius."));
}

TEST_F(FigureCommandTest, ConstantMemoryIsPrintedWithItsCopyOrItsAbsence) {
  const std::string styles = HALOSCOPE_SOURCE_DIR "/tests/kernels/styles/";
  const Reply none = run("figure constant " + styles + "grid_stride.cu");
  ASSERT_EQ(none.status, 0) << none.err;
  EXPECT_THAT(none.out, HasSubstr("opened/grid_stride uses no constant memory."));
  std::string text = read(styles + "one_dimensional.cu");
  text += "// cudaMemcpyToSymbol(M, host, sizeof(M)) comes before the launch\n";
  const auto lines = std::count(text.begin(), text.end(), '\n');
  text += "void upload(const float* host) { cudaMemcpyToSymbol(M, host, sizeof(M)); }\n";
  const fs::path file = folder_ / "upload.cu";
  std::ofstream(file) << text;
  const Reply copied = run("figure constant " + file.string());
  ASSERT_EQ(copied.status, 0) << copied.err;
  EXPECT_THAT(copied.out, HasSubstr("copied on line " + std::to_string(lines + 1)));
}

TEST(CountProgress, SaysHowManyBlocksAndHowLong) {
  const LaunchConfiguration launch{.grid = {100, 30, 16}, .block = {16, 16, 1}};
  EXPECT_EQ(progressText(0, launch, 0), "48,000 blocks of 256 threads are to be executed");
  EXPECT_EQ(progressText(12000, launch, 15), "12,000 of 48,000 blocks executed, about 45 s left");
  EXPECT_EQ(progressText(12000, launch, 150), "12,000 of 48,000 blocks executed, about 8 min left");
  EXPECT_EQ(progressText(48000, launch, 60), "48,000 of 48,000 blocks executed, about 0 s left");
}

}  // namespace
}  // namespace haloscope
