#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiment/Experiment.h"
#include "inputs/ChosenData.h"

namespace haloscope::tables {

/// What a launch does, counted on the emulator: operations, bytes, requests of each statement, operations per byte,
/// predicted times. `id`: as the user named the kernel. Of an experiment that counted its grid.
[[nodiscard]] nlohmann::ordered_json countJson(const std::string& id, const experiment::Experiment& experiment,
                                               const inputs::ChosenData& data);

}  // namespace haloscope::tables
