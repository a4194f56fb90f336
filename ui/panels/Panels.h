#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// Every panel of the window: one file each, one function each. A panel reads the state and writes wishes into it
/// (choice, cursor, playback, selection, view); it computes nothing about kernels.
/// All are drawn between ImGui::Begin and End of their own dockable window, whose title is the name given here.
namespace haloscope::render {
class SceneRenderers;
}
namespace haloscope::ui {

class SourceEditor;

inline constexpr const char* kSourceTitle = "Source";
inline constexpr const char* kSceneTitle = "Block";
inline constexpr const char* kFieldTitle = "Field";
inline constexpr const char* kMemoryTitle = "Memory";
inline constexpr const char* kAddressesTitle = "Addresses";
inline constexpr const char* kOriginsTitle = "Where from?";
inline constexpr const char* kTimelineTitle = "Timeline";
inline constexpr const char* kOpPerByteTitle = "OP/B";
inline constexpr const char* kRooflineTitle = "Roofline";
inline constexpr const char* kBugLabTitle = "Bug lab";
inline constexpr const char* kTimingsTitle = "Timings";
inline constexpr const char* kTuningTitle = "Tuning";
inline constexpr const char* kFiguresTitle = "Figures";
inline constexpr const char* kFindingsTitle = "Findings";

void drawToolbar(AppState& state, const Theme& theme);  ///< variant, tunables, sizes, block; across the top
void drawStatusBar(AppState& state,
                   const Theme& theme);  ///< GPU, OpenGL renderer, field path, faults; across the bottom
void drawSource(AppState& state, const Theme& theme, SourceEditor& editor);
void drawScene(AppState& state, const Theme& theme, render::SceneRenderers& renderers);
/// Variants side by side, in the scene's place.
void drawComparison(AppState& state, const Theme& theme, render::SceneRenderers& renderers);
void drawField(AppState& state, const Theme& theme);
void drawMemory(AppState& state, const Theme& theme);
void drawAddresses(AppState& state, const Theme& theme);
void drawOrigins(AppState& state, const Theme& theme);
void drawTimeline(AppState& state, const Theme& theme);
void drawOpPerByte(AppState& state, const Theme& theme);
void drawRoofline(AppState& state, const Theme& theme);
void drawTimings(AppState& state, const Theme& theme);
void drawTuning(AppState& state, const Theme& theme);   ///< a map over tile and block sizes, and a sweep over N
void drawFigures(AppState& state, const Theme& theme);  ///< the book's figures, each of the chosen kernel
void drawFindings(AppState& state, const Theme& theme);
void drawLaunch(AppState& state, const Theme& theme);
void drawBugLab(AppState& state, const Theme& theme);  ///< a task to be solved, and what is still wrong
void drawHelp(AppState& state, const Theme& theme);

}  // namespace haloscope::ui
