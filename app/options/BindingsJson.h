#pragma once

#include <nlohmann/json_fwd.hpp>

#include "program/KernelFile.h"

namespace haloscope {

/// Values by name: numbers, and the precision's type by its name.
[[nodiscard]] nlohmann::ordered_json bindingsToJson(const KernelFile& file, const Bindings& bindings);

/// The size as the command line means it: the one value of all sizes, or each by its name where they differ.
[[nodiscard]] nlohmann::ordered_json sizeToJson(const KernelFile& file, const Bindings& bindings);

}  // namespace haloscope
