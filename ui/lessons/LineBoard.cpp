#include "ui/lessons/LineBoard.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/source/RowText.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kTallest = 300, kPad = 8;  // at scale 1

}  // namespace

std::optional<int> drawLineBoard(const Theme& theme, CodeReader& reader, const std::string& text, int firstLine,
                                 std::optional<int> chosen, ImU32 ground, float width) {
  const FontScope font(theme, Face::Mono, TextSize::Small);
  const Palette& colours = theme.colours();
  const std::vector<CodeLine>& lines = reader.lines(text);
  const float charWidth = ImGui::GetFontBaked()->GetCharAdvance('0'), height = std::round(1.25F * ImGui::GetFontSize());
  const float indent = 4 * charWidth + theme.px(2 * kPad), scrollbar = ImGui::GetStyle().ScrollbarSize;
  const int columns = static_cast<int>((width - indent - scrollbar - theme.px(2 * kPad)) / charWidth);
  int first = std::clamp(firstLine - 1, 0, static_cast<int>(lines.size()));
  // Macros are no answers.
  while (first < static_cast<int>(lines.size()) &&
         std::ranges::all_of(
             lines[static_cast<std::size_t>(first)].tokens,
             [](const Token& token) { return token.kind == TokenKind::Preprocessor; })) {
    ++first;
  }
  const std::vector<CodeRow> rows = wrapCode(lines, first, static_cast<int>(lines.size()), std::max(columns, 20));
  const float whole = height * static_cast<float>(rows.size()) + theme.px(2 * kPad);
  std::optional<int> clicked;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, theme.px(kPad)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  if (ImGui::BeginChild("lines", {width, std::min(whole, theme.px(kTallest))}, ImGuiChildFlags_Borders)) {
    const float room = ImGui::GetContentRegionAvail().x;
    for (std::size_t i = 0; i < rows.size();) {
      std::size_t end = i + 1;
      while (end < rows.size() && rows[end].line == rows[i].line) { ++end; }
      const int number = rows[i].line + 1;
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const ImVec2 max(at.x + room, at.y + height * static_cast<float>(end - i));
      const std::string id = "line" + std::to_string(number);
      if (ImGui::InvisibleButton(id.c_str(), {room, max.y - at.y}, ImGuiButtonFlags_EnableNav)) { clicked = number; }
      ImDrawList* list = ImGui::GetWindowDrawList();
      const bool hovered = ImGui::IsItemHovered() || ImGui::IsItemFocused();
      if (chosen == number) {
        list->AddRectFilled(at, max, theme.faded(ground, 0.28F));
        list->AddRectFilled(at, {at.x + theme.px(3), max.y}, ground);
      } else if (hovered) {
        list->AddRectFilled(at, max, colours.panelRaised);
      }
      const std::string shown = std::to_string(number);
      const float top = at.y + (height - ImGui::GetFontSize()) / 2;
      textAt(list, {at.x + theme.px(kPad) + 4 * charWidth - textWidth(shown), top}, colours.textDim, shown);
      for (std::size_t row = i; row < end; ++row) {
        const RowText onScreen{lines[static_cast<std::size_t>(rows[i].line)], rows[row], at.x + indent, charWidth};
        onScreen.draw(theme, top + height * static_cast<float>(row - i));
      }
      i = end;
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  return clicked;
}

}  // namespace haloscope::ui
