#include "render/FieldCamera.h"

#include <algorithm>
#include <cmath>

namespace haloscope::render {

namespace {

constexpr float kTangentOfHalfView = 0.42F;  // about 46 degrees across the shorter side

/// World axis of an array axis: see FieldCamera.
constexpr std::array<int, 3> kWorldAxis{1, 2, 0};

}  // namespace

FieldCamera::FieldCamera(const FieldGrid& grid, float yaw, float pitch, float distance, int width, int height)
    : width_(static_cast<float>(std::max(width, 1))), height_(static_cast<float>(std::max(height, 1))) {
  const std::int64_t longest = *std::max_element(grid.extents.begin(), grid.extents.end());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    half_[kWorldAxis.at(axis)] =
        0.5F * static_cast<float>(grid.extents.at(axis)) / static_cast<float>(std::max<std::int64_t>(longest, 1));
  }
  const float safePitch = std::clamp(pitch, -1.5F, 1.5F);  // straight down, "up" would have no direction
  eye_ = distance *
         glm::vec3(std::cos(safePitch) * std::sin(yaw), std::sin(safePitch), std::cos(safePitch) * std::cos(yaw));
  forward_ = glm::normalize(-eye_);
  right_ = glm::normalize(glm::cross(forward_, glm::vec3(0, 1, 0)));
  up_ = glm::cross(right_, forward_);
  pixelsPerTangent_ = std::min(width_, height_) / (2 * kTangentOfHalfView);
  perPixelX_ = right_ / pixelsPerTangent_;
  perPixelY_ = -up_ / pixelsPerTangent_;
}

glm::vec2 FieldCamera::project(const glm::vec3& point) const {
  const glm::vec3 seen = point - eye_;
  const float depth = std::max(glm::dot(seen, forward_), 1e-3F);
  return {width_ / 2 + glm::dot(seen, right_) / depth * pixelsPerTangent_,
          height_ / 2 - glm::dot(seen, up_) / depth * pixelsPerTangent_};
}

std::vector<FieldCamera::Edge> FieldCamera::edges() const {
  std::vector<Edge> all;
  for (int axis = 0; axis < 3; ++axis) {
    const int along = kWorldAxis.at(static_cast<std::size_t>(axis));
    const int u = (along + 1) % 3;
    const int v = (along + 2) % 3;
    for (const float signU : {-1.0F, 1.0F}) {
      for (const float signV : {-1.0F, 1.0F}) {
        glm::vec3 from = -half_;
        from[u] = signU * half_[u];
        from[v] = signV * half_[v];
        glm::vec3 to = from;
        to[along] = half_[along];
        // The two faces that meet here both turn away from the eye.
        const bool behind = signU * eye_[u] < half_[u] && signV * eye_[v] < half_[v];
        all.push_back({project(from), project(to), behind, axis});
      }
    }
  }
  return all;
}

std::array<FieldCamera::Edge, 3> FieldCamera::axisEdges() const {
  std::array<Edge, 3> best{};
  std::array<float, 3> bestPlace{};
  const glm::vec2 middle(width_ / 2, height_ / 2);
  bool first = true;
  int known = -1;
  for (const Edge& edge : edges()) {
    const auto axis = static_cast<std::size_t>(edge.axis);
    first = edge.axis != known;
    known = edge.axis;
    // The outermost edge in its own direction: lowest for the two that lie flat, leftmost for the upright one.
    const glm::vec2 place = (edge.from + edge.to) * 0.5F - middle;
    const float rank = (edge.axis == 0 ? -place.x : place.y) - (edge.behind ? 1e4F : 0);
    if (first || rank > bestPlace.at(axis)) {
      best.at(axis) = edge;
      bestPlace.at(axis) = rank;
    }
  }
  return best;
}

}  // namespace haloscope::render
