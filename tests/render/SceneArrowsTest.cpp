#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "SceneFixture.h"
#include "experiment/TracedOutput.h"
#include "render/SceneDirector.h"

namespace haloscope::render {
namespace {

using test::RecordedBlock;

/// Arrow heads of a colour: one for each operand's way.
std::size_t heads(const SceneModel& model, SceneColour colour) {
  return static_cast<std::size_t>(std::ranges::count_if(
      model.lines, [&](const SceneLine& line) { return line.widthTo == 0 && line.colour == colour; }));
}

std::vector<std::string> arrowWords(const SceneModel& model) {
  std::vector<std::string> words;
  for (const SceneLegendEntry& entry : model.legend) {
    if (entry.style == SceneStyle::Arrow) { words.push_back(entry.word); }
  }
  return words;
}

class SceneArrows : public ::testing::Test {
 protected:
  static SceneModel model(const RecordedBlock& block, const std::optional<experiment::TracedOutput>& traced,
                          std::optional<std::uint32_t> operand = {}) {
    return buildScene({.cursor = block.cursor,
                       .footprint = block.experiment->footprint,
                       .carriers = block.experiment->carriers,
                       .view = block.view,
                       .facts = block.facts,
                       .origins = traced ? &*traced : nullptr,
                       .operand = operand});
  }
};

TEST_F(SceneArrows, OneForEachOperandInItsColour) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}}, Dim3{3, 3, 3});
  block.atEnd();
  // The corner of the output tile: three of its neighbours are halo.
  const auto traced = experiment::traceOutput(*block.experiment, (std::int64_t{18} * 32 + 18) * 32 + 18);
  ASSERT_TRUE(traced);
  const SceneModel with = model(block, traced);
  EXPECT_EQ(heads(with, SceneColour::Interior), 4U);
  EXPECT_EQ(heads(with, SceneColour::Halo), 3U);
  EXPECT_THAT(arrowWords(with), ::testing::UnorderedElementsAre("interior operand", "halo operand"));
  const SceneModel without = model(block, std::nullopt);
  EXPECT_EQ(heads(without, SceneColour::Interior) + heads(without, SceneColour::Halo), 0U);
  EXPECT_TRUE(arrowWords(without).empty());
}

TEST_F(SceneArrows, StartAtTheGlobalElementAndEndAtTheOutputsCell) {
  RecordedBlock block("stencil/basic", {{"N", 16}});
  block.atEnd();
  const std::int64_t element = block.experiment->footprint.outputs.front();
  const auto traced = experiment::traceOutput(*block.experiment, element);
  ASSERT_TRUE(traced);
  const SceneModel scene = model(block, traced);
  const auto topOf = [&](SceneSource::Kind kind, const recording::GridPoint& at) -> std::optional<glm::vec3> {
    for (const SceneBox& box : scene.boxes) {
      const std::int64_t x = at.x - box.at.x, y = at.y - box.at.y;
      if (box.kind != kind || box.at.z != at.z || x < 0 || y < 0 || x >= box.cellsX || y >= box.cellsZ) { continue; }
      return glm::vec3{box.low.x + static_cast<float>(x) + 0.5F, box.high.y, box.low.z + static_cast<float>(y) + 0.5F};
    }
    return std::nullopt;
  };
  const auto near = [](const glm::vec3& a, const glm::vec3& b) {
    return std::abs(a.x - b.x) < 0.3F && std::abs(a.y - b.y) < 0.3F && std::abs(a.z - b.z) < 0.3F;
  };
  const auto goal = topOf(SceneSource::Kind::Output, outputPoint(block.experiment->footprint, element));
  ASSERT_TRUE(goal);
  for (std::size_t i = 0; i < traced->places.size(); ++i) {
    if (traced->places[i].role == provenance::OperandRole::Constant) { continue; }
    const auto start = topOf(SceneSource::Kind::Input, *traced->places[i].at);
    ASSERT_TRUE(start);
    EXPECT_TRUE(std::ranges::any_of(scene.lines,
                                    [&](const SceneLine& line) {
                                      return line.colour != SceneColour::Casing && line.widthFrom == line.widthTo &&
                                             near(line.from, *start);
                                    }))
        << "operand " << i;
  }
  for (const SceneLine& line : scene.lines) {
    if (line.widthTo == 0) { EXPECT_TRUE(near(line.to, *goal)); }
  }
}

TEST_F(SceneArrows, InAStripTheyStayWithinTheirRow) {
  RecordedBlock block("convolution/1d_basic", {{"width", 48}});
  block.atEnd();
  ASSERT_EQ(model(block, std::nullopt).fold.columns, 16);
  const auto within = experiment::traceOutput(*block.experiment, 10);
  const SceneModel inside = model(block, within);
  EXPECT_EQ(heads(inside, SceneColour::Interior), 5U);
  // They end at the output's upper edge, where they cover no value.
  float outputEdge = 0;
  for (const SceneBox& box : inside.boxes) {
    if (box.kind == SceneSource::Kind::Output && box.at.x == 10 && box.at.y == 0) { outputEdge = box.low.z; }
  }
  for (const SceneLine& line : inside.lines) {
    if (line.widthTo == 0 && line.colour == SceneColour::Interior) { EXPECT_LE(line.to.z, outputEdge + 1e-4F); }
  }
  // The first output of a row: two of its five operands end the row before.
  const auto across = experiment::traceOutput(*block.experiment, 16);
  EXPECT_EQ(heads(model(block, across), SceneColour::Interior), 3U);
}

TEST_F(SceneArrows, GhostsHaveTheirOwnAndTheChosenOneIsHighlighted) {
  RecordedBlock block("convolution/tiled_input_block", {}, Dim3{0, 0, 0});
  block.atEnd();
  const auto traced = experiment::traceOutput(*block.experiment, 0);
  ASSERT_TRUE(traced);
  const SceneModel all = model(block, traced);
  EXPECT_EQ(heads(all, SceneColour::Ghost), 5U);
  EXPECT_EQ(heads(all, SceneColour::Interior), 4U);
  const auto ghost = std::ranges::find(traced->places, provenance::OperandRole::Ghost, &provenance::OperandPlace::role);
  const SceneModel one = model(block, traced, static_cast<std::uint32_t>(ghost - traced->places.begin()));
  const auto bright = [](const SceneModel& scene) {
    return std::ranges::count_if(scene.lines,
                                 [](const SceneLine& line) { return line.widthTo == 0 && line.opacity == 1; });
  };
  EXPECT_EQ(bright(all), 9);
  EXPECT_EQ(bright(one), 1);
}

TEST_F(SceneArrows, ThePlanesOfARotationAreOnTheWay) {
  RecordedBlock block("stencil/register_tiled", {{"IN_TILE_DIM", 8}, {"N", 32}}, Dim3{3, 3, 3});
  block.after("out[(i * N + j) * N + k]", 3);
  const auto traced = experiment::traceOutput(*block.experiment, (std::int64_t{20} * 32 + 21) * 32 + 21);
  ASSERT_TRUE(traced);
  const SceneModel scene = model(block, traced);
  std::set<std::pair<float, float>> places;  // where the coloured lines of the ways begin
  for (const SceneLine& line : scene.lines) {
    if (line.colour == SceneColour::Interior && line.widthFrom == line.widthTo) {
      places.insert({std::round(line.from.x), std::round(line.from.z)});
    }
  }
  EXPECT_GE(places.size(), 4U) << "inNext, inCurr, inCurr_s and inPrev";
  EXPECT_EQ(heads(scene, SceneColour::Interior), 7U);
}

TEST(SceneDirectorArrows, AnotherTraceMakesAnotherModel) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 6}, {"N", 16}});
  block.atEnd();
  auto traced = experiment::traceOutput(*block.experiment, block.experiment->footprint.outputs.front());
  ASSERT_TRUE(traced);
  const auto shared = std::make_shared<const experiment::TracedOutput>(std::move(*traced));
  SceneDirector director;
  const auto revision = [&](const SceneOrigins& origins) {
    return director
        .update(block.cursor, block.experiment->footprint, block.experiment->carriers, block.view, 0, {}, 0, 0, {},
                origins)
        .revision;
  };
  const std::uint64_t none = revision({});
  const std::uint64_t arrows = revision({shared, {}});
  EXPECT_NE(arrows, none);
  EXPECT_EQ(revision({shared, {}}), arrows);
  EXPECT_NE(revision({shared, 1U}), arrows);
}

}  // namespace
}  // namespace haloscope::render
