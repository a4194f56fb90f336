#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "CommandLineSupport.h"
#include "render/Image.h"
#include "tests/render/StructuralSimilarity.h"

/// `haloscope render`.
namespace haloscope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::CommandLineTest;

using ::testing::HasSubstr;

TEST_F(CommandLineTest, RendersWithoutADisplay) {
  const fs::path picture = folder_ / "picture.png";
  const Reply result = run("render stencil/coarsened --plane 2 --width 960 --height 540 -o " + picture.string());
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(read(picture).substr(1, 3), "PNG");
}

TEST_F(CommandLineTest, RendersAFindingAndRefusesOneThatIsNotThere) {
  const std::string picture = (folder_ / "picture.png").string();
  const std::string faulty = HALOSCOPE_SOURCE_DIR "/assets/buglab/flicker/faulty.cu";
  const std::string size = " --width 640 --height 360 -o ";
  const Reply first = run("render " + faulty + " --finding 1" + size + picture);
  ASSERT_EQ(first.status, 0) << first.err;
  // Alike, not equal: the status bar says how long it took.
  const render::Image shown = render::Image::read(picture);
  ASSERT_EQ(run("render " + faulty + size + picture).status, 0);
  EXPECT_GT(structuralSimilarity(render::Image::read(picture), shown), 0.99) << "without a position it is the first";
  ASSERT_EQ(run("render " + faulty + " --step 0" + size + picture).status, 0);
  EXPECT_LT(structuralSimilarity(render::Image::read(picture), shown), 0.97);
  EXPECT_EQ(run("render " + faulty + " --finding 0" + size + picture).status, 2);
  const Reply none = run("render stencil/tiled --finding 1" + size + picture);
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("there are no findings"));
}

TEST_F(CommandLineTest, AVariantHasNoProgramToRender) {
  for (const char* option : {"--program", "--program-launch 1"}) {
    const Reply refused = run(std::string("render stencil/tiled ") + option + " -o " + (folder_ / "none.png").string());
    EXPECT_EQ(refused.status, 2) << option;
    EXPECT_THAT(refused.err, HasSubstr("stencil/tiled has no host code"));
    EXPECT_FALSE(fs::exists(folder_ / "none.png"));
  }
}

TEST_F(CommandLineTest, RendersTheClimbAndPrintsItsNumbers) {
  const fs::path picture = folder_ / "climb.png";
  const Reply drawn = run("render stencil/2d_5_tiled --climb --width 960 --height 540 -o " + picture.string());
  ASSERT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_EQ(run("render stencil/2d_5_tiled --climb --tuning -o " + picture.string()).status, 2);
  const Reply result = run("climb stencil/2d_5_tiled --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json document = json::parse(result.out);
  EXPECT_EQ(document["climb"], "2D 5-point star");
  const json& basic = document["rungs"][0];
  EXPECT_EQ(basic["id"], "stencil/2d_5_basic");
  EXPECT_EQ(basic["below"], nullptr);
  EXPECT_EQ(basic["l1_bytes_per_point"], 24);
  EXPECT_EQ(document["rungs"][1]["below"], "stencil/2d_5_basic");
  EXPECT_EQ(document["rungs"][1]["moved_most"], "L1 B");
  EXPECT_EQ(document["own"], nullptr);
  EXPECT_THAT(run("climb stencil/2d_5_tiled").out, HasSubstr("moved most"));
  const Reply none = run("climb stencil/finite_difference_3");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("is part of no climb"));
}

TEST_F(CommandLineTest, ComparesTheBlocksThatComputeACell) {
  const Reply result = run("compare stencil/tiled stencil/basic stencil/coarsened --output-cell 21,10,17 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json document = json::parse(result.out);
  EXPECT_EQ(document["cell"], "out[21][10][17]");
  const json& tiled = document["variants"][0];
  EXPECT_EQ(tiled["global_loads"], 512);
  EXPECT_EQ(tiled["outputs"], 216);
  EXPECT_EQ(tiled["intervals"], 2);
  EXPECT_EQ(tiled["written_in_interval"], 1);
  const json& basic = document["variants"][1];
  EXPECT_EQ(basic["loads_per_output"], 7.0);
  EXPECT_EQ(basic["shared_bytes"], 0);
  EXPECT_EQ(document["variants"][2]["intervals"], 13);
  const Reply none = run("compare stencil/tiled convolution/basic stencil/basic");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.out, HasSubstr("convolution/basic  its output has 48×64 elements"));
  EXPECT_THAT(none.out, HasSubstr("stencil/basic"));
  EXPECT_EQ(run("compare stencil/tiled").status, 2);
  EXPECT_EQ(run("compare stencil/tiled stencil/basic --output-cell 99,0,0").status, 2);
}

TEST_F(CommandLineTest, RendersVariantsSideBySide) {
  const std::string picture = (folder_ / "picture.png").string();
  const std::string size = " --width 960 --height 540 -o " + picture;
  const Reply alone = run("render stencil/tiled --barrier 1" + size);
  ASSERT_EQ(alone.status, 0) << alone.err;
  const render::Image one = render::Image::read(picture);
  const Reply both = run("render stencil/tiled --barrier 1 --compare stencil/basic --compare stencil/coarsened" + size);
  ASSERT_EQ(both.status, 0) << both.err;
  const render::Image three = render::Image::read(picture);
  EXPECT_LT(structuralSimilarity(three, one), 0.9);
  const std::string own = HALOSCOPE_SOURCE_DIR "/assets/buglab/flicker/faulty.cu";
  EXPECT_EQ(run("render stencil/tiled --line-up cell --end --compare " + own + size).status, 0);
}

TEST_F(CommandLineTest, ComparedVariantsAreAListOrOneOptionEach) {
  const std::string picture = (folder_ / "picture.png").string();
  const std::string size = " --width 640 --height 360 -o " + picture;
  const std::string own = HALOSCOPE_SOURCE_DIR "/assets/buglab/flicker/faulty.cu";
  ASSERT_EQ(run("render stencil/tiled --end --compare stencil/basic --compare " + own + size).status, 0);
  const render::Image each = render::Image::read(picture);
  const Reply list = run("render stencil/tiled --end --compare stencil/basic " + own + size);
  ASSERT_EQ(list.status, 0) << list.err;
  // Alike, not equal: the status bar says how long it took.
  EXPECT_GT(structuralSimilarity(render::Image::read(picture), each), 0.99);
}

TEST_F(CommandLineTest, AnOutputCellSelectsTheBlockThatWritesIt) {
  const std::string picture = (folder_ / "picture.png").string();
  const std::string size = " --width 640 --height 360 -o " + picture;
  ASSERT_EQ(run("render stencil/tiled --end --block 3,3,0 --output-cell 3,20,20" + size).status, 0);
  const render::Image named = render::Image::read(picture);
  const Reply found = run("render stencil/tiled --end --output-cell 3,20,20" + size);
  ASSERT_EQ(found.status, 0) << found.err;
  EXPECT_GT(structuralSimilarity(render::Image::read(picture), named), 0.99);
  const Reply other = run("render stencil/tiled --block 1,1,1 --output-cell 3,20,20" + size);
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("block 1,1,1 does not write this element"));
  EXPECT_EQ(run("render stencil/tiled --output-cell 0,0,0" + size).status, 2) << "a border point keeps its value";
}

TEST_F(CommandLineTest, RenderRefusesWhatCannotBeComparedWithAVariant) {
  const std::string picture = " -o " + (folder_ / "picture.png").string();
  const Reply twice = run("render stencil/tiled --compare stencil/tiled" + picture);
  EXPECT_EQ(twice.status, 2);
  EXPECT_THAT(twice.err, HasSubstr("stencil/tiled: named twice"));
  EXPECT_EQ(run("render stencil/tiled --compare stencil/tield" + picture).status, 2);
  EXPECT_EQ(run("render stencil/tiled --line-up cell" + picture).status, 2);
  const Reply five =
      run("render stencil/tiled --compare stencil/basic --compare stencil/coarsened --compare stencil/register_tiled "
          "--compare convolution/basic" +
          picture);
  EXPECT_EQ(five.status, 2);
  EXPECT_THAT(five.err, HasSubstr("at most 3"));
}

TEST_F(CommandLineTest, AnExerciseAndTheBugLabNeedNoVariant) {
  const std::string picture = (folder_ / "picture.png").string();
  const std::string size = " --width 960 --height 540 -o " + picture;
  const Reply exercise = run("render --exercise star-points" + size);
  ASSERT_EQ(exercise.status, 0) << exercise.err;
  const render::Image shown = render::Image::read(picture);
  ASSERT_EQ(run("render stencil/tiled --exercise star-points" + size).status, 0);
  EXPECT_LT(structuralSimilarity(render::Image::read(picture), shown), 0.99) << "beside its own kernel, not this one";
  const Reply lab = run("render --lab" + size);
  ASSERT_EQ(lab.status, 0) << lab.err;
  EXPECT_EQ(run("render --exercise no-such" + size).status, 2);
  EXPECT_THAT(run("render" + size).err, HasSubstr("--exercise"));
}

TEST_F(CommandLineTest, RenderRefusesAPositionThatIsNotThere) {
  const fs::path picture = folder_ / "picture.png";
  const Reply result = run("render stencil/tiled --step 100000 -o " + picture.string());
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("100000"));
  EXPECT_FALSE(fs::exists(picture));
  EXPECT_EQ(run("render stencil/tiled -o " + (folder_ / "no/such/folder.png").string()).status, 2);
}

}  // namespace
}  // namespace haloscope
