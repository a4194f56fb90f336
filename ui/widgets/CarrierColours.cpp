#include "ui/widgets/CarrierColours.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace haloscope::ui {
namespace {

using recording::Change;
using recording::Origin;
using recording::Recording;

/// The plane (z) of an output point being written.
struct OutputStep {
  std::size_t step = 0;
  std::int64_t plane = 0;
};

/// The last step that writes an output: by then every carrier of a rotation has been filled.
std::optional<OutputStep> lastOutputStep(const Recording& recording, const recording::Footprint& footprint) {
  for (std::size_t step = recording.steps.size(); step-- > 0;) {
    if (recording.activities[step] != recording::Activity::Output) { continue; }
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
std::optional<std::int64_t> planeHeld(const Recording& recording, const recording::Footprint& footprint,
                                      const recording::Carrier& carrier, std::size_t step) {
  const auto kind =
      carrier.kind == recording::Carrier::Kind::SharedArray ? Change::Kind::Shared : Change::Kind::Variable;
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

std::vector<ImU32> carrierColours(const Theme& theme, const experiment::Experiment& experiment) {
  const Palette& palette = theme.colours();
  std::vector<ImU32> colours(experiment.carriers.size(), palette.interior);
  if (experiment.recording == nullptr || colours.size() < 2) { return colours; }
  const Recording& recording = *experiment.recording;
  const std::optional<OutputStep> output = lastOutputStep(recording, experiment.footprint);
  if (!output) { return colours; }
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const auto plane = planeHeld(recording, experiment.footprint, experiment.carriers[i], output->step);
    if (!plane || *plane == output->plane) { continue; }
    colours[i] = *plane < output->plane ? palette.previous : palette.output;
  }
  return colours;
}

}  // namespace haloscope::ui
