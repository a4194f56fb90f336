#include "ui/widgets/Widgets.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "language/LineBreaks.h"
#include "language/Text.h"
#include "ui/widgets/TooltipPlace.h"

namespace haloscope::ui {
namespace {

/// The distance between the words of a row of choices and between the entries of a legend.
constexpr float kEntryGap = 12.0F;
constexpr float kSwatchGap = 4.0F;

float swatchSize() { return std::round(ImGui::GetFontSize() * 0.62F); }

float entryWidth(const Theme& theme, const LegendEntry& entry) {
  return swatchSize() + theme.px(kSwatchGap) + textWidth(entry.text);
}

/// Lines from lower left to upper right, clipped to the rectangle.
void hatch(ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max, ImU32 colour) {
  const float width = max.x - min.x;
  const float height = max.y - min.y;
  const float gap = std::max(3.0F, theme.px(4.0F));
  const int lines = static_cast<int>((width + height) / gap + 0.5F);
  for (int i = 0; i < lines; ++i) {
    // The line x + y = start, in coordinates that count from the upper left corner.
    const float start = (static_cast<float>(i) + 0.5F) * gap;
    const ImVec2 from{min.x + std::max(0.0F, start - height), min.y + std::min(start, height)};
    const ImVec2 to{min.x + std::min(start, width), min.y + std::max(0.0F, start - width)};
    list->AddLine(from, to, colour, std::max(1.0F, theme.px(0.75F)));
  }
}

}  // namespace

std::string percentText(double share) {
  const double percent = share * 100;
  if (percent > 0 && percent < 0.95) { return fmt::format("{:.1f} %", percent); }
  return fmt::format("{:.0f} %", percent);
}

std::string windowName(const char* english) { return fmt::format("{}###{}", tr(english), english); }

float textWidth(std::string_view text) { return ImGui::CalcTextSize(text.data(), text.data() + text.size(), false).x; }

void textAt(ImDrawList* list, ImVec2 at, ImU32 colour, std::string_view text) {
  list->AddText({std::round(at.x), std::round(at.y)}, colour, text.data(), text.data() + text.size());
}

void slantedTextAt(ImDrawList* list, ImVec2 at, ImVec2 along, ImVec2 down, ImU32 colour, std::string_view text) {
  // Characters outside the clip rectangle are left out before they are moved: written into its corner, none is.
  const ImVec2 corner = list->GetClipRectMin();
  const int first = list->VtxBuffer.Size;
  textAt(list, corner, colour, text);
  for (int i = first; i < list->VtxBuffer.Size; ++i) {
    ImVec2& vertex = list->VtxBuffer[i].pos;
    const ImVec2 by{vertex.x - corner.x, vertex.y - corner.y};
    vertex = {at.x + along.x * by.x + down.x * by.y, at.y + along.y * by.x + down.y * by.y};
  }
}

bool clippedTextAt(ImDrawList* list, ImVec2 at, float width, ImU32 colour, std::string_view text) {
  if (textWidth(text) <= width) {
    textAt(list, at, colour, text);
    return false;
  }
  constexpr std::string_view kEllipsis = "…";
  const float room = width - textWidth(kEllipsis);
  std::size_t length = text.size();
  const auto insideCharacter = [&] { return length < text.size() && (text[length] & 0xC0) == 0x80; };
  while (length > 0 && (insideCharacter() || textWidth(text.substr(0, length)) > room)) { --length; }
  if (room > 0) { textAt(list, at, colour, std::string(text.substr(0, length)) + std::string(kEllipsis)); }
  return true;
}

void arrowAt(ImDrawList* list, ImVec2 centre, float half, int direction, ImU32 colour) {
  // Clockwise, or ImGui's smoothing eats the edges.
  if (direction > 0) {
    list->AddTriangleFilled({centre.x - half, centre.y - half}, {centre.x + half, centre.y},
                            {centre.x - half, centre.y + half}, colour);
  } else {
    list->AddTriangleFilled({centre.x + half, centre.y + half}, {centre.x - half, centre.y},
                            {centre.x + half, centre.y - half}, colour);
  }
}

void label(const Theme& theme, ImU32 colour, std::string_view text, Face face, TextSize size) {
  const FontScope font(theme, face, size);
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopStyleColor();
}

std::string wrapped(const Theme& theme, std::string_view text, float width, Face face, TextSize size) {
  const FontScope font(theme, face, size);
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<LinePiece> pieces = linePieces(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!lines.empty()) { lines += '\n'; }
    std::string line;
    for (std::size_t i = 0; i < pieces.size();) {
      std::string unit;  // what stays on one line
      const bool spaced = pieces[i].spaced;
      do {
        unit += (!unit.empty() && pieces[i].spaced ? " " : "") + std::string(pieces[i].text);
      } while (++i < pieces.size() && !pieces[i].mayBegin);
      const std::string longer = line.empty() ? unit : line + (spaced ? " " : "") + unit;
      if (!line.empty() && textWidth(longer) > width) {
        lines += line + '\n';
        line = unit;
      } else {
        line = longer;
      }
    }
    lines += line;
  }
  return lines;
}

void notice(const Theme& theme, std::string_view whole) {
  if (whole.empty()) { return; }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const Palette& colours = theme.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, side = theme.px(8), edge = theme.px(3);
  const std::string text = wrapped(theme, whole, width - 2 * side);
  const ImVec2 size = ImGui::CalcTextSize(text.data(), text.data() + text.size());
  const ImVec2 end{at.x + width, at.y + size.y + 2 * edge};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, end, theme.faded(colours.halo, 0.14F), theme.px(4));
  list->AddRectFilled(at, {at.x + edge, end.y}, colours.halo, theme.px(1.5F));
  ImGui::SetCursorScreenPos({at.x + side, at.y + edge});
  label(theme, colours.text, text);
  ImGui::SetCursorScreenPos({at.x, end.y});
  ImGui::Dummy({width, theme.px(1)});
}

void frameLabel(const Theme& theme, std::string_view text, Face face) {
  const FontScope font(theme, face, TextSize::Small);
  ImGui::AlignTextToFramePadding();
  label(theme, theme.colours().textDim, text, face);
}

float frameLabelWidth(const Theme& theme, std::string_view text, Face face) {
  const FontScope font(theme, face, TextSize::Small);
  return textWidth(text);
}

void clippedLabel(const Theme& theme, ImU32 colour, std::string_view text, Face face, TextSize size) {
  const FontScope font(theme, face, size);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::Dummy({std::min(room, textWidth(text)), ImGui::GetTextLineHeight()});
  if (!clippedTextAt(ImGui::GetWindowDrawList(), at, room, colour, text) || !lastItemAsked()) { return; }
  const Tooltip tip(theme);
  tip.note(text, theme.colours().text);
}

void panelHeading(const Theme& theme, std::string_view title, std::string_view caption) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  float height = 0;
  float titleWidth = 0;
  {
    const FontScope font(theme, Face::SansStrong, TextSize::Body);
    height = ImGui::GetFontSize();
    titleWidth = textWidth(title);
    clippedTextAt(list, at, width, theme.colours().text, title);
  }
  if (!caption.empty()) {
    const FontScope font(theme, Face::Sans, TextSize::Small);
    const float room = width - titleWidth - theme.px(16);
    const float captionWidth = textWidth(caption);
    const float baseline = at.y + (height - ImGui::GetFontSize()) * 0.7F;
    if (room >= captionWidth) {
      textAt(list, {at.x + width - captionWidth, baseline}, theme.colours().textDim, caption);
    } else if (room > theme.px(48)) {
      clippedTextAt(list, {at.x + titleWidth + theme.px(16), baseline}, room, theme.colours().textDim, caption);
    }
  }
  ImGui::Dummy({width, height + theme.px(4)});
}

bool panelHasTab() {
  const ImGuiDockNode* node = ImGui::GetCurrentWindow()->DockNode;
  return node != nullptr && node->TabBar != nullptr && node->Windows.Size > 1;
}

int choiceRow(const Theme& theme, const char* id, std::span<const char* const> words, int chosen,
              std::span<const char* const> tips) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const Palette& colours = theme.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float height = ImGui::GetTextLineHeight();
  ImGui::PushID(id);
  for (int i = 0; i < static_cast<int>(words.size()); ++i) {
    if (i > 0) { ImGui::SameLine(0, theme.px(kEntryGap)); }
    const char* word = words[static_cast<std::size_t>(i)];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = textWidth(tr(word));
    if (ImGui::InvisibleButton(word, {width, height + theme.px(2)}, ImGuiButtonFlags_EnableNav)) { chosen = i; }
    const bool on = i == chosen;
    const ImU32 colour = on || ImGui::IsItemHovered() ? colours.text : colours.textDim;
    textAt(list, at, colour, tr(word));
    if (on) {
      const float line = at.y + height + theme.px(1);
      list->AddRectFilled({at.x, line}, {at.x + width, line + std::max(1.0F, theme.px(1.5F))}, colours.accent);
    }
    if (static_cast<std::size_t>(i) < tips.size() && lastItemAsked()) {
      const Tooltip tip(theme);
      tip.note(tr(tips[static_cast<std::size_t>(i)]), colours.text);
    }
  }
  ImGui::PopID();
  return chosen;
}

float choiceRowWidth(const Theme& theme, std::span<const char* const> words) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  float width = words.empty() ? 0 : theme.px(kEntryGap) * static_cast<float>(words.size() - 1);
  for (const char* word : words) { width += textWidth(tr(word)); }
  return width;
}

void swatch(ImDrawList* list, const Theme& theme, ImVec2 min, float size, ImU32 colour, Swatch kind) {
  const ImVec2 max{min.x + size, min.y + size};
  switch (kind) {
    case Swatch::Filled:
    case Swatch::Striped:
      list->AddRectFilled(min, max, colour, theme.px(1.5F));
      if (kind == Swatch::Striped) { stripe(list, theme, min, max); }
      if (colour == theme.colours().active) { list->AddRect(min, max, theme.colours().activeEdge, theme.px(1.5F)); }
      return;
    case Swatch::Outlined:
      if (colour == theme.colours().active) {
        outlineActive(list, theme, min, max, 0, std::max(1.0F, theme.px(1.5F)));
      } else {
        list->AddRect(min, max, colour, 0, std::max(1.0F, theme.px(1.5F)));
      }
      return;
    case Swatch::Hatched:
      drawCell(list, theme, min, max, {0, colour, true, false});
      return;
    case Swatch::Line:
      const float middle = (min.y + max.y) / 2;
      list->AddLine({min.x, middle}, {max.x, middle}, colour, theme.px(2));
      return;
  }
}

void legend(const Theme& theme, std::span<const LegendEntry> entries) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float line = ImGui::GetTextLineHeight() + theme.px(2);
  const float size = swatchSize();
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec2 at = origin;
  for (const LegendEntry& entry : entries) {
    const float wide = entryWidth(theme, entry);
    if (at.x > origin.x && at.x + wide > origin.x + width) { at = {origin.x, at.y + line}; }
    const float middle = std::round(at.y + (ImGui::GetTextLineHeight() - size) / 2);
    swatch(list, theme, {std::round(at.x), middle}, size, entry.colour, entry.swatch);
    textAt(list, {at.x + size + theme.px(kSwatchGap), at.y}, theme.colours().textDim, entry.text);
    at.x += wide + theme.px(kEntryGap);
  }
  ImGui::Dummy({width, at.y - origin.y + line});
}

float legendWidth(const Theme& theme, std::span<const LegendEntry> entries) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  float width = entries.empty() ? 0 : theme.px(kEntryGap) * static_cast<float>(entries.size() - 1);
  for (const LegendEntry& entry : entries) { width += entryWidth(theme, entry); }
  return width;
}

Tooltip::Tooltip(const Theme& theme) : theme_(theme) {
  // Its own padding, whatever the panel it belongs to has pushed.
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(theme.px(10), theme.px(8)));
  placeTooltip(theme);
  ImGui::BeginTooltip();
  ImGui::PopStyleVar();
  theme_.push(Face::Sans, TextSize::Small);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(theme.px(8), theme.px(2)));
}

Tooltip::~Tooltip() {
  ImGui::PopStyleVar();
  theme_.pop();
  ImGui::EndTooltip();
}

void Tooltip::title(std::string_view text, ImU32 colour, Face face) const {
  label(theme_, colour != 0 ? colour : theme_.colours().text, text, face, TextSize::Body);
}

void Tooltip::row(std::string_view name, std::string_view value, ImU32 colour) const {
  // One column for all rows, wide enough for the longest name there is.
  const float column = ImGui::GetFontSize() * 6.0F;
  const float start = ImGui::GetCursorPosX();
  label(theme_, theme_.colours().textDim, name);
  ImGui::SameLine(start + std::max(column, textWidth(name) + theme_.px(8)));
  label(theme_, colour != 0 ? colour : theme_.colours().text, value);
}

void Tooltip::note(std::string_view text, ImU32 colour) const {
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ImGui::GetFontSize() * 24.0F);
  label(theme_, colour != 0 ? colour : theme_.colours().textDim, text);
  ImGui::PopTextWrapPos();
}

bool lastItemAsked() {
  const bool keyboard = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
  return keyboard || ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNone);
}

void stripe(ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) {
  if (std::min(max.x - min.x, max.y - min.y) >= theme.px(4)) {
    hatch(list, theme, min, max, theme.faded(theme.colours().panel, 0.75F));
  }
}

void outlineActive(ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max, float rounding, float thickness) {
  const Palette& colours = theme.colours();
  const float out = thickness / 2 + 0.5F;
  list->AddRect({min.x - out, min.y - out}, {max.x + out, max.y + out}, colours.activeEdge, rounding, 1);
  list->AddRect(min, max, colours.active, rounding, thickness);
}

void drawCell(ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max, const CellLook& look) {
  if ((look.fill & IM_COL32_A_MASK) != 0) { list->AddRectFilled(min, max, look.fill); }
  const float size = std::min(max.x - min.x, max.y - min.y);
  if (look.hatched) {
    const ImU32 line = theme.faded(theme.colours().ghost, 0.8F);
    if (size >= theme.px(6)) {
      hatch(list, theme, min, max, line);
    } else {
      // Too small for strokes: a dot in the middle says "empty" just as well.
      const float inset = size * 0.3F;
      list->AddRectFilled({min.x + inset, min.y + inset}, {max.x - inset, max.y - inset}, line);
    }
  }
  if (look.outline != 0) {
    const float thickness = std::max(1.0F, std::round(theme.px(look.strong ? 1.6F : 1.0F)));
    const float half = thickness / 2;
    list->AddRect({min.x + half, min.y + half}, {max.x - half, max.y - half}, look.outline, 0, thickness);
  }
}

std::optional<int> cellGridItem(const char* id, ImVec2 cell, int columns, int rows) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{cell.x * static_cast<float>(columns), cell.y * static_cast<float>(rows)};
  ImGui::InvisibleButton(id, size, ImGuiButtonFlags_EnableNav);
  if (!ImGui::IsItemHovered()) { return std::nullopt; }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const int column = std::clamp(static_cast<int>((mouse.x - at.x) / cell.x), 0, columns - 1);
  const int row = std::clamp(static_cast<int>((mouse.y - at.y) / cell.y), 0, rows - 1);
  return row * columns + column;
}

bool typingAsked() {
  const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
  return ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) || (enter && !ImGui::GetIO().WantTextInput);
}

float storedFloat(const char* key, float initial) {
  return ImGui::GetStateStorage()->GetFloat(ImGui::GetID(key), initial);
}

int storedInt(const char* key, int initial) { return ImGui::GetStateStorage()->GetInt(ImGui::GetID(key), initial); }

void store(const char* key, float value) { ImGui::GetStateStorage()->SetFloat(ImGui::GetID(key), value); }

void store(const char* key, int value) { ImGui::GetStateStorage()->SetInt(ImGui::GetID(key), value); }

bool storedChanged(const char* key, std::uint64_t value) {
  ImGui::PushID(key);
  const int low = static_cast<int>(static_cast<std::uint32_t>(value));
  const int high = static_cast<int>(static_cast<std::uint32_t>(value >> 32));
  const bool changed = storedInt("known", 0) == 0 || storedInt("low", 0) != low || storedInt("high", 0) != high;
  store("known", 1);
  store("low", low);
  store("high", high);
  ImGui::PopID();
  return changed;
}

}  // namespace haloscope::ui
