#pragma once

#include <nlohmann/json_fwd.hpp>

#include "catalogue/KernelFile.h"
#include "experiment/Experiment.h"
#include "inputs/ChosenData.h"

namespace haloscope {

/// Values by name: numbers, and the precision's type by its name.
[[nodiscard]] nlohmann::ordered_json bindingsToJson(const KernelFile& file, const Bindings& bindings);

/// What was chosen for the arrays, as --data takes it: a list of texts; empty if nothing was.
[[nodiscard]] nlohmann::ordered_json dataToJson(const inputs::ChosenData& data);

/// The launch of its program whose data an experiment began with, "launch 1 of 3"; null if they were made up.
[[nodiscard]] nlohmann::ordered_json programDataToJson(const experiment::Experiment& experiment);

/// The size as the command line means it: the one value of all sizes, or each by its name where they differ.
[[nodiscard]] nlohmann::ordered_json sizeToJson(const KernelFile& file, const Bindings& bindings);

}  // namespace haloscope
