#include "ui/scene/SceneView.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "actions/CameraActions.h"
#include "actions/Findings.h"
#include "actions/TypedCellActions.h"
#include "frontend/CodeText.h"
#include "language/Text.h"
#include "program/Launch.h"
#include "program/NumberText.h"
#include "recording/Pace.h"
#include "render/SceneFraming.h"
#include "state/Player.h"
#include "state/TypedCell.h"
#include "ui/scene/Accumulator.h"
#include "ui/scene/BarrierGate.h"
#include "ui/scene/SceneAxes.h"
#include "ui/scene/SceneLabels.h"
#include "ui/scene/SceneTooltip.h"
#include "ui/scene/StripText.h"

namespace haloscope::ui {

namespace {

using render::SceneColour;

constexpr float kTurn = 0.009F;      ///< radians a pixel
constexpr float kZoom = 1.13F;       ///< per notch of the wheel
constexpr float kLabelSpace = 70;    ///< pixels at the side of the scene, about
constexpr float kAboveBelow = 20;    ///< likewise above and below it
constexpr float kBesideDrawer = 24;  ///< pixels between the picture and a drawer
constexpr float kClickDistance = 4;  ///< pixels that a click may wander
constexpr float kLowestPitch = 0.06F, kHighestPitch = 1.5F;
constexpr float kMostCovered = 0.45F;       ///< of the picture, across or upward, by what lies in a corner
constexpr int kMostOutputs = 999;           ///< of a block that is usual
constexpr int kBlockedCells = 4;            ///< along either axis, that labels keep off together
constexpr float kSmallestPicture = 40;      ///< pixels, below which nothing is drawn
constexpr double kShortestMovement = 0.05;  ///< seconds that a step is shown, below which nothing moves

glm::vec4 toVector(ImU32 colour) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  return {c.x, c.y, c.z, c.w};
}

render::ScenePalette scenePalette(const Theme& theme, ImU32 ground) {
  render::ScenePalette palette;
  for (std::size_t i = 0; i < palette.colours.size(); ++i) {
    palette.colours[i] = toVector(sceneColour(theme, static_cast<SceneColour>(i)));
  }
  palette.background = toVector(ground != 0 ? ground : theme.colours().panel);
  palette.lineScale = theme.scale() * ImGui::GetIO().DisplayFramebufferScale.x;
  return palette;
}

/// The element of an array in global memory that a cell shows, or holds a copy of.
std::optional<SceneElement> elementOf(const ShownBlock& block, const render::SceneSource& source) {
  if (source.kind == render::SceneSource::Kind::Input) {
    return SceneElement{block.experiment.footprint.input, block.view.inputs[source.index].element};
  }
  if (source.kind != render::SceneSource::Kind::Carrier) { return std::nullopt; }
  const recording::Origin& origin = block.view.carriers[source.carrier].cells[source.index].cell.origin;
  if (origin.kind != recording::Origin::Kind::Element) { return std::nullopt; }
  return SceneElement{origin.object, origin.element};
}

}  // namespace

SceneView::SceneView(AppState& state, const Theme& theme, render::SceneRenderer& renderer, SceneStage stage)
    : state_(state), theme_(theme), renderer_(renderer), director_(renderer.director()), stage_(std::move(stage)) {}

render::SceneSpace SceneView::room(ImVec2 space) const {
  const float height = std::max(space.y, kSmallestPicture);
  const float width = std::max(space.x - theme_.px(kLabelSpace), kSmallestPicture);
  // In steps: a new layout for every pixel of a resize would be restless.
  const float aspect = std::round(40 * std::max(height - theme_.px(kAboveBelow), kSmallestPicture) / width) / 40;
  const FontScope font(theme_, Face::Sans, TextSize::Small);
  const float line = ImGui::GetTextLineHeight();
  const auto whole = [](float pixels) { return std::round(pixels / 8) * 8; };
  const auto share = [](float part, float of) { return std::min(std::round(40 * part / of) / 40, kMostCovered); };
  // Under a stack of planes.
  const recording::Footprint& footprint = stage_.block.experiment.footprint;
  const auto& objects = stage_.block.cursor.recording().program->objects;
  const auto arrayName = [&](ObjectId array) { return array == kNone ? std::string() : objects[array].name; };
  const auto name = [&](const std::string& array, const std::string& longest, float lines) {
    return glm::vec2(share(textWidth(array + "  " + longest), width), share(lines * line + theme_.px(4), height));
  };
  const ImVec2 &left = stage_.lowerLeft, &right = stage_.upperRight;
  return {.aspect = aspect,
          .width = whole(space.x) - theme_.px(2 * kStripMargin),
          .height = whole(height - left.y - line - std::max(line, right.y)) - theme_.px(2 * kStripMargin),
          .value = textWidth(kStripValue) + theme_.px(2),
          .line = line,
          .name = name(arrayName(footprint.output),
                       trf("{} of {} written", grouped(kMostOutputs), grouped(kMostOutputs)), 1),
          .counted = name(arrayName(footprint.input), tr(kCountedLoads), 2),
          .lowerLeft = {share(left.x, width), share(left.y, height)},
          .upperRight = {share(right.x, width), share(right.y, height)}};
}

void SceneView::update(ImVec2 space) {
  const experiment::Experiment& experiment = stage_.block.experiment;
  director_.hold(held());
  director_.update(stage_.block.cursor, experiment.footprint, experiment.carriers, stage_.block.view, stage_.thread,
                   room(space), ImGui::GetIO().DeltaTime, movement(), stage_.faults, stage_.origins);
}

SceneAnswer SceneView::draw(const char* id, ImVec2 min, ImVec2 max) {
  min_ = min;
  max_ = max;
  if (max_.x - min_.x < kSmallestPicture || max_.y - min_.y < kSmallestPicture) { return {}; }
  ImGui::SetCursorScreenPos(min_);
  ImGui::SetNextItemAllowOverlap();
  ImGui::InvisibleButton(
      id, {max_.x - min_.x, max_.y - min_.y},
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
  if (!stage_.inText) { ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY); }
  const bool hovered = ImGui::IsItemHovered();
  const bool turning = !stage_.inText && turnCamera(hovered, ImGui::IsItemActive());
  if (!stage_.inText) { frameShot(); }
  picture(turning);
  if (state_.view.gridShare > 0 && stage_.placeWidth > 0) { return {}; }
  labels_.clear();
  if (director_.model().isStrip()) {
    StripText(theme_, stage_.block, director_.model(), projection_, min_, max_).draw();
  } else {
    labels_ =
        drawSceneLabels(theme_, director_.model(), projection_, director_.progress(), min_, max_, stage_.lowerLeft);
  }
  if (stage_.axes && !director_.model().isStrip()) {
    const std::size_t rank = stage_.block.experiment.footprint.inputExtents.size();
    labels_.push_back(drawSceneAxes(theme_, projection_, director_.model(), director_.facts(), rank, min_, max_,
                                    stage_.lowerLeft, labels_));
  }
  drawEvents(labels_, turning || (!stage_.inText && state_.view.dolly));
  markChanged();
  if (stage_.cell) {
    mark(render::outputPoint(stage_.block.experiment.footprint, *stage_.cell), Where::Output, 2.25F, 1);
  }
  if (stage_.inText) { return {}; }
  // What some panel's pointer is on, wherever the scene shows it.
  if (const auto& point = state_.selection.hoveredPoint) { mark(*point, Where::Everywhere, 1.25F, 0.75F); }
  const bool settled = !turning && !director_.returning();
  const SceneAnswer answer = hovered && settled ? answerPointer() : SceneAnswer{};
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && !answer.typed) {
    if (answer.box) {
      goTo(render::objectCorners(director_.model(), director_.model().boxes[*answer.box]));
    } else {
      fitStage(state_);
    }
  }
  return answer;
}

/// What moves apart from the cells.
void SceneView::drawEvents(std::vector<LabelPlace> taken, bool turning) const {
  const experiment::Experiment& shown = stage_.block.experiment;
  const render::SceneModel& model = director_.model();
  const std::string thread = trf("thread {}", haloscope::text(unlinear(stage_.thread, shown.configuration.block)));
  drawAccumulator(theme_, model, projection_, director_.progress(), thread, min_, max_, stage_.upperRight);
  if (!model.gate || turning) { return; }  // finding a place for it takes long
  const ImVec2 &left = stage_.lowerLeft, &right = stage_.upperRight;
  if (left.x > 0) { taken.push_back({{min_.x, max_.y - left.y}, {min_.x + left.x, max_.y}}); }
  if (right.x > 0) { taken.push_back({{max_.x - right.x, min_.y}, {max_.x, min_.y + right.y}}); }
  const std::string name = excerpt(shown.file.text, model.gate->range);
  drawBarrierGate(theme_, model, projection_, director_.progress(), name, taken, min_, max_);
}

const Playback& SceneView::playback() const { return stage_.playback != nullptr ? *stage_.playback : state_.playback; }

std::optional<float> SceneView::held() const {
  if (stage_.playback != nullptr) { return stage_.playback->held; }
  const recording::Cursor& cursor = stage_.block.cursor;
  const bool own = cursor.shared() == state_.cursor.shared() && cursor.position() == state_.cursor.position();
  return own ? state_.playback.held : std::nullopt;
}

bool SceneView::together() const { return stage_.playback == nullptr && state_.comparison.follows(state_.experiment); }

float SceneView::movement() const {
  const recording::Cursor& cursor = stage_.block.cursor;
  if (cursor.atStart() || state_.view.reducedMotion) { return 0; }
  const std::size_t step = cursor.currentStep();
  const recording::Recording& recording = cursor.recording();
  const double alone = recording::secondsOf(recording.activities[step]);
  if (!playback().playing) { return static_cast<float>(alone); }
  const double shown = (together() ? kSecondsOfTick : recording::secondsOf(recording, step)) / playback().speed;
  return shown < kShortestMovement ? 0.0F : static_cast<float>(recording::kMovingShare * shown);
}

bool SceneView::turnCamera(bool hovered, bool active) {
  SceneCamera& camera = state_.view.camera;
  const ImGuiIO& io = ImGui::GetIO();
  const float height = max_.y - min_.y;
  if (hovered && io.MouseWheel != 0) {
    holdCamera(state_);
    const float zoom = std::clamp(camera.zoom * std::pow(kZoom, io.MouseWheel), 0.3F, 40.0F);
    // What is under the pointer stays there. The labels' room moves the centre from the panel's middle.
    const glm::vec2 centre = projection().centre();
    const float keep = 1 - zoom / camera.zoom;
    camera.panX += keep * (io.MousePos.x - min_.x - centre.x / io.DisplayFramebufferScale.x) / height;
    camera.panY -= keep * (io.MousePos.y - min_.y - centre.y / io.DisplayFramebufferScale.y) / height;
    camera.zoom = zoom;
  }
  const bool shifting = ImGui::IsMouseDown(ImGuiMouseButton_Middle) || ImGui::IsMouseDown(ImGuiMouseButton_Right) ||
                        io.KeyShift || director_.model().isStrip();
  const float least = theme_.px(kClickDistance);
  const bool dragging = active && (ImGui::IsMouseDragging(ImGuiMouseButton_Left, least) ||
                                   ImGui::IsMouseDragging(ImGuiMouseButton_Right, least) ||
                                   ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0));
  if (!dragging) { return false; }
  holdCamera(state_);
  if (shifting) {
    camera.panX += io.MouseDelta.x / height;
    camera.panY -= io.MouseDelta.y / height;
  } else {
    camera.yaw -= io.MouseDelta.x * kTurn / theme_.scale();
    camera.pitch = std::clamp(camera.pitch + io.MouseDelta.y * kTurn / theme_.scale(), kLowestPitch, kHighestPitch);
  }
  state_.view.keysUsed.insert(kTurned);
  return true;
}

void SceneView::frameShot() {
  if (!std::exchange(state_.view.framesShot, false)) { return; }
  const auto& homes = director_.facts().homes;
  if (stage_.thread >= homes.size()) { return; }
  const render::ThreadHome& home = homes[stage_.thread];
  if (const auto& at = home.output ? home.output : home.input) { goTo(render::neighbourhood(director_.model(), *at)); }
}

void SceneView::goTo(std::span<const glm::vec3> points) {
  if (points.empty()) { return; }
  const SceneCamera aimed = cameraAimed(state_);
  const auto orbit = render::framing(director_.model(), {.yaw = aimed.yaw, .pitch = aimed.pitch}, pixels().x,
                                     pixels().y, margins(), points);
  moveCamera(state_, {orbit.yaw, orbit.pitch, orbit.zoom, orbit.panX, orbit.panY});
}

ImVec2 SceneView::pixels() const {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  return {std::round((max_.x - min_.x) * scale.x), std::round((max_.y - min_.y) * scale.y)};
}

render::SceneMargins SceneView::margins() const {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const render::SceneModel& model = director_.model();
  render::SceneMargins margins =
      model.isStrip() ? stripMargins(theme_) : labelMargins(theme_, model, (max_.y - min_.y) / (max_.x - min_.x));
  if (model.isStrip()) {  // its rows are as long as the picture is wide
    margins.top = std::max(margins.top, stage_.upperRight.y * scale.y);
  } else if (model.clear != render::SceneClear::Corners) {
    if (room({max_.x - min_.x, max_.y - min_.y}).isBelow()) {
      margins.top += stage_.upperRight.y * scale.y;
    } else {
      margins.right += stage_.upperRight.x * scale.x;
    }
  }
  if (model.clear == render::SceneClear::Above) { margins.bottom += stage_.lowerLeft.y * scale.y; }
  if (model.clear == render::SceneClear::Beside) { margins.left += stage_.lowerLeft.x * scale.x; }
  return margins;
}

SceneCamera SceneView::camera() const {
  if (stage_.inText) { return {}; }
  const SceneCamera& near = state_.view.camera;
  if (state_.view.gridShare <= 0 || stage_.placeWidth <= 0) { return near; }
  // Its picture becomes as small as the block on the map, and lies there.
  const float height = max_.y - min_.y;
  const ImVec2 middle{(min_.x + max_.x) / 2, (min_.y + max_.y) / 2};
  SceneCamera far{.yaw = near.yaw, .pitch = near.pitch};
  far.zoom = stage_.placeWidth / (max_.x - min_.x);
  far.panX = (stage_.place.x - middle.x) / height;
  far.panY = -(stage_.place.y - middle.y) / height;
  return between(near, far, state_.view.gridShare);
}

float SceneView::shiftOf(const render::SceneProjection& unmoved) const {
  const float scale = ImGui::GetIO().DisplayFramebufferScale.x;
  float right = 0;
  for (const render::SceneBox& box : director_.model().boxes) {
    for (const auto& corners : {render::SceneModel::top(box, 0, 0), render::SceneModel::top(box, box.cellsX - 1, 0),
                                render::SceneModel::top(box, 0, box.cellsZ - 1),
                                render::SceneModel::top(box, box.cellsX - 1, box.cellsZ - 1)}) {
      for (const glm::vec3& corner : corners) { right = std::max(right, unmoved.project(corner).x); }
    }
  }
  const float covered = stage_.coveredRight * scale;
  return std::clamp(right + theme_.px(kBesideDrawer) * scale - (unmoved.width() - covered), 0.0F, covered);
}

render::SceneProjection SceneView::projection() const {
  const render::SceneModel& model = director_.model();
  const render::SceneMargins around = margins();
  const ImVec2 size = pixels();
  SceneCamera from = camera();
  if (stage_.coveredRight > 0) {
    from.panX -= shiftOf({model, {.yaw = from.yaw, .pitch = from.pitch}, size.x, size.y, around}) / size.y;
  }
  return {model, {from.yaw, from.pitch, from.zoom, from.panX, from.panY}, size.x, size.y, around};
}

void SceneView::picture(bool turning) {
  const render::SceneModel& model = director_.model();
  projection_ = projection();
  const bool draft = turning || state_.view.dolly || director_.moving() || playback().playing ||
                     (director_.held() && ImGui::IsMouseDown(ImGuiMouseButton_Left));
  renderer_.draw(model, projection_, scenePalette(theme_, stage_.ground), director_.progress(), draft);
  // OpenGL's pictures begin with their bottom row.
  const float there = stage_.placeWidth > 0 ? 1 - state_.view.gridShare : 1;
  ImGui::GetWindowDrawList()->AddImage(ImTextureRef(static_cast<ImTextureID>(renderer_.texture())), min_, max_, {0, 1},
                                       {1, 0}, theme_.faded(IM_COL32_WHITE, there));
}

ImVec2 SceneView::onScreen(const glm::vec3& point) const {
  const glm::vec2 pixel = projection_.project(point);
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  return {min_.x + pixel.x / scale.x, min_.y + pixel.y / scale.y};
}

std::optional<ImVec2> SceneView::cellOf(ObjectId array, std::int64_t element) const {
  using Kind = render::SceneSource::Kind;
  const recording::BlockView& view = stage_.block.view;
  const experiment::Experiment& shown = stage_.block.experiment;
  const auto isElement = [&](const render::SceneSource& source) {
    switch (source.kind) {
      case Kind::Carrier: {
        const recording::Carrier& carrier = shown.carriers[source.carrier];
        return carrier.kind == recording::Carrier::Kind::SharedArray && carrier.id == array &&
               view.carriers[source.carrier].cells[source.index].index == element;
      }
      case Kind::Input:
        return array == shown.footprint.input && view.inputs[source.index].element == element;
      case Kind::Output:
        return array == shown.footprint.output && view.outputs[source.index].element == element;
      case Kind::None:
      case Kind::Ghost:
        break;
    }
    return false;
  };
  const render::SceneModel& model = director_.model();
  for (const render::SceneBox& box : model.boxes) {
    if (box.kind == Kind::None || box.kind == Kind::Ghost || box.leaves) { continue; }
    if (box.kind == Kind::Carrier && shown.carriers[box.carrier].id != array) { continue; }
    for (int z = 0; z < box.cellsZ; ++z) {
      for (int x = 0; x < box.cellsX; ++x) {
        if (!isElement(model.source(box, x, z))) { continue; }
        const auto top = render::SceneModel::top(box, x, z);
        return onScreen((top[0] + top[2]) / 2.0F);
      }
    }
  }
  return std::nullopt;
}

void SceneView::blockCells(LabelPlacer& placer) const {
  for (const LabelPlace& label : labels_) { placer.block(label.min, label.max); }
  for (const render::SceneBox& box : director_.model().boxes) {
    if (box.kind == render::SceneSource::Kind::None) { continue; }
    for (int z = 0; z < box.cellsZ; z += kBlockedCells) {
      for (int x = 0; x < box.cellsX; x += kBlockedCells) {
        const int lastX = std::min(x + kBlockedCells, box.cellsX) - 1,
                  lastZ = std::min(z + kBlockedCells, box.cellsZ) - 1;
        const glm::vec3 from = render::SceneModel::top(box, x, z)[0],
                        to = render::SceneModel::top(box, lastX, lastZ)[2];
        ImVec2 low = max_, high = min_;
        for (const glm::vec3& corner : {from, glm::vec3(to.x, from.y, from.z), to, glm::vec3(from.x, from.y, to.z)}) {
          const ImVec2 at = onScreen(corner);
          low = {std::min(low.x, at.x), std::min(low.y, at.y)};
          high = {std::max(high.x, at.x), std::max(high.y, at.y)};
        }
        placer.block(low, high);
      }
    }
  }
}

void SceneView::outline(const render::SceneBox& box, int cellX, int cellZ, float width, ImU32 colour) const {
  std::array<ImVec2, 4> corners;
  const auto top = render::SceneModel::top(box, cellX, cellZ);
  for (std::size_t i = 0; i < corners.size(); ++i) { corners[i] = onScreen(top[i]); }
  ImGui::GetWindowDrawList()->AddPolyline(corners.data(), static_cast<int>(corners.size()), colour, theme_.px(width),
                                          ImDrawFlags_Closed);
}

void SceneView::mark(const recording::GridPoint& point, Where where, float width, float alpha) const {
  const recording::GridPoint at = director_.model().fold(point);
  ImGui::PushClipRect(min_, max_, true);
  for (const render::SceneBox& box : director_.model().boxes) {
    const std::int64_t x = at.x - box.at.x;
    const std::int64_t y = at.y - box.at.y;
    const bool output = box.kind == render::SceneSource::Kind::Output;
    if (box.kind == render::SceneSource::Kind::None || (where == Where::Output && !output)) { continue; }
    if (box.at.z != at.z || x < 0 || y < 0 || x >= box.cellsX || y >= box.cellsZ) { continue; }
    outline(box, static_cast<int>(x), static_cast<int>(y), width, theme_.faded(theme_.colours().text, alpha));
  }
  ImGui::PopClipRect();
}

void SceneView::markChanged() const {
  const ChangedOutputs& changed = state_.changedOutputs;
  const experiment::Experiment& shown = stage_.block.experiment;
  if (changed.of.get() != &shown) { return; }
  const render::SceneModel& model = director_.model();
  ImGui::PushClipRect(min_, max_, true);
  for (const render::SceneBox& box : model.boxes) {
    if (box.kind != render::SceneSource::Kind::Output) { continue; }
    for (int z = 0; z < box.cellsZ; ++z) {
      for (int x = 0; x < box.cellsX; ++x) {
        const std::int64_t element = stage_.block.view.outputs[model.source(box, x, z).index].element;
        if (changed.find(shown, element) != nullptr) { outline(box, x, z, 1.75F, theme_.colours().accent); }
      }
    }
  }
  ImGui::PopClipRect();
}

SceneAnswer SceneView::answerPointer() {
  const ImGuiIO& io = ImGui::GetIO();
  const glm::vec2 pixel = {(io.MousePos.x - min_.x) * io.DisplayFramebufferScale.x,
                           (io.MousePos.y - min_.y) * io.DisplayFramebufferScale.y};
  const auto hit = projection_.pick(director_.model(), pixel);
  SceneAnswer answer;
  const auto clicked = [&](ImGuiMouseButton button) {
    const ImVec2 drag = ImGui::GetMouseDragDelta(button, theme_.px(kClickDistance));
    return ImGui::IsMouseReleased(button) && drag.x == 0 && drag.y == 0;
  };
  answer.clicked = clicked(ImGuiMouseButton_Left);
  if (!hit) { return answer; }
  answer.box = hit->box;
  outline(director_.model().boxes[hit->box], hit->cellX, hit->cellZ, 2.25F, theme_.colours().text);
  const recording::BlockView& view = stage_.block.view;
  if (const auto point = pointOf(view, hit->source)) { state_.selection.hoveredPoint = point; }
  answer.thread = threadOf(view, director_.facts(), hit->source);
  if (hit->source.kind == render::SceneSource::Kind::Output) {
    answer.output = view.outputs[hit->source.index].element;
    answer.followed = clicked(ImGuiMouseButton_Right);
  }
  if (const auto element = elementOf(stage_.block, hit->source); element && canBeTyped(state_, element->array)) {
    // A double click goes close to what cannot show its number yet.
    const bool twice = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    if (typingAsked() && (director_.model().isStrip() || !twice)) { answer.typed = element; }
  }
  drawSceneTooltip(state_, theme_, stage_.block, director_.facts(), hit->source);
  return answer;
}

render::SceneFaults sceneFaults(const AppState& state, const experiment::Experiment& experiment) {
  render::SceneFaults faults;
  if (&experiment == state.experiment.get()) { faults.reached = faultyCells(state); }
  if (experiment.barrierEffect) {
    for (const auto& difference : experiment.barrierEffect->differences) { faults.wrong.push_back(difference.element); }
  }
  return faults;
}

std::vector<LegendEntry> sceneLegend(const Theme& theme, std::span<const render::SceneLegendEntry> entries) {
  std::vector<LegendEntry> shown;
  for (const render::SceneLegendEntry& entry : entries) {
    const ImU32 colour = Theme::mixed(theme.colours().panel, sceneColour(theme, entry.colour), entry.opacity);
    const Swatch kind = entry.style == render::SceneStyle::Solid   ? Swatch::Filled
                        : entry.style == render::SceneStyle::Arrow ? Swatch::Line
                                                                   : Swatch::Outlined;
    shown.push_back({colour, entry.word.c_str(), kind});
  }
  return shown;
}

int legendRows(const Theme& theme, std::span<const LegendEntry> entries, float width) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  int rows = 1;
  std::size_t first = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > first && legendWidth(theme, entries.subspan(first, i - first + 1)) > width) {
      ++rows;
      first = i;
    }
  }
  return rows;
}

float legendHeight(const Theme& theme, int rows) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  return static_cast<float>(rows) * (ImGui::GetTextLineHeight() + theme.px(2)) + theme.px(6);
}

}  // namespace haloscope::ui
