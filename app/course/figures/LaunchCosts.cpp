#include "figures/LaunchCosts.h"

#include <algorithm>
#include <cmath>

#include "figures/AccessShape.h"

namespace haloscope::figures {

float opPerBytePlace(double value) {
  const double decades = std::log10(std::max(value, kLeastOpPerByte) / kLeastOpPerByte);
  return static_cast<float>(std::min(1.0, decades / std::log10(kMostOpPerByte / kLeastOpPerByte)));
}

std::optional<LaunchCosts> launchCosts(const experiment::Experiment& experiment) {
  if (experiment.program == nullptr || experiment.fault || experiment.outcome != simt::Outcome::Finished) {
    return std::nullopt;
  }
  const double inside = experiment.counts.interiorLoadsPerOutput;
  return LaunchCosts{.id = experiment.file.id,
                     .text = experiment.file.text,
                     .bindings = experiment.bindings,
                     .interior = experiment.counts.interiorBindings,
                     .halo = experiment.counts.haloFraction,
                     .loadsPerOutput = inside > 0 ? inside : accessShape(experiment).loadsPerOutput,
                     .opPerByte = experiment.opPerByte.interiorBlock,
                     .sharedBytes = experiment.counts.sharedBytesPerBlock};
}

}  // namespace haloscope::figures
