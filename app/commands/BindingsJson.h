#pragma once

#include <nlohmann/json.hpp>

#include "program/KernelFile.h"

namespace haloscope {

/// Values by name: numbers, and the precision's type by its name.
[[nodiscard]] nlohmann::ordered_json bindingsToJson(const KernelFile& file, const Bindings& bindings);

}  // namespace haloscope
