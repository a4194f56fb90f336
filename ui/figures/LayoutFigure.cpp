#include <fmt/format.h>
#include <imgui_internal.h>  // shortcuts that an item owns

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "actions/Choices.h"
#include "figures/GridLayout.h"
#include "figures/SmallGrid.h"
#include "figures/StencilShape.h"
#include "figures/WarpLayout.h"
#include "language/Text.h"
#include "recording/GridShape.h"
#include "state/Places.h"
#include "ui/figures/FigureDrawings.h"
#include "ui/figures/FigureText.h"
#include "ui/figures/SectorStrip.h"
#include "ui/widgets/Slider.h"
#include "ui/widgets/Widgets.h"

/// Where the points needed together are in the linear array: for one point of a small grid, or for a whole warp.
namespace haloscope::ui {

namespace {

using figures::GridLayout;
using figures::IndexOrder;
using figures::kIndexOrders;
using figures::NeededElements;
using figures::ShapePoint;
using figures::StencilShape;
using figures::WarpLayout;
using figures::WarpOperand;
using recording::GridPoint;

void drawElementTip(const Theme& theme, const GridLayout& layout, const std::string& array, std::int64_t element,
                    const NeededElements& needed) {
  const Tooltip tip(theme);
  const bool isNeeded = std::ranges::binary_search(needed.elements, element);
  const bool along = std::ranges::binary_search(needed.sectors, layout.sector(element));
  tip.title(fmt::format("{}[{}]", array, element), isNeeded ? theme.colours().interior : 0);
  tip.row(tr("grid point"), pointText(layout.point(element), layout.rank()));
  tip.row(tr("byte"), std::to_string(layout.byteOffset(element)));
  tip.row(tr("sector"), std::to_string(layout.sector(element)));
  tip.note(isNeeded ? tr("needed") : along ? tr("not needed; transferred with its sector") : tr("not needed"));
}

/// `chosen` labels the outlined point; if empty, none is outlined.
void drawLegend(const Theme& theme, const std::string& chosen = {}) {
  const Palette& colours = theme.colours();
  std::vector<LegendEntry> entries = {{colours.interior, tr("needed")},
                                      {theme.faded(colours.halo, 0.38F), tr("transferred, not needed")}};
  if (!chosen.empty()) { entries.push_back({colours.output, chosen.c_str(), Swatch::Outlined}); }
  legend(theme, entries);
}

/// One point of a small grid.
class OnePointView {
 public:
  OnePointView(AppState& state, const Theme& theme, const StencilShape& shape)
      : figure_(state.figures.layout),
        theme_(theme),
        shape_(shape),
        edges_(figures::drawnEdges(shape)),
        edge_(std::clamp(figure_.edge, edges_.smallest, edges_.largest)),
        bytes_(elementBytes(*state.figures.shape.experiment)) {
    for (const ShapePoint& point : shape.points) { needed_.push_back(centre() + point.offset); }
  }

  void draw() {
    drawSize();
    drawPlanes();
    float room = ImGui::GetContentRegionAvail().y;
    std::size_t rows = 0;
    for (const IndexOrder order : kIndexOrders) { rows += SectorStrip(theme_, layout(order)).allLines().size(); }
    const float heading = ImGui::GetTextLineHeight() * 2 + theme_.px(16);
    room -= heading * static_cast<float>(kIndexOrders.size()) + theme_.px(24);
    const float height = std::clamp(std::floor(room / static_cast<float>(rows)), theme_.px(7), theme_.px(40));
    for (const IndexOrder order : kIndexOrders) {
      if (shape_.rank() == 1 && order == IndexOrder::Transposed) { break; }  // there is only one order
      drawOrder(order, height);
    }
    drawLegend(theme_, outside() > 0 ? figures::borderText(outside()) : tr("computed point"));
  }

 private:
  /// Number of the shape's points that are outside the grid.
  [[nodiscard]] std::int64_t outside() const {
    const GridLayout grid = layout(IndexOrder::RowMajor);
    return std::ranges::count_if(needed_, [&](const GridPoint& point) { return !grid.contains(point); });
  }
  [[nodiscard]] static int elementBytes(const experiment::Experiment& experiment) {
    const ObjectId input = experiment.footprint.input;
    return input == kNone ? 4 : sizeInMemory(experiment.program->objects[input].element);
  }
  [[nodiscard]] std::vector<std::int64_t> extents() const {
    return std::vector<std::int64_t>(shape_.rank(), static_cast<std::int64_t>(edge_));
  }
  [[nodiscard]] GridLayout layout(IndexOrder order) const { return {extents(), bytes_, order}; }
  [[nodiscard]] GridPoint centre() const {
    if (!figure_.point) { return figures::pointNextToMiddle(shape_.rank(), edge_); }
    const std::array<std::int64_t, 3>& at = *figure_.point;
    const auto inside = [&](std::size_t axis) {
      return axis < 3 - shape_.rank() ? 0 : std::clamp<std::int64_t>(at[axis], 0, edge_ - 1);
    };
    return {inside(0), inside(1), inside(2)};
  }
  void choose(const GridPoint& at) { figure_.point = std::array{at.z, at.y, at.x}; }

  void drawSize() {
    std::string text;
    for (std::size_t axis = 0; axis < shape_.rank(); ++axis) {
      text += fmt::format("{}{}", axis > 0 ? " × " : "", edge_);
    }
    ImGui::SameLine(0, theme_.px(20));
    std::int64_t edge = edge_;
    const Slider slider{"##edge", edges_.smallest, edges_.largest, theme_.px(90)};
    if (slider.draw(theme_, edge)) { figure_.edge = static_cast<int>(edge); }
    ImGui::SameLine(0, theme_.px(8));
    label(theme_, theme_.colours().textDim, trf("grid of {}, point {}", text, pointText(centre(), shape_.rank())),
          Face::Sans);
  }

  /// The grid, planes next to each other; a click or the arrow keys select the point.
  void drawPlanes() {
    const GridPoint at = centre();
    const int planes = shape_.rank() == 3 ? edge_ : 1;
    const int rows = shape_.rank() >= 2 ? edge_ : 1;
    const float gap = theme_.px(8);
    const float gutter = theme_.px(rows > 1 ? 12 : 0);  // for the letter of the rows' axis
    const float width = ImGui::GetContentRegionAvail().x - gutter - gap * static_cast<float>(planes);
    const float cell =
        std::max(3.0F, std::floor(std::min(width / static_cast<float>(planes * edge_), theme_.px(rows > 10 ? 8 : 13))));
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetTextLineHeight();
    const ImU32 dim = theme_.colours().textDim;
    if (rows > 1) {
      textAt(ImGui::GetWindowDrawList(), {origin.x, origin.y + static_cast<float>(rows) * cell}, dim, "y");
    }
    for (int z = 0; z < planes; ++z) {
      const float left = origin.x + gutter + static_cast<float>(z) * (cell * static_cast<float>(edge_) + gap);
      if (planes > 1) { textAt(ImGui::GetWindowDrawList(), {left, origin.y}, dim, fmt::format("z {}", z)); }
      // Each letter is at the end of its axis.
      textAt(ImGui::GetWindowDrawList(), {left + cell * static_cast<float>(edge_) - textWidth("x"), origin.y}, dim,
             "x");
      const float top = origin.y + line;
      for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < edge_; ++x) {
          const GridPoint place{z, y, x};
          CellLook look;
          const bool needed = std::ranges::find(needed_, place) != needed_.end();
          look.fill = needed ? theme_.colours().interior : theme_.faded(theme_.colours().border, 0.55F);
          if (place == at) {
            look.outline = theme_.colours().output;
            look.strong = true;
          }
          const ImVec2 min{left + static_cast<float>(x) * cell, top + static_cast<float>(y) * cell};
          drawCell(ImGui::GetWindowDrawList(), theme_, min, {min.x + cell - 1, min.y + cell - 1}, look);
        }
      }
      ImGui::SetCursorScreenPos({left, top});
      const std::string id = trf("plane {}", z);
      const auto pointed = cellGridItem(id.c_str(), {cell, cell}, edge_, rows);
      followKeys(at);
      if (!pointed) { continue; }
      const GridPoint place{z, *pointed / edge_, *pointed % edge_};
      if (ImGui::IsItemClicked()) { choose(place); }
      const Tooltip tip(theme_);
      tip.title(trf("grid point {}", pointText(place, shape_.rank())));
      tip.note(tr("Click to select this point; then move it with the arrow keys, Page Up and Page Down."));
    }
    ImGui::SetCursorScreenPos({origin.x, origin.y + line + static_cast<float>(rows) * cell + theme_.px(6)});
  }

  /// While the last item has the focus, the arrow keys move the point.
  void followKeys(GridPoint at) {
    if (!ImGui::IsItemFocused()) { return; }
    const auto pressed = [](ImGuiKey key) { return ImGui::Shortcut(key, ImGuiInputFlags_Repeat, ImGui::GetItemID()); };
    const auto move = [&](ImGuiKey less, ImGuiKey more, std::int64_t& coordinate) {
      coordinate += (pressed(more) ? 1 : 0) - (pressed(less) ? 1 : 0);
    };
    const GridPoint before = at;
    move(ImGuiKey_LeftArrow, ImGuiKey_RightArrow, at.x);
    move(ImGuiKey_UpArrow, ImGuiKey_DownArrow, at.y);
    move(ImGuiKey_PageUp, ImGuiKey_PageDown, at.z);
    if (!(at == before)) { choose(at); }
  }

  void drawOrder(IndexOrder order, float height) {
    const GridLayout grid = layout(order);
    const NeededElements needed = neededElements(grid, needed_);
    label(theme_, theme_.colours().text, grid.formula(shape_.input), Face::Mono);
    ImGui::SameLine(0, theme_.px(12));
    label(theme_, theme_.colours().textDim, grid.name());
    std::string text = figures::neededText(needed);
    if (needed.outside > 0) { text += trf("; {} outside the grid", needed.outside); }
    clippedLabel(theme_, theme_.colours().textDim, text);
    const SectorStrip strip(theme_, grid);
    const auto element = strip.draw(order == IndexOrder::RowMajor ? tr("row-major") : tr("transposed"),
                                    {&needed, grid.index(centre()), strip.allLines()}, height);
    followKeys(centre());
    if (element) {
      if (ImGui::IsItemClicked()) { choose(grid.point(*element)); }
      drawElementTip(theme_, grid, shape_.input, *element, needed);
    }
    ImGui::Dummy({0, theme_.px(4)});
  }

  LayoutFigure& figure_;
  const Theme& theme_;
  const StencilShape& shape_;
  figures::DrawnEdges edges_;
  int edge_;
  int bytes_;
  std::vector<GridPoint> needed_;
};

/// All lanes of a warp, in the kernel's array.
class WarpView {
 public:
  WarpView(AppState& state, const Theme& theme, const StencilShape& shape, const WarpLayout& warp)
      : figure_(state.figures.layout), theme_(theme), shape_(shape), warp_(warp), experiment_(*figure_.experiment) {}

  void draw() {
    const Palette& colours = theme_.colours();
    const GridPoint& first = warp_.computed.front();
    const GridPoint& last = warp_.computed.back();
    figureSentence(theme_, colours.text,
                   trn("Warp {} of block {}: {} lane computes around {} … {} of {}.",
                       "Warp {} of block {}: {} lanes compute around {} … {} of {}.", warp_.computed.size(), warp_.warp,
                       blockText(experiment_.block), warp_.computed.size(), pointText(first, shape_.rank()),
                       pointText(last, shape_.rank()), extentsText()));
    drawTable();
    figureSentence(theme_, colours.textDim,
                   trn("Executed, over all steps: this warp makes {} load request to {}, {} (at least {}).",
                       "Executed, over all steps: this warp makes {} load requests to {}, {} (at least {}).",
                       warp_.requests, warp_.requests, shape_.input,
                       figures::sectorText(static_cast<std::int64_t>(warp_.sectors)), warp_.idealSectors));
    drawStrips();
    drawLegend(theme_);
  }

 private:
  [[nodiscard]] std::string extentsText() const {
    std::string text = shape_.input;
    for (const std::int64_t extent : warp_.extents) { text += fmt::format("[{}]", extent); }
    return text;
  }
  [[nodiscard]] const std::array<NeededElements, kIndexOrders.size()>& chosen() const {
    return figure_.operand > 0 && figure_.operand <= warp_.operands.size() ? warp_.operands[figure_.operand - 1].needed
                                                                           : warp_.together;
  }

  void drawTable() {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const float rows = static_cast<float>(std::min<std::size_t>(warp_.operands.size() + 2, 10));
    const float height = rows * (ImGui::GetTextLineHeight() + theme_.px(6)) + theme_.px(2);
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                       ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {theme_.px(8), theme_.px(2)});
    if (ImGui::BeginTable("operands", 6, kFlags, {0, height})) {
      ImGui::TableSetupScrollFreeze(0, 1);
      const std::string executed = tr("executed");
      const std::array<std::string, 6> names = {
          tr("needed for"), tr("elements"),
          tr("at least"),   GridLayout(warp_.extents, warp_.elementBytes, kIndexOrders[0]).name(),
          executed,         GridLayout(warp_.extents, warp_.elementBytes, kIndexOrders[1]).name()};
      for (const std::string& one : names) { ImGui::TableSetupColumn(one.c_str()); }
      ImGui::TableHeadersRow();
      row(0, tr("all points"), warp_.together, {});
      for (std::size_t i = 0; i < warp_.operands.size(); ++i) {
        const WarpOperand& operand = warp_.operands[i];
        row(i + 1, figures::pointName(shape_.input, shape_.rank(), operand.point.offset), operand.needed,
            operand.executed);
      }
      ImGui::EndTable();
    }
    ImGui::PopStyleVar();
  }

  void row(std::size_t index, const std::string& text, const std::array<NeededElements, kIndexOrders.size()>& needed,
           const std::optional<std::int64_t>& executed) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(static_cast<int>(index));
    const bool isChosen = figure_.operand == index;
    if (ImGui::Selectable(text.c_str(), isChosen, ImGuiSelectableFlags_SpanAllColumns)) { figure_.operand = index; }
    if (lastItemAsked()) {
      const Tooltip tip(theme_);
      tip.title(text);
      tip.row(tr("executed"), executed
                                  ? trf("{} in one request", figures::sectorText(static_cast<std::int64_t>(*executed)))
                                  : tr("no request for exactly these elements"));
      if (needed[0].outside > 0) { tip.row(tr("outside the array"), std::to_string(needed[0].outside)); }
    }
    ImGui::PopID();
    const std::array<std::string, 5> cells = {std::to_string(needed[0].elements.size()),
                                              std::to_string(needed[0].least), std::to_string(needed[0].sectors.size()),
                                              executed ? std::to_string(*executed) : "–",
                                              std::to_string(needed[1].sectors.size())};
    for (const std::string& cell : cells) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(cell.c_str());
    }
  }

  void drawStrips() {
    const float line = ImGui::GetTextLineHeight();
    const float legendRoom = line + theme_.px(8);
    const std::size_t orders = shape_.rank() == 1 ? 1 : kIndexOrders.size();
    const float each = (ImGui::GetContentRegionAvail().y - legendRoom) / static_cast<float>(orders);
    for (std::size_t i = 0; i < orders; ++i) {
      const GridLayout layout(warp_.extents, warp_.elementBytes, kIndexOrders[i]);
      const NeededElements& needed = chosen()[i];
      const SectorStrip strip(theme_, layout);
      std::vector<std::int64_t> lines = strip.linesOf(needed);
      const std::size_t all = lines.size();
      const float height = theme_.px(15);
      const auto fits = static_cast<std::size_t>(std::max(1.0F, (each - 2 * line - theme_.px(12)) / height));
      if (all > fits) { lines.resize(fits); }
      std::string text = fmt::format("{}: {}", layout.name(), figures::neededText(needed));
      if (all > fits) { text += trf("; the first {} of {} 128-byte lines", fits, all); }
      clippedLabel(theme_, theme_.colours().textDim, text);
      const auto element =
          strip.draw(i == 0 ? tr("row-major") : tr("transposed"), {&needed, std::nullopt, lines}, height);
      if (element) { drawElementTip(theme_, layout, shape_.input, *element, needed); }
      ImGui::Dummy({0, theme_.px(2)});
    }
  }

  LayoutFigure& figure_;
  const Theme& theme_;
  const StencilShape& shape_;
  const WarpLayout& warp_;
  const experiment::Experiment& experiment_;
};

}  // namespace

void drawLayoutFigure(AppState& state, const Theme& theme) {
  const Palette& colours = theme.colours();
  const FoundShape& found = state.figures.shape;
  if (found.shape == nullptr) {
    figureSentence(theme, colours.textDim,
                   found.experiment != nullptr
                       ? trf("The kernel could not be executed again to trace its outputs. {}", found.problem)
                   : state.experiment == nullptr && !state.computing ? tr("No kernel has been executed yet.")
                                                                     : tr("Tracing outputs back to their operands …"));
    return;
  }
  const StencilShape& shape = *found.shape;
  figureTitle(theme, title(shape));
  if (!shape.reason.empty()) { return figureSentence(theme, colours.text, shape.reason); }
  LayoutFigure& figure = state.figures.layout;
  constexpr std::array<const char*, 2> kWays = {trMark("one point"), trMark("a warp")};
  constexpr std::array<const char*, 2> kTips = {
      trMark("One point of a small grid, by formula"),
      trMark("The lanes of the selected thread's warp, in the kernel's array")};
  figure.ofWarp = choiceRow(theme, "whose", kWays, figure.ofWarp ? 1 : 0, kTips) == 1;
  if (!figure.ofWarp) { return OnePointView(state, theme, shape).draw(); }
  if (figure.warp == nullptr || figure.experiment != found.experiment) {
    return figureSentence(theme, colours.textDim, tr("Collecting the warp's loads …"));
  }
  if (!figure.warp->reason.empty()) { return figureSentence(theme, colours.text, figure.warp->reason); }
  WarpView(state, theme, shape, *figure.warp).draw();
}

}  // namespace haloscope::ui
