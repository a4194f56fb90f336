#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "actions/Choices.h"
#include "actions/Origins.h"
#include "actions/TypedCellActions.h"
#include "figures/InteriorCount.h"
#include "language/Text.h"
#include "recording/StepCaption.h"
#include "render/SceneRenderers.h"
#include "state/TypedCell.h"
#include "ui/scene/BarrierBanner.h"
#include "ui/scene/CostCard.h"
#include "ui/scene/FindingBanner.h"
#include "ui/scene/GpuSteppingBanner.h"
#include "ui/scene/GridInset.h"
#include "ui/scene/KeyHints.h"
#include "ui/scene/RaceCallout.h"
#include "ui/scene/SceneView.h"
#include "ui/source/CodeRibbon.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kCornerGap = 12;      // around what lies in the picture's corners, at scale 1
constexpr float kBeforeHints = 24;    // likewise
constexpr float kRoomForHints = 22;   // lines from which the keys may have one of their own
constexpr float kMostRibbon = 0.42F;  // of the width
constexpr float kMostBanners = 0.3F;  // of the height
constexpr float kMostCorner = 0.42F;  // of the height that the ribbon may take
constexpr float kMostCosts = 0.34F;   // likewise the costs

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

/// From the accesses of the statement to the cells that the selected thread, or the first one, reached by them.
void drawLeaders(const AppState& state, const Theme& theme, const SceneView& scene, const CodeRibbon& ribbon,
                 float top) {
  if (state.cursor.atStart() || ribbon.accesses().empty()) { return; }
  const recording::Recording& recording = state.cursor.recording();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::uint32_t warp = state.selection.thread / kWarpSize, lane = state.selection.thread % kWarpSize;
  for (const RibbonAccess& access : ribbon.accesses()) {
    const recording::AccessGroup* of = nullptr;
    for (const recording::AccessGroup& group : recording.accessesOf(state.cursor.currentStep())) {
      const bool same = recording.program->code[group.instruction].range == access.range && group.store == access.store;
      if (same && (of == nullptr || (group.warp == warp && (group.lanes >> lane & 1U) != 0))) { of = &group; }
    }
    if (of == nullptr) { continue; }
    std::uint32_t place = 0;
    if (of->warp == warp && (of->lanes >> lane & 1U) != 0) {
      place = static_cast<std::uint32_t>(std::popcount(of->lanes & ((LaneMask{1} << lane) - 1)));
    }
    const auto cell = scene.cellOf(of->object, recording.elements[of->first + place]);
    if (!cell) { continue; }
    const float y = access.max.y - theme.px(1);
    list->AddLine({access.min.x, y}, {access.max.x, y}, access.colour, theme.px(1.5F));
    const ImVec2 from{access.min.x + (access.max.x - access.min.x) / 2, top};  // crossing no other line
    list->AddLine(from, *cell, theme.faded(access.colour, 0.75F), theme.px(1.25F));
    list->AddCircleFilled(*cell, theme.px(3), access.colour);
  }
}

/// What the step does, in the upper left corner; before the first one, what the block and its variant are about.
class Caption {
 public:
  Caption(AppState& state, const Theme& theme, float width, bool roomy) : state_(state), theme_(theme), width_(width) {
    const experiment::Experiment& experiment = *state.experiment;
    caption_.detail = tr(experiment.file.idea);
    if (!state.cursor.atStart()) {
      caption_ = recording::captionOf(state.cursor, experiment.footprint, experiment.carriers, state.blockView);
    }
    const recording::Recording& recording = state.cursor.recording();
    ends_ = recording.truncated && state.cursor.position() == state.cursor.end();
    if (ends_) { caption_.detail = trf("the recording ends here: {}", recording.message); }
    const FontScope font(theme, Face::Sans, TextSize::Small);
    if (!caption_.detail.empty()) { detail_ = std::min(textWidth(caption_.detail), width) + theme.px(kBeforeHints); }
    hints_ = keyHintsWidth(state, theme);
    if (hints_ > width || (hintsBelow() && !roomy)) { hints_ = 0; }
  }

  [[nodiscard]] float height() const {
    const float small = theme_.textPixels(TextSize::Small);
    return theme_.textPixels(TextSize::Heading) + small + (hintsBelow() ? small : 0) + theme_.px(8);
  }

  /// `shows`: what the picture is of.
  void draw(const std::string& shows) const {
    const experiment::Experiment& experiment = *state_.experiment;
    const char* place = placeName(recording::placeOf(experiment.block, experiment.configuration.grid));
    const std::string what = trf("Block {}, {}: {}", blockText(experiment.block), place, shows);
    line(state_.cursor.atStart() ? what : caption_.title, Face::SansStrong, TextSize::Heading, theme_.colours().text);
    if (ImGui::IsItemHovered()) {
      const Tooltip tip(theme_);
      tip.title(what, 0, Face::SansStrong);
      if (!experiment.file.idea.empty()) { tip.note(tr(experiment.file.idea)); }
    }
    line(caption_.detail, Face::Sans, TextSize::Small, ends_ ? theme_.colours().fault : theme_.colours().textDim);
    if (hints_ <= 0) { return; }
    if (!hintsBelow()) { ImGui::SameLine(0, detail_ > 0 ? theme_.px(kBeforeHints) : 0); }
    drawKeyHints(state_, theme_);
  }

 private:
  [[nodiscard]] bool hintsBelow() const { return hints_ > 0 && detail_ + hints_ > width_; }
  void line(const std::string& text, Face face, TextSize size, ImU32 colour) const {
    const FontScope font(theme_, face, size);
    clippedTextAt(ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), width_, colour, text);
    ImGui::Dummy({std::min(textWidth(text), width_), ImGui::GetTextLineHeight()});
  }

  AppState& state_;
  const Theme& theme_;
  float width_;
  recording::StepCaption caption_;
  bool ends_ = false;             ///< the recording, early
  float detail_ = 0, hints_ = 0;  ///< widths
};

void drawBlock(AppState& state, const Theme& theme, render::SceneRenderer& renderer) {
  // With large text the block itself comes first.
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const ImVec2 max{min.x + space.x, min.y + space.y};
  const bool cramped = space.y < 16 * ImGui::GetTextLineHeightWithSpacing();
  SceneStage stage{shownBlock(state), state.selection.thread, sceneFaults(state, *state.experiment), originsOf(state)};
  stage.axes = !cramped;
  CodeRibbon ribbon(state, theme, {kMostRibbon * space.x, kMostCorner * space.y});
  const CostCard costs(state, theme, kMostCosts * space.y);
  const bool showsRibbon = ribbon.size().x > 0 && CodeRibbon::mostHeight(theme) < kMostCorner * space.y;
  const bool showsCosts = costs.width() > 0 && costs.width() * 3 < space.x;
  if (showsRibbon) { stage.lowerLeft = {kMostRibbon * space.x, CodeRibbon::mostHeight(theme) + theme.px(kCornerGap)}; }
  if (showsCosts) { stage.upperRight = {costs.width() + theme.px(kCornerGap), costs.height() + theme.px(kCornerGap)}; }
  if (state.view.drawerLeft) {
    stage.coveredRight = std::clamp(max.x - *state.view.drawerLeft, 0.0F, space.x);
    stage.axes = false;  // the shifted picture lies where they have their place
  }
  GridInset inset(state, theme);
  if (!cramped) { stage.below = inset.height(); }
  SceneView scene(state, theme, renderer, stage);
  const Caption caption(state, theme, space.x - stage.upperRight.x,
                        space.y > kRoomForHints * ImGui::GetTextLineHeightWithSpacing());
  const float legendRoom = legendHeight(theme, 1);
  // What is wrong stands above the picture, in as much room as it needed in the last frame.
  const float banners = std::min(storedFloat("banners", 0), kMostBanners * space.y);
  const ImVec2 pictureMin{min.x, min.y + caption.height() + banners}, pictureMax{max.x, max.y - legendRoom};
  scene.update({pictureMax.x - pictureMin.x, pictureMax.y - pictureMin.y});
  const SceneAnswer answer = scene.draw("scene", pictureMin, pictureMax);
  act(state, answer);
  drawRaceCallout(state, theme, scene, pictureMin, pictureMax);

  ImGui::SetCursorScreenPos(min);
  caption.draw(scene.model().title);
  const float top = ImGui::GetCursorScreenPos().y;
  const float right = space.x - stage.upperRight.x;
  notice(theme, figures::nothingComputed(state.experiment->file, state.experiment->bindings));
  drawFindingBanner(state, theme, right);
  drawBarrierBanner(state, theme, right);
  drawGpuSteppingBanner(state, theme, right);
  store("banners", ImGui::GetCursorScreenPos().y - top);

  if (showsCosts) { costs.draw({max.x - costs.width(), min.y + theme.px(2)}); }
  if (!cramped) {
    inset.draw({max.x - inset.width(), min.y + (showsCosts ? costs.height() + theme.px(kCornerGap) : 0)});
  }
  std::vector<LegendEntry> entries = sceneLegend(theme, scene.model().legend);
  if (state.changedOutputs.of == state.experiment) {
    entries.push_back({theme.colours().accent, tr("changed by the new data"), Swatch::Outlined});
  }
  float left = min.x;
  if (showsRibbon) {
    const ImVec2 at{min.x, max.y - ribbon.size().y};
    ribbon.draw(at);
    ImGui::PushClipRect(pictureMin, max, true);
    drawLeaders(state, theme, scene, ribbon, at.y);
    ImGui::PopClipRect();
    left = at.x + ribbon.size().x + theme.px(kCornerGap);
  }
  while (entries.size() > 1 && legendWidth(theme, entries) > max.x - left) { entries.pop_back(); }
  ImGui::SetCursorScreenPos({std::max(left, max.x - legendWidth(theme, entries)), max.y - legendRoom + theme.px(4)});
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
