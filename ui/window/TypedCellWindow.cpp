#include "ui/window/TypedCellWindow.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <string>
#include <utility>

#include "actions/TypedCellActions.h"
#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr const char* kTypedPopup = "###typed cell";

/// The number of one element. True once it is taken.
bool drawNumber(AppState& state, const Theme& theme, bool opens) {
  TypedCell& typed = state.typedCell;
  label(theme, theme.colours().text, fmt::format("{}[{}]", typed.array, fmt::join(*typed.index, "][")), Face::Mono,
        TextSize::Body);
  if (opens) { ImGui::SetKeyboardFocusHere(); }
  bool taken = false;
  {
    const FontScope font(theme, Face::Mono, TextSize::Body);
    ImGui::SetNextItemWidth(-1);
    constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll;
    if (ImGui::InputText("##value", &typed.text, kFlags)) {
      taken = takeTyped(state);
      if (!taken) { ImGui::SetKeyboardFocusHere(-1); }
    }
  }
  label(theme, theme.colours().textDim, tr("Enter takes it, Esc leaves it."));
  return taken;
}

/// Patterns for the whole array. True once one is taken.
bool drawPatterns(AppState& state, const Theme& theme) {
  TypedCell& typed = state.typedCell;
  const auto chosen = state.choice.data.find(typed.array);
  const bool whole = chosen != state.choice.data.end();
  label(theme, theme.colours().textDim,
        trf("all of {}: {}", typed.array, whole ? inputs::describe(chosen->second) : tr("default")));
  bool taken = false;
  const auto button = [&](const char* text, const char* id, const std::string& spec) {
    if (ImGui::Button((std::string(text) + "###" + id).c_str())) { taken = takeSpec(state, spec) || taken; }
  };
  button(typed.index ? tr("impulse here") : tr("impulse"), "impulse",
         typed.index ? fmt::format("impulse@{}", fmt::join(*typed.index, ",")) : "impulse");
  ImGui::SameLine();
  button(tr("ramp"), "ramp", "ramp");
  ImGui::SameLine();
  button(tr("checkerboard"), "checkerboard", "checkerboard");
  button(typed.index ? tr("this number") : tr("all 1"), "constant",
         "constant:" + (typed.index ? typed.text : std::string("1")));
  ImGui::SameLine();
  button(tr("new random numbers"), "random", newRandom(state));
  ImGui::SameLine();
  button(tr("default"), "default", "default");
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputTextWithHint("##file", tr("numbers such as 8,2,5; or a file: .csv, .npy, a picture"), &typed.file,
                               ImGuiInputTextFlags_EnterReturnsTrue)) {
    const bool list = inputs::numberOf(typed.file.substr(0, typed.file.find_first_of(",/"))).has_value();
    taken = takeSpec(state, list ? typed.file : "@" + typed.file) || taken;
  }
  return taken;
}

}  // namespace

void drawTypedCell(AppState& state, const Theme& theme) {
  TypedCell& typed = state.typedCell;
  const bool opens = std::exchange(typed.opens, false);
  if (opens) { ImGui::OpenPopup(kTypedPopup); }
  ImGui::SetNextWindowSize({theme.px(390), 0});
  if (!ImGui::BeginPopup(kTypedPopup)) {
    typed.array.clear();
    typed.reading.clear();
    return;
  }
  bool taken = std::exchange(typed.taken, false) || typed.array.empty() || state.experiment == nullptr;
  if (!taken && typed.index) {
    taken = drawNumber(state, theme, opens);
    ImGui::Separator();
  }
  if (!taken) { taken = drawPatterns(state, theme); }
  if (!typed.reading.empty()) { label(theme, theme.colours().textDim, trf("reading {} …", typed.reading.substr(1))); }
  if (!typed.refusal.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme.colours().fault);
    ImGui::TextWrapped("%s", typed.refusal.c_str());
    ImGui::PopStyleColor();
  }
  // The field alone would take the first Escape to restore its text.
  if (taken || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) { ImGui::CloseCurrentPopup(); }
  ImGui::EndPopup();
}

}  // namespace haloscope::ui
