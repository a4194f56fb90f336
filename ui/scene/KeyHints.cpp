#include "ui/scene/KeyHints.h"

#include <algorithm>
#include <array>

#include "actions/Walking.h"
#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kFadeSeconds = 0.5F;
constexpr float kHintPadding = 6, kHintGap = 16;  // of a key and between hints, at scale 1

struct KeyHint {
  Act act;           ///< null: the pointer is dragged
  const char* name;  ///< in the settings file
  const char* text;
};

constexpr std::array kKeyHints = {
    KeyHint{stepForward, "step", trMark("one statement")},
    KeyHint{goToNextInterval, "interval", trMark("one barrier interval")},
    KeyHint{playOrPause, "play", trMark("play")},
    KeyHint{nullptr, kTurned, trMark("turn or move")},
};

std::string keyOf(const KeyHint& hint) { return hint.act != nullptr ? keyText(hint.act) : tr("drag"); }

float hintWidth(const Theme& theme, const KeyHint& hint) {
  return textWidth(keyOf(hint)) + theme.px(3 * kHintPadding) + textWidth(tr(hint.text));
}

void drawHint(const Theme& theme, const KeyHint& hint, float alpha) {
  const Palette& colours = theme.colours();
  const std::string key = keyOf(hint);
  const float pad = theme.px(kHintPadding);
  const float line = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({hintWidth(theme, hint), line + theme.px(2)});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 max = {at.x + textWidth(key) + 2 * pad, at.y + line + theme.px(2)};
  list->AddRectFilled(at, max, theme.faded(colours.panelRaised, alpha), theme.px(4));
  list->AddRect(at, max, theme.faded(colours.border, alpha), theme.px(4));
  textAt(list, {at.x + pad, at.y + theme.px(1)}, theme.faded(colours.text, alpha), key);
  textAt(list, {max.x + pad, at.y + theme.px(1)}, theme.faded(colours.textDim, alpha), tr(hint.text));
}

/// One that was used before the window opened is never seen.
float alphaOf(const AppState& state, const KeyHint& hint) {
  return storedFloat(hint.name, state.view.keysUsed.contains(hint.name) ? 0 : 1);
}

}  // namespace

void noteKeyUsed(AppState& state, Act act) {
  const auto* const hint = std::ranges::find(kKeyHints, act, &KeyHint::act);
  if (hint != kKeyHints.end()) { state.view.keysUsed.insert(hint->name); }
}

float keyHintsWidth(const AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  float width = 0;
  for (const KeyHint& hint : kKeyHints) {
    if (alphaOf(state, hint) > 0) { width += (width > 0 ? theme.px(kHintGap) : 0) + hintWidth(theme, hint); }
  }
  return width;
}

void drawKeyHints(const AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  bool first = true;
  for (const KeyHint& hint : kKeyHints) {
    float alpha = alphaOf(state, hint);
    if (alpha == 1) { store(hint.name, alpha); }
    if (state.view.keysUsed.contains(hint.name) && alpha > 0) {
      alpha = std::max(0.0F, alpha - ImGui::GetIO().DeltaTime / kFadeSeconds);
      store(hint.name, alpha);
    }
    if (alpha <= 0) { continue; }
    if (!first) { ImGui::SameLine(0, theme.px(kHintGap)); }
    drawHint(theme, hint, alpha);
    first = false;
  }
}

}  // namespace haloscope::ui
