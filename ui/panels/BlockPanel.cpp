#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "actions/Choices.h"
#include "actions/Origins.h"
#include "actions/TypedCellActions.h"
#include "figures/InteriorCount.h"
#include "language/Text.h"
#include "render/SceneRenderers.h"
#include "state/TypedCell.h"
#include "ui/scene/BarrierBanner.h"
#include "ui/scene/CostCard.h"
#include "ui/scene/GpuSteppingBanner.h"
#include "ui/scene/GridInset.h"
#include "ui/scene/KeyHints.h"
#include "ui/scene/SceneView.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kCostMargin = 12;    // at scale 1
constexpr float kWideBlock = 1.3F;   // width over height from which the costs are beside the block
constexpr float kRoomForHints = 10;  // lines from which the block has enough room beside the hints

/// The arrows are drawn while the panel that explains them is open.
render::SceneOrigins originsOf(const AppState& state) {
  const bool shown = state.view.tabs.inFront(Tab::Origins) && shownOrigins(state) != nullptr;
  return shown ? render::SceneOrigins{state.origins.trace, state.origins.operand} : render::SceneOrigins{};
}

void act(AppState& state, const SceneAnswer& answer) {
  if (answer.typed) { typeCell(state, answer.typed->array, answer.typed->element); }
  if (!answer.thread) { return; }
  state.selection.hoveredThread = answer.thread;
  if (answer.followed) { state.view.tabs.bringToFront(Tab::Origins); }
  if (answer.clicked || answer.followed) {
    state.selection.thread = *answer.thread;
    state.selection.output.reset();
    if (answer.output) { chooseOutput(state, *answer.output); }
  }
}

// What the variant is about, in its one sentence.
void drawIdea(const KernelFile& file, const Theme& theme, bool cramped) {
  if (file.idea.empty()) { return; }
  const ImU32 colour = theme.colours().text;
  if (cramped) { return clippedLabel(theme, colour, tr(file.idea), Face::Sans, TextSize::Small); }
  ImGui::PushTextWrapPos(0);
  label(theme, colour, tr(file.idea), Face::Sans, TextSize::Body);
  ImGui::PopTextWrapPos();
}

void drawBlock(AppState& state, const Theme& theme, render::SceneRenderer& renderer) {
  // With large text the block itself comes first.
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const bool cramped = space.y < 16 * ImGui::GetTextLineHeightWithSpacing();
  SceneStage stage{shownBlock(state), state.selection.thread, sceneFaults(state, *state.experiment), originsOf(state)};
  stage.axes = !cramped;
  SceneView scene(state, theme, renderer, stage);
  // Beside the block, where the block itself cannot use the room.
  const CostCard costs(state, theme);
  const float beside = costs.width() + theme.px(kCostMargin);
  const bool showsCosts = !cramped && costs.width() > 0 && space.x - beside > kWideBlock * space.y;
  const float words = ImGui::GetTextLineHeightWithSpacing() + theme.px(4) + legendHeight(theme, 2);
  scene.update({space.x - (showsCosts ? beside : 0), space.y - words});
  const experiment::Experiment& experiment = *state.experiment;
  const char* place = placeName(recording::placeOf(experiment.block, experiment.configuration.grid));
  const char* hint = scene.model().isStrip() ? tr("drag to move") : tr("drag to turn");
  panelHeading(theme, trf("Block {}, {}: {}", blockText(experiment.block), place, scene.model().title),
               state.view.keysUsed.contains(kTurned) ? "" : hint);
  drawIdea(experiment.file, theme, cramped);
  if (ImGui::GetContentRegionAvail().y > kRoomForHints * ImGui::GetTextLineHeight()) { drawKeyHints(state, theme); }
  notice(theme, figures::nothingComputed(experiment.file, experiment.bindings));
  drawBarrierBanner(state, theme);
  drawGpuSteppingBanner(state, theme);
  std::vector<LegendEntry> entries = sceneLegend(theme, scene.model().legend);
  if (state.changedOutputs.of == state.experiment) {
    entries.push_back({theme.colours().accent, tr("changed by the new data"), Swatch::Outlined});
  }
  const ImVec2 available = ImGui::GetContentRegionAvail();
  while (cramped && entries.size() > 1 && legendRows(theme, entries, available.x) > 1) { entries.pop_back(); }
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const int rows = std::max(cramped ? 1 : 2, legendRows(theme, entries, available.x));
  const ImVec2 max = {min.x + available.x - (showsCosts ? beside : 0), min.y + available.y - legendHeight(theme, rows)};
  act(state, scene.draw("scene", min, max));
  if (!cramped) {
    GridInset inset(state, theme);
    const float left = scene.model().upperLeft ? max.x - inset.width() - theme.px(4) : min.x + theme.px(2);
    // Below the costs it is in nobody's way.
    const float below = min.y + costs.height() + theme.px(kCostMargin);
    const bool beneath = scene.model().upperLeft && showsCosts && below + inset.height() < max.y;
    inset.draw(beneath ? ImVec2(max.x + theme.px(kCostMargin), below) : ImVec2(left, min.y + theme.px(2)));
  }
  if (showsCosts && max.y - min.y > costs.height()) {
    costs.draw({max.x + theme.px(kCostMargin), min.y + theme.px(2)});
  }
  ImGui::SetCursorScreenPos({min.x, max.y + theme.px(2)});
  legend(theme, entries);
}

void drawScene(AppState& state, const Theme& theme, const PanelTools& tools) {
  tools.scenes.keep(1);
  if (state.cursor.empty() || state.experiment == nullptr || state.experiment->recording != state.cursor.shared()) {
    panelHeading(theme, tr("Block"));
    label(theme, theme.colours().textDim, state.computing ? tr("recording the block…") : tr("nothing is recorded"));
    return;
  }
  drawBlock(state, theme, tools.scenes.at(0));
}

}  // namespace

extern const Panel kBlockPanel = {.tab = Tab::Block, .title = trMark("Block"), .draw = drawScene};

}  // namespace haloscope::ui
