#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>
#include <string>

#include "state/AppState.h"

/// Every action the keyboard can ask for, in one table: the keys act by it and the help lists it.
namespace haloscope::ui {

enum class Action : std::uint8_t {
  PlayPause,
  StepForward,
  StepBack,
  NextInterval,
  PreviousInterval,
  NextPlane,
  PreviousPlane,
  ToStart,
  ToEnd,
  Faster,
  Slower,
  Variants,
  NextVariant,
  PreviousVariant,
  TileUp,
  TileDown,
  SizeUp,
  SizeDown,
  NextPrecision,
  NextBlockPlace,
  Compare,
  NextCompared,
  LineUp,
  Edit,
  Save,
  OpenFile,
  BugLab,
  LaunchTable,
  NextFinding,
  PreviousFinding,
  ToggleBarrier,
  RevealingOrder,
  AddressesTab,
  OriginsTab,
  PreviousOperand,
  NextOperand,
  GpuStepping,
  FieldTab,
  TuningTab,
  FiguresTab,
  NextFigure,
  PreviousFigure,
  SingleSweep,
  RunSweeps,
  Measure,
  SwitchTheme,
  LargerText,
  SmallerText,
  OrdinaryText,
  ResetLayout,
  Help,
  Close,
  Quit,
};

struct Shortcut {
  Action action;
  const char* group;  ///< heading of the help
  const char* text;   ///< what it does
  ImGuiKeyChord keys = 0, otherKeys = 0;
  /// A typed character instead of a key, for signs that sit on different keys of different keyboards; 0: none.
  char sign = 0, otherSign = 0;
  bool repeats = false;      ///< while held down
  bool whileTyping = false;  ///< acts in the editor too
};

/// In the order of the help, group by group.
[[nodiscard]] std::span<const Shortcut> shortcuts();
/// The keys as a person reads them: "Shift + →", "] or Alt + →".
[[nodiscard]] std::string keyText(const Shortcut& shortcut);
/// The keys of an action, for tooltips.
[[nodiscard]] std::string keyText(Action action);

void perform(AppState& state, Action action);

/// Performs what the keys pressed in this frame ask for, wherever the keyboard's focus is; but a text field keeps what
/// it can type, an open list its arrows, and a slider that is being changed by keys its arrows too. Once a frame,
/// before the panels are drawn.
void handleKeyboard(AppState& state);

}  // namespace haloscope::ui
