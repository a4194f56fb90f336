#include "figures/ThreadOrganisation.h"

namespace haloscope::figures {

double ThreadOrganisation::idleComputing() const {
  return 1 - static_cast<double>(outputs) / static_cast<double>(inputs);
}

std::int64_t ThreadOrganisation::loadTurns() const { return (inputs + outputs - 1) / outputs; }

double ThreadOrganisation::idleLoading() const {
  return 1 - static_cast<double>(inputs) / static_cast<double>(loadTurns() * outputs);
}

ThreadOrganisation organisationOf(const std::vector<TileAxis>& tile) {
  ThreadOrganisation organisation;
  for (const TileAxis& axis : tile) {
    if (axis.threads == 1) { continue; }
    organisation.outputs *= axis.outputs;
    organisation.inputs *= axis.inputs();
  }
  return organisation;
}

double haloOfTile(const std::vector<TileAxis>& tile) {
  double outputs = 1;
  double inputs = 1;
  for (const TileAxis& axis : tile) {
    outputs *= static_cast<double>(axis.outputs);
    inputs *= static_cast<double>(axis.inputs());
  }
  return 1 - outputs / inputs;
}

}  // namespace haloscope::figures
