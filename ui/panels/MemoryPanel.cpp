#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "actions/TypedCellActions.h"
#include "language/Text.h"
#include "state/AppState.h"
#include "state/Places.h"
#include "state/TypedCell.h"
#include "ui/panels/ArrayGrids.h"
#include "ui/panels/ThreadTable.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/Widgets.h"

/// The block's state at the cursor: arrays, one thread's variables, all lanes, constants.
namespace haloscope::ui {
namespace {

using recording::LaneStatus;

constexpr std::array kStatuses = {LaneStatus::Computing, LaneStatus::Loading, LaneStatus::Storing,
                                  LaneStatus::MaskedOff, LaneStatus::Waiting, LaneStatus::Exited,
                                  LaneStatus::Idle};

void tooltip(const AppState& state, const Theme& theme, std::uint32_t thread) {
  const LaneStatus status = state.blockView.lanes[thread];
  const Tooltip tip(theme);
  std::string who = threadText(thread, state.experiment->configuration.block);
  who[0] = 'T';
  tip.title(who, 0, Face::SansStrong);
  tip.row(tr("lane"), trf("{} of warp {}", thread % kWarpSize, thread / kWarpSize));
  tip.row(tr("status"), name(status), theme.of(status));
  tip.note(tr("Click to see its variables."));
}

int warpsOf(const AppState& state) {
  return static_cast<int>((state.blockView.lanes.size() + kWarpSize - 1) / kWarpSize);
}

/// More warps than this are drawn in two columns.
constexpr int kWarpsInColumn = 16;

int columnsFor(int warps) { return warps > kWarpsInColumn ? 2 : 1; }

int rowsFor(int warps) { return (warps + columnsFor(warps) - 1) / columnsFor(warps); }

/// One column of warps: [first, end).
class WarpColumn {
 public:
  WarpColumn(AppState& state, const Theme& theme, int first, int end)
      : state_(state), theme_(theme), first_(first), end_(end) {}

  void draw(ImVec2 at, float names, ImVec2 cell) {
    origin_ = {at.x + names, at.y};
    cell_ = cell;
    list_ = ImGui::GetWindowDrawList();
    const std::vector<LaneStatus>& lanes = state_.blockView.lanes;
    ImGui::SetCursorScreenPos(origin_);
    ImGui::PushID(first_);
    const auto hovered = cellGridItem("lanes", cell, kWarpSize, end_ - first_);
    ImGui::PopID();
    const float seam = cell.y >= theme_.px(4) ? 1.0F : 0.0F;
    for (std::size_t thread = firstThread(); thread < endThread(); ++thread) {
      const ImVec2 corner = cornerOf(thread);
      list_->AddRectFilled(corner, {corner.x + cell.x - (cell.x >= 4 ? 1.0F : 0.0F), corner.y + cell.y - seam},
                           theme_.of(lanes[thread]), cell.y >= theme_.px(8) ? theme_.px(1.5F) : 0);
      if (lanes[thread] == LaneStatus::Waiting) {
        stripe(list_, theme_, corner, {corner.x + cell.x, corner.y + cell.y});
      }
    }
    frame(state_.selection.thread);
    if (state_.selection.hoveredThread) { frame(*state_.selection.hoveredThread); }
    drawNames();
    const std::size_t asked = firstThread() + static_cast<std::size_t>(hovered.value_or(0));
    if (!hovered || asked >= endThread()) { return; }
    const auto thread = static_cast<std::uint32_t>(asked);
    state_.selection.hoveredThread = thread;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) { state_.selection.thread = thread; }
    tooltip(state_, theme_, thread);
  }

 private:
  [[nodiscard]] std::size_t firstThread() const { return static_cast<std::size_t>(first_) * kWarpSize; }
  [[nodiscard]] std::size_t endThread() const {
    return std::min(state_.blockView.lanes.size(), static_cast<std::size_t>(end_) * kWarpSize);
  }
  [[nodiscard]] ImVec2 cornerOf(std::size_t thread) const {
    const std::size_t inside = thread - firstThread();
    const std::size_t row = inside / kWarpSize;
    return {origin_.x + cell_.x * static_cast<float>(inside % kWarpSize),
            origin_.y + cell_.y * static_cast<float>(row)};
  }

  void frame(std::size_t thread) const {
    if (thread < firstThread() || thread >= endThread()) { return; }
    const ImVec2 at = cornerOf(thread);
    list_->AddRect({at.x - 1.5F, at.y - 1.5F}, {at.x + cell_.x + 0.5F, at.y + cell_.y + 0.5F}, theme_.colours().text, 0,
                   std::max(1.0F, theme_.px(1.5F)));
  }

  /// Only every n-th row may have room for its label.
  void drawNames() const {
    const float line = ImGui::GetTextLineHeight();
    const int every = std::max(1, static_cast<int>(std::ceil(line / cell_.y)));
    for (int warp = first_; warp < end_; warp += every) {
      const std::string text = warp == 0 ? tr("warp 0") : std::to_string(warp);
      const float y = origin_.y + cell_.y * static_cast<float>(warp - first_) + (cell_.y - line) / 2;
      textAt(list_, {origin_.x - theme_.px(6) - textWidth(text), std::max(y, origin_.y - theme_.px(3))},
             theme_.colours().textDim, text);
    }
  }

  AppState& state_;
  const Theme& theme_;
  int first_, end_;
  ImVec2 origin_, cell_;
  ImDrawList* list_ = nullptr;
};

/// The minimum height.
float leastLaneStripHeight(const AppState& state, const Theme& theme) {
  const int warps = warpsOf(state);
  // A single row must be as high as its label.
  return std::max(std::floor(theme.px(4)) * static_cast<float>(rowsFor(warps)), theme.textPixels(TextSize::Small));
}

/// All lanes of the block at the current step: a row per warp, a cell per lane, coloured by activity; many warps are
/// drawn in two columns.
/// Draws at most `height` pixels high. Hovering a lane shows its thread; a click selects it.
void drawLaneStrip(AppState& state, const Theme& theme, float height) {
  const int warps = warpsOf(state);
  if (warps == 0) { return; }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const int columns = columnsFor(warps);
  const int rows = rowsFor(warps);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float names = textWidth(tr("warp 0")) + theme.px(8);
  const float otherNames = textWidth("00") + theme.px(12);
  const float lanes = width - names - otherNames * static_cast<float>(columns - 1);
  const ImVec2 cell{std::max(2.0F, std::floor(lanes / static_cast<float>(kWarpSize * columns))),
                    std::clamp(std::floor(height / static_cast<float>(rows)), std::floor(theme.px(4)), theme.px(14))};
  float x = start.x;
  for (int column = 0; column < columns; ++column) {
    const int first = column * rows;
    WarpColumn(state, theme, first, std::min(warps, first + rows))
        .draw({x, start.y}, column == 0 ? names : otherNames, cell);
    x += (column == 0 ? names : otherNames) + cell.x * kWarpSize;
  }
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({width, cell.y * static_cast<float>(rows)});
}

/// Legend of the colours that occur now.
void drawLaneLegend(const AppState& state, const Theme& theme) {
  std::vector<LegendEntry> entries;
  for (const LaneStatus status : kStatuses) {
    const auto& lanes = state.blockView.lanes;
    if (std::find(lanes.begin(), lanes.end(), status) == lanes.end()) { continue; }
    entries.push_back(
        {theme.of(status), name(status), status == LaneStatus::Waiting ? Swatch::Striped : Swatch::Filled});
  }
  legend(theme, entries);
}

/// The title, and the legend of the outlines at the right.
void heading(const Theme& theme) {
  const ImVec2 start = ImGui::GetCursorPos();
  const float width = ImGui::GetContentRegionAvail().x;
  panelHeading(theme, tr("Memory of the block"));
  const ImVec2 below = ImGui::GetCursorPos();
  const std::array entries = {LegendEntry{theme.colours().active, tr("written now"), Swatch::Outlined},
                              LegendEntry{theme.colours().text, tr("selected thread"), Swatch::Outlined}};
  const float wide = legendWidth(theme, entries);
  float title = 0;
  {
    const FontScope font(theme, Face::SansStrong, TextSize::Body);
    title = textWidth(tr("Memory of the block"));
  }
  if (title + wide + theme.px(8) > width) {
    legend(theme, entries);
    return;
  }
  ImGui::SetCursorPos({start.x + width - wide, start.y + theme.px(2)});
  legend(theme, entries);
  ImGui::SetCursorPos(below);
}

/// What each array begins with, as a button that changes it.
void drawDataRow(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  ImGui::AlignTextToFramePadding();
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const ChoosableArray& array : choosableArrays(state)) {
    std::string text = array.name;
    if (!array.choice.isDefault()) {
      text += ": " + inputs::describe(array.choice);
      if (!array.choice.cells.empty()) {
        text += trn(" + {} number", " + {} numbers", array.choice.cells.size(), array.choice.cells.size());
      }
    }
    const float wide = textWidth(text) + 2 * ImGui::GetStyle().FramePadding.x;
    if (!first) {
      ImGui::SameLine();
      if (ImGui::GetCursorScreenPos().x + wide > right) { ImGui::NewLine(); }
    }
    first = false;
    if (ImGui::SmallButton((text + "###data of " + array.name).c_str())) { typeArray(state, array.name); }
    ImGui::SetItemTooltip("%s", trf("what {} holds: choose its numbers", array.name).c_str());
  }
}

void drawMemory(AppState& state, const Theme& theme, const PanelTools&) {
  heading(theme);
  if (state.cursor.empty() || state.experiment == nullptr) {
    label(theme, theme.colours().textDim, state.computing ? tr("recording the block…") : tr("Nothing is recorded."));
    return;
  }
  const std::uint32_t threads = state.cursor.recording().threadCount();
  if (state.selection.thread >= threads) { state.selection.thread = threads > 0 ? threads - 1 : 0; }

  // The arrays get the height left over by the rest as laid out in the last frame; the lanes get the remainder.
  const float room = ImGui::GetContentRegionAvail().y;
  const float rest = storedFloat("height of the rest", room * 0.5F);
  const float leastLanes = leastLaneStripHeight(state, theme);
  const auto gap = [&] { ImGui::Dummy({0, theme.px(2)}); };
  float newRest = rest;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(theme.px(8), theme.px(2)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  const bool open = ImGui::BeginChild("memory", {0, 0}, ImGuiChildFlags_NavFlattened);
  ImGui::PopStyleVar();
  if (open) {
    drawDataRow(state, theme);
    const float top = ImGui::GetCursorPosY();
    drawArrayGrids(state, theme, std::clamp(room - rest, room * 0.3F, room * 0.7F));
    const float arrays = ImGui::GetCursorPosY() - top;
    drawArrayLegend(state, theme);
    gap();
    drawThreadHeading(state, theme);
    drawThreadValues(state, theme);
    drawThreadAccesses(state, theme);
    gap();
    const float lanesTop = ImGui::GetCursorPosY();
    drawLaneStrip(state, theme, std::max(leastLanes, leastLanes + room - rest - arrays));
    const float lanes = ImGui::GetCursorPosY() - lanesTop;
    drawLaneLegend(state, theme);
    newRest = ImGui::GetCursorPosY() - top - arrays - lanes + leastLanes;
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  store("height of the rest", newRest);
}

constexpr std::array kMemoryKeys = {Shortcut{.act = toggleTab<Tab::Memory, Tab::Source>,
                                             .group = KeyGroup::Walk,
                                             .text = trMark("the memory of the block"),
                                             .keys = ImGuiKey_F2}};

}  // namespace

extern const Panel kMemoryPanel = {
    .tab = Tab::Memory, .title = trMark("Memory"), .draw = drawMemory, .shortcuts = kMemoryKeys};

}  // namespace haloscope::ui
