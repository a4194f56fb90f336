#pragma once

#include <nlohmann/json_fwd.hpp>

#include "catalogue/KernelFile.h"
#include "measuring/TuningMap.h"

namespace haloscope::tables {

/// A tuning map: its cells row by row, the best of them, the other sizes of the problem, the conditions.
[[nodiscard]] nlohmann::ordered_json tuningJson(const KernelFile& file, const measuring::TuningMap& map);

}  // namespace haloscope::tables
