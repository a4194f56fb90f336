#pragma once

#include <filesystem>
#include <string>

#include "state/AppState.h"

/// Exports of a panel, as the window's dialog and the command line ask for them.
namespace haloscope {

/// By the ending of the name: ".png". Throws InputError for another one.
[[nodiscard]] ExportFormat exportFormat(const std::filesystem::path& path);

/// Throws InputError, with the remedy, for a plan that cannot be followed: a folder that is not there, a panel that has
/// no steps or no numbers.
void expectExportable(const AppState& state, const ExportPlan& plan);

}  // namespace haloscope
