#include "figures/WarpLayout.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "analysis/RecordedRequest.h"
#include "language/Text.h"
#include "recording/GridShape.h"

namespace haloscope::figures {
namespace {

using recording::AccessGroup;
using recording::GridPoint;
using recording::GridShape;
using recording::Recording;

std::vector<std::int64_t> elementsOf(const analysis::RecordedRequest& request) {
  std::vector<std::int64_t> elements;
  for (const analysis::RecordedRequest::Lane& lane : request.lanes) { elements.push_back(lane.element); }
  std::ranges::sort(elements);
  elements.erase(std::ranges::unique(elements).begin(), elements.end());
  return elements;
}

/// The warp's first store to the output with most lanes; null if there is none.
const AccessGroup* storeOf(const Recording& recording, ObjectId output, std::uint32_t warp) {
  const AccessGroup* found = nullptr;
  for (const AccessGroup& access : recording.accesses) {
    if (!access.store || access.warp != warp || access.object != output) { continue; }
    if (!analysis::beginsRequest(recording, access)) { continue; }
    if (found == nullptr || std::popcount(access.lanes) > std::popcount(found->lanes)) { found = &access; }
  }
  return found;
}

}  // namespace

WarpLayout warpLayout(const experiment::Experiment& experiment, const StencilShape& shape, std::uint32_t warp) {
  WarpLayout layout;
  layout.warp = warp;
  layout.reason = shape.reason;
  if (!layout.reason.empty()) { return layout; }
  const Recording& recording = *experiment.recording;
  const recording::Footprint& footprint = experiment.footprint;
  const AccessGroup* store = storeOf(recording, footprint.output, warp);
  if (store == nullptr) {
    layout.reason = trf("Warp {} of this block writes no output; select a thread of another warp.", warp);
    return layout;
  }
  layout.extents = shape.extents;
  layout.elementBytes = sizeInMemory(experiment.program->objects[footprint.input].element);
  const GridShape output(footprint.outputExtents);
  for (const std::int64_t element : elementsOf(analysis::requestOf(recording, *store))) {
    layout.computed.push_back(output.point(element) + footprint.outputShift);
  }

  std::vector<std::vector<std::int64_t>> requests;
  std::vector<std::int64_t> sectors;
  for (const AccessGroup& access : recording.accesses) {
    if (access.store || access.warp != warp || access.object != footprint.input) { continue; }
    if (!analysis::beginsRequest(recording, access)) { continue; }
    const analysis::RecordedRequest request = analysis::requestOf(recording, access);
    ++layout.requests;
    layout.sectors += request.shape.sectors;
    layout.idealSectors += request.shape.idealSectors;
    requests.push_back(elementsOf(request));
    sectors.push_back(request.shape.sectors);
  }

  std::vector<GridPoint> all;
  for (const ShapePoint& point : shape.points) {
    WarpOperand operand;
    operand.point = point;
    std::vector<GridPoint> points;
    for (const GridPoint& at : layout.computed) { points.push_back(at + point.offset); }
    all.insert(all.end(), points.begin(), points.end());
    for (const IndexOrder order : kIndexOrders) {
      operand.needed[static_cast<std::size_t>(order)] =
          neededElements(GridLayout(layout.extents, layout.elementBytes, order), points);
    }
    const auto same = std::ranges::find(requests, operand.needed[0].elements);
    if (same != requests.end()) { operand.executed = sectors[static_cast<std::size_t>(same - requests.begin())]; }
    layout.operands.push_back(std::move(operand));
  }
  for (const IndexOrder order : kIndexOrders) {
    layout.together[static_cast<std::size_t>(order)] =
        neededElements(GridLayout(layout.extents, layout.elementBytes, order), all);
  }
  return layout;
}

}  // namespace haloscope::figures
