#include <algorithm>
#include <bit>
#include <cstddef>
#include <tuple>
#include <vector>

#include "recording/BlockView.h"
#include "recording/GridShape.h"

namespace haloscope::recording {

namespace {

/// One lane's access to an element of a global array.
struct Touch {
  std::int64_t element;
  std::uint32_t step;
  std::uint32_t thread;
  std::uint64_t bits;
  std::uint32_t rank = kNone;  ///< see PointView
};

/// Calls `visit(step, group, lane, n)` for every lane access to global memory; n indexes elements and values.
template <typename Visit>
void eachGlobalAccess(const Recording& recording, const Visit& visit) {
  for (std::uint32_t step = 0; step < recording.steps.size(); ++step) {
    for (const AccessGroup& group : recording.accessesOf(step)) {
      if (group.space != MemorySpace::Global) { continue; }
      std::size_t n = group.first;
      for (LaneMask lanes = group.lanes; lanes != 0; lanes &= lanes - 1, ++n) {
        visit(step, group, static_cast<std::uint32_t>(std::countr_zero(lanes)), n);
      }
    }
  }
}

/// The distinct elements of `object` that the block loads (or stores), sorted, each with its first access.
std::vector<Touch> touches(const Recording& recording, ObjectId object, bool store) {
  std::vector<Touch> all;
  eachGlobalAccess(recording, [&](std::uint32_t step, const AccessGroup& group, std::uint32_t lane, std::size_t n) {
    if (group.object != object || group.store != store) { return; }
    all.push_back({recording.elements[n], step, group.warp * kWarpSize + lane, recording.values[n]});
  });
  for (const ClusterAccess& access : recording.clusterAccesses) {
    const bool copy = access.origin.kind == Origin::Kind::Element && access.origin.object == object;
    if (store || !copy || recording.program->code[access.instruction].op != Opcode::Load) { continue; }
    all.push_back({access.origin.element, access.step, access.thread, access.bits, access.rank});
  }
  std::sort(all.begin(), all.end(), [](const Touch& a, const Touch& b) {
    return std::tuple(a.element, a.step, a.thread, a.rank) < std::tuple(b.element, b.step, b.thread, b.rank);
  });
  const auto same = [](const Touch& a, const Touch& b) { return a.element == b.element; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

struct Box {
  GridPoint lowest, highest;
  bool empty = true;

  void add(const GridPoint& at) {
    if (empty) {
      lowest = highest = at;
      empty = false;
      return;
    }
    lowest = {std::min(lowest.z, at.z), std::min(lowest.y, at.y), std::min(lowest.x, at.x)};
    highest = {std::max(highest.z, at.z), std::max(highest.y, at.y), std::max(highest.x, at.x)};
  }
};

/// Output and input of unlike shapes: each output is taken to be computed from the loads evenly around it.
GridPoint centre(const Box& outer, const Box& inner) {
  if (outer.empty || inner.empty) { return {}; }
  const auto shift = [](std::int64_t low, std::int64_t high, std::int64_t innerLow, std::int64_t innerHigh) {
    return (low + high - innerLow - innerHigh) / 2;
  };
  return {shift(outer.lowest.z, outer.highest.z, inner.lowest.z, inner.highest.z),
          shift(outer.lowest.y, outer.highest.y, inner.lowest.y, inner.highest.y),
          shift(outer.lowest.x, outer.highest.x, inner.lowest.x, inner.highest.x)};
}

}  // namespace

bool Footprint::computes(std::int64_t element) const {
  if (inputExtents == outputExtents) { return std::binary_search(outputs.begin(), outputs.end(), element); }
  const std::int64_t written = GridShape(outputExtents).element(point(element) - outputShift);
  return written >= 0 && std::binary_search(outputs.begin(), outputs.end(), written);
}

bool Footprint::reads(std::int64_t element) const { return std::binary_search(loads.begin(), loads.end(), element); }

GridPoint Footprint::point(std::int64_t element) const { return GridShape(inputExtents).point(element); }

std::int64_t Footprint::element(const GridPoint& at) const { return GridShape(inputExtents).element(at); }

double Footprint::haloFraction() const {
  std::size_t all = 0, halo = 0;
  for (const PointView& point : loadPoints) {
    if (point.rank != kNone) { continue; }
    ++all;
    halo += point.role == Role::Halo ? 1U : 0U;
  }
  return all == 0 ? 0 : static_cast<double>(halo) / static_cast<double>(all);
}

Footprint findFootprint(const Recording& recording) {
  const GlobalArrays arrays = findGlobalArrays(recording);
  Footprint footprint;
  footprint.input = arrays.input;
  footprint.output = arrays.output;
  if (footprint.output != kNone) { footprint.outputExtents = recording.extents[footprint.output]; }
  // A block that reads nothing (all of it outside the grid) still has a place: that of its output.
  footprint.inputExtents = footprint.input != kNone ? recording.extents[footprint.input] : footprint.outputExtents;

  Box loadBox;
  if (footprint.input != kNone) {
    for (const Touch& touch : touches(recording, footprint.input, false)) {
      footprint.loads.push_back(touch.element);
      footprint.loadPoints.push_back({footprint.point(touch.element), touch.element, Role::Halo, false, touch.bits,
                                      touch.thread, touch.step, touch.rank});
      loadBox.add(footprint.loadPoints.back().at);
    }
  }
  Box outputBox;
  if (footprint.output != kNone) {
    const GridShape shape(footprint.outputExtents);
    for (const Touch& touch : touches(recording, footprint.output, true)) {
      footprint.outputs.push_back(touch.element);
      footprint.outputPoints.push_back({shape.point(touch.element), touch.element, Role::Pending});
      outputBox.add(footprint.outputPoints.back().at);
    }
  }

  if (footprint.inputExtents != footprint.outputExtents) {
    footprint.outputShift = centre(loadBox, outputBox);
    for (PointView& point : footprint.outputPoints) { point.at = point.at + footprint.outputShift; }
  }
  for (PointView& point : footprint.loadPoints) {
    if (footprint.computes(point.element)) { point.role = Role::Interior; }
  }
  if (!outputBox.empty) {
    loadBox.add(outputBox.lowest + footprint.outputShift);
    loadBox.add(outputBox.highest + footprint.outputShift);
  }
  footprint.lowest = loadBox.lowest;
  footprint.highest = loadBox.highest;
  return footprint;
}

}  // namespace haloscope::recording
