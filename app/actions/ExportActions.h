#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "state/AppState.h"

/// Exports of a panel, as the window's dialog and the command line ask for them.
namespace haloscope {

/// The most pictures of an animation.
inline constexpr std::size_t kMostPictures = 2000;

/// The most pixels of a picture: 256 MiB of them.
inline constexpr double kMostPixels = 64.0 * 1024 * 1024;

/// By the ending of the name: ".png". Throws InputError for another one.
[[nodiscard]] ExportFormat exportFormat(const std::filesystem::path& path);
/// ".png"
[[nodiscard]] std::string endingOf(ExportFormat format);

/// Whether a panel's numbers are the counts of the launch.
[[nodiscard]] bool showsCounts(Tab panel);
/// Why a panel has no table, and which have one.
[[nodiscard]] std::string noTableText(Tab panel);
/// The formats that a panel can be written as.
[[nodiscard]] std::vector<ExportFormat> formatsOf(Tab panel);

/// Throws InputError, with the remedy, for a plan that cannot be followed: a folder that is not there, a panel that has
/// no steps or no numbers, a picture that is too large.
void expectExportable(const ExportPlan& plan);

/// The positions of an animation, in order. Throws InputError for steps that the recording does not have, and for too
/// many.
[[nodiscard]] std::vector<std::size_t> exportPositions(const AppState& state, const ExportPlan& plan);

/// Whether there is a panel on screen.
[[nodiscard]] bool canExport(const AppState& state);
/// Opens the dialog, or closes it.
void toggleExport(AppState& state);

}  // namespace haloscope
