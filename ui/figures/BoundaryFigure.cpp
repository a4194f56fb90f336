#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "figures/BlockBoundary.h"
#include "recording/GridShape.h"
#include "ui/Choices.h"
#include "ui/Glossary.h"
#include "ui/Places.h"
#include "ui/Slider.h"
#include "ui/Widgets.h"
#include "ui/figures/FigureList.h"
#include "ui/figures/FigureText.h"

/// The focused block where the array ends: what it loads, what it writes, and what nobody writes, in one plane.
namespace haloscope::ui {

namespace {

using figures::BlockBoundary;
using figures::BoundaryCounts;
using figures::GhostCell;
using figures::LoadedAs;
using figures::WrittenBy;
using recording::GridPoint;
using recording::GridShape;

constexpr std::int64_t kWholeGrid = 44;  ///< cells along an axis that are still drawn all
constexpr std::int64_t kAround = 4;      ///< cells beside the block's, of a larger grid

struct Range {
  std::int64_t low = 0, high = 0;
  [[nodiscard]] std::int64_t count() const { return high - low + 1; }
};

/// What is drawn along an axis: the whole array, or the block's cells and a few around them.
Range rangeOf(std::int64_t lowest, std::int64_t highest, std::int64_t extent) {
  const Range whole{std::min<std::int64_t>(lowest, 0), std::max(highest, extent - 1)};
  if (whole.count() <= kWholeGrid) { return whole; }
  return {std::max(whole.low, lowest - kAround), std::min(whole.high, highest + kAround)};
}

/// The swatch of a role is drawn as its cells are.
void drawRole(const Theme& theme, LoadedAs loaded, WrittenBy written, ImVec2 min, ImVec2 max) {
  const Palette& colours = theme.colours();
  CellLook look;
  switch (loaded) {
    case LoadedAs::Interior:
      look.fill = colours.interior;
      break;
    case LoadedAs::Halo:
      look.fill = colours.halo;
      break;
    case LoadedAs::Ghost:
      look.fill = colours.ghost;
      break;
    case LoadedAs::Nothing:
      look.fill = theme.faded(colours.border, 0.5F);
      break;
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  drawCell(list, theme, min, max, look);
  if (written == WrittenBy::ThisBlock) {
    const float inset = std::round((max.x - min.x) * 0.28F);
    const ImVec2 low{min.x + inset, min.y + inset}, high{max.x - inset, max.y - inset};
    list->AddRectFilled({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, colours.panel);
    list->AddRectFilled(low, high, colours.output);
  } else if (written == WrittenBy::Nobody) {
    const float line = std::max(1.0F, theme.px(1.5F));
    const float inset = line;
    list->AddLine({min.x + inset, min.y + inset}, {max.x - inset, max.y - inset}, colours.text, line);
    list->AddLine({min.x + inset, max.y - inset}, {max.x - inset, min.y + inset}, colours.text, line);
  }
}

class BoundaryPicture {
 public:
  BoundaryPicture(const BlockBoundary& boundary, const Theme& theme, std::int64_t plane)
      : boundary_(boundary), theme_(theme), plane_(plane), shape_(boundary.extents) {}

  void draw(ImVec2 room) {
    const Range columns = rangeOf(boundary_.lowest.x, boundary_.highest.x, shape_.columns());
    const Range rows = rangeOf(boundary_.lowest.y, boundary_.highest.y, shape_.rows());
    const float cell = std::clamp(
        std::floor(std::min(room.x / static_cast<float>(columns.count()), room.y / static_cast<float>(rows.count()))),
        3.0F, theme_.px(26));
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    for (std::int64_t y = rows.low; y <= rows.high; ++y) {
      for (std::int64_t x = columns.low; x <= columns.high; ++x) {
        const GridPoint at{plane_, y, x};
        const LoadedAs loaded = boundary_.loadedAs(at);
        if (loaded == LoadedAs::Nothing && !shape_.contains(at)) { continue; }
        const ImVec2 min{origin.x + static_cast<float>(x - columns.low) * cell,
                         origin.y + static_cast<float>(y - rows.low) * cell};
        drawRole(theme_, loaded, boundary_.writtenBy(at), min, {min.x + cell - 1, min.y + cell - 1});
      }
    }
    drawEdge(origin, cell, columns, rows);
    const auto pointed =
        cellGridItem("cells", {cell, cell}, static_cast<int>(columns.count()), static_cast<int>(rows.count()));
    if (!pointed) { return; }
    tell({plane_, rows.low + *pointed / columns.count(), columns.low + *pointed % columns.count()});
  }

 private:
  /// Where the array ends, where that is in sight.
  void drawEdge(ImVec2 origin, float cell, const Range& columns, const Range& rows) const {
    if (plane_ < 0 || plane_ >= shape_.planes()) { return; }
    const auto along = [&](std::int64_t at, const Range& range, float from) {
      return from + static_cast<float>(std::clamp(at, range.low, range.high + 1) - range.low) * cell;
    };
    const ImVec2 min{along(0, columns, origin.x), along(0, rows, origin.y)};
    const ImVec2 max{along(shape_.columns(), columns, origin.x), along(shape_.rows(), rows, origin.y)};
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 colour = theme_.colours().text;
    const float width = std::max(1.0F, theme_.px(1.75F));
    if (columns.low <= 0) { list->AddLine({min.x - 1, min.y}, {min.x - 1, max.y}, colour, width); }
    if (columns.high >= shape_.columns() - 1) { list->AddLine({max.x, min.y}, {max.x, max.y}, colour, width); }
    if (rows.low <= 0) { list->AddLine({min.x, min.y - 1}, {max.x, min.y - 1}, colour, width); }
    if (rows.high >= shape_.rows() - 1) { list->AddLine({min.x, max.y}, {max.x, max.y}, colour, width); }
  }

  void tell(const GridPoint& at) const {
    const LoadedAs loaded = boundary_.loadedAs(at);
    const bool inside = shape_.contains(at);
    if (!inside && loaded == LoadedAs::Nothing) { return; }
    const Tooltip tip(theme_);
    tip.title(inside ? recording::formatElement(boundary_.input, boundary_.extents, shape_.element(at))
                     : boundary_.input + " at " + pointText(at, boundary_.extents.size()));
    const Palette& colours = theme_.colours();
    switch (loaded) {
      case LoadedAs::Interior:
        tip.row("loaded", "interior point", colours.interior);
        break;
      case LoadedAs::Halo:
        tip.row("loaded", "halo cell", colours.halo);
        break;
      case LoadedAs::Ghost: {
        const GhostCell& ghost = *boundary_.ghostAt(at);
        tip.row("outside", "ghost cell", colours.ghost);
        if (ghost.needed) { tip.note("A sum of this block has this point."); }
        if (ghost.held) { tip.note("A cell of the block's tile stands for it."); }
        if (!ghost.needed) { tip.note("No sum of this block has this point."); }
        break;
      }
      case LoadedAs::Nothing:
        tip.row("loaded", "not by this block");
        break;
    }
    switch (boundary_.writtenBy(at)) {
      case WrittenBy::ThisBlock:
        tip.row("written", "by this block", colours.output);
        break;
      case WrittenBy::OtherBlock:
        tip.row("written", "by another block");
        break;
      case WrittenBy::Nobody:
        tip.row("written", "by no block: it keeps its value");
        break;
      case WrittenBy::Outside:
        break;
    }
  }

  const BlockBoundary& boundary_;
  const Theme& theme_;
  std::int64_t plane_;
  GridShape shape_;
};

/// The legend: each role as it is drawn, how many there are, and what the word means.
class Roles {
 public:
  Roles(const BlockBoundary& boundary, const Theme& theme, std::int64_t plane)
      : theme_(theme),
        planes_(boundary.extents.size() > 2),
        all_(countAll(boundary)),
        here_(countPlane(boundary, plane)) {}

  void draw() const {
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {theme_.px(6), 0});
    if (ImGui::BeginTable("roles", planes_ ? 5 : 4, kFlags)) {
      for (int column = 0; column < (planes_ ? 4 : 3); ++column) { ImGui::TableSetupColumn(""); }
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
      head();
      row("interior point", "loaded, and computed by this block", LoadedAs::Interior, WrittenBy::Outside,
          &BoundaryCounts::interior);
      row("halo cell", "loaded beside the output tile (elsewhere: ghost cell)", LoadedAs::Halo, WrittenBy::Outside,
          &BoundaryCounts::halo);
      row("ghost cell", "outside the array (elsewhere: halo)", LoadedAs::Ghost, WrittenBy::Outside,
          &BoundaryCounts::ghosts);
      row("output cell", "written by this block", LoadedAs::Nothing, WrittenBy::ThisBlock, &BoundaryCounts::outputs);
      row("keeps its value", "written by no block of the grid", LoadedAs::Nothing, WrittenBy::Nobody,
          &BoundaryCounts::kept);
      ImGui::EndTable();
    }
    ImGui::PopStyleVar();
  }

 private:
  void cell(const std::string& text, ImU32 colour) const {
    ImGui::TableNextColumn();
    label(theme_, colour, text);
  }

  void head() const {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TableNextColumn();
    if (planes_) { cell("here", theme_.colours().textDim); }
    cell("in all", theme_.colours().textDim);
  }

  void row(const char* word, const char* meaning, LoadedAs loaded, WrittenBy written,
           std::size_t BoundaryCounts::* count) const {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const float size = std::round(ImGui::GetTextLineHeight() * 0.8F);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float down = std::round((ImGui::GetTextLineHeight() - size) / 2);
    drawRole(theme_, loaded, written, {at.x, at.y + down}, {at.x + size, at.y + down + size});
    ImGui::Dummy({size, size});
    ImGui::TableNextColumn();
    label(theme_, theme_.colours().text, word);
    if (ImGui::IsItemHovered()) { define(word); }
    if (planes_) { cell(std::to_string(here_.*count), theme_.colours().text); }
    cell(std::to_string(all_.*count), theme_.colours().text);
    ImGui::TableNextColumn();
    clippedLabel(theme_, theme_.colours().textDim, meaning);
  }

  void define(const char* word) const {
    const auto term = std::ranges::find_if(glossary(), [&](const Term& one) { return std::string(word) == one.word; });
    if (term == glossary().end()) { return; }
    const Tooltip tip(theme_);
    tip.title(term->word, 0, Face::SansStrong);
    tip.note(term->meaning, theme_.colours().text);
  }

  const Theme& theme_;
  bool planes_;
  BoundaryCounts all_, here_;
};

/// One block of each kind of place.
void drawBlocks(AppState& state, const Theme& theme, const experiment::Experiment& shown) {
  const Dim3& grid = shown.configuration.grid;
  const std::vector<Dim3> examples = exampleBlocks(grid);
  if (examples.size() < 2) { return; }
  std::vector<const char*> words;
  int chosen = -1;
  for (const Dim3& block : examples) {
    if (recording::placeOf(block, grid) == recording::placeOf(shown.block, grid)) {
      chosen = static_cast<int>(words.size());
    }
    words.push_back(name(recording::placeOf(block, grid)));
  }
  const int now = choiceRow(theme, "block", words, chosen);
  if (now != chosen) { state.choice.block = examples[static_cast<std::size_t>(now)]; }
}

}  // namespace

void drawBoundaryFigure(AppState& state, const Theme& theme) {
  const Palette& colours = theme.colours();
  BoundaryFigure& figure = state.figures.boundary;
  if (figure.found == nullptr) {
    figureSentence(theme, colours.textDim,
                   figure.experiment == nullptr ? "Executing the grid to see which points no block writes …"
                                                : "The kernel could not be run again.");
    return;
  }
  const BlockBoundary& boundary = *figure.found;
  const Dim3& grid = figure.experiment->configuration.grid;
  figureTitle(theme, fmt::format("Block {} of a grid of {} × {} × {} blocks", blockText(boundary.block), grid.x, grid.y,
                                 grid.z));
  drawBlocks(state, theme, *figure.experiment);
  if (!boundary.reason.empty()) { return figureSentence(theme, colours.text, boundary.reason); }
  const GridShape shape(boundary.extents);
  std::int64_t plane = 0;
  if (boundary.extents.size() > 2) {
    const std::int64_t low = std::min<std::int64_t>(0, boundary.lowest.z);
    const std::int64_t high = std::max(shape.planes() - 1, boundary.highest.z);
    plane = std::clamp(figure.plane.value_or(boundary.middlePlane()), low, high);
    frameLabel(theme, fmt::format("plane z = {} of 0 … {}", plane, shape.planes() - 1), Face::Sans);
    ImGui::SameLine(0, theme.px(8));
    if (Slider{"##plane", low, high, theme.px(160)}.draw(theme, plane)) { figure.plane = plane; }
  }
  Roles(boundary, theme, plane).draw();
  figureSentence(theme, colours.textDim, ghostSentence(boundary));
  ImGui::Dummy({0, theme.px(4)});
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.x > theme.px(40) && room.y > theme.px(40)) {
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + theme.px(4));
    BoundaryPicture(boundary, theme, plane).draw({room.x - theme.px(8), room.y - theme.px(8)});
  }
}

}  // namespace haloscope::ui
