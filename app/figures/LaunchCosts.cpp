#include "figures/LaunchCosts.h"

#include "figures/AccessShape.h"

namespace haloscope::figures {

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
