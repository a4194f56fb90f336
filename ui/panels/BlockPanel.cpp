#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "actions/Choices.h"
#include "actions/Origins.h"
#include "actions/TypedCellActions.h"
#include "figures/InteriorCount.h"
#include "language/Text.h"
#include "recording/StepCaption.h"
#include "render/SceneRenderers.h"
#include "state/TypedCell.h"
#include "ui/scene/Banners.h"
#include "ui/scene/CostCard.h"
#include "ui/scene/GridInset.h"
#include "ui/scene/GridMap.h"
#include "ui/scene/KeyHints.h"
#include "ui/scene/SceneView.h"
#include "ui/source/CodeRibbon.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

extern const Panel kTuningPanel;

namespace {

constexpr float kCornerGap = 12;      // around what lies in the picture's corners, at scale 1
constexpr float kBeforeHints = 24;    // likewise
constexpr float kRoomForHints = 22;   // lines from which the keys may have one of their own
constexpr float kRoomForDetail = 16;  // ... and the place of a step has one
constexpr float kMostRibbon = 0.42F;  // of the width
constexpr float kMostBanners = 0.3F;  // of the height, above the picture
constexpr float kBesideText = 0.4F;   // of the width: what is wrong, where it is too high to stand above
constexpr float kMostCorner = 0.42F;  // of the height that the ribbon may take
constexpr float kMostCosts = 0.34F;   // likewise the costs
constexpr float kWidestCosts = 0.5F;  // ... and of the width

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
  /// `lines`: for a picture of so many; in little room the title alone stands above it.
  Caption(AppState& state, const Theme& theme, float width, float lines) : state_(state), theme_(theme), width_(width) {
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
    if (hints_ > width || (hintsBelow() && lines < kRoomForHints)) { hints_ = 0; }
    titleOnly_ = lines < kRoomForDetail && !ends_;
    if (titleOnly_) { hints_ = 0; }
  }

  [[nodiscard]] float height() const {
    const float small = theme_.textPixels(TextSize::Small);
    return theme_.textPixels(TextSize::Heading) + (titleOnly_ ? 0 : small) + (hintsBelow() ? small : 0) + theme_.px(8);
  }

  /// `shows`: what the picture is of.
  void draw(const std::string& shows) const {
    const experiment::Experiment& experiment = *state_.experiment;
    const char* place = placeName(recording::placeOf(experiment.block, experiment.configuration.grid));
    const std::string what = trf("Block {}, {}: {}", blockText(experiment.block), place, shows);
    titleLine(state_.cursor.atStart() ? what : caption_.title);
    if (ImGui::IsItemHovered()) {
      const Tooltip tip(theme_);
      tip.title(what, 0, Face::SansStrong);
      if (!experiment.file.idea.empty()) { tip.note(tr(experiment.file.idea)); }
    }
    if (titleOnly_) { return; }
    line(caption_.detail, Face::Sans, TextSize::Small, ends_ ? theme_.colours().fault : theme_.colours().textDim);
    if (hints_ <= 0) { return; }
    if (!hintsBelow()) { ImGui::SameLine(0, detail_ > 0 ? theme_.px(kBeforeHints) : 0); }
    drawKeyHints(state_, theme_);
  }

 private:
  [[nodiscard]] bool hintsBelow() const { return hints_ > 0 && detail_ + hints_ > width_; }
  /// With names between backticks set as code.
  void titleLine(std::string_view text) const {
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    ImVec2 size{0, 0};
    float ascent = 0;  // of the words, on whose line the names stand
    for (bool code = false; !text.empty(); code = !code) {
      const std::string_view part = text.substr(0, text.find('`'));
      text.remove_prefix(std::min(text.size(), part.size() + 1));
      const FontScope font(theme_, code ? Face::Mono : Face::SansStrong, TextSize::Heading);
      if (!code) {
        size.y = ImGui::GetTextLineHeight();
        ascent = ImGui::GetFontBaked()->Ascent;
      }
      const float raise = code && ascent > 0 ? ImGui::GetFontBaked()->Ascent - ascent : 0;
      const float room = width_ - size.x;
      if (room > 0) {
        clippedTextAt(ImGui::GetWindowDrawList(), {begin.x + size.x, begin.y - raise}, room, theme_.colours().text,
                      part);
      }
      size.x += textWidth(part);
    }
    ImGui::Dummy({std::min(size.x, width_), size.y});
  }
  void line(const std::string& text, Face face, TextSize size, ImU32 colour) const {
    const FontScope font(theme_, face, size);
    clippedTextAt(ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), width_, colour, text);
    ImGui::Dummy({std::min(textWidth(text), width_), ImGui::GetTextLineHeight()});
  }

  AppState& state_;
  const Theme& theme_;
  float width_;
  recording::StepCaption caption_;
  bool ends_ = false;  ///< the recording, early
  bool titleOnly_ = false;
  float detail_ = 0, hints_ = 0;  ///< widths
};

void drawBlock(AppState& state, const Theme& theme, render::SceneRenderer& renderer) {
  // With large text the block itself comes first.
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const ImVec2 max{min.x + space.x, min.y + space.y};
  const float lines = space.y / ImGui::GetTextLineHeightWithSpacing();
  const bool cramped = lines < kRoomForDetail;
  SceneStage stage{shownBlock(state), state.selection.thread, sceneFaults(state, *state.experiment), originsOf(state)};
  stage.axes = !cramped;
  CodeRibbon ribbon(state, theme, {kMostRibbon * space.x, kMostCorner * space.y});
  const CostCard costs(state, theme, kMostCosts * space.y);
  const GridInset inset(state, theme);
  const bool showsRibbon = ribbon.size().x > 0 && CodeRibbon::mostHeight(theme) < kMostCorner * space.y;
  const bool showsCosts = costs.width() > 0 && costs.width() < kWidestCosts * space.x;
  if (showsRibbon) { stage.lowerLeft = {kMostRibbon * space.x, CodeRibbon::mostHeight(theme) + theme.px(kCornerGap)}; }
  if (state.view.drawerLeft) {
    stage.coveredRight = std::clamp(max.x - *state.view.drawerLeft, 0.0F, space.x);
    stage.axes = false;  // the shifted picture lies where they have their place
  }
  const float costsRoom = showsCosts ? costs.width() + theme.px(kCornerGap) : 0;
  const Caption caption(state, theme, space.x - costsRoom, lines);
  const float insetTop = min.y + (showsCosts ? costs.height() + theme.px(kCornerGap) : 0);
  const float legendRoom = legendHeight(theme, 1);
  // What is wrong stands above the picture, or beside it, in as much room as it needed in the last frame.
  const float banners = storedFloat("banners", 0);
  const bool beside = banners > kMostBanners * space.y;
  const float bannerWidth = beside ? kBesideText * space.x : space.x - costsRoom;
  const ImVec2 pictureMin{min.x + (beside ? bannerWidth : 0), min.y + caption.height() + (beside ? 0 : banners)};
  const ImVec2 pictureMax{max.x, max.y - legendRoom};
  if (showsCosts) {
    const float below = insetTop + (cramped ? 0 : inset.height() + theme.px(kCornerGap));
    stage.upperRight = {costsRoom, std::max(0.0F, below - pictureMin.y)};
  }
  stage.lowerLeft.x = std::max(0.0F, stage.lowerLeft.x - (pictureMin.x - min.x));
  const GridMap map(state, theme, pictureMin, pictureMax);
  stage.place = map.place();
  stage.placeWidth = map.width();
  SceneView scene(state, theme, renderer, stage);
  scene.update({pictureMax.x - pictureMin.x, pictureMax.y - pictureMin.y});
  const SceneAnswer answer = scene.draw("scene", pictureMin, pictureMax);
  act(state, answer);
  const bool afar = state.view.gridShare > 0;  // what belongs to the block's picture is away
  if (afar) { map.draw(state.view.gridShare); }

  ImGui::SetCursorScreenPos(min);
  caption.draw(scene.model().title);
  const float top = ImGui::GetCursorScreenPos().y;
  notice(theme, figures::nothingComputed(state.experiment->file, state.experiment->bindings));
  drawFindingBanner(state, theme, bannerWidth);
  drawBarrierBanner(state, theme, bannerWidth);
  drawGpuSteppingBanner(state, theme, bannerWidth);
  store("banners", ImGui::GetCursorScreenPos().y - top);

  if (showsCosts) { costs.draw({max.x - costs.width(), min.y + theme.px(2)}, keyText(kTuningPanel.shortcuts.front())); }
  if (!cramped && !afar) { inset.draw({max.x - inset.width(), insetTop}); }
  std::vector<LegendEntry> entries = sceneLegend(theme, scene.model().legend);
  if (state.changedOutputs.of == state.experiment) {
    entries.insert(entries.begin(), {theme.colours().accent, tr("changed by the new data"), Swatch::Outlined});
  }
  float left = min.x;
  if (afar) { return; }
  if (showsRibbon) {
    const ImVec2 at{min.x, max.y - ribbon.size().y};
    ribbon.draw(at);
    ImGui::PushClipRect({min.x, pictureMin.y}, max, true);
    drawLeaders(state, theme, scene, ribbon, at.y);
    ImGui::PopClipRect();
    left = at.x + ribbon.size().x + theme.px(kCornerGap);
  }
  // Over the lines from the ribbon.
  LabelPlacer placer(pictureMin, pictureMax);
  placer.block({min.x, max.y - (showsRibbon ? ribbon.size().y : 0)}, {min.x + ribbon.size().x, max.y});
  placer.block({max.x - costsRoom, min.y}, {max.x, insetTop + inset.height()});
  drawRaceCallout(state, theme, scene, placer, pictureMin, pictureMax);
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
