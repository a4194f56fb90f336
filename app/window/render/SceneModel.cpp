#include "render/SceneModel.h"

#include <algorithm>

namespace haloscope::render {

std::int64_t SceneFold::bandOf(std::int64_t x) const {
  const std::int64_t from = x - first;
  const std::int64_t band = from >= 0 ? from / columns : -((columns - 1 - from) / columns);
  return std::clamp(band, firstBand, lastBand);
}

recording::GridPoint SceneFold::operator()(const recording::GridPoint& at) const {
  if (columns <= 0) return at;
  const std::int64_t band = bandOf(at.x);
  return {at.z, at.y - top + band * stride, at.x - first - band * columns};
}

float SceneModel::boxProgress(float progress) const {
  if (!accumulator || accumulator->reads.empty() || !accumulator->cell) return progress;
  return std::clamp((progress - kGathered) / (1 - kGathered), 0.0F, 1.0F);
}

float SceneModel::progressOf(float turn, float progress) const {
  return std::clamp((boxProgress(progress) - turn * turns) / (1 - turns), 0.0F, 1.0F);
}

std::uint64_t SceneModel::loadsArrived(float progress) const {
  std::uint64_t arrived = loads.before;
  for (std::size_t warp = 0; warp < loads.ofWarp.size(); ++warp) {
    const float turn = turnOf(warp, loads.ofWarp.size());
    if (!travels || progressOf(turn, progress) >= 1) arrived += loads.ofWarp[warp];
  }
  return arrived;
}

float turnOf(std::size_t warp, std::size_t warps) {
  return warps > 1 ? static_cast<float>(warp) / static_cast<float>(warps - 1) : 0.0F;
}

SceneSource SceneModel::source(const SceneBox& box, int cellX, int cellZ) const {
  if (box.kind == SceneSource::Kind::None) return {};
  const std::size_t pick = box.firstPick + static_cast<std::size_t>(cellZ * box.cellsX + cellX);
  return {box.kind, box.carrier, picks.at(pick)};
}

std::array<glm::vec3, 4> SceneModel::top(const SceneBox& box, int cellX, int cellZ) {
  const glm::vec3 size = box.high - box.low;
  const float width = size.x / static_cast<float>(box.cellsX);
  const float depth = size.z / static_cast<float>(box.cellsZ);
  const glm::vec3 corner = {box.low.x + width * static_cast<float>(cellX), box.high.y,
                            box.low.z + depth * static_cast<float>(cellZ)};
  return {corner, corner + glm::vec3(width, 0, 0), corner + glm::vec3(width, 0, depth),
          corner + glm::vec3(0, 0, depth)};
}

std::size_t SceneModel::count(SceneColour colour, SceneStyle style) const {
  std::size_t cells = 0;
  for (const SceneBox& box : boxes) {
    if (box.colour == colour && box.style == style && !box.leaves)
      cells += static_cast<std::size_t>(box.cellsX * box.cellsZ);
  }
  return cells;
}

}  // namespace haloscope::render
