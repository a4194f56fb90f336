#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>
#include <string>

#include "state/AppState.h"

/// What keys do. Adding a shortcut is adding a row: to the table in Shortcuts.cpp, or to that of the panel it belongs
/// to (see Panel). The keyboard acts by the rows, help and menus list them, and a tooltip finds the keys by the
/// function.
namespace haloscope::ui {

/// Headings of the help, in its order.
enum class KeyGroup : std::uint8_t { Walk, Field, Compare, Text, Choose, Window, Lecture };
[[nodiscard]] const char* name(KeyGroup group);

using Act = void (*)(AppState& state);

struct Shortcut {
  Act act;
  KeyGroup group;
  const char* text;  ///< what it does: trMark("…")
  ImGuiKeyChord keys = 0, otherKeys = 0;
  /// A typed character instead of a key, for signs that are on different keys of different keyboards; 0: none.
  char sign = 0, otherSign = 0;
  bool withCtrl = false;                    ///< the signs are typed with Ctrl held down
  bool repeats = false;                     ///< while held down
  bool whileTyping = false;                 ///< acts in the editor too
  bool (*when)(const AppState&) = nullptr;  ///< leaves the keys to others otherwise; null: always acts
};

/// Those that belong to no panel.
[[nodiscard]] std::span<const Shortcut> generalShortcuts();

/// The keys in words: "Shift + →", "] or Alt + →".
[[nodiscard]] std::string keyText(const Shortcut& shortcut);
/// The keys of the general shortcut that calls `act`, for tooltips; empty where there is none.
[[nodiscard]] std::string keyText(Act act);
/// What the general shortcut that calls `act` does, for tooltips.
[[nodiscard]] const char* describe(Act act);

}  // namespace haloscope::ui
