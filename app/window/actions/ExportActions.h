#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "state/AppState.h"

/// Exports of a panel, as the window's dialog and the command line ask for them.
namespace haloscope {

/// Whether a panel shows the block where the cursor is.
[[nodiscard]] bool followsCursor(Tab panel);

/// Whether a panel shows the chosen kernel as it was executed; others have a subject of their own, which they name.
[[nodiscard]] bool showsExperiment(Tab panel);

/// What a picture of a panel alone has to say: kernel and sizes (of variants side by side: of each); block and step;
/// where its numbers come from. A line each, in the language of the window. Empty for a panel that has another subject.
[[nodiscard]] std::vector<std::string> panelCaption(const AppState& state, Tab panel);

/// Where the window is as an address in what `haloscope site` writes, from that folder: "en/variants/…". Empty: the
/// site has no page of this text.
[[nodiscard]] std::string linkToPage(const AppState& state);

/// The most pictures of an animation.
inline constexpr std::size_t kMostPictures = 2000;

/// The most sweeps that an animation may begin or end with.
inline constexpr std::size_t kMostSweeps = 10'000'000;

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
/// What an animation of a panel goes through.
enum class Movement : std::uint8_t {
  None,    ///< it has no animation
  Steps,   ///< of the block's execution
  Common,  ///< steps of variants side by side: their common time
  Sweeps,  ///< of the field
};
[[nodiscard]] Movement movementOf(Tab panel);
/// The last step or sweep of an animation that there is; kMostSweeps where they do not end. 0: there is nothing yet.
[[nodiscard]] std::size_t lastOfMovement(const AppState& state, Tab panel);

/// All of it; of a field, 400 sweeps from where it is.
[[nodiscard]] ExportSteps wholeMovement(const AppState& state, Tab panel);

/// The formats that a panel can be written as.
[[nodiscard]] std::vector<ExportFormat> formatsOf(Tab panel);

/// Without what is chosen for other formats or panels.
[[nodiscard]] ExportPlan applicable(ExportPlan plan);

/// Throws InputError, with the remedy, for a plan that cannot be followed: a folder that is not there, a panel that has
/// no steps or no numbers, a picture that is too large.
void expectExportable(const ExportPlan& plan);

/// What a picture of an animation shows.
struct ExportMoment {
  std::size_t position = 0;      ///< a step or a sweep
  std::optional<float> share{};  ///< of the movement of that step; none: it is over
  bool operator==(const ExportMoment&) const = default;
};
/// The moments of an animation, in order. Throws InputError for steps that there are not, for too many pictures, and
/// for a field without a range.
[[nodiscard]] std::vector<ExportMoment> exportMoments(const AppState& state, const ExportPlan& plan);

/// Whether there is a panel on screen.
[[nodiscard]] bool canExport(const AppState& state);
/// Opens the dialog, or closes it.
void toggleExport(AppState& state);

}  // namespace haloscope
