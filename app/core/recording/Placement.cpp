#include "recording/Placement.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "recording/GridShape.h"

namespace haloscope::recording {

namespace {

using Points = std::vector<KnownPoint>;

/// Finds the value that more than half of the votes are for, if there is one (Boyer and Moore's majority vote).
template <typename T>
class Vote {
 public:
  void add(const T& value) {
    if (lead_ == 0) {
      candidate_ = value;
      lead_ = 1;
    } else {
      lead_ += value == candidate_ ? 1 : -1;
    }
    any_ = true;
  }
  /// Some candidate, the majority's if there is a majority; `otherwise` without any votes.
  [[nodiscard]] T winner(const T& otherwise) const { return any_ ? candidate_ : otherwise; }

 private:
  T candidate_{};
  std::ptrdiff_t lead_ = 0;
  bool any_ = false;
};

constexpr std::array<GridPoint, 3> kAxes{GridPoint{1, 0, 0}, GridPoint{0, 1, 0}, GridPoint{0, 0, 1}};

/// The most common step from a cell to its neighbour `stride` further on, over neighbours that differ in one digit.
/// `period` is the index distance after which that digit starts again. Without neighbours to infer it from: `axis`.
GridPoint direction(const Points& points, std::size_t stride, std::size_t period, const GridPoint& axis) {
  Vote<GridPoint> vote;
  for (std::size_t i = 0; i + stride < points.size(); ++i) {
    const bool neighbours = i % period + stride < period;
    if (neighbours && points[i].known && points[i + stride].known) { vote.add(points[i + stride].at - points[i].at); }
  }
  return vote.winner(axis);
}

std::optional<Placement> fit(const Points& points, std::array<std::int64_t, 2> strides) {
  Placement placement;
  placement.strides = strides;
  const auto plane = static_cast<std::size_t>(strides[0]);
  const auto row = static_cast<std::size_t>(strides[1]);
  placement.directions = {direction(points, plane, points.size(), kAxes[0]), direction(points, row, plane, kAxes[1]),
                          direction(points, 1, row, kAxes[2])};

  Vote<GridPoint> vote;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].known) { vote.add(points[i].at - placement.at(static_cast<std::int64_t>(i))); }
  }
  placement.offset = vote.winner({});

  std::size_t known = 0;
  std::size_t agree = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].known) { continue; }
    ++known;
    agree += placement.at(static_cast<std::int64_t>(i)) == points[i].at ? 1U : 0U;
  }
  return 2 * agree > known ? std::optional(placement) : std::nullopt;
}

/// The strides of the input's rows and planes within an array, by looking up where its cells' neighbours went.
std::optional<std::array<std::int64_t, 2>> findStrides(const Points& points,
                                                       const std::vector<std::int64_t>& inputExtents) {
  const GridShape shape(inputExtents);
  std::vector<std::pair<std::int64_t, std::int64_t>> where;  // element, index
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].known) { where.emplace_back(shape.element(points[i].at), static_cast<std::int64_t>(i)); }
  }
  std::sort(where.begin(), where.end());

  std::vector<std::int64_t> strides;
  for (const GridPoint& axis : kAxes) {
    Vote<std::int64_t> vote;
    for (const auto& [element, index] : where) {
      const std::int64_t wanted = shape.element(shape.point(element) + axis);
      const auto next = std::lower_bound(where.begin(), where.end(), std::pair(wanted, std::int64_t{0}));
      if (wanted >= 0 && next != where.end() && next->first == wanted) { vote.add(next->second - index); }
    }
    if (vote.winner(0) > 0) { strides.push_back(vote.winner(0)); }
  }
  std::sort(strides.begin(), strides.end());
  if (strides.empty() || strides[0] != 1) { return std::nullopt; }
  const auto count = static_cast<std::int64_t>(points.size());
  const std::int64_t row = strides.size() > 1 ? strides[1] : count;
  const std::int64_t plane = strides.size() > 2 ? strides[2] : (count + row - 1) / row * row;
  if (plane % row != 0) { return std::nullopt; }
  return std::array{plane, row};
}

}  // namespace

GridPoint Placement::at(std::int64_t index) const {
  const std::int64_t plane = index / strides[0];
  const std::int64_t inPlane = index - plane * strides[0];
  const std::int64_t row = inPlane / strides[1];
  const std::int64_t column = inPlane - row * strides[1];
  return offset + directions[0] * plane + directions[1] * row + directions[2] * column;
}

std::optional<Placement> fitPlacement(const std::vector<std::int64_t>& extents, const std::vector<KnownPoint>& points,
                                      const std::vector<std::int64_t>& inputExtents) {
  const GridShape declared(extents);
  const std::int64_t row = std::max<std::int64_t>(declared.columns(), 1);
  const std::int64_t plane = std::max<std::int64_t>(declared.rows(), 1) * row;
  if (const auto placement = fit(points, {plane, row})) { return placement; }

  const auto strides = findStrides(points, inputExtents);
  return strides ? fit(points, *strides) : std::nullopt;
}

}  // namespace haloscope::recording
