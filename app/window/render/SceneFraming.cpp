#include "render/SceneFraming.h"

#include <algorithm>
#include <glm/common.hpp>
#include <limits>

namespace haloscope::render {

namespace {

constexpr float kNeighbours = 2.5F;  ///< cells on each side of a thread's
constexpr float kFilled = 0.72F;     ///< of the picture
constexpr float kLeastZoom = 0.5F, kMostZoom = 14;

/// What is drawn of the input, and the points outside of it, lies in one stack.
SceneSource::Kind stackOf(const SceneBox& box) {
  return box.kind == SceneSource::Kind::Ghost ? SceneSource::Kind::Input : box.kind;
}

void addCorners(std::vector<glm::vec3>& corners, const glm::vec3& low, const glm::vec3& high) {
  for (const float x : {low.x, high.x}) {
    for (const float y : {low.y, high.y}) {
      for (const float z : {low.z, high.z}) { corners.emplace_back(x, y, z); }
    }
  }
}

}  // namespace

std::vector<glm::vec3> objectCorners(const SceneModel& model, const SceneBox& box) {
  std::vector<glm::vec3> corners;
  for (const SceneBox& other : model.boxes) {
    if (stackOf(other) == stackOf(box) && other.carrier == box.carrier && !other.leaves) {
      addCorners(corners, other.low, other.high);
    }
  }
  return corners;
}

std::vector<glm::vec3> neighbourhood(const SceneModel& model, const recording::GridPoint& point) {
  using Kind = SceneSource::Kind;
  const recording::GridPoint at = model.fold(point);
  const SceneBox* best = nullptr;
  int rank = 0;
  for (const SceneBox& box : model.boxes) {
    const bool there =
        at.x >= box.at.x && at.x < box.at.x + box.cellsX && at.y >= box.at.y && at.y < box.at.y + box.cellsZ;
    if (box.kind == Kind::None || box.leaves || !there) { continue; }
    const int of = 1 +
                   (box.kind == Kind::Carrier ? 8
                    : box.kind == Kind::Input ? 4
                                              : 0) +
                   (box.colour == SceneColour::Interior ? 2 : 0) + (box.at.z == at.z ? 1 : 0);
    if (of > rank) {
      rank = of;
      best = &box;
    }
  }
  std::vector<glm::vec3> corners;
  if (best == nullptr) { return corners; }
  const auto top = SceneModel::top(*best, static_cast<int>(at.x - best->at.x), static_cast<int>(at.y - best->at.y));
  const glm::vec3 beyond = kNeighbours * (top[2] - top[0]);
  addCorners(corners, top[0] - beyond, top[2] + beyond);
  return corners;
}

SceneOrbit framing(const SceneModel& model, const SceneOrbit& orbit, float width, float height,
                   const SceneMargins& margins, std::span<const glm::vec3> points) {
  SceneOrbit found{.yaw = orbit.yaw, .pitch = orbit.pitch};
  if (points.empty()) { return found; }
  const SceneProjection fitted(model, found, width, height, margins);
  glm::vec2 low{std::numeric_limits<float>::max()}, high{std::numeric_limits<float>::lowest()};
  for (const glm::vec3& point : points) {
    low = glm::min(low, fitted.project(point));
    high = glm::max(high, fitted.project(point));
  }
  const glm::vec2 size = glm::max(high - low, glm::vec2(1));
  const glm::vec2 picture{width, height}, room = kFilled * picture;
  found.zoom = std::clamp(std::min(room.x / size.x, room.y / size.y), kLeastZoom, kMostZoom);
  const glm::vec2 pan = picture / 2.0F - fitted.centre() - found.zoom * ((low + high) / 2.0F - fitted.centre());
  found.panX = pan.x / height;
  found.panY = -pan.y / height;
  return found;
}

}  // namespace haloscope::render
