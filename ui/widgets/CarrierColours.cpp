#include "ui/widgets/CarrierColours.h"

namespace haloscope::ui {

std::vector<ImU32> carrierColours(const Theme& theme, const experiment::Experiment& experiment) {
  std::vector<ImU32> colours;
  for (const recording::CarrierPlane& plane : experiment.carrierPlanes) { colours.push_back(theme.of(plane.place)); }
  return colours;
}

}  // namespace haloscope::ui
