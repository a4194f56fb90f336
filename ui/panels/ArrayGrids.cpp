#include "ui/panels/ArrayGrids.h"

#include <fmt/format.h>
#include <imgui_internal.h>  // shortcuts that an item owns

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actions/TypedCellActions.h"
#include "cells/CellGrid.h"
#include "language/Text.h"
#include "program/RealBits.h"
#include "state/Places.h"
#include "state/TypedCell.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {
namespace {

using cells::GridCell;
using recording::Origin;
using recording::Role;
using ArrayKind = cells::CellGrid::Kind;

constexpr std::size_t kMostWritten = 512;  ///< larger constant arrays show colours only
constexpr double kLeastFixed = 0.01;       ///< below this, three decimals are too few
constexpr float kUnwrittenConstant = 9;    ///< cell edge in larger constant arrays
constexpr float kLeast = 4;                ///< smallest cell edge, if the panel can scroll
constexpr float kLegible = 7;              ///< smallest cell edge that can be distinguished

/// Shown next to a constant array without printed values.
constexpr const char* kOnHover = trMark("values on hover");

/// Of the block's own arrays one, as it is now.
struct ShownArray : cells::CellGrid {
  ImU32 hue = 0;  ///< of its interior points, and of its name
  std::vector<GridCell> cells;
  std::vector<std::int64_t> readByThread;  ///< elements that the selected thread reads in the current step
  cells::ValueRange range;

  [[nodiscard]] std::size_t firstOf(std::int64_t slice) const {
    return static_cast<std::size_t>(slice * columns * rows);
  }
  [[nodiscard]] std::size_t endOf(std::int64_t slice) const { return std::min(cells.size(), firstOf(slice + 1)); }
  /// The current step reads or writes the slice.
  [[nodiscard]] bool isActive(std::int64_t slice) const {
    const auto first = cells.begin() + static_cast<std::ptrdiff_t>(firstOf(slice));
    const auto end = cells.begin() + static_cast<std::ptrdiff_t>(endOf(slice));
    return std::any_of(first, end, [](const GridCell& cell) { return cell.changed || cell.read; });
  }
};

std::vector<ShownArray> shownArrays(const AppState& state, const Theme& theme) {
  constexpr std::int64_t kWidestRow = 64;
  const experiment::Experiment& experiment = *state.experiment;
  const recording::Recording& recording = state.cursor.recording();
  std::vector<ShownArray> arrays;
  for (cells::CellGrid& grid : cells::ownArrays(recording, experiment.carriers, experiment.carrierPlanes)) {
    ShownArray array;
    static_cast<cells::CellGrid&>(array) = std::move(grid);
    if (array.columns > kWidestRow) { array.fold(kWarpSize); }
    array.hue = array.kind == ArrayKind::Constant ? theme.colours().text
                : array.carrier == kNone          ? theme.of(Role::Computed)
                                                  : theme.of(array.place);
    array.cells = cells::cellsOf(array, state.cursor, experiment.footprint, state.blockView);
    array.range = cells::rangeOf(array, array.cells, recording, experiment.footprint);
    if (array.kind != ArrayKind::Register) {
      array.readByThread = cells::elementsRead(state.cursor, array.id, state.selection.thread);
    }
    arrays.push_back(std::move(array));
  }
  return arrays;
}

/// Draws arrays next to each other; an array with several slices gets its own rows.
class Grids {
 public:
  Grids(AppState& state, const Theme& theme, std::vector<ShownArray> arrays)
      : state_(state),
        theme_(theme),
        arrays_(std::move(arrays)),
        list_(ImGui::GetWindowDrawList()),
        width_(ImGui::GetContentRegionAvail().x),
        gap_(theme.px(6)) {}

  void draw(float height) {
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    labelHeight_ = ImGui::GetTextLineHeight() + theme_.px(1);
    for (const ShownArray& array : arrays_) { texts_.push_back(textOf(array)); }
    edge_ = largestEdge(height);
    origin_ = at_ = ImGui::GetCursorScreenPos();
    rowBottom_ = origin_.y;
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      if (arrays_[i].planes == 1) {
        drawFlat(arrays_[i]);
      } else {
        drawSliced(arrays_[i]);
      }
      ImGui::PopID();
    }
    if (at_.x > origin_.x) { nextRow(); }
    ImGui::SetCursorScreenPos(origin_);
    ImGui::Dummy({width_, std::max(0.0F, at_.y - origin_.y)});
  }

 private:
  /// Format of the values printed inside an array's cells.
  struct ValueText {
    int digits = 0;       ///< 0: no room for values
    bool fixed = false;   ///< digits are decimals, otherwise significant digits
    bool bare = false;    ///< no 0 before the decimal point
    float cellWidth = 0;  ///< pixels

    [[nodiscard]] std::string operator()(double value) const {
      std::string text = fixed ? fmt::format("{:.{}f}", value, digits) : fmt::format("{:.{}g}", value, digits);
      const std::size_t sign = value < 0 ? 1 : 0;
      if (bare && text.size() > sign + 1 && text[sign] == '0' && text[sign + 1] == '.') { text.erase(sign, 1); }
      return text;
    }
  };

  /// Constants are printed with as many digits as fit into every cell of the array. The slices of a 3D filter are
  /// laid out in a row where other arrays need the height.
  [[nodiscard]] ValueText textOf(const ShownArray& array) const {
    if (array.kind != ArrayKind::Constant || array.cells.size() > kMostWritten) { return {}; }
    const auto columns = static_cast<float>(array.columns);
    const auto slices = static_cast<float>(array.planes);
    const float names = array.planes > 1 ? sliceNames() : 0;
    const float alone = std::floor((width_ - names) / columns);
    const float beside = std::floor((width_ - names - (slices - 1) * gap_) / (slices * columns));
    for (const float room : {hasOthers() ? beside : alone, alone}) {
      for (ValueText text : {ValueText{3}, ValueText{3, false, true}, ValueText{3, true, true}}) {
        const FontScope font(theme_, Face::Sans, TextSize::Small);
        float widest = 0;
        if (text.fixed && std::max(std::abs(array.range.low), std::abs(array.range.high)) < kLeastFixed) { continue; }
        for (const GridCell& cell : array.cells) {
          widest = std::max(widest, textWidth(text(numberOf(array.type, cell.cell.bits))) + theme_.px(4));
        }
        text.cellWidth = std::min(room, std::max(widest, textWidth("-0.0000") + theme_.px(2)));
        if (widest <= room) { return text; }
      }
    }
    return {};
  }
  [[nodiscard]] const ValueText& writtenAs(const ShownArray& array) const {
    return texts_[static_cast<std::size_t>(&array - arrays_.data())];
  }
  [[nodiscard]] bool isWritten(const ShownArray& array) const { return !compact_ && writtenAs(array).digits > 0; }

  /// Size of one cell. Cells with printed constants do not shrink.
  [[nodiscard]] ImVec2 cellSize(const ShownArray& array, float edge) const {
    if (array.kind != ArrayKind::Constant) { return {edge, edge}; }
    if (isWritten(array)) { return {writtenAs(array).cellWidth, ImGui::GetTextLineHeight() + theme_.px(2)}; }
    const float most = std::floor(width_ / static_cast<float>(array.columns));
    const float small = std::min(most, theme_.px(kUnwrittenConstant));
    return {small, small};
  }
  [[nodiscard]] ImVec2 gridSize(const ShownArray& array, float edge) const {
    const ImVec2 cell = cellSize(array, edge);
    return {cell.x * static_cast<float>(array.columns), cell.y * static_cast<float>(array.rows)};
  }
  /// Width of the array's name and the note next to it.
  [[nodiscard]] float nameWidth(const ShownArray& array) const {
    const float name = textWidth(array.name);
    if (array.kind != ArrayKind::Constant || isWritten(array)) { return name; }
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    return name + theme_.px(8) + textWidth(tr(kOnHover));
  }

  /// Width reserved for slice indices, left of a row of slices.
  [[nodiscard]] float sliceNames() const { return textWidth("[0–0]") + gap_; }

  /// Slices per row: as few rows as possible, evenly filled.
  [[nodiscard]] std::int64_t slicesPerRow(const ShownArray& array, float wide) const {
    const std::int64_t most = std::max(1, static_cast<int>((width_ - sliceNames() + gap_) / (wide + gap_)));
    const std::int64_t rows = (array.planes + most - 1) / most;
    return (array.planes + rows - 1) / rows;
  }

  /// Total height with cells of this edge; infinite if something is too wide.
  [[nodiscard]] float heightAt(float edge) const {
    float height = 0, rowHeight = 0, x = 0;
    for (const ShownArray& array : arrays_) {
      const ImVec2 grid = gridSize(array, edge);
      const float high = grid.y + theme_.px(3);
      if (grid.x + (array.planes > 1 ? sliceNames() : 0) > width_ + 0.5F) { return HUGE_VALF; }
      if (array.planes > 1) {
        const std::int64_t perRow = slicesPerRow(array, grid.x);
        height += rowHeight + labelHeight_ + static_cast<float>((array.planes + perRow - 1) / perRow) * high;
        x = rowHeight = 0;
        continue;
      }
      const float wide = std::max(grid.x, nameWidth(array));
      if (x > 0 && x + wide > width_) {
        height += rowHeight;
        x = rowHeight = 0;
      }
      x += wide + gap_;
      rowHeight = std::max(rowHeight, high + labelHeight_);
    }
    return height + rowHeight;
  }

  /// Constants are not printed if the other arrays would have no room.
  [[nodiscard]] float largestEdge(float height) {
    const float edge = edgeWithin(height);
    const auto written = [&](const ShownArray& array) { return isWritten(array); };
    if (std::none_of(arrays_.begin(), arrays_.end(), written)) { return edge; }
    if (!hasOthers()) {
      compact_ = heightAt(edge) > 2.5F * height;
      return edge;
    }
    if (edge >= theme_.px(kLegible)) { return edge; }
    compact_ = true;
    const float compactEdge = edgeWithin(height);
    compact_ = compactEdge >= edge + theme_.px(2);
    return compact_ ? compactEdge : edge;
  }

  /// The largest edge that fits everything; below the legible edge the panel scrolls instead.
  [[nodiscard]] float edgeWithin(float height) const {
    const int smallest = std::max(2, static_cast<int>(theme_.px(2)));
    const float least = theme_.px(kLeast);
    for (int edge = static_cast<int>(theme_.px(34)); edge > smallest; --edge) {
      const float needed = heightAt(static_cast<float>(edge));
      if (needed <= height || (static_cast<float>(edge) <= least && needed < 4 * height)) {
        return static_cast<float>(edge);
      }
    }
    return static_cast<float>(smallest);
  }

  /// Whether there are arrays other than constants.
  [[nodiscard]] bool hasOthers() const {
    return std::any_of(arrays_.begin(), arrays_.end(),
                       [](const ShownArray& array) { return array.kind != ArrayKind::Constant; });
  }

  void nextRow() { at_ = {origin_.x, rowBottom_ + theme_.px(3)}; }

  void drawFlat(const ShownArray& array) {
    const ImVec2 grid = gridSize(array, edge_);
    const float wide = std::max(grid.x, nameWidth(array));
    if (at_.x > origin_.x && at_.x + wide > origin_.x + width_ + 0.5F) { nextRow(); }
    textAt(list_, at_, array.hue, array.name);
    writeKind(array, wide);
    drawSlice(array, 0, {at_.x, at_.y + labelHeight_}, false);
    rowBottom_ = std::max(rowBottom_, at_.y + labelHeight_ + grid.y);
    at_.x += wide + gap_;
  }

  void drawSliced(const ShownArray& array) {
    if (at_.x > origin_.x) { nextRow(); }
    textAt(list_, at_, array.hue, array.name);
    writeKind(array, width_);
    at_.y += labelHeight_;
    const ImVec2 grid = gridSize(array, edge_);
    const std::int64_t perRow = slicesPerRow(array, grid.x);
    bool anyActive = false;
    for (std::int64_t slice = 0; slice < array.planes; ++slice) { anyActive = anyActive || array.isActive(slice); }
    for (std::int64_t slice = 0; slice < array.planes; ++slice) {
      if (slice % perRow == 0) {
        if (slice > 0) { nextRow(); }
        const std::int64_t last = std::min(slice + perRow, array.planes) - 1;
        textAt(list_, {at_.x, at_.y + (grid.y - ImGui::GetTextLineHeight()) / 2}, theme_.colours().textDim,
               last > slice ? fmt::format("[{}–{}]", slice, last) : fmt::format("[{}]", slice));
        at_.x += sliceNames();
      }
      drawSlice(array, slice, at_, anyActive && !array.isActive(slice));
      rowBottom_ = std::max(rowBottom_, at_.y + grid.y);
      at_.x += grid.x + gap_;
    }
    nextRow();
  }

  /// Next to the name: the kind of array, and its extents where they fit.
  void writeKind(const ShownArray& array, float room) const {
    const float after = textWidth(array.name) + theme_.px(8);
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    std::string extents;
    for (const std::int64_t extent : array.extents) {
      extents += fmt::format("{}{}", extents.empty() ? "" : "×", extent);
    }
    const std::string kind = array.kindText();
    std::vector<std::string> texts = {kind, tr("register")};
    if (array.kind == ArrayKind::Shared) { texts = {kind + " " + extents, kind, tr("shared")}; }
    if (array.kind == ArrayKind::Constant) {
      texts = isWritten(array) ? std::vector{kind} : std::vector{kind + ", " + tr(kOnHover), std::string(tr(kOnHover))};
    }
    for (const std::string& text : texts) {
      if (after + textWidth(text) > room) { continue; }
      textAt(list_, {at_.x + after, at_.y}, theme_.colours().textDim, text);
      return;
    }
  }

  void drawSlice(const ShownArray& array, std::int64_t slice, ImVec2 at, bool dimmed) {
    at = {std::round(at.x), std::round(at.y)};
    ImGui::SetCursorScreenPos(at);
    cell_ = cellSize(array, edge_);
    const auto hovered = cellGridItem(fmt::format("slice {}", slice).c_str(), cell_, static_cast<int>(array.columns),
                                      static_cast<int>(array.rows));
    const std::optional<int> keyed = hovered ? std::nullopt : keyedCell(array);
    const std::size_t first = array.firstOf(slice);
    const std::size_t end = array.endOf(slice);
    for (std::size_t i = first; i < end; ++i) {
      drawOne(array, array.cells[i], cornerOf(array, at, i - first), dimmed);
    }
    for (std::size_t i = first; i < end; ++i) { mark(array, i, first, end, at); }
    const std::size_t asked = first + static_cast<std::size_t>(hovered.value_or(keyed.value_or(0)));
    if ((!hovered && !keyed) || asked >= end) { return; }
    frame(cornerOf(array, at, asked - first));
    if (hovered) { point(array, array.cells[asked]); }
    answer(array, array.cells[asked]);
  }

  /// While a slice has the focus of the keyboard: the cell that the arrows have moved to.
  [[nodiscard]] static std::optional<int> keyedCell(const ShownArray& array) {
    if (!ImGui::IsItemFocused() || !ImGui::GetCurrentContext()->NavCursorVisible) { return std::nullopt; }
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetItemID();
    const auto pressed = [id](ImGuiKey key) { return ImGui::Shortcut(key, ImGuiInputFlags_Repeat, id) ? 1 : 0; };
    const int columns = static_cast<int>(array.columns), rows = static_cast<int>(array.rows);
    const int cell = storage.GetInt(id, 0);
    const int column = cell % columns + pressed(ImGuiKey_RightArrow) - pressed(ImGuiKey_LeftArrow);
    const int row = cell / columns + pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow);
    const int now = std::clamp(row, 0, rows - 1) * columns + std::clamp(column, 0, columns - 1);
    storage.SetInt(id, now);
    return now;
  }

  [[nodiscard]] ImVec2 cornerOf(const ShownArray& array, ImVec2 at, std::size_t inSlice) const {
    const auto columns = static_cast<std::size_t>(array.columns);
    return {at.x + cell_.x * static_cast<float>(inSlice % columns),
            at.y + cell_.y * static_cast<float>(inSlice / columns)};
  }

  [[nodiscard]] ImU32 hueOf(const ShownArray& array, Role role) const {
    return role == Role::Interior ? array.hue : theme_.of(role);
  }

  void drawOne(const ShownArray& array, const GridCell& cell, ImVec2 at, bool dimmed) const {
    const Palette& colours = theme_.colours();
    const float seam = cell_.x >= theme_.px(5) ? 1.0F : 0.0F;
    const ImVec2 max{at.x + cell_.x - seam, at.y + cell_.y - seam};
    const float shade = array.range.shade(numberOf(array.type, cell.cell.bits));
    CellLook look;
    if (array.kind == ArrayKind::Constant) {
      look.fill = Theme::mixed(colours.panel, colours.textDim, 0.15F + 0.4F * shade);
    } else if (cell.role == Role::Unwritten) {
      look.fill = theme_.faded(colours.ghost, 0.12F);
      look.hatched = cell_.x >= theme_.px(4);
    } else if (cell.role == Role::Ghost) {
      look.fill = colours.ghost;
    } else {
      look.fill = Theme::mixed(colours.panel, hueOf(array, cell.role), 0.28F + 0.72F * shade);
      if (cell.role == Role::Halo && cell_.x >= theme_.px(6)) { look.outline = theme_.of(Role::Halo); }
    }
    if (cell.inFlight != kNone) { look.outline = theme_.of(Role::Pending); }
    if (dimmed) { look.fill = theme_.faded(look.fill, 0.6F); }
    drawCell(list_, theme_, at, max, look);
    if (look.hatched) { return; }
    if (array.kind == ArrayKind::Constant) {
      if (isWritten(array)) { writeInside(writtenAs(array)(numberOf(array.type, cell.cell.bits)), at, max, look.fill); }
    } else if (array.columns <= 8 && isFloating(array.type)) {
      writeInside(fmt::format("{:.2f}", numberOf(array.type, cell.cell.bits)), at, max, look.fill);
    }
  }

  /// Prints the value where the cell is large enough.
  void writeInside(const std::string& text, ImVec2 min, ImVec2 max, ImU32 fill) const {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const float wide = textWidth(text);
    if (wide + theme_.px(2) > max.x - min.x) { return; }
    textAt(list_, {(min.x + max.x - wide) / 2, (min.y + max.y - ImGui::GetTextLineHeight()) / 2}, theme_.textOn(fill),
           text);
  }

  /// Outlines the cells that the step changed (one contour around adjacent cells), the cells that the selected thread
  /// reads or owns, and the cell hovered in another panel.
  void mark(const ShownArray& array, std::size_t index, std::size_t first, std::size_t end, ImVec2 origin) const {
    const GridCell& cell = array.cells[index];
    const ImVec2 at = cornerOf(array, origin, index - first);
    if (cell.changed) { contour(array, index, first, end, at); }
    const bool own = array.kind == ArrayKind::Register && cell.index == std::int64_t{state_.selection.thread};
    const auto& point = state_.selection.hoveredPoint;
    const bool meant = point && cell.placed && cell.at == *point;
    if (own || meant || std::ranges::binary_search(array.readByThread, cell.index)) { frame(at); }
  }

  void contour(const ShownArray& array, std::size_t index, std::size_t first, std::size_t end, ImVec2 at) const {
    const auto columns = static_cast<std::size_t>(array.columns);
    const std::size_t column = (index - first) % columns;
    const auto outside = [&](bool exists, std::size_t neighbour) {
      return !exists || neighbour >= end || !array.cells[neighbour].changed;
    };
    const float line = std::max(1.0F, std::round(theme_.px(cell_.x >= theme_.px(6) ? 1.5F : 1.0F)));
    const ImU32 colour = theme_.colours().active;
    const ImVec2 max{at.x + cell_.x, at.y + cell_.y};
    const auto edge = [&](ImVec2 from, ImVec2 to) {
      list_->AddRectFilled({from.x - 1, from.y - 1}, {to.x + 1, to.y + 1}, theme_.colours().activeEdge);
      list_->AddRectFilled(from, to, colour);
    };
    if (outside(index - first >= columns, index - columns)) { edge(at, {max.x, at.y + line}); }
    if (outside(true, index + columns)) { edge({at.x, max.y - line}, max); }
    if (outside(column > 0, index - 1)) { edge(at, {at.x + line, max.y}); }
    if (outside(column + 1 < columns, index + 1)) { edge({max.x - line, at.y}, max); }
  }

  void frame(ImVec2 at) const {
    const float line = std::max(1.0F, std::round(theme_.px(1.25F)));
    list_->AddRect({at.x - 1, at.y - 1}, {at.x + cell_.x, at.y + cell_.y}, theme_.colours().text, 0, line);
  }

  /// Publishes the hovered cell to the other panels. A click selects its thread.
  void point(const ShownArray& array, const GridCell& cell) {
    if (array.kind == ArrayKind::Constant) { return; }
    const bool isRegister = array.kind == ArrayKind::Register;
    const auto owner = isRegister ? static_cast<std::uint32_t>(cell.index) : cell.cell.writer;
    if (owner != kNone) {
      state_.selection.hoveredThread = owner;
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        state_.selection.thread = owner;
        state_.selection.output.reset();
      }
    }
    if (cell.placed) { state_.selection.hoveredPoint = cell.at; }
  }

  /// Shows a tooltip, and asks for a number where one can be typed.
  void answer(const ShownArray& array, const GridCell& cell) {
    if (array.kind == ArrayKind::Constant) {
      const Tooltip tip(theme_);
      tip.title(array.nameOf(cell.index, state_.experiment->configuration.block) + " = " +
                recording::formatExact(array.type, cell.cell.bits));
      tip.note(tr("constant memory: the same for all threads"));
      if (!canBeTyped(state_, array.id)) { return; }
      tip.note(tr("double-click or Enter: type a number"));
      if (typingAsked()) { typeCell(state_, array.id, cell.index); }
      return;
    }
    if (typedBy(cell) && typingAsked()) { typeCell(state_, cell.cell.origin.object, cell.cell.origin.element); }
    tooltip(array, cell);
  }

  /// Whether the cell is a copy of an element that can be chosen.
  [[nodiscard]] bool typedBy(const GridCell& cell) const {
    return cell.cell.origin.kind == Origin::Kind::Element && canBeTyped(state_, cell.cell.origin.object);
  }

  void tooltip(const ShownArray& array, const GridCell& cell) const {
    const Palette& colours = theme_.colours();
    const Dim3& block = state_.experiment->configuration.block;
    const bool written = cell.cell.writer != kNone;
    const Tooltip tip(theme_);
    const std::string element = array.nameOf(cell.index, block);
    const bool empty = cell.role == Role::Unwritten && !written;
    tip.title(element + " = " + (empty ? tr("unwritten") : recording::formatExact(array.type, cell.cell.bits)));
    tip.row(tr("role"), name(cell.role), cell.role == Role::Unwritten ? colours.text : hueOf(array, cell.role));
    if (cell.placed) {
      tip.row(tr("grid point"), pointText(cell.at, state_.experiment->footprint.inputExtents.size()));
    }
    if (cell.cell.origin.kind == Origin::Kind::Element) {
      const ObjectId source = cell.cell.origin.object;
      tip.row(tr("a copy of"),
              recording::formatElement(state_.experiment->program->objects[source].name,
                                       state_.cursor.recording().extents[source], cell.cell.origin.element));
    }
    if (written) {
      std::string writer = threadText(cell.cell.writer, block);
      if (cell.cell.writtenAt != kNone) { writer += trf(", step {}", grouped(std::uint64_t{cell.cell.writtenAt} + 1)); }
      tip.row(tr("written by"), writer);
    }
    if (typedBy(cell)) { tip.note(tr("double-click or Enter: type a number")); }
    if (cell.changed) { tip.note(tr("written by the current step"), colours.activeText); }
    if (cell.read) { tip.note(tr("read by the current step")); }
    if (cell.inFlight != kNone) {
      const recording::Recording& recording = state_.cursor.recording();
      tip.row(tr("in flight"), recording::inFlightText(recording, recording.inFlight[cell.inFlight]));
    }
  }

  AppState& state_;
  const Theme& theme_;
  std::vector<ShownArray> arrays_;
  std::vector<ValueText> texts_;  ///< one per array
  bool compact_ = false;          ///< constants are not printed
  ImDrawList* list_;
  float width_, gap_;
  float labelHeight_ = 0;
  float edge_ = 8;      ///< of a cell, pixels
  ImVec2 cell_;         ///< of the array being drawn
  ImVec2 origin_, at_;  ///< start of the drawing; position of the next array
  float rowBottom_ = 0;
};

}  // namespace

void drawArrayGrids(AppState& state, const Theme& theme, float height) {
  std::vector<ShownArray> arrays = shownArrays(state, theme);
  const bool any = std::any_of(arrays.begin(), arrays.end(),
                               [](const ShownArray& array) { return array.kind != ArrayKind::Constant; });
  if (!any) {
    label(theme, theme.colours().textDim, tr("No shared array, and no register that carries a plane:"));
    label(theme, theme.colours().textDim, tr("every value is read from global memory where it is used."));
    ImGui::Dummy({0, theme.px(4)});
  }
  Grids(state, theme, std::move(arrays)).draw(height);
}

void drawArrayLegend(const AppState& state, const Theme& theme) {
  constexpr std::array kRoles = {Role::Interior, Role::Halo, Role::Ghost, Role::Computed, Role::Unwritten};
  if (state.blockView.carriers.empty()) { return; }
  std::vector<LegendEntry> entries;
  for (const Role role : kRoles) {
    const auto holds = [&](const recording::CarrierView& view) {
      return std::any_of(view.cells.begin(), view.cells.end(),
                         [&](const recording::CarrierCell& cell) { return cell.role == role; });
    };
    if (std::none_of(state.blockView.carriers.begin(), state.blockView.carriers.end(), holds)) { continue; }
    const bool empty = role == Role::Unwritten;
    entries.push_back(
        {empty ? theme.colours().ghost : theme.of(role), name(role), empty ? Swatch::Hatched : Swatch::Filled});
  }
  legend(theme, entries);
}

}  // namespace haloscope::ui
