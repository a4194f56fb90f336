#include "ui/widgets/CarrierColours.h"

namespace haloscope::ui {

std::vector<ImU32> carrierColours(const Theme& theme, const experiment::Experiment& experiment) {
  using recording::CarrierPlane;
  const Palette& palette = theme.colours();
  std::vector<ImU32> colours;
  for (const CarrierPlane plane : experiment.carrierPlanes) {
    colours.push_back(plane == CarrierPlane::Previous ? palette.previous
                      : plane == CarrierPlane::Next   ? palette.output
                                                      : palette.interior);
  }
  return colours;
}

}  // namespace haloscope::ui
