#include "recording/CarrierPlanes.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "recording/GridShape.h"

namespace haloscope::recording {

namespace {

/// The plane (z) of an output point being written.
struct OutputStep {
  std::size_t step = 0;
  std::int64_t plane = 0;
};

/// The last step that writes an output: by then every carrier of a rotation has been filled.
std::optional<OutputStep> lastOutputStep(const Recording& recording, const Footprint& footprint) {
  for (std::size_t step = recording.steps.size(); step-- > 0;) {
    if (recording.activities[step] != Activity::Output) { continue; }
    for (const Change& change : recording.changesOf(step)) {
      if (change.kind != Change::Kind::Global || change.id != footprint.output) { continue; }
      const auto at = std::lower_bound(footprint.outputs.begin(), footprint.outputs.end(), change.index);
      if (at == footprint.outputs.end() || *at != change.index) { continue; }
      return OutputStep{step, footprint.outputPoints[static_cast<std::size_t>(at - footprint.outputs.begin())].at.z};
    }
  }
  return std::nullopt;
}

/// The plane whose values a carrier holds at a step: none if it holds several, or no copy of an input point.
std::optional<std::int64_t> planeHeld(const Recording& recording, const Footprint& footprint, const Carrier& carrier,
                                      std::size_t step) {
  const auto kind = carrier.kind == Carrier::Kind::SharedArray ? Change::Kind::Shared : Change::Kind::Variable;
  while (step-- > 0) {
    std::optional<std::int64_t> plane;
    for (const Change& change : recording.changesOf(step)) {
      if (change.kind != kind || change.id != carrier.id) { continue; }
      const Origin& origin = change.originAfter;
      if (origin.kind != Origin::Kind::Element || origin.object != footprint.input) { continue; }
      const std::int64_t z = footprint.point(origin.element).z;
      if (plane && *plane != z) { return std::nullopt; }
      plane = z;
    }
    if (plane) { return plane; }
  }
  return std::nullopt;
}

}  // namespace

std::vector<CarrierPlane> carrierPlanes(const Recording& recording, const Footprint& footprint,
                                        const std::vector<Carrier>& carriers) {
  std::vector<CarrierPlane> planes(carriers.size());
  const std::optional<OutputStep> output = lastOutputStep(recording, footprint);
  if (!output) { return planes; }
  std::set<int> rotating;
  const auto single = [&](std::size_t c) { return planes[c].ahead && GridShape(carriers[c].extents).planes() == 1; };
  for (std::size_t c = 0; c < planes.size(); ++c) {
    const auto plane = planeHeld(recording, footprint, carriers[c], output->step);
    if (plane) { planes[c].ahead = static_cast<int>(*plane - output->plane); }
    if (single(c)) { rotating.insert(*planes[c].ahead); }
  }
  for (std::size_t c = 0; c < planes.size() && rotating.size() > 1; ++c) {
    if (!single(c)) { continue; }
    planes[c].place = *planes[c].ahead < 0   ? RotationPlace::Previous
                      : *planes[c].ahead > 0 ? RotationPlace::Next
                                             : RotationPlace::Current;
  }
  return planes;
}

}  // namespace haloscope::recording
