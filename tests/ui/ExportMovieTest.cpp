#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "CommandLineSupport.h"
#include "DecodedGif.h"
#include "ExportSupport.h"
#include "actions/ExportActions.h"
#include "exporting/GifMovie.h"
#include "exporting/Movie.h"
#include "recording/Pace.h"
#include "render/Image.h"
#include "state/Player.h"

// Animations of a panel: their pictures, and that there is no file where something went wrong.

namespace haloscope::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Beyond what a GIF's 256 colours make of them.
std::size_t differentPixels(const std::vector<std::uint32_t>& shown, const render::Image& image) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    int distance = 0;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const int colour = static_cast<int>(shown[i] >> (8 * channel) & 0xff);
      distance = std::max(distance, std::abs(colour - static_cast<int>(image.rgba[4 * i + channel])));
    }
    if (distance > 24) { ++different; }
  }
  return different;
}

TEST_F(ExportTest, AGifHasAPictureForEachStepAndTheyDiffer) {
  ExportPlan plan = planFor(Tab::Memory, "steps.gif");
  plan.steps = ExportSteps{2, 8, 2};
  plan.rate = 4;
  write(plan);
  ASSERT_THAT(state().exporting.problem, IsEmpty());
  EXPECT_EQ(state().exporting.done, 4U);
  const DecodedGif gif = decode(folder_ / "steps.gif");
  EXPECT_EQ(gif.width, 480);
  EXPECT_EQ(gif.height, 320);
  ASSERT_EQ(gif.pictures.size(), 4U);
  EXPECT_THAT(gif.delays, ::testing::Each(25));
  for (std::size_t i = 1; i < gif.pictures.size(); ++i) { EXPECT_NE(gif.pictures[i], gif.pictures[i - 1]) << i; }
  // What changed alone is in the later pictures, and yet each is complete: the same as a picture of that step.
  state().cursor.goTo(8);
  write(planFor(Tab::Memory, "last.png"));
  const render::Image last = render::Image::read(folder_ / "last.png");
  EXPECT_LT(differentPixels(gif.pictures.back(), last), gif.pictures.back().size() / 200);
}

TEST_F(ExportTest, APlayedAnimationShowsTheMovements) {
  ExportPlan plan = planFor(Tab::Block, "played.gif");
  const std::size_t at = tellingPosition(*state().experiment->recording);
  plan.steps = ExportSteps{at - 1, at, 1};
  plan.rate = 10;
  plan.speed = 1;
  write(plan);
  ASSERT_THAT(state().exporting.problem, IsEmpty());
  const double step = recording::secondsOf(*state().experiment->recording, at - 1);
  ASSERT_GE(step, 0.5) << "values move";
  const DecodedGif gif = decode(folder_ / "played.gif");
  ASSERT_GE(static_cast<double>(gif.pictures.size()), 10 * (step + kPauseAtEnd));
  EXPECT_FALSE(state().playback.held) << "the window's own movement is its own";
  // The picture before, the movement, and the pause at the end.
  const auto moving = static_cast<std::size_t>(10 * recording::kMovingShare * step);
  for (std::size_t i = 2; i <= moving; ++i) { EXPECT_NE(gif.pictures[i], gif.pictures[i - 1]) << i; }
  EXPECT_EQ(gif.pictures[gif.pictures.size() - 2], gif.pictures.back());
  state().cursor.goTo(at);
  write(planFor(Tab::Block, "last.png"));
  const render::Image last = render::Image::read(folder_ / "last.png");
  EXPECT_LT(differentPixels(gif.pictures.back(), last), gif.pictures.back().size() / 200);
}

TEST_F(ExportTest, ASpeedIsOfStepsAlone) {
  ExportPlan plan = planFor(Tab::Field, "field.gif");
  plan.format = ExportFormat::Gif;
  plan.steps = ExportSteps{0, 400, 4};
  plan.speed = 1;
  const std::vector<ExportMoment> moments = exportMoments(state(), plan);
  EXPECT_EQ(moments.size(), 101U) << "sweeps are no steps";
  EXPECT_FALSE(applicable(plan).speed);
  plan.panel = Tab::Block;
  EXPECT_TRUE(applicable(plan).speed);
}

TEST_F(ExportTest, APictureHasNoSpeed) {
  ExportPlan plan = planFor(Tab::Block, "block.png");
  plan.speed = 1;
  write(plan);
  EXPECT_THAT(state().exporting.problem, HasSubstr("a speed is for an animation of steps"));
}

TEST(GifMovieTest, ARareColourIsKeptWhereNothingElseComesNear) {
  const fs::path path = fs::path(::testing::TempDir()) / ("haloscope_rare" + std::to_string(::getpid()) + ".gif");
  constexpr std::size_t kSide = 128;
  std::vector<std::uint8_t> pixels(4 * kSide * kSide, 255);
  for (std::size_t i = 0; i < kSide * kSide; ++i) {  // 16,384 shades of blue and green, and one pixel in orange
    pixels[4 * i] = 0;
    pixels[4 * i + 1] = static_cast<std::uint8_t>(2 * (i / kSide));
    pixels[4 * i + 2] = static_cast<std::uint8_t>(2 * (i % kSide));
  }
  constexpr std::size_t kAt = 4 * (kSide + 1);
  pixels[kAt] = 0xe6;
  pixels[kAt + 1] = 0x9f;
  pixels[kAt + 2] = 0;
  const auto movie = exporting::beginGif(path, 10);
  movie->add({kSide, kSide, pixels.data()}, {});
  ASSERT_TRUE(movie->finish({}));
  const DecodedGif gif = decode(path);
  ASSERT_EQ(gif.pictures.size(), 1U);
  EXPECT_EQ(gif.pictures[0][kSide + 1] & 0xffffffU, 0x009fe6U);
}

TEST(GifMovieTest, DelaysAreWholeHundredthsThatAddUp) {
  const fs::path path = fs::path(::testing::TempDir()) / ("haloscope_delays" + std::to_string(::getpid()) + ".gif");
  const std::vector<std::uint8_t> pixels(4);
  const auto delaysAt = [&](double rate, int pictures) {
    const auto movie = exporting::beginGif(path, rate);
    for (int i = 0; i < pictures; ++i) { movie->add({1, 1, pixels.data()}, {}); }
    EXPECT_TRUE(movie->finish({}));
    return decode(path).delays;
  };
  EXPECT_THAT(delaysAt(3, 6), ::testing::ElementsAre(33, 34, 33, 33, 34, 33));
  EXPECT_THAT(delaysAt(12, 4), ::testing::ElementsAre(8, 9, 8, 8));
  const std::vector<int> delays = delaysAt(7, 70);
  EXPECT_EQ(std::accumulate(delays.begin(), delays.end(), 0), 1000) << "70 pictures at 7 a second take 10 s";
  EXPECT_THAT(delaysAt(80, 5), ::testing::Each(2)) << "browsers take less for 10";
  fs::remove(path);
}

TEST_F(ExportTest, ACancelledAnimationLeavesNothing) {
  ExportPlan plan = planFor(Tab::Block, "steps.gif");
  plan.output = folder_ / plan.output;
  plan.format = ExportFormat::Gif;
  state().exporting.plan = plan;
  state().exporting.wanted = true;
  driver_.app().frame(0.01);
  driver_.app().frame(0.01);
  ASSERT_TRUE(state().exporting.running);
  state().exporting.cancel = true;
  finish(std::chrono::seconds(60));
  EXPECT_FALSE(state().exporting.running);
  EXPECT_THAT(state().exporting.problem, IsEmpty());
  EXPECT_THAT(state().exporting.written.string(), IsEmpty());
  // What was being written ends on its own.
  for (int i = 0; i < 200 && !filesIn(folder_).empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_THAT(filesIn(folder_), IsEmpty());
}

/// Another ffmpeg, a shell script, while it lives.
class OtherFfmpeg {
 public:
  OtherFfmpeg(const fs::path& folder, const std::string& script) : path_(std::getenv("PATH")) {
    fs::create_directories(folder);
    const fs::path program = folder / "ffmpeg";
    std::ofstream(program) << "#!/bin/sh\n" << script << '\n';
    fs::permissions(program, fs::perms::owner_all);
    ::setenv("PATH", (folder.string() + ":" + path_).c_str(), 1);
  }
  ~OtherFfmpeg() { ::setenv("PATH", path_.c_str(), 1); }
  OtherFfmpeg(const OtherFfmpeg&) = delete;
  OtherFfmpeg& operator=(const OtherFfmpeg&) = delete;

 private:
  std::string path_;
};

TEST_F(ExportTest, AVideoHasAllPicturesAndAFailedOneIsNone) {
  ExportPlan plan = planFor(Tab::Memory, "steps.mp4");
  plan.steps = ExportSteps{0, 4, 1};
  {
    const OtherFfmpeg copies(folder_ / "copies", R"(for last; do :; done; exec cat > "$last")");
    write(plan);
    EXPECT_THAT(state().exporting.problem, IsEmpty());
    EXPECT_EQ(state().exporting.written, folder_ / "steps.mp4");
    EXPECT_EQ(fs::file_size(folder_ / "steps.mp4"), 5U * 480 * 320 * 4);
  }
  fs::remove(folder_ / "steps.mp4");
  const OtherFfmpeg fails(folder_ / "fails", "cat > /dev/null; echo no such encoder >&2; exit 1");
  write(plan);
  EXPECT_THAT(state().exporting.problem, HasSubstr("ended with status 1: no such encoder"));
  EXPECT_THAT(state().exporting.written.string(), IsEmpty());
  EXPECT_FALSE(fs::exists(folder_ / "steps.mp4"));
}

TEST_F(ExportTest, CancelEndsAnEncoderThatHangs) {
  // It takes nothing; it takes all pictures and does not end.
  for (const char* script : {"exec sleep 600", "cat > /dev/null; exec sleep 600"}) {
    const OtherFfmpeg hangs(folder_ / "hangs", script);
    ExportPlan plan = planFor(Tab::Memory, "steps.mp4");
    plan.steps = ExportSteps{0, 2, 1};
    begin(plan);
    finish(std::chrono::seconds(2));
    ASSERT_TRUE(state().exporting.running) << script;
    state().exporting.cancel = true;
    finish(std::chrono::seconds(30));
    EXPECT_FALSE(state().exporting.running) << script;
    EXPECT_THAT(state().exporting.problem, IsEmpty()) << script;
    EXPECT_THAT(state().exporting.written.string(), IsEmpty()) << script;
    EXPECT_FALSE(fs::exists(folder_ / "steps.mp4")) << script;
  }
}

TEST_F(CommandLineTest, AnAnimationOfThePlaygroundGoesThroughSweeps) {
  const std::string common = "export --play life --width 480 --height 320 ";
  const fs::path gif = folder_ / "life.gif";
  const fs::path png = folder_ / "life.png";
  const Reply moved = run(common + "--steps 2..8 --every 3 --rate 5 -o " + gif.string());
  ASSERT_EQ(moved.status, 0) << moved.err;
  const DecodedGif read = decode(gif);
  ASSERT_EQ(read.pictures.size(), 3U);
  for (std::size_t i = 1; i < read.pictures.size(); ++i) { EXPECT_NE(read.pictures[i], read.pictures[i - 1]) << i; }
  // The field is that of as many sweeps.
  ASSERT_EQ(run(common + "--sweeps 8 -o " + png.string()).status, 0);
  EXPECT_LT(differentPixels(read.pictures.back(), render::Image::read(png)), read.pictures.back().size() / 100);
  EXPECT_GT(differentPixels(read.pictures.front(), render::Image::read(png)), read.pictures.back().size() / 100);
  const Reply endless = run(common + "-o " + gif.string());
  EXPECT_EQ(endless.status, 2);
  EXPECT_THAT(endless.err, HasSubstr("--steps 0..400"));
}

TEST_F(ExportTest, AnAnimationOfTheFieldBeginsAnewWhereItIsBeyond) {
  state().fieldControls.run = true;
  while (state().field.sweeps < 6) { driver_.app().frame(0.01); }
  ExportPlan plan = planFor(Tab::Field, "field.gif");
  plan.steps = ExportSteps{1, 3, 1};
  state().view.tabs.bringToFront(Tab::Field);
  driver_.app().frame(0.01);
  write(plan);
  ASSERT_THAT(state().exporting.problem, IsEmpty());
  EXPECT_EQ(decode(folder_ / "field.gif").pictures.size(), 3U);
  EXPECT_LT(state().field.sweeps, 6U) << "it was begun anew";
  EXPECT_TRUE(state().fieldControls.run) << "it goes on as before";
}

TEST_F(CommandLineTest, AnAnimationOfVariantsSideBySideGoesThroughTheirCommonTime) {
  const fs::path gif = folder_ / "compare.gif";
  const Reply moved = run("export stencil/basic --compare stencil/tiled --panel Compare --steps 0..9 --every 3 -o " +
                          gif.string() + " --width 800 --height 500");
  ASSERT_EQ(moved.status, 0) << moved.err;
  const DecodedGif read = decode(gif);
  ASSERT_EQ(read.pictures.size(), 4U);
  for (std::size_t i = 1; i < read.pictures.size(); ++i) { EXPECT_NE(read.pictures[i], read.pictures[i - 1]) << i; }
  EXPECT_EQ(run("export stencil/basic --panel Compare --steps 0..9 -o " + gif.string()).status, 2);
}

}  // namespace
}  // namespace haloscope::test
