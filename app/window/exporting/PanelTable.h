#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "state/AppState.h"

namespace haloscope::exporting {

/// The numbers of a panel: the tuning map, the timings, or what the launch does as counted on the emulator. Throws
/// InputError where there are none yet, and for a panel without.
[[nodiscard]] nlohmann::ordered_json panelJson(const AppState& state, Tab panel);

/// The same as comma-separated values with a heading (RFC 4180): a row for each cell or variant, else one for each
/// quantity. What is nested has a name with dots: "time.median_ms". What is not known is empty.
[[nodiscard]] std::string panelCsv(const nlohmann::ordered_json& document);

/// Makes the text of the file that a plan asks for, on any thread: it has of the state what it needs. Throws as
/// panelJson() does, at once.
[[nodiscard]] std::function<std::string()> panelTable(const AppState& state, const ExportPlan& plan);

}  // namespace haloscope::exporting
