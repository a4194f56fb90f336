#include "ui/figures/SectorStrip.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "analysis/MemoryRequests.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

using analysis::kLineBytes;

std::int64_t SectorStrip::columns() const { return std::max<std::int64_t>(1, kLineBytes / layout_.elementBytes()); }

std::vector<std::int64_t> SectorStrip::allLines() const {
  std::vector<std::int64_t> lines;
  for (std::int64_t line = 0; line * columns() < layout_.count(); ++line) { lines.push_back(line); }
  return lines;
}

std::vector<std::int64_t> SectorStrip::linesOf(const figures::NeededElements& needed) const {
  std::vector<std::int64_t> lines;
  for (const std::int64_t element : needed.elements) {
    if (lines.empty() || lines.back() != element / columns()) { lines.push_back(element / columns()); }
  }
  return lines;
}

std::optional<std::int64_t> SectorStrip::draw(const char* id, const Look& look, float height) const {
  const FontScope font(theme_, Face::Mono, TextSize::Small);
  const Palette& colours = theme_.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const std::int64_t last = look.lines.empty() ? 0 : look.lines.back() * columns();
  const float names = textWidth(std::to_string(last)) + theme_.px(8);
  const float sectorGap = std::max(2.0F, theme_.px(4));
  const std::int64_t sectors = kLineBytes / analysis::kSectorBytes;
  const auto count = static_cast<float>(columns());
  const float room = ImGui::GetContentRegionAvail().x - names - sectorGap * static_cast<float>(sectors);
  const float cell = std::max(2.0F, std::floor(room / count));
  const auto across = [&](std::int64_t column) {
    const std::int64_t sector = column * layout_.elementBytes() / analysis::kSectorBytes;
    return origin.x + names + static_cast<float>(column) * cell + static_cast<float>(sector) * sectorGap;
  };
  const float rowHeight = height - std::clamp(std::round(height * 0.15F), 1.0F, theme_.px(3));
  const auto named = static_cast<std::size_t>(std::ceil(ImGui::GetTextLineHeight() / height));  // label every n-th row
  const ImU32 moves = theme_.faded(colours.halo, 0.38F);
  const ImU32 plain = theme_.faded(colours.border, 0.55F);
  for (std::size_t row = 0; row < look.lines.size(); ++row) {
    const float y = origin.y + static_cast<float>(row) * height;
    const std::int64_t first = look.lines[row] * columns();
    const float textY = y + (rowHeight - ImGui::GetTextLineHeight()) / 2;
    if (row % named == 0) { textAt(list, {origin.x, textY}, colours.textDim, std::to_string(first)); }
    for (std::int64_t column = 0; column < columns() && first + column < layout_.count(); ++column) {
      const std::int64_t element = first + column;
      CellLook cellLook;
      const bool needed = std::ranges::binary_search(look.needed->elements, element);
      const bool along = std::ranges::binary_search(look.needed->sectors, layout_.sector(element));
      cellLook.fill = needed ? colours.interior : along ? moves : plain;
      if (look.centre == element) {
        cellLook.outline = colours.output;
        cellLook.strong = true;
      }
      drawCell(list, theme_, {across(column), y}, {across(column) + cell - 1, y + rowHeight}, cellLook);
    }
  }
  const ImVec2 size{across(columns() - 1) + cell - origin.x,
                    std::max(1.0F, height * static_cast<float>(look.lines.size()))};
  ImGui::InvisibleButton(id, size, ImGuiButtonFlags_EnableNav);
  if (!ImGui::IsItemHovered()) { return std::nullopt; }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto row = static_cast<std::size_t>(std::max(0.0F, (mouse.y - origin.y) / height));
  if (row >= look.lines.size()) { return std::nullopt; }
  for (std::int64_t column = 0; column < columns(); ++column) {
    const std::int64_t element = look.lines[row] * columns() + column;
    if (mouse.x >= across(column) && mouse.x < across(column) + cell && element < layout_.count()) { return element; }
  }
  return std::nullopt;
}

}  // namespace haloscope::ui
