#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <map>
#include <utility>

#include "SceneFixture.h"
#include "render/SceneModel.h"
#include "render/StagePacking.h"

// A 2D tile: the block's part of global memory, the tile and its outputs lie beside each other.

namespace haloscope::render {
namespace {

using test::RecordedBlock;

TEST(SceneSheets, ATileLiesBetweenGlobalMemoryAndItsOutput) {
  RecordedBlock block("convolution/tiled_input_block", {{"FILTER_RADIUS", 2}, {"IN_TILE_DIM", 16}});
  const SceneModel model = block.after("sum += filter", 8).model(block.threadAt(6, 6));
  EXPECT_EQ(model.title, "16 × 16 tile in shared memory");
  EXPECT_EQ(model.count(SceneColour::Interior), 2 * 144U) << "in global memory and in the tile";
  EXPECT_EQ(model.count(SceneColour::Halo), 2 * (256U - 144U));
  const StageView home(model.homeYaw + 0.7854F);
  std::map<SceneSource::Kind, Cover> covers;
  for (const SceneBox& box : model.boxes) {
    if (box.colour == SceneColour::Bench || box.colour == SceneColour::Frame) { continue; }
    const auto [cover, isNew] = covers.try_emplace(box.kind, Cover::ofBox(home, box.low, box.high));
    if (!isNew) { cover->second = cover->second.with(Cover::ofBox(home, box.low, box.high)); }
  }
  const Cover& input = covers.at(SceneSource::Kind::Input);
  const Cover& tile = covers.at(SceneSource::Kind::Carrier);
  const Cover& output = covers.at(SceneSource::Kind::Output);
  EXPECT_FALSE(input.meets(tile));
  EXPECT_FALSE(tile.meets(output));
  EXPECT_FALSE(input.meets(output));
  EXPECT_LT(input.low().x + input.high().x, tile.low().x + tile.high().x);
  EXPECT_LT(tile.low().x + tile.high().x, output.low().x + output.high().x);
  // The border of the 5×5 window, the tap's outline, and the ray to the output.
  const auto yellow = std::count_if(model.lines.begin(), model.lines.end(),
                                    [](const SceneLine& line) { return line.colour == SceneColour::Active; });
  EXPECT_EQ(yellow, 4 * 5 + 4 + 1);
}

TEST(SceneSheets, ATileIsLoadedFromItsPlaceInGlobalMemory) {
  RecordedBlock block("convolution/tiled_input_block", {{"FILTER_RADIUS", 1}, {"IN_TILE_DIM", 8}});
  const SceneModel model = block.after("in_s[threadIdx.y][threadIdx.x] = in[").model(block.threadAt(3, 3));
  ASSERT_TRUE(model.travels);
  std::map<std::pair<std::int64_t, std::int64_t>, glm::vec3> inputs;
  for (const SceneBox& box : model.boxes) {
    if (box.kind != SceneSource::Kind::Input) { continue; }
    for (int z = 0; z < box.cellsZ; ++z) {
      for (int x = 0; x < box.cellsX; ++x) {
        const float scale = (box.high.x - box.low.x) / static_cast<float>(box.cellsX);
        inputs[{box.at.y + z, box.at.x + x}] =
            box.low + scale * glm::vec3(static_cast<float>(x), 0, static_cast<float>(z));
      }
    }
  }
  std::size_t loaded = 0;
  for (const SceneBox& box : model.boxes) {
    if (box.kind != SceneSource::Kind::Carrier || !box.changed) { continue; }
    ++loaded;
    const glm::vec3 from = box.low + box.travel, place = inputs.at({box.at.y, box.at.x});
    EXPECT_LT(glm::length(from - place), 0.05F) << box.at.y << ' ' << box.at.x;
  }
  EXPECT_EQ(loaded, 64U);
  // A load goes to the copy, not to the output.
  const auto rays = std::ranges::count_if(model.lines, [&](const SceneLine& line) {
    return line.colour == SceneColour::Active && glm::length(line.to - line.from) > 4;
  });
  EXPECT_EQ(rays, 1);
}

}  // namespace
}  // namespace haloscope::render
