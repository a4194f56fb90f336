#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "KernelCatalogue.h"
#include "RecordingSupport.h"
#include "experiment/Experiment.h"
#include "recording/Film.h"
#include "recording/Pace.h"
#include "recording/StepCaption.h"
#include "state/FilmReel.h"

namespace haloscope::recording {
namespace {

using test::prepare;
using test::Prepared;
using test::prepareText;
using test::Recorded;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

const LaunchConfiguration kOneWarp{{1, 1, 1}, {32, 1, 1}, 0};

Recorded coarsened() {
  return Recorded(prepare("stencil/coarsened", {{"N", 32}, {"IN_TILE_DIM", 8}}).record({2, 2, 2}));
}

Film filmOf(const Recorded& block) { return {*block.recording, block.footprint, block.carriers}; }

/// "load inNext_s", "move inNext_s to inCurr_s", "output".
std::vector<std::string> wordsOf(const Recorded& block, const Film& film, std::size_t frame) {
  const auto name = [&](std::uint32_t carrier) {
    return carrier == kNone ? std::string("nothing") : block.carriers[carrier].name;
  };
  std::vector<std::string> words;
  for (const FilmEvent& event : film.eventsOf(film.frames()[frame])) {
    words.push_back(event.kind == FilmEvent::Kind::Output ? "output"
                    : event.kind == FilmEvent::Kind::Load ? "load " + name(event.carrier)
                                                          : "move " + name(event.from) + " to " + name(event.carrier));
  }
  return words;
}

double writtenBy(const Film& film, std::size_t endStep) {
  double sum = 0;
  for (std::size_t layer = 0; layer < film.layers(); ++layer) { sum += film.written(layer, endStep); }
  return sum;
}

TEST(FilmTest, TheClockSumsTheSecondsOfTheSteps) {
  const Recorded block = coarsened();
  const FilmClock clock(*block.recording);
  ASSERT_EQ(clock.steps(), block.recording->steps.size());
  double second = 0;
  for (std::size_t step = 0; step < clock.steps(); ++step) {
    EXPECT_DOUBLE_EQ(clock.begin(step), second);
    EXPECT_EQ(clock.stepAt(clock.begin(step)), step);
    EXPECT_EQ(clock.stepAt(clock.begin(step) + 0.99 * clock.seconds(step)), step);
    second += secondsOf(*block.recording, step);
    EXPECT_DOUBLE_EQ(clock.end(step), second);
  }
  EXPECT_DOUBLE_EQ(clock.total(), second);
  EXPECT_EQ(clock.begin(clock.steps()), clock.total());
  EXPECT_EQ(clock.stepAt(-1), 0U);
  EXPECT_EQ(clock.stepAt(clock.total()), clock.steps() - 1);
  EXPECT_EQ(clock.stepAt(clock.total() + 100), clock.steps() - 1);
}

TEST(FilmTest, TheFramesOfACoarsenedBlockSayWhatItsIntervalsDid) {
  const Recorded block = coarsened();
  const Film film = filmOf(block);
  ASSERT_EQ(film.frames().size(), block.recording->intervals.size());
  ASSERT_EQ(film.frames().size(), 13U);
  EXPECT_THAT(wordsOf(block, film, 0), ElementsAre("load inPrev_s", "load inCurr_s", "load inNext_s"));
  EXPECT_THAT(wordsOf(block, film, 1), ElementsAre("output"));
  for (std::size_t frame = 2; frame < 12; frame += 2) {
    EXPECT_THAT(wordsOf(block, film, frame),
                ElementsAre("move inCurr_s to inPrev_s", "move inNext_s to inCurr_s", "load inNext_s"));
    EXPECT_THAT(wordsOf(block, film, frame + 1), ElementsAre("output"));
  }
  EXPECT_THAT(wordsOf(block, film, 12), ElementsAre("move inCurr_s to inPrev_s", "move inNext_s to inCurr_s"));
  for (const FilmFrame& frame : film.frames()) {
    for (const FilmEvent& event : film.eventsOf(frame)) {
      EXPECT_GE(event.step, frame.firstStep);
      EXPECT_LT(event.step, frame.endStep);
    }
  }
}

TEST(FilmTest, TheOutputsGrowPlaneByPlane) {
  const Recorded block = coarsened();
  const Film film = filmOf(block);
  ASSERT_EQ(film.layers(), 6U);
  double before = 0;
  for (std::size_t i = 0; i < film.frames().size(); ++i) {
    const FilmFrame& frame = film.frames()[i];
    const double now = writtenBy(film, frame.endStep);
    EXPECT_DOUBLE_EQ(now - before, i % 2 == 1 ? 1 : 0) << "frame " << i << ": a plane at a time";
    before = now;
  }
  EXPECT_DOUBLE_EQ(before, 6);
  EXPECT_EQ(film.written(0, film.frames()[1].endStep), 1) << "the lowest first";
  EXPECT_EQ(film.written(5, film.frames()[10].endStep), 0);
  EXPECT_EQ(film.written(5, 0), 0);
}

TEST(FilmTest, ABlockWithoutBarriersIsOneFrame) {
  const Recorded block(prepare("stencil/basic", {{"N", 32}}).record({1, 1, 1}));
  const Film film = filmOf(block);
  ASSERT_EQ(film.frames().size(), 1U);
  EXPECT_EQ(film.frames()[0].endStep, block.recording->steps.size());
  EXPECT_THAT(wordsOf(block, film, 0), IsSupersetOf({"output"}));
  EXPECT_DOUBLE_EQ(writtenBy(film, film.frames()[0].endStep), static_cast<double>(film.layers()));
}

TEST(FilmTest, ALoadIntoNothingIsALoadAllTheSame) {
  const Recorded block(prepareText("__global__ void k(const float* in, float* out, int N) {\n"
                                   "  float sum = 0.0f;\n"
                                   "  for (int i = 0; i < 2; ++i) { sum += in[threadIdx.x + i]; }\n"
                                   "  out[threadIdx.x] = sum;\n"
                                   "}\n",
                                   kOneWarp, 64, 1)
                           .record({0, 0, 0}));
  ASSERT_THAT(block.carrierNames(), IsEmpty()) << "a sum is no copy";
  const Film film = filmOf(block);
  ASSERT_EQ(film.frames().size(), 1U);
  EXPECT_THAT(wordsOf(block, film, 0), ElementsAre("load nothing", "output"));
  EXPECT_EQ(film.layers(), 1U);
  EXPECT_EQ(film.frames()[0].longest, Activity::Load);
}

TEST(FilmTest, ManyPlanesShareLayers) {
  const Recorded block(prepare("stencil/coarsened", {{"N", 92}, {"IN_TILE_DIM", 32}}).record({1, 1, 1}));
  const Film film = filmOf(block);
  ASSERT_EQ(film.layers(), Film::kMostLayers);
  bool partly = false;
  for (const FilmFrame& frame : film.frames()) {
    const double share = film.written(0, frame.endStep);
    partly = partly || (share > 0 && share < 1);
  }
  EXPECT_TRUE(partly) << "30 planes in 8 layers";
  EXPECT_DOUBLE_EQ(writtenBy(film, block.recording->steps.size()), static_cast<double>(film.layers()));
}

TEST(FilmTest, AnEmptyRecordingHasNoTime) {
  Recording empty;
  empty.program = std::make_shared<Program>();
  const Film film(empty, Footprint{}, {});
  EXPECT_EQ(film.clock().total(), 0);
  EXPECT_EQ(film.clock().begin(0), 0);
  EXPECT_EQ(film.clock().stepAt(0), 0U);
  EXPECT_THAT(film.frames(), IsEmpty());
  EXPECT_EQ(film.layers(), 0U);
}

TEST(FilmTest, TheReelTellsEqualFilmsApart) {
  FilmReel reel;
  const Recorded block = coarsened();
  const auto first = std::make_shared<const Film>(filmOf(block));
  EXPECT_EQ(reel.revisionOf(first), 1U);
  EXPECT_EQ(reel.revisionOf(first), 1U);
  EXPECT_EQ(reel.revisionOf(std::make_shared<const Film>(filmOf(block))), 2U);
}

TEST(FilmTest, AnExperimentComesWithItsFilm) {
  const experiment::Choice choice{.kernel = "stencil/coarsened", .bindings = {{"N", 32}}};
  const auto made = experiment::run(test::catalogue(), choice, {});
  ASSERT_NE(made->film, nullptr);
  EXPECT_EQ(made->film->frames().size(), made->recording->intervals.size());
}

TEST(FilmTest, WhatTakesMostOfATimeIsFoundInItAlone) {
  const Recorded block = coarsened();
  const Film film = filmOf(block);
  const FilmClock& clock = film.clock();
  for (std::size_t step = 0; step < clock.steps(); ++step) {
    const double middle = (clock.begin(step) + clock.end(step)) / 2;
    EXPECT_EQ(longestActivity(*block.recording, clock, middle, clock.end(step)), block.recording->activities[step]);
  }
  const FilmFrame& frame = film.frames()[2];
  EXPECT_EQ(longestActivity(*block.recording, clock, clock.begin(frame.firstStep), clock.begin(frame.endStep)),
            frame.longest);
  EXPECT_EQ(longestActivity(*block.recording, clock, 1, 1), Activity::Control) << "no time";
}

TEST(FilmTest, APlaneIsNamedByTheLoopsVariable) {
  const Recorded block = coarsened();
  const Plane& plane = block.recording->planes[3];
  EXPECT_EQ(planeText(*block.recording, 3), "i = " + std::to_string(plane.value));
  Recording nameless = *block.recording;
  nameless.planes[3].variable.clear();
  EXPECT_EQ(planeText(nameless, 3), "3");
}

}  // namespace
}  // namespace haloscope::recording
