#include "ui/widgets/LabelPlacer.h"

#include <algorithm>
#include <cmath>

namespace haloscope::ui {

bool LabelPlacer::take(ImVec2 at, ImVec2 size) {
  if (!free(at, {at.x + size.x, at.y + size.y})) { return false; }
  block(at, {at.x + size.x, at.y + size.y});
  return true;
}

ImVec2 LabelPlacer::place(ImVec2 point, ImVec2 size, float reach) {
  if (const auto found = tryPlace(point, size, reach)) { return *found; }
  const ImVec2 best{point.x + reach, point.y};
  block(best, {best.x + size.x, best.y + size.y});
  return best;
}

std::optional<ImVec2> LabelPlacer::tryPlace(ImVec2 point, ImVec2 size, float reach, const Suits& suits) {
  for (int ring = 0; ring < 12; ++ring) {
    const float down = static_cast<float>(ring) * reach;
    const ImVec2 candidates[] = {
        {point.x + reach, point.y - reach * 0.5F + down},    {point.x + reach * 0.5F, point.y + reach * 0.6F + down},
        {point.x - reach - size.x, point.y - size.y - down}, {point.x + reach, point.y - size.y - down},
        {point.x - size.x / 2, point.y + reach + down},      {point.x - size.x, point.y - size.y - reach - down}};
    for (const ImVec2& at : candidates) {
      if ((!suits || suits(at)) && take(at, size)) { return at; }
    }
  }
  return std::nullopt;
}

std::optional<ImVec2> LabelPlacer::tryAnywhere(ImVec2 point, ImVec2 size, float apart, const Suits& suits) {
  std::optional<ImVec2> best;
  float nearest = 0;
  for (float y = min_.y; y + size.y <= max_.y; y += apart) {
    for (float x = min_.x; x + size.x <= max_.x; x += apart) {
      const float distance = std::hypot(x + size.x / 2 - point.x, y + size.y / 2 - point.y);
      if (best && distance >= nearest) { continue; }
      if (!free({x, y}, {x + size.x, y + size.y}) || (suits && !suits({x, y}))) { continue; }
      best = ImVec2(x, y);
      nearest = distance;
    }
  }
  if (best) { block(*best, {best->x + size.x, best->y + size.y}); }
  return best;
}

bool LabelPlacer::free(ImVec2 min, ImVec2 max) const {
  if (min.x < min_.x || min.y < min_.y || max.x > max_.x || max.y > max_.y) { return false; }
  return std::none_of(taken_.begin(), taken_.end(), [&](const Box& box) {
    return min.x < box.max.x && max.x > box.min.x && min.y < box.max.y && max.y > box.min.y;
  });
}

}  // namespace haloscope::ui
