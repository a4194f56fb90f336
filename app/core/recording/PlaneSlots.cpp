#include "recording/PlaneSlots.h"

#include <algorithm>

#include "recording/GridShape.h"
#include "recording/Placement.h"

namespace haloscope::recording {

namespace {

constexpr std::int64_t kMostSlots = 64;  ///< more could not be told apart in a picture

}  // namespace

PlaneSlots::PlaneSlots(const Carrier& carrier, std::optional<std::int64_t> stride) {
  if (carrier.kind != Carrier::Kind::SharedArray) { return; }
  const GridShape shape(carrier.extents);
  std::int64_t size = shape.rows() * shape.columns(), count = shape.planes();
  if (count == 1 && shape.rows() == 1 && stride) {
    count = (size + *stride - 1) / *stride;
    size = *stride;
  }
  if (count <= 1 || count > kMostSlots) { return; }
  size_ = std::max<std::int64_t>(size, 1);
  count_ = static_cast<std::size_t>(count);
}

std::size_t PlaneSlots::of(std::int64_t element) const {
  return count_ == 1 ? 0 : std::min(static_cast<std::size_t>(std::max<std::int64_t>(element, 0) / size_), count_ - 1);
}

std::optional<std::int64_t> planeStride(const Footprint& footprint, const Carrier& carrier,
                                        const std::vector<Cell>& cells) {
  if (carrier.kind != Carrier::Kind::SharedArray || carrier.extents.size() != 1 || footprint.inputExtents.size() < 3) {
    return std::nullopt;
  }
  std::vector<KnownPoint> points(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Origin& origin = cells[i].origin;
    const bool copy = origin.kind == Origin::Kind::Element && origin.object == footprint.input;
    if (copy) { points[i] = {true, footprint.point(origin.element)}; }
  }
  const auto placement = fitPlacement(carrier.extents, points, footprint.inputExtents);
  if (!placement || placement->directions[0].z == 0 || placement->strides[0] >= carrier.extents[0]) {
    return std::nullopt;
  }
  return placement->strides[0];
}

}  // namespace haloscope::recording
