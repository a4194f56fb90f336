#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "actions/Choices.h"
#include "language/Text.h"
#include "measuring/Tuning.h"
#include "render/FieldColours.h"
#include "ui/panels/SizeSweepPlot.h"
#include "ui/panels/TuningQuantities.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The tuning map: a cell for each tile and block size; below it the chosen ones at other problem sizes.
namespace haloscope::ui {
namespace {

using measuring::TuningAxis;
using measuring::TuningCell;
using measuring::TuningMap;

constexpr float kTallestCell = 34, kWidestCell = 84;
constexpr float kLeastSweepPlot = 96;
constexpr float kSizeWidth = 104, kAxisWidth = 120;

ImU32 heat(float share) {
  const render::FieldColour colour = render::fieldColour(share);
  const auto channel = [](float c) { return static_cast<int>(c * 255 + 0.5F); };
  return IM_COL32(channel(colour[0]), channel(colour[1]), channel(colour[2]), 255);
}

std::string axisTitle(const TuningAxis& axis) { return axis.ofRegisters() ? tr("registers") : axis.name; }

std::string valueText(const TuningAxis& axis, std::int64_t value) {
  if (!axis.ofRegisters()) { return std::to_string(value); }
  return value == 0 ? tr("unlimited") : fmt::format("≤ {}", value);
}

std::string cellName(const TuningMap& map, std::size_t index) {
  const std::size_t columns = map.columns.values.size();
  std::string name;
  for (const auto& [axis, value] : {std::pair{&map.columns, map.columns.values[index % columns]},
                                    std::pair{&map.rows, map.rows.values[index / columns]}}) {
    if (axis->ofRegisters() && value == 0) { continue; }
    if (!name.empty()) { name += ", "; }
    name += axis->ofRegisters() ? trf("registers ≤ {}", value) : fmt::format("{} = {}", axis->name, value);
  }
  return name.empty() ? tr("defaults") : name;
}

void cellTooltip(const TuningMap& map, std::size_t index, const Theme& theme) {
  const TuningCell& cell = map.cells[index];
  const Palette& colours = theme.colours();
  const Tooltip tip(theme);
  tip.title(cellName(map, index));
  if (!cell.limit.empty()) {
    tip.note(trf("Cannot run: {}.", cell.limit), colours.fault);
    return;
  }
  const Dim3& block = cell.configuration.block;
  tip.row(tr("block"), trf("{}×{}×{}, {} threads", block.x, block.y, block.z, block.count()));
  tip.row(tr("grid"), trf("{} blocks", grouped(cell.configuration.grid.count())));
  if (!cell.compiled) {
    tip.note(tr("Not compiled yet."));
    return;
  }
  if (cell.timed()) {
    tip.row(tr("median"), trf("{:.4f} ms of {} launches", cell.time.medianMs, cell.time.samples), colours.interior);
    tip.row(tr("p10 … p90"), fmt::format("{:.4f} … {:.4f} ms", cell.time.p10Ms, cell.time.p90Ms));
    tip.row(tr("effective"), fmt::format("{:.0f} GB/s", cell.effectiveGBs));
    if (cell.fractionOfCopy > 0) { tip.row(tr("of copy"), fmt::format("{:.3f}", cell.fractionOfCopy), colours.halo); }
  }
  tip.row(tr("occupancy"),
          trf("{}, {} resident blocks", percentText(cell.occupancy.share), cell.occupancy.residentBlocks));
  tip.row(tr("limited by"), cell.occupancy.limitedBy);
  tip.row(tr("registers"), cell.registers > 0 ? trf("{} per thread", cell.registers) : tr("not known"));
  if (cell.spillBytes > 0) { tip.row(tr("spills"), trf("{} B per thread", cell.spillBytes), colours.fault); }
  tip.row(tr("shared"), trf("{} per block", byteText(static_cast<std::uint64_t>(cell.sharedBytes))));
  if (cell.registerLimit > 0) {
    if (cell.freeAnyway) { tip.note(tr("The kernel needs no more registers than this limit: same as the row above.")); }
    tip.note(
        trf("Compiled with --maxrregcount={}. In the source, __launch_bounds__ before the kernel's name "
            "limits registers.",
            cell.registerLimit));
  }
}

void goTo(AppState& state, const TuningMap& map, const TuningCell& cell) {
  const KernelFile* file = chosenFile(state);
  if (file == nullptr) { return; }
  for (const TuningAxis* axis : {&map.columns, &map.rows}) {
    if (axis->ofRegisters() || file->findTunable(axis->name) == nullptr) { continue; }
    state.choice = withValue(*file, state.choice, axis->name, cell.bindings.at(axis->name));
  }
}

/// The map's cells with the axis values.
class Heatmap {
 public:
  Heatmap(AppState& state, const TuningMap& map, const Theme& theme)
      : state_(state), map_(map), theme_(theme), quantity_(state.tuning.quantity) {
    Bindings chosen = map.bindings;
    if (const KernelFile* file = chosenFile(state); file != nullptr) {
      for (const std::string& axis : map.axes) { chosen[axis] = chosenValue(*file, state.choice, axis); }
    }
    chosen_ = map.chosen(chosen);
    best_ = map.best();
  }

  void draw(float height) {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const float line = ImGui::GetTextLineHeight();
    float left = textWidth(axisTitle(map_.rows));
    for (const std::int64_t value : map_.rows.values) { left = std::max(left, textWidth(valueText(map_.rows, value))); }
    left += theme_.px(8);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const auto columns = static_cast<float>(map_.columns.values.size());
    const auto rows = static_cast<float>(map_.rows.values.size());
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 cell{std::min((width - left) / columns, theme_.px(kWidestCell)),
                      std::clamp((height - 2 * line - theme_.px(4)) / rows, line, theme_.px(kTallestCell))};
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 dim = theme_.colours().textDim;
    const std::string across = axisTitle(map_.columns);
    textAt(list, {at.x + left + (cell.x * columns - textWidth(across)) / 2, at.y}, dim, across);
    textAt(list, {at.x, at.y + line}, dim, axisTitle(map_.rows));
    const ImVec2 first{at.x + left, at.y + 2 * line + theme_.px(2)};
    for (std::size_t c = 0; c < map_.columns.values.size(); ++c) {
      const std::string text = valueText(map_.columns, map_.columns.values[c]);
      const float x = first.x + static_cast<float>(c) * cell.x;
      textAt(list, {x + (cell.x - textWidth(text)) / 2, at.y + line}, theme_.colours().text, text);
    }
    for (std::size_t r = 0; r < map_.rows.values.size(); ++r) {
      const float y = first.y + static_cast<float>(r) * cell.y;
      const std::string text = valueText(map_.rows, map_.rows.values[r]);
      textAt(list, {first.x - theme_.px(6) - textWidth(text), y + (cell.y - line) / 2}, theme_.colours().text, text);
      for (std::size_t c = 0; c < map_.columns.values.size(); ++c) {
        drawOne(r * map_.columns.values.size() + c, {first.x + static_cast<float>(c) * cell.x, y}, cell);
      }
    }
    // Marked cells are drawn over their neighbours.
    mark(best_, first, cell, theme_.colours().good);
    mark(chosen_, first, cell, theme_.colours().text);
    ImGui::SetCursorScreenPos({at.x, first.y + rows * cell.y + theme_.px(4)});
  }

 private:
  void drawOne(std::size_t index, ImVec2 at, ImVec2 size) {
    const TuningCell& cell = map_.cells[index];
    const Palette& colours = theme_.colours();
    const float gap = theme_.px(1);
    const ImVec2 max{at.x + size.x - gap, at.y + size.y - gap};
    const std::optional<double> value = valueOf(cell, quantity_);
    ImDrawList* list = ImGui::GetWindowDrawList();
    CellLook look{.fill = value ? heat(brightness(map_, quantity_, *value)) : colours.panelRaised,
                  .hatched = !cell.limit.empty()};
    drawCell(list, theme_, at, max, look);
    const std::string text = value                   ? cellText(quantity_, *value)
                             : !cell.limit.empty()   ? ""
                             : state_.tuning.running ? "…"
                                                     : "–";
    if (textWidth(text) <= size.x) {
      const ImVec2 middle{at.x + (size.x - gap - textWidth(text)) / 2,
                          at.y + (size.y - gap - ImGui::GetTextLineHeight()) / 2};
      textAt(list, middle, value ? theme_.textOn(look.fill) : colours.textDim, text);
    }
    ImGui::SetCursorScreenPos(at);
    ImGui::PushID(static_cast<int>(index));
    if (ImGui::InvisibleButton("cell", {size.x - gap, size.y - gap}, ImGuiButtonFlags_EnableNav) &&
        cell.limit.empty()) {
      goTo(state_, map_, cell);
    }
    ImGui::PopID();
    if (lastItemAsked()) { cellTooltip(map_, index, theme_); }
  }

  void mark(std::optional<std::size_t> index, ImVec2 first, ImVec2 size, ImU32 colour) {
    if (!index) { return; }
    const std::size_t columns = map_.columns.values.size();
    const ImVec2 at{first.x + static_cast<float>(*index % columns) * size.x,
                    first.y + static_cast<float>(*index / columns) * size.y};
    // One frame around the cell and one just inside it, so that both are visible if the chosen cell is the best;
    // a dark line separates them from any fill.
    const float in = theme_.px(colour == theme_.colours().good ? 1.5F : -1);
    const ImVec2 min{at.x + in, at.y + in};
    const ImVec2 max{at.x + size.x - in - theme_.px(1), at.y + size.y - in - theme_.px(1)};
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRect(min, max, theme_.colours().panel, 0, theme_.px(3.5F));
    list->AddRect(min, max, colour, 0, theme_.px(2));
  }

  AppState& state_;
  const TuningMap& map_;
  const Theme& theme_;
  TuningQuantity quantity_;
  std::optional<std::size_t> chosen_, best_;
};

/// The colour scale, and the legend of the frames.
void drawLegend(const TuningMap& map, TuningQuantity quantity, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const Palette& colours = theme.colours();
  const auto [low, high] = endsOf(map, quantity);
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = ImGui::GetTextLineHeight();
  textAt(list, at, colours.textDim, low);
  at.x += textWidth(low) + theme.px(6);
  constexpr int kSteps = 12;
  const float step = theme.px(5);
  for (int i = 0; i < kSteps; ++i) {
    const float x = at.x + static_cast<float>(i) * step;
    list->AddRectFilled({x, at.y + line * 0.2F}, {x + step, at.y + line * 0.85F},
                        heat(static_cast<float>(i) / (kSteps - 1)));
  }
  at.x += kSteps * step + theme.px(6);
  textAt(list, at, colours.textDim, high);
  at.x += textWidth(high) + theme.px(16);
  ImGui::SetCursorScreenPos(at);
  std::vector<LegendEntry> entries;
  if (map.timing) { entries.push_back({colours.good, tr("best"), Swatch::Outlined}); }
  entries.push_back({colours.text, tr("chosen"), Swatch::Outlined});
  entries.push_back({colours.panelRaised, tr("cannot run"), Swatch::Hatched});
  legend(theme, entries);
}

/// Returns its width.
float drawQuantityChoice(AppState& state, const TuningMap& map, const Theme& theme) {
  const std::vector<TuningQuantity> all = quantitiesOf(map);
  std::vector<const char*> words;
  std::vector<const char*> tips;
  int chosen = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    words.push_back(name(all[i]));
    tips.push_back(meaning(all[i]));
    if (all[i] == state.tuning.quantity) { chosen = static_cast<int>(i); }
  }
  chosen = choiceRow(theme, "quantity", words, chosen, tips);
  state.tuning.quantity = all[static_cast<std::size_t>(chosen)];
  return choiceRowWidth(theme, words);
}

/// The problem size to tune at and, for kernels with more than two tunables, which tunables the axes show.
void drawSettings(AppState& state, const TuningMap& map, const Theme& theme) {
  const KernelFile* file = chosenFile(state);
  if (file == nullptr) { return; }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(theme.px(6), theme.px(1)));
  const auto combo = [&](const char* id, const std::string& shown, float width) {
    ImGui::SetNextItemWidth(width);
    return ImGui::BeginCombo(id, shown.c_str());
  };
  if (!file->sizes.empty()) {
    const std::int64_t full = measuring::fullSize(*file);
    if (combo("##size", fmt::format("N = {}", map.size), theme.px(kSizeWidth))) {
      for (const std::int64_t size : {full / 8, full / 4, full / 2, full, full * 2}) {
        const bool possible = std::ranges::all_of(
            file->sizes, [&](const SizeParameter& one) { return size >= one.minimum && size <= one.maximum; });
        if (possible && ImGui::Selectable(std::to_string(size).c_str(), size == map.size)) { state.tuning.size = size; }
      }
      ImGui::EndCombo();
    } else if (lastItemAsked()) {
      const Tooltip tip(theme);
      tip.title(tr("Problem size on the GPU"), 0, Face::SansStrong);
      tip.note(tr("Used for every size parameter of the kernel. The emulator keeps the size in the toolbar."));
    }
    ImGui::SameLine();
  }
  if (map.axes.size() > 2) {
    for (const bool across : {true, false}) {
      const std::string& shown = across ? map.columns.name : map.rows.name;
      if (combo(across ? "##columns" : "##rows", (across ? "→ " : "↓ ") + shown, theme.px(kAxisWidth))) {
        for (const std::string& axis : map.axes) {
          if (!ImGui::Selectable(axis.c_str(), axis == shown)) { continue; }
          measuring::AxisChoice& axes = state.tuning.axes;
          axes = {map.columns.name, map.rows.name};
          if (axis == (across ? axes.rows : axes.columns)) { std::swap(axes.columns, axes.rows); }
          (across ? axes.columns : axes.rows) = axis;
        }
        ImGui::EndCombo();
      }
      ImGui::SameLine();
    }
  }
  ImGui::NewLine();
  ImGui::PopStyleVar();
}

std::string captionOf(const TuningMap& map, bool running) {
  if (!running) {
    return map.timing && map.clockMHz > 0 ? fmt::format("{} · {} MHz · {:.0f} W", map.gpu, map.clockMHz, map.powerWatts)
                                          : map.gpu;
  }
  const auto done = std::ranges::count_if(map.cells, [&](const TuningCell& cell) {
    return !cell.limit.empty() || (map.timing ? cell.timed() : cell.compiled);
  });
  return trf("{} · {} of {} cells", map.gpu, done, map.cells.size());
}

void drawTuning(AppState& state, const Theme& theme, const PanelTools&) {
  const Palette& colours = theme.colours();
  const TuningMap* map = state.tuning.map.get();
  panelHeading(theme, tr("Tuning map"), map == nullptr ? std::string() : captionOf(*map, state.tuning.running));
  if (map == nullptr || map->cells.empty()) {
    ImGui::PushTextWrapPos(0);
    const std::string why = map == nullptr ? tr("looking for a GPU …") : map->problem;
    label(theme, colours.textDim, why.empty() ? tr("compiling …") : why, Face::Sans, TextSize::Body);
    ImGui::PopTextWrapPos();
    return;
  }
  const float left = ImGui::GetCursorPosX();
  const float width = ImGui::GetContentRegionAvail().x;
  const float quantities = drawQuantityChoice(state, *map, theme);
  const float controls = theme.px(map->axes.size() > 2 ? kSizeWidth + 2 * (kAxisWidth + 8) : kSizeWidth);
  if (quantities + theme.px(12) + controls <= width) {
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + width - controls);
  }
  drawSettings(state, *map, theme);
  const float room = ImGui::GetContentRegionAvail().y;
  const float others = 2 * (ImGui::GetTextLineHeight() + theme.px(8));
  const float tallest = static_cast<float>(map->rows.values.size() + 1) * theme.px(kTallestCell);
  const float plot = std::max(theme.px(kLeastSweepPlot), room - others - tallest);
  Heatmap(state, *map, theme).draw(room - others - plot);
  drawLegend(*map, state.tuning.quantity, theme);
  if (!map->disturbance.empty()) { clippedLabel(theme, colours.fault, trf("Disturbed: {}.", map->disturbance)); }
  if (!map->note.empty()) { clippedLabel(theme, colours.textDim, map->note); }
  if (!map->sizes.empty()) {
    drawSizeSweep(*map, theme, std::max(theme.px(kLeastSweepPlot), ImGui::GetContentRegionAvail().y));
  }
}

constexpr std::array kTuningKeys = {
    Shortcut{.act = toggleTab<Tab::Tuning>,
             .group = KeyGroup::Field,
             .text = trMark("tuning map of tile and block sizes"),
             .keys = ImGuiKey_M},
};

}  // namespace

extern const Panel kTuningPanel = {
    .tab = Tab::Tuning, .title = trMark("Tuning"), .draw = drawTuning, .shortcuts = kTuningKeys};

}  // namespace haloscope::ui
