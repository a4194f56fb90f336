#include "ui/widgets/Shortcuts.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "actions/Barriers.h"
#include "actions/CameraActions.h"
#include "actions/Choices.h"
#include "actions/Comparing.h"
#include "actions/ExportActions.h"
#include "actions/Findings.h"
#include "actions/PresentingActions.h"
#include "actions/SessionActions.h"
#include "actions/StartPageActions.h"
#include "actions/ViewActions.h"
#include "actions/Walking.h"
#include "language/Text.h"
#include "state/ChoiceHistory.h"
#include "state/Session.h"
#include "state/StartPage.h"

namespace haloscope::ui {

namespace {

constexpr ImGuiKeyChord kCtrl = ImGuiMod_Ctrl, kAlt = ImGuiMod_Alt, kShift = ImGuiMod_Shift;

bool presenting(const AppState& state) { return state.presenting.on; }
/// The list of scenes has the focus.
bool scenesFocused(const AppState& state) {
  const ImGuiWindow* window = ImGui::GetCurrentContext()->NavWindow;
  return state.session.listed && window != nullptr && window->RootWindow == ImGui::FindWindowByName("###Scenes");
}
bool choicesFocused(const AppState& state) { return !scenesFocused(state); }
bool pagesArePlanes(const AppState& state) { return !clickerShowsScenes(state); }
void showNextScene(AppState& state) { goToNextScene(state); }
void showPreviousScene(AppState& state) { goToPreviousScene(state); }

template <Workspace workspace>
void enterWorkspace(AppState& state) {
  leaveStartPage(state);
  state.view.tabs.enter(workspace);
}

// clang-format off: a table is read by its columns.
constexpr std::array kShortcuts = {
    Shortcut{.act = playOrPause, .group = KeyGroup::Walk, .text = trMark("play or pause"), .keys = ImGuiKey_Space},
    Shortcut{.act = stepForward, .group = KeyGroup::Walk, .text = trMark("next step"), .keys = ImGuiKey_RightArrow, .repeats = true},
    Shortcut{.act = stepBack, .group = KeyGroup::Walk, .text = trMark("previous step"), .keys = ImGuiKey_LeftArrow, .repeats = true},
    Shortcut{.act = goToNextInterval, .group = KeyGroup::Walk, .text = trMark("next barrier interval"), .keys = kShift | ImGuiKey_RightArrow, .repeats = true},
    Shortcut{.act = goToPreviousInterval, .group = KeyGroup::Walk, .text = trMark("previous barrier interval"), .keys = kShift | ImGuiKey_LeftArrow, .repeats = true},
    Shortcut{.act = goToNextPlane, .group = KeyGroup::Walk, .text = trMark("next plane"), .keys = ImGuiKey_PageDown, .repeats = true, .when = pagesArePlanes},
    Shortcut{.act = goToPreviousPlane, .group = KeyGroup::Walk, .text = trMark("previous plane"), .keys = ImGuiKey_PageUp, .repeats = true, .when = pagesArePlanes},
    Shortcut{.act = goToStart, .group = KeyGroup::Walk, .text = trMark("before the first step"), .keys = ImGuiKey_Home},
    Shortcut{.act = goToEnd, .group = KeyGroup::Walk, .text = trMark("after the last step"), .keys = ImGuiKey_End},
    Shortcut{.act = playFaster, .group = KeyGroup::Walk, .text = trMark("play faster"), .sign = '+', .otherSign = '=', .repeats = true},
    Shortcut{.act = playSlower, .group = KeyGroup::Walk, .text = trMark("play slower"), .sign = '-', .repeats = true},
    Shortcut{.act = fitStage, .group = KeyGroup::Walk, .text = trMark("camera: the whole block"), .keys = ImGuiKey_F},
    Shortcut{.act = goCloser, .group = KeyGroup::Walk, .text = trMark("camera: closer (grid, block, one thread)"), .sign = '.', .when = stageInFront},
    Shortcut{.act = goFurther, .group = KeyGroup::Walk, .text = trMark("camera: further (one thread, block, grid)"), .sign = ',', .when = stageInFront},
    Shortcut{.act = toggleGpuStepping, .group = KeyGroup::Walk, .text = trMark("step on the GPU or on the emulator"), .keys = ImGuiKey_N},

    Shortcut{.act = [](AppState& state) { state.fieldControls.singleSweep = true; }, .group = KeyGroup::Field, .text = trMark("one sweep"), .keys = ImGuiKey_S},
    Shortcut{.act = [](AppState& state) { state.fieldControls.run = !state.fieldControls.run; }, .group = KeyGroup::Field, .text = trMark("run or pause sweeps"), .keys = ImGuiKey_R},
    Shortcut{.act = readHardwareCounters, .group = KeyGroup::Field, .text = trMark("read the GPU's hardware counters"), .keys = ImGuiKey_H},

    Shortcut{.act = toggleComparison, .group = KeyGroup::Compare, .text = trMark("start or leave the comparison"), .keys = ImGuiKey_C},
    Shortcut{.act = focusNextVariant, .group = KeyGroup::Compare, .text = trMark("focus the next variant"), .keys = ImGuiKey_V},
    Shortcut{.act = toggleLineUp, .group = KeyGroup::Compare, .text = trMark("align by interval or by cell"), .keys = ImGuiKey_I},

    Shortcut{.act = toggleEditor, .group = KeyGroup::Text, .text = trMark("edit the source"), .keys = ImGuiKey_E},
    Shortcut{.act = searchSource, .group = KeyGroup::Text, .text = trMark("search in the source"), .keys = kCtrl | ImGuiKey_F},
    Shortcut{.act = findNextInSource, .group = KeyGroup::Text, .text = trMark("next match in the source"), .keys = kCtrl | ImGuiKey_G, .repeats = true},
    Shortcut{.act = findPreviousInSource, .group = KeyGroup::Text, .text = trMark("previous match in the source"), .keys = kCtrl | kShift | ImGuiKey_G, .repeats = true},
    Shortcut{.act = save, .group = KeyGroup::Text, .text = trMark("save the source or the scenes: what was changed last"), .keys = kCtrl | ImGuiKey_S, .whileTyping = true, .when = choicesFocused},
    Shortcut{.act = toggleExport, .group = KeyGroup::Text, .text = trMark("export a panel: picture, animation, table"), .keys = kCtrl | kShift | ImGuiKey_S, .whileTyping = true, .when = canExport},
    Shortcut{.act = openFileDialog, .group = KeyGroup::Text, .text = trMark("open a .cu file or a session"), .keys = kCtrl | ImGuiKey_O, .whileTyping = true},
    Shortcut{.act = toggleLaunchTable, .group = KeyGroup::Text, .text = trMark("how the opened file is launched"), .keys = ImGuiKey_G},
    Shortcut{.act = chooseNextFinding, .group = KeyGroup::Text, .text = trMark("next finding"), .keys = ImGuiKey_F8, .whileTyping = true},
    Shortcut{.act = choosePreviousFinding, .group = KeyGroup::Text, .text = trMark("previous finding"), .keys = kShift | ImGuiKey_F8, .whileTyping = true},
    Shortcut{.act = toggleBarrierAtCursor, .group = KeyGroup::Text, .text = trMark("remove or restore the barrier"), .keys = ImGuiKey_X},
    Shortcut{.act = chooseRevealingOrder, .group = KeyGroup::Text, .text = trMark("a warp order that shows the race"), .keys = ImGuiKey_O},

    Shortcut{.act = [](AppState& state) { state.view.openVariants = true; }, .group = KeyGroup::Choose, .text = trMark("list and search the variants"), .keys = kCtrl | ImGuiKey_K, .sign = '/'},
    Shortcut{.act = chooseNextVariant, .group = KeyGroup::Choose, .text = trMark("next variant"), .keys = kAlt | ImGuiKey_RightArrow, .sign = ']'},
    Shortcut{.act = choosePreviousVariant, .group = KeyGroup::Choose, .text = trMark("previous variant"), .keys = kAlt | ImGuiKey_LeftArrow, .sign = '['},
    Shortcut{.act = enlargeTile, .group = KeyGroup::Choose, .text = trMark("larger tile (first tunable)"), .keys = kCtrl | ImGuiKey_UpArrow, .repeats = true},
    Shortcut{.act = shrinkTile, .group = KeyGroup::Choose, .text = trMark("smaller tile"), .keys = kCtrl | ImGuiKey_DownArrow, .repeats = true},
    Shortcut{.act = enlargeGrid, .group = KeyGroup::Choose, .text = trMark("larger grid"), .keys = kCtrl | kShift | ImGuiKey_UpArrow, .repeats = true},
    Shortcut{.act = shrinkGrid, .group = KeyGroup::Choose, .text = trMark("smaller grid"), .keys = kCtrl | kShift | ImGuiKey_DownArrow, .repeats = true},
    Shortcut{.act = chooseNextPrecision, .group = KeyGroup::Choose, .text = trMark("type: float, double, half"), .keys = ImGuiKey_D},
    Shortcut{.act = undoChoice, .group = KeyGroup::Choose, .text = trMark("undo a choice"), .keys = kCtrl | ImGuiKey_Z, .repeats = true, .when = choicesFocused},
    Shortcut{.act = redoChoice, .group = KeyGroup::Choose, .text = trMark("redo a choice"), .keys = kCtrl | ImGuiKey_Y, .otherKeys = kCtrl | kShift | ImGuiKey_Z, .repeats = true, .when = choicesFocused},
    Shortcut{.act = chooseNextBlockPlace, .group = KeyGroup::Choose, .text = trMark("block: interior, face, edge, corner"), .keys = ImGuiKey_B},

    Shortcut{.act = showStartPage, .group = KeyGroup::Window, .text = trMark("the start page"), .sign = '0'},
    Shortcut{.act = enterWorkspace<Workspace::Learn>, .group = KeyGroup::Window, .text = trMark("learn: lesson by lesson"), .sign = '1'},
    Shortcut{.act = enterWorkspace<Workspace::Walk>, .group = KeyGroup::Window, .text = trMark("walk: step by step"), .sign = '2'},
    Shortcut{.act = enterWorkspace<Workspace::Tune>, .group = KeyGroup::Window, .text = trMark("tune: tiles, OP/B, roofline"), .sign = '3'},
    Shortcut{.act = enterWorkspace<Workspace::Figures>, .group = KeyGroup::Window, .text = trMark("figures of the book"), .sign = '4'},
    Shortcut{.act = enterWorkspace<Workspace::Program>, .group = KeyGroup::Window, .text = trMark("program of an opened file"), .sign = '5'},
    Shortcut{.act = enterWorkspace<Workspace::Compare>, .group = KeyGroup::Window, .text = trMark("compare variants, the climb"), .sign = '6'},
    Shortcut{.act = enterWorkspace<Workspace::Play>, .group = KeyGroup::Window, .text = trMark("play: problems, solved live"), .sign = '7'},
    Shortcut{.act = toggleTheme, .group = KeyGroup::Window, .text = trMark("dark or light theme"), .keys = ImGuiKey_T},
    // The typed sign: on most keyboards the plus is not where it is on an American one.
    Shortcut{.act = enlargeText, .group = KeyGroup::Window, .text = trMark("larger text"), .keys = kCtrl | ImGuiKey_Equal, .sign = '+', .withCtrl = true, .repeats = true},
    Shortcut{.act = shrinkText, .group = KeyGroup::Window, .text = trMark("smaller text"), .sign = '-', .withCtrl = true, .repeats = true},
    Shortcut{.act = resetTextSize, .group = KeyGroup::Window, .text = trMark("default text size"), .keys = kCtrl | ImGuiKey_0, .otherKeys = kCtrl | ImGuiKey_Keypad0},
    Shortcut{.act = toggleLanguage, .group = KeyGroup::Window, .text = trMark("English or Chinese"), .keys = ImGuiKey_Y},
    Shortcut{.act = resetLayout, .group = KeyGroup::Window, .text = trMark("reset the layout"), .keys = kShift | ImGuiKey_L},
    Shortcut{.act = toggleHelp, .group = KeyGroup::Window, .text = trMark("this help"), .keys = ImGuiKey_F1, .sign = '?'},
    Shortcut{.act = closeTopmost, .group = KeyGroup::Window, .text = trMark("close dialog, search, editor, comparison or message"), .keys = ImGuiKey_Escape, .whileTyping = true},
    Shortcut{.act = recordScene, .group = KeyGroup::Lecture, .text = trMark("record what the window shows as a scene"), .keys = ImGuiKey_F9, .whileTyping = true},
    Shortcut{.act = toggleScenes, .group = KeyGroup::Lecture, .text = trMark("list of scenes"), .keys = ImGuiKey_F10, .whileTyping = true},
    Shortcut{.act = goToNextScene, .group = KeyGroup::Lecture, .text = trMark("next scene"), .keys = kCtrl | ImGuiKey_PageDown, .whileTyping = true},
    Shortcut{.act = goToPreviousScene, .group = KeyGroup::Lecture, .text = trMark("previous scene"), .keys = kCtrl | ImGuiKey_PageUp, .whileTyping = true},
    Shortcut{.act = togglePresenting, .group = KeyGroup::Lecture, .text = trMark("present: a panel fills the screen"), .keys = ImGuiKey_F11, .otherKeys = ImGuiKey_F5, .whileTyping = true},
    Shortcut{.act = showNextScene, .group = KeyGroup::Lecture, .text = trMark("presenting: next scene (clicker)"), .keys = ImGuiKey_PageDown, .when = clickerShowsScenes},
    Shortcut{.act = showPreviousScene, .group = KeyGroup::Lecture, .text = trMark("presenting: previous scene"), .keys = ImGuiKey_PageUp, .when = clickerShowsScenes},
    Shortcut{.act = toggleSpotlight, .group = KeyGroup::Lecture, .text = trMark("presenting: spotlight at the pointer"), .keys = ImGuiKey_F7, .when = presenting},
    Shortcut{.act = toggleMarking, .group = KeyGroup::Lecture, .text = trMark("presenting: draw, until the next step"), .keys = ImGuiKey_Z, .when = presenting},
    Shortcut{.act = toggleFrozen, .group = KeyGroup::Lecture, .text = trMark("presenting: freeze the picture"), .keys = ImGuiKey_F6, .when = presenting},
    Shortcut{.act = toggleNotes, .group = KeyGroup::Lecture, .text = trMark("presenting: your notes"), .keys = ImGuiKey_F12, .when = presenting},
    Shortcut{.act = toggleNotesWindow, .group = KeyGroup::Lecture, .text = trMark("presenting: your notes in a window"), .keys = kShift | ImGuiKey_F12, .when = presenting},
    Shortcut{.act = saveSession, .group = KeyGroup::Lecture, .text = trMark("in the list of scenes: save them"), .keys = kCtrl | ImGuiKey_S, .whileTyping = true, .when = scenesFocused},
    Shortcut{.act = undoSceneChange, .group = KeyGroup::Lecture, .text = trMark("in the list of scenes: undo a change"), .keys = kCtrl | ImGuiKey_Z, .when = scenesFocused},
    Shortcut{.act = redoSceneChange, .group = KeyGroup::Lecture, .text = trMark("in the list of scenes: redo it"), .keys = kCtrl | ImGuiKey_Y, .when = scenesFocused},
    Shortcut{.act = quit, .group = KeyGroup::Window, .text = trMark("quit"), .keys = kCtrl | ImGuiKey_Q, .whileTyping = true},
};
// clang-format on

std::string_view keyName(ImGuiKey key) {
  switch (key) {
    case ImGuiKey_LeftArrow:
      return "←";
    case ImGuiKey_RightArrow:
      return "→";
    case ImGuiKey_UpArrow:
      return "↑";
    case ImGuiKey_DownArrow:
      return "↓";
    case ImGuiKey_PageUp:
      return tr("Page up");
    case ImGuiKey_PageDown:
      return tr("Page down");
    case ImGuiKey_Escape:
      return "Esc";
    default:
      return ImGui::GetKeyName(key);
  }
}

std::string chordText(ImGuiKeyChord chord) {
  std::string text;
  if ((chord & ImGuiMod_Ctrl) != 0) { text += "Ctrl + "; }
  if ((chord & ImGuiMod_Alt) != 0) { text += "Alt + "; }
  if ((chord & ImGuiMod_Shift) != 0) { text += "Shift + "; }
  return text.append(keyName(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_)));
}

}  // namespace

const char* name(KeyGroup group) {
  constexpr std::array kNames = {trMark("Walk through the block"),
                                 trMark("Field, map and figures"),
                                 trMark("Variants side by side"),
                                 trMark("Text"),
                                 trMark("Choose"),
                                 trMark("Window"),
                                 trMark("Lecture")};
  return tr(kNames.at(static_cast<std::size_t>(group)));
}

std::span<const Shortcut> generalShortcuts() { return kShortcuts; }

std::string keyText(const Shortcut& shortcut) {
  std::string text;
  if (shortcut.sign != 0) {
    text = shortcut.withCtrl ? "Ctrl + " : "";
    text += shortcut.sign == '-' ? "−" : std::string(1, shortcut.sign);
  }
  // With Ctrl a sign and its key are the same to the reader.
  if (shortcut.keys != 0 && !shortcut.withCtrl) { text += (text.empty() ? "" : tr(" or ")) + chordText(shortcut.keys); }
  return text;
}

std::string keyText(Act act) {
  const auto* const shortcut = std::ranges::find(kShortcuts, act, &Shortcut::act);
  return shortcut != kShortcuts.end() ? keyText(*shortcut) : std::string();
}

const char* describe(Act act) {
  const auto* const shortcut = std::ranges::find(kShortcuts, act, &Shortcut::act);
  return shortcut != kShortcuts.end() ? tr(shortcut->text) : "";
}

}  // namespace haloscope::ui
