#include "ui/window/Keyboard.h"

#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "language/Text.h"
#include "ui/scene/KeyHints.h"
#include "ui/window/PanelList.h"

namespace haloscope::ui {

namespace {

bool typed(char sign, bool withCtrl) {
  const ImGuiIO& io = ImGui::GetIO();
  if (sign == 0 || io.WantTextInput || io.KeyCtrl != withCtrl || io.KeyAlt) { return false; }
  return std::ranges::any_of(io.InputQueueCharacters, [&](ImWchar c) { return c == static_cast<ImWchar>(sign); });
}

/// `taken`: signs that another shortcut has acted on.
bool pressed(const Shortcut& shortcut, std::string_view taken) {
  // A global route, announced in every frame, also takes the keys from ImGui's own navigation, which would otherwise
  // move its focus with the arrows. An item that owns the keys, such as a text field, still comes first.
  const ImGuiID owner = ImHashStr("haloscope keyboard");
  const ImGuiInputFlags flags =
      ImGuiInputFlags_RouteGlobal | (shortcut.repeats ? ImGuiInputFlags_Repeat : ImGuiInputFlags_None);
  const auto written = [&](char sign) {
    return taken.find(sign) == std::string_view::npos && typed(sign, shortcut.withCtrl);
  };
  bool asked = written(shortcut.sign) || written(shortcut.otherSign);
  for (const ImGuiKeyChord keys : {shortcut.keys, shortcut.otherKeys}) {
    asked |= keys != 0 && ImGui::Shortcut(keys, flags, owner);
  }
  return asked;
}

// Arrows and space belong to whatever is being used by keys: an open list, a slider entered with Enter.
bool keysBelongToWidget() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool changingByKeys = g.ActiveId != 0 && g.ActiveIdSource == ImGuiInputSource_Keyboard;
  return changingByKeys || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

// Keys of panels do nothing where there is none. 1 and 2 are cards of the page, which lead to the same workspaces.
bool actsOnStartPage(const Shortcut& shortcut) {
  const bool card = shortcut.sign == '1' || shortcut.sign == '2';
  return shortcut.whileTyping || (shortcut.group == KeyGroup::Window && !card);
}

/// The panel that the shortcut brings to the front: it fills the screen of a presentation.
const Panel* panelOfKey(const Shortcut& shortcut) {
  const auto first = [&](const Panel* one) {
    return !one->shortcuts.empty() && one->shortcuts.front().act == shortcut.act;
  };
  const auto found = std::ranges::find_if(panels(), first);
  return found == panels().end() ? nullptr : *found;
}

}  // namespace

void handleKeyboard(AppState& state) {
  if (keysBelongToWidget()) { return; }
  std::string taken;
  for (const Shortcut& shortcut : shortcuts()) {
    if (state.editing.focused && !shortcut.whileTyping) { continue; }
    if (state.start.shown && !actsOnStartPage(shortcut)) { continue; }
    if (shortcut.when != nullptr && !shortcut.when(state)) { continue; }
    if (!pressed(shortcut, taken)) { continue; }
    if (const Panel* panel = state.presenting.on ? panelOfKey(shortcut) : nullptr) {
      state.presenting.hall = {panel->tab};
    } else {
      shortcut.act(state);
    }
    noteKeyUsed(state, shortcut.act);
    // Two shortcuts may have a sign: the first one whose `when` holds gets it.
    if (shortcut.sign != 0) { taken += shortcut.sign; }
  }
}

}  // namespace haloscope::ui
