#include "render/SceneProjection.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

namespace haloscope::render {

namespace {

constexpr float kHomeYaw = 0.7854F;
constexpr float kStraightDown = 1.5708F;  ///< pitch from which a strip is seen

/// The picture's axes in the scene.
struct Axes {
  glm::vec3 right, up, toViewer;

  Axes(float yaw, float pitch)
      : right(std::cos(yaw), 0, -std::sin(yaw)),
        up(-std::sin(yaw) * std::sin(pitch), std::cos(pitch), -std::cos(yaw) * std::sin(pitch)),
        toViewer(std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch)) {}
};

struct Range {
  float low = std::numeric_limits<float>::max();
  float high = std::numeric_limits<float>::lowest();

  void include(float value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] float middle() const { return (low + high) / 2; }
  [[nodiscard]] float size() const { return std::max(high - low, 1e-3F); }
};

}  // namespace

SceneProjection::SceneProjection(const SceneModel& model, const SceneOrbit& orbit, float width, float height,
                                 const SceneMargins& margins)
    : width_(std::max(width, 1.0F)), height_(std::max(height, 1.0F)) {
  // The scale is that of the view from home, so that a turn does not also zoom.
  const Axes home = model.isStrip() ? Axes(0, kStraightDown) : Axes(kHomeYaw + model.homeYaw, kHomePitch);
  Range across;
  Range upward;
  Range deep;
  for (const glm::vec3& point : model.extent) {
    across.include(glm::dot(point, home.right));
    upward.include(glm::dot(point, home.up));
    deep.include(glm::dot(point, home.toViewer));
  }
  if (model.extent.empty()) across = upward = deep = {-1, 1};
  const float freeWidth = std::max(width_ - margins.left - margins.right, width_ / 5);
  const float freeHeight = std::max(height_ - margins.top - margins.bottom, height_ / 4);
  pixelsPerUnit_ = std::min(freeWidth / across.size(), freeHeight / upward.size()) * orbit.zoom;
  pivot_ = across.middle() * home.right + upward.middle() * home.up + deep.middle() * home.toViewer;

  const Axes axes = model.isStrip() ? home : Axes(orbit.yaw + model.homeYaw, std::clamp(orbit.pitch, 0.02F, 1.55F));
  right_ = axes.right;
  up_ = axes.up;
  toViewer_ = axes.toViewer;
  centre_ = {margins.left + freeWidth / 2 + orbit.panX * height_, margins.top + freeHeight / 2 - orbit.panY * height_};

  // Depth covers all of the scene from any side.
  float radius = 1;
  for (const glm::vec3& point : model.extent) { radius = std::max(radius, glm::length(point - pivot_)); }
  radius *= 2;
  const float sx = 2 * pixelsPerUnit_ / width_;
  const float sy = 2 * pixelsPerUnit_ / height_;
  const float sz = 1 / radius;
  const glm::vec3 r = right_ * sx;
  const glm::vec3 u = up_ * sy;
  const glm::vec3 d = -toViewer_ * sz;
  matrix_ = glm::mat4(glm::vec4(r.x, u.x, d.x, 0), glm::vec4(r.y, u.y, d.y, 0), glm::vec4(r.z, u.z, d.z, 0),
                      glm::vec4(2 * centre_.x / width_ - 1 - glm::dot(r, pivot_),
                                1 - 2 * centre_.y / height_ - glm::dot(u, pivot_), -glm::dot(d, pivot_), 1));
}

glm::vec2 SceneProjection::project(const glm::vec3& point) const {
  const glm::vec3 away = point - pivot_;
  return centre_ + pixelsPerUnit_ * glm::vec2(glm::dot(away, right_), -glm::dot(away, up_));
}

std::optional<SceneHit> SceneProjection::pick(const SceneModel& model, const glm::vec2& pixel) const {
  const glm::vec2 offset = (pixel - centre_) / pixelsPerUnit_;
  const glm::vec3 origin = pivot_ + right_ * offset.x - up_ * offset.y;  // the ray comes from +toViewer_
  std::optional<SceneHit> best;
  float nearest = std::numeric_limits<float>::lowest();
  bool solid = false;
  for (std::size_t b = 0; b < model.boxes.size(); ++b) {
    const SceneBox& box = model.boxes[b];
    if (box.kind == SceneSource::Kind::None) continue;
    // Slabs: the stretch of the ray, measured towards the viewer, that lies inside.
    float from = std::numeric_limits<float>::lowest();
    float to = std::numeric_limits<float>::max();
    for (int axis = 0; axis < 3; ++axis) {
      float a = (box.low[axis] - origin[axis]) / toViewer_[axis];
      float c = (box.high[axis] - origin[axis]) / toViewer_[axis];
      if (a > c) std::swap(a, c);
      from = std::max(from, a);
      to = std::min(to, c);
    }
    if (from > to) continue;
    const bool isSolid = box.style == SceneStyle::Solid;
    if (best && (solid != isSolid ? solid : to <= nearest)) continue;
    solid = isSolid;
    nearest = to;
    const glm::vec3 hit = origin + toViewer_ * to;
    const glm::vec3 size = box.high - box.low;
    const auto cell = [](float at, float extent, int cells) {
      return std::clamp(static_cast<int>(at / extent * static_cast<float>(cells)), 0, cells - 1);
    };
    SceneHit found{.box = b,
                   .cellX = cell(hit.x - box.low.x, size.x, box.cellsX),
                   .cellZ = cell(hit.z - box.low.z, size.z, box.cellsZ)};
    found.source = model.source(box, found.cellX, found.cellZ);
    best = found;
  }
  return best;
}

}  // namespace haloscope::render
