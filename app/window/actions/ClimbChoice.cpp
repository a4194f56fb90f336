#include "actions/ClimbChoice.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <tuple>

#include "actions/Choices.h"

namespace haloscope {

namespace {

using Points = std::set<std::array<int, 3>>;

constexpr std::int64_t kMostSteps = 8;
constexpr std::size_t kMostPoints = 4096;  // of several steps

/// The points that a kernel computes from, as far as they are known. The point itself always counts as one of them.
struct ComputedPoints {
  std::size_t axes = 0;
  Points taps;
  Computes::Border border = Computes::Border::Keeps;
  bool known = false;
  bool separable = false;  ///< the weights are a product of one factor per axis

  [[nodiscard]] int reach() const {
    int reach = 0;
    for (const std::array<int, 3>& tap : taps) {
      for (const int offset : tap) { reach = std::max(reach, std::abs(offset)); }
    }
    return reach;
  }
  /// All points on the axes: no diagonal neighbour.
  [[nodiscard]] bool star() const {
    return std::ranges::all_of(taps, [](const auto& tap) { return std::ranges::count(tap, 0) >= 2; });
  }
};

ComputedPoints computedPoints(const KernelFile& file) {
  ComputedPoints points{.taps = {{0, 0, 0}}};
  for (const ArrayDeclaration& array : file.arrays) { points.axes = std::max(points.axes, array.shape.size()); }
  if (!file.computes) { return points; }
  points.border = file.computes->border;
  points.separable = !file.computes->factors.empty();
  for (const std::array<int, 3>& tap : file.taps(file.defaults())) { points.taps.insert(tap); }
  points.known = true;
  return points;
}

/// Those of an own kernel are found in what it executed; its header, or what it is recognised as, may not tell.
ComputedPoints ownPoints(const KernelFile& file, const figures::RungCosts* costs) {
  ComputedPoints points = computedPoints(file);
  if (costs == nullptr || costs->points.empty()) { return points; }
  points.axes = costs->axes;
  points.taps = costs->points;
  points.taps.insert({0, 0, 0});
  points.known = true;
  points.separable = costs->separable;
  return points;
}

/// The steps after which the points `once` have become `many`; 0: never. Of a box this is not asked: those of several
/// steps are a larger filter's, too.
std::int64_t stepsBetween(const ComputedPoints& root, const Points& many) {
  const Points& once = root.taps;
  if (!root.star()) { return once == many ? 1 : 0; }
  Points points = once;
  for (std::int64_t steps = 1; steps <= kMostSteps && points.size() <= std::min(many.size(), kMostPoints); ++steps) {
    if (points == many) { return steps; }
    Points next;
    for (const auto& [z, y, x] : points) {
      for (const auto& [dz, dy, dx] : once) { next.insert({z + dz, y + dy, x + dx}); }
    }
    points = std::move(next);
  }
  return 0;
}

/// How well a climb suits a kernel that is part of none, in the order of importance; the first is 0: not at all.
using Suitability = std::tuple<int, bool, bool, bool, bool, int, bool, std::size_t>;
Suitability suitability(const ComputedPoints& own, const Climb& climb) {
  const ComputedPoints root = computedPoints(*climb.rungs.front().variant);
  const std::int64_t steps = own.known && root.known ? stepsBetween(root, own.taps) : 0;
  return {own.axes == root.axes ? 1 : 0,
          own.separable == root.separable,
          steps == 1,
          steps > 1 && root.reach() > 0,
          own.known && own.star() == root.star(),
          own.known ? -std::abs(own.reach() - root.reach()) : 0,
          own.border == root.border,
          climb.rungs.size()};
}

}  // namespace

const Climb* climbOf(const std::vector<Climb>& all, const AppState& state, const KernelFile& file) {
  for (const Climb& climb : all) {
    if (climb.find(file.id) != nullptr) { return &climb; }
  }
  if (!file.isOwn()) { return nullptr; }
  const auto costs = state.climb.costs.find(file.id);
  const bool current = costs != state.climb.costs.end() && costs->second->text == file.text;
  const ComputedPoints own = ownPoints(file, current ? costs->second.get() : nullptr);
  const Climb* best = nullptr;
  Suitability most{};
  for (const Climb& climb : all) {
    const Suitability suits = suitability(own, climb);
    if (std::get<0>(suits) == 0 || suits <= most) { continue; }
    most = suits;
    best = &climb;
  }
  return best;
}

const Climb* climbOf(const std::vector<Climb>& all, const AppState& state) {
  const KernelFile* file = chosenFile(state);
  return file == nullptr ? nullptr : climbOf(all, state, *file);
}

std::int64_t stepsOf(const Climb& climb, const figures::RungCosts& own) {
  if (own.points.empty()) { return 1; }
  Points taps = own.points;
  taps.insert({0, 0, 0});
  return std::max<std::int64_t>(1, stepsBetween(computedPoints(*climb.rungs.front().variant), taps));
}

}  // namespace haloscope
