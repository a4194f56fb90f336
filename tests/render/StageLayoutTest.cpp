#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "SceneFixture.h"
#include "render/BenchSetting.h"
#include "render/SceneLayout.h"
#include "render/StagePacking.h"

// Where the pieces of a stage and their names have their room.

namespace haloscope::render {
namespace {

using test::RecordedBlock;

/// A window at 1280 × 720, about: its ribbon and its costs cover two corners.
SceneSpace projectorSpace() {
  return {.aspect = 0.38F,
          .width = 1200,
          .height = 440,
          .line = 14,
          .name = {0.13F, 0.04F},
          .counted = {0.15F, 0.11F},
          .lowerLeft = {0.42F, 0.28F},
          .upperRight = {0.25F, 0.4F}};
}

StageWish wishFor(std::size_t arrays, glm::vec2 slot) {
  StageWish wish{.entries = std::vector<BenchEntry>(arrays),
                 .neighbours = {.slot = slot, .outputs = slot - 2.0F, .planes = 8, .outputPlanes = 6},
                 .yaw = 0.7854F,
                 .space = projectorSpace()};
  return wish;
}

TEST(StageLayout, NamesOfStacksHaveTheirRoom) {
  for (const glm::vec2 slot : {glm::vec2(8, 8), glm::vec2(40, 6), glm::vec2(32, 32)}) {
    const StageWish wish = wishFor(3, slot);
    const SceneSpace& space = wish.space;
    const StageView view(wish.yaw);
    const auto box = [&](glm::vec2 size, float height) {
      return Cover::ofBox(view, {-size.x / 2, 0, -size.y / 2}, {size.x / 2, height, size.y / 2});
    };
    StagePieces pieces{{box(slot * glm::vec2(3.5F, 1), 1)}, box(slot, 6), box(slot - 2.0F, 5)};
    std::optional<StagePlaces> places;
    float width = 3 * slot.x;
    while (!(places = placed(view, pieces, space, width)) && width < 1000) { width *= 1.1F; }
    ASSERT_TRUE(places) << slot.x;
    const glm::vec2 picture = places->picture;
    const Cover bench = pieces.bench[0].moved(places->bench);
    const Cover ribbon =
        Cover::ofRectangle(view, {0, picture.y * (1 - space.lowerLeft.y)}, {picture.x * space.lowerLeft.x, picture.y});
    const auto check = [&](const Cover& stack, glm::vec2 share) {
      const glm::vec2 size = share * picture;
      const float middle = (stack.low().x + stack.high().x) / 2;
      const float left = std::clamp(middle - size.x / 2, 0.0F, picture.x - size.x);
      const Cover name = Cover::ofRectangle(view, {left, stack.high().y}, glm::vec2(left, stack.high().y) + size);
      EXPECT_FALSE(name.meets(bench)) << slot.x;
      EXPECT_FALSE(name.meets(ribbon)) << slot.x;
      EXPECT_LE(name.high().y, picture.y * 1.001F) << slot.x;
    };
    check(pieces.input.moved(places->input), space.counted);
    check(pieces.output.moved(places->output), space.name);
  }
}

TEST(StageLayout, NamesOnTheFrontOfABenchCanBeRead) {
  for (const std::size_t arrays : {3U, 8U}) {
    for (const glm::vec2 slot : {glm::vec2(8, 8), glm::vec2(40, 12)}) {
      const StageWish wish = wishFor(arrays, slot);
      const StagePlan plan = stacksAround(wish);
      const float cell = wish.space.width / (2 * plan.setting.reach.x);  // pixels
      const float front = plan.bench.thickness() * cell * std::cos(kHomePitch);
      EXPECT_GE(front, 0.8F * wish.space.line) << arrays << " of " << slot.x;
    }
  }
}

TEST(StageLayout, APlaneOfTheInputIsNamedByItsRoleInTheRotation) {
  RecordedBlock block("beyond/3d_7_cluster");
  // The neighbours' values of the plane that has been computed lie beside the current plane.
  const SceneModel model = block.after("out[(i * N + j) * N + k] =", 3).model();
  std::vector<std::string> current;
  for (const SceneLabel& label : model.labels) {
    if (label.row && label.current) { current.push_back(label.detail); }
  }
  const auto held = std::ranges::find(model.labels, "curr", &SceneLabel::text);
  ASSERT_NE(held, model.labels.end());
  EXPECT_EQ(current, std::vector<std::string>{held->held});
}

}  // namespace
}  // namespace haloscope::render
