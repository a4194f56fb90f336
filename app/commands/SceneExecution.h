#pragma once

#include <memory>

#include "experiment/Experiment.h"
#include "state/AppState.h"

namespace haloscope {

/// Executes what a scene shows, with the texts and launches that the state has of its kernels: an own file is launched
/// as its program does. The grid is not counted. Throws UserError.
[[nodiscard]] std::shared_ptr<const experiment::Experiment> executeScene(const AppState& state,
                                                                         const experiment::Choice& choice);

}  // namespace haloscope
