#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "experiment/Experiment.h"
#include "opening/KernelReading.h"
#include "state/AppState.h"

namespace haloscope {

/// What the window executes for a choice, with the texts that the state has of its kernels: an own file is launched as
/// its program does, by default the first time that it launches this kernel. Throws UserError.
[[nodiscard]] opening::Request requestOfScene(const AppState& state, const experiment::Choice& choice,
                                              std::optional<std::size_t> launch = {});

/// Executes it. The grid is not counted. Throws UserError.
[[nodiscard]] std::shared_ptr<const experiment::Experiment> executeScene(const AppState& state,
                                                                         const experiment::Choice& choice,
                                                                         std::optional<std::size_t> launch = {});

}  // namespace haloscope
