#include "ui/widgets/CarrierColours.h"

#include "recording/CarrierPlanes.h"

namespace haloscope::ui {

std::vector<ImU32> carrierColours(const Theme& theme, const experiment::Experiment& experiment) {
  using recording::CarrierPlane;
  const Palette& palette = theme.colours();
  if (experiment.recording == nullptr) { return std::vector<ImU32>(experiment.carriers.size(), palette.interior); }
  std::vector<ImU32> colours;
  for (const CarrierPlane plane :
       recording::carrierPlanes(*experiment.recording, experiment.footprint, experiment.carriers)) {
    colours.push_back(plane == CarrierPlane::Previous ? palette.previous
                      : plane == CarrierPlane::Next   ? palette.output
                                                      : palette.interior);
  }
  return colours;
}

}  // namespace haloscope::ui
