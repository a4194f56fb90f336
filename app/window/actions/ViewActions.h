#pragma once

#include "state/AppState.h"

/// What a key or a menu item does to the window itself.
namespace haloscope {

/// The smallest and the largest text, relative to what suits the display.
inline constexpr float kSmallestTextScale = 0.7F, kLargestTextScale = 2.0F;

void enlargeText(AppState& state);
void shrinkText(AppState& state);
void resetTextSize(AppState& state);

void toggleTheme(AppState& state);
/// English or Chinese.
void toggleLanguage(AppState& state);
void resetLayout(AppState& state);
void toggleHelp(AppState& state);
/// The help, at a term of the glossary.
/// Opens the help at a page of the manual.
void openManual(AppState& state, const std::string& page);
void openGlossary(AppState& state, const std::string& term);
void toggleLaunchTable(AppState& state);
void openFileDialog(AppState& state);
/// Whether save() saves the scenes: those were changed after the text on screen, or that needs no saving.
[[nodiscard]] bool savesScenes(const AppState& state);
void save(AppState& state);
void quit(AppState& state);

/// Opens the editor with the caret at the problem, at the current statement, or at the kernel; or closes it.
void toggleEditor(AppState& state);
/// Shows the source, with the field to search in it; in what is searched already, the next or the previous occurrence.
void searchSource(AppState& state);
void findNextInSource(AppState& state);
void findPreviousInSource(AppState& state);
/// Closes what lies on top: a dialog, the search, the editor, the comparison, a drawer, then help and messages.
void closeTopmost(AppState& state);

void toggleGpuStepping(AppState& state);
void readHardwareCounters(AppState& state);

}  // namespace haloscope
