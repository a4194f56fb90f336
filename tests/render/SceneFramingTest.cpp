#include "render/SceneFraming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "SceneFixture.h"
#include "parts/SceneCamera.h"

// Where the camera goes.

namespace haloscope::render {
namespace {

using test::RecordedBlock;

constexpr float kAcross = 800, kUpward = 500;

class SceneFraming : public ::testing::Test {
 protected:
  RecordedBlock block_{"stencil/coarsened", {{"IN_TILE_DIM", 8}}};
  SceneModel model_ = block_.atEnd().model();

  [[nodiscard]] const SceneBox& boxOf(SceneSource::Kind kind) const {
    return *std::ranges::find(model_.boxes, kind, &SceneBox::kind);
  }
};

TEST_F(SceneFraming, AnObjectFillsTheMiddle) {
  const SceneMargins margins{40, 10, 20, 30};
  const auto points = objectCorners(model_, boxOf(SceneSource::Kind::Output));
  const SceneOrbit orbit = framing(model_, {}, kAcross, kUpward, margins, points);
  EXPECT_GT(orbit.zoom, 1);
  const SceneProjection projection(model_, orbit, kAcross, kUpward, margins);
  glm::vec2 low{kAcross, kUpward}, high{0};
  for (const glm::vec3& point : points) {
    low = glm::min(low, projection.project(point));
    high = glm::max(high, projection.project(point));
  }
  EXPECT_NEAR((low.x + high.x) / 2, kAcross / 2, 0.5F);
  EXPECT_NEAR((low.y + high.y) / 2, kUpward / 2, 0.5F);
  EXPECT_GE(low.x, margins.left);
  EXPECT_LE(high.y, kUpward - margins.bottom);
  EXPECT_GT(std::max((high.x - low.x) / kAcross, (high.y - low.y) / kUpward), 0.6F);
}

TEST_F(SceneFraming, AnObjectIsOneArray) {
  const SceneBox& first = boxOf(SceneSource::Kind::Carrier);
  glm::vec3 low = first.low, high = first.high;
  std::size_t boxes = 0;
  for (const SceneBox& box : model_.boxes) {
    if (box.kind != SceneSource::Kind::Carrier || box.carrier != first.carrier || box.leaves) { continue; }
    low = glm::min(low, box.low);
    high = glm::max(high, box.high);
    ++boxes;
  }
  ASSERT_LT(boxes, model_.boxes.size());
  const auto corners = objectCorners(model_, first);
  EXPECT_EQ(corners.size(), 8 * boxes);
  for (const glm::vec3& corner : corners) { EXPECT_TRUE(corner == glm::clamp(corner, low, high)); }
}

TEST_F(SceneFraming, AThreadIsSeenInACopy) {
  const recording::GridPoint at = *block_.facts.homes[block_.threadAt(3, 3)].output;
  const auto points = neighbourhood(model_, at);
  ASSERT_FALSE(points.empty());
  glm::vec3 middle{0};
  for (const glm::vec3& point : points) { middle += point / static_cast<float>(points.size()); }
  const auto shows = std::ranges::any_of(model_.boxes, [&](const SceneBox& box) {
    return box.kind == SceneSource::Kind::Carrier && middle.x > box.low.x && middle.x < box.high.x &&
           middle.z > box.low.z && middle.z < box.high.z;
  });
  EXPECT_TRUE(shows);
  EXPECT_TRUE(neighbourhood(model_, {999, 999, 999}).empty());
}

TEST_F(SceneFraming, OnTheWayEveryPointMovesStraight) {
  const auto points = objectCorners(model_, boxOf(SceneSource::Kind::Output));
  const SceneOrbit orbit = framing(model_, {}, kAcross, kUpward, {}, points);
  const SceneCamera from{.yaw = orbit.yaw, .pitch = orbit.pitch};
  const SceneCamera to{orbit.yaw, orbit.pitch, orbit.zoom, orbit.panX, orbit.panY};
  const auto seen = [&](float share) {
    const SceneCamera at = between(from, to, share);
    return SceneProjection(model_, {at.yaw, at.pitch, at.zoom, at.panX, at.panY}, kAcross, kUpward).project(points[0]);
  };
  const glm::vec2 begin = seen(0), end = seen(1);
  for (const float share : {0.25F, 0.5F, 0.75F}) {
    const glm::vec2 way = seen(share) - begin, whole = end - begin;
    EXPECT_NEAR((way.x * whole.y - way.y * whole.x) / glm::length(whole), 0, 0.5F) << share;
  }
  EXPECT_EQ(between(from, to, 1), to);
}

}  // namespace
}  // namespace haloscope::render
