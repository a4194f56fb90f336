#include "ui/source/SourceSearch.h"

#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

#include "actions/ViewActions.h"
#include "language/Text.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kLeastField = 60;  // at scale 1

bool sameLetter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

}  // namespace

std::vector<Occurrence> occurrencesOf(std::string_view query, const std::vector<CodeLine>& lines) {
  std::vector<Occurrence> found;
  if (query.empty()) { return found; }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view text = lines[i].text;
    for (auto at = text.begin();;) {
      at = std::search(at, text.end(), query.begin(), query.end(), sameLetter);
      if (at == text.end()) { break; }
      const auto begin = static_cast<int>(at - text.begin());
      found.push_back({static_cast<int>(i), begin, begin + static_cast<int>(query.size())});
      at += static_cast<std::ptrdiff_t>(query.size());
    }
  }
  return found;
}

std::vector<Occurrence> drawSourceSearch(AppState& state, const Theme& theme, const std::vector<CodeLine>& lines) {
  SourceSearch& search = state.search;
  if (!search.open) { return {}; }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  std::vector<Occurrence> found = occurrencesOf(search.query, lines);
  const auto count = std::ssize(found);
  if (count > 0) { search.shown = (search.shown % count + count) % count; }
  const std::string counted = search.query.empty() ? std::string()
                              : count == 0         ? std::string(tr("no match"))
                                                   : trf("{} of {}", search.shown + 1, count);
  const float buttons = 3 * (ImGui::GetFrameHeight() + theme.px(4)) + textWidth(counted) + theme.px(16);
  ImGui::SetNextItemWidth(std::max(theme.px(kLeastField), ImGui::GetContentRegionAvail().x - buttons));
  if (search.focus) { ImGui::SetKeyboardFocusHere(); }
  const bool entered =
      ImGui::InputTextWithHint("##search", tr("search in the source"), &search.query,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const bool left = ImGui::IsItemFocused() && ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  if (ImGui::IsItemActive()) { search.focus = false; }  // a panel that has just come up takes some frames
  if (ImGui::IsItemEdited()) {
    search.shown = 0;
    found = occurrencesOf(search.query, lines);
  }
  ImGui::SameLine(0, theme.px(8));
  ImGui::AlignTextToFramePadding();
  label(theme, count == 0 ? theme.colours().halo : theme.colours().textDim, counted);
  const auto button = [&](const char* id, ImGuiDir way, Act act) {
    ImGui::SameLine(0, theme.px(4));
    if (ImGui::ArrowButton(id, way)) { act(state); }
    ImGui::SetItemTooltip("%s", keyText(act).c_str());
  };
  button("previous", ImGuiDir_Up, findPreviousInSource);
  button("next", ImGuiDir_Down, findNextInSource);
  ImGui::SameLine(0, theme.px(4));
  const bool closed = ImGui::Button("×###close", {ImGui::GetFrameHeight(), ImGui::GetFrameHeight()});
  ImGui::SetItemTooltip("Esc");
  if (entered) {
    (ImGui::GetIO().KeyShift ? findPreviousInSource : findNextInSource)(state);
    search.focus = true;  // Enter leaves the field
  }
  if (left || closed) { search.open = false; }
  return found;
}

}  // namespace haloscope::ui
