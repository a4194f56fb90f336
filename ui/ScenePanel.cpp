#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "render/SceneRenderer.h"
#include "ui/BarrierBanner.h"
#include "ui/Choices.h"
#include "ui/Findings.h"
#include "ui/GridInset.h"
#include "ui/Origins.h"
#include "ui/Panels.h"
#include "ui/SceneAxes.h"
#include "ui/SceneLabels.h"
#include "ui/SceneTooltip.h"
#include "ui/Widgets.h"

namespace haloscope::ui {

namespace {

using render::SceneColour;

constexpr float kMovement = 0.3F;    ///< seconds that a step's movement plays
constexpr double kFastest = 20;      ///< steps a second above which nothing moves any more
constexpr float kTurn = 0.009F;      ///< radians a pixel
constexpr float kZoom = 1.13F;       ///< per notch of the wheel
constexpr float kLabelSpace = 120;   ///< pixels beside the scene, about
constexpr float kClickDistance = 4;  ///< pixels that a click may wander
constexpr float kLowestPitch = 0.06F, kHighestPitch = 1.5F;
constexpr float kSmallestPicture = 40;  ///< pixels, below which nothing is drawn

glm::vec4 toVector(ImU32 colour) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  return {c.x, c.y, c.z, c.w};
}

render::ScenePalette paletteOf(const Theme& theme) {
  render::ScenePalette palette;
  for (std::size_t i = 0; i < palette.colours.size(); ++i) {
    palette.colours[i] = toVector(sceneColour(theme, static_cast<SceneColour>(i)));
  }
  palette.background = toVector(theme.colours().panel);
  palette.lineScale = theme.scale() * ImGui::GetIO().DisplayFramebufferScale.x;
  return palette;
}

/// The panel during one frame.
class ScenePanel {
 public:
  ScenePanel(AppState& state, const Theme& theme, render::SceneRenderer& renderer)
      : state_(state), theme_(theme), renderer_(renderer), director_(renderer.director()) {}

  void draw() {
    director_.update(state_.cursor, state_.experiment->footprint, state_.experiment->carriers, state_.blockView,
                     state_.selection.thread, aspect(), ImGui::GetIO().DeltaTime, movement(), faults(), origins());
    heading();
    drawBarrierBanner(state_, theme_);
    const std::vector<LegendEntry> entries = legendEntries();
    const ImVec2 available = ImGui::GetContentRegionAvail();
    min_ = ImGui::GetCursorScreenPos();
    max_ = {min_.x + available.x, min_.y + available.y - legendHeight(entries, available.x)};
    if (max_.x - min_.x < kSmallestPicture || max_.y - min_.y < kSmallestPicture) { return; }

    ImGui::SetNextItemAllowOverlap();
    ImGui::InvisibleButton("scene", {max_.x - min_.x, max_.y - min_.y},
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    const bool hovered = ImGui::IsItemHovered();
    const bool turning = moveCamera(hovered, ImGui::IsItemActive());
    picture(turning);
    drawSceneLabels(theme_, director_.model(), projection_, min_, max_);
    drawSceneAxes(theme_, projection_, director_.model(), director_.facts(), rank(), min_, max_);
    markPoint();
    if (hovered && !turning) { answerPointer(); }
    GridInset(state_, theme_).draw({min_.x + theme_.px(2), min_.y + theme_.px(2)});
    ImGui::SetCursorScreenPos({min_.x, max_.y + theme_.px(2)});
    legend(theme_, entries);
  }

 private:
  /// Of the space for the scene, in steps: a new layout for every pixel of a resize would be restless.
  [[nodiscard]] float aspect() const {
    const ImVec2 available = ImGui::GetContentRegionAvail();
    const float words = 4 * ImGui::GetTextLineHeightWithSpacing();  // heading and legend
    const float height = std::max(available.y - words, kSmallestPicture);
    const float width = std::max(available.x - theme_.px(kLabelSpace), kSmallestPicture);
    return std::round(20 * height / width) / 20;
  }

  /// The arrows stand while the panel does that tells about them.
  [[nodiscard]] render::SceneOrigins origins() const {
    const bool shown = state_.view.memoryTab == MemoryTab::Origins && shownOrigins(state_) != nullptr;
    return shown ? render::SceneOrigins{state_.origins.trace, state_.origins.operand} : render::SceneOrigins{};
  }

  [[nodiscard]] std::size_t rank() const { return state_.experiment->footprint.inputExtents.size(); }

  [[nodiscard]] render::SceneFaults faults() const {
    render::SceneFaults faults{faultyCells(state_), {}};
    if (state_.experiment->barrierEffect) {
      for (const auto& difference : state_.experiment->barrierEffect->differences) {
        faults.wrong.push_back(difference.element);
      }
    }
    return faults;
  }

  [[nodiscard]] float movement() const {
    if (!state_.playback.playing) { return kMovement; }
    const double speed = state_.playback.stepsPerSecond;
    return speed > kFastest ? 0.0F : std::min(kMovement, static_cast<float>(0.7 / speed));
  }

  void heading() const {
    const experiment::Experiment& experiment = *state_.experiment;
    const char* place = name(recording::placeOf(experiment.block, experiment.configuration.grid));
    panelHeading(theme_, fmt::format("Block {}, {}: {}", blockText(experiment.block), place, director_.model().title),
                 "drag to turn");
  }

  [[nodiscard]] std::vector<LegendEntry> legendEntries() const {
    std::vector<LegendEntry> entries;
    for (const render::SceneLegendEntry& entry : director_.model().legend) {
      const ImU32 colour = Theme::mixed(theme_.colours().panel, sceneColour(theme_, entry.colour), entry.opacity);
      const Swatch kind = entry.style == render::SceneStyle::Solid   ? Swatch::Filled
                          : entry.style == render::SceneStyle::Arrow ? Swatch::Line
                                                                     : Swatch::Outlined;
      entries.push_back({colour, entry.word.c_str(), kind});
    }
    return entries;
  }

  /// As many rows as legend() will take, and always room for two: the scene must not jump when a colour comes up.
  [[nodiscard]] float legendHeight(const std::vector<LegendEntry>& entries, float width) const {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    int rows = 1;
    std::size_t first = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i > first && legendWidth(theme_, std::span(entries).subspan(first, i - first + 1)) > width) {
        ++rows;
        first = i;
      }
    }
    return static_cast<float>(std::max(rows, 2)) * (ImGui::GetTextLineHeight() + theme_.px(2)) + theme_.px(6);
  }

  /// Turns, shifts and zooms. True while the person drags.
  bool moveCamera(bool hovered, bool active) {
    SceneCamera& camera = state_.view.camera;
    const ImGuiIO& io = ImGui::GetIO();
    const float height = max_.y - min_.y;
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) { camera = SceneCamera{}; }
    if (hovered && io.MouseWheel != 0) {
      const float zoom = std::clamp(camera.zoom * std::pow(kZoom, io.MouseWheel), 0.3F, 40.0F);
      // What is under the pointer stays there. The labels' room moves the centre from the panel's middle.
      const glm::vec2 centre = projection().centre();
      const float keep = 1 - zoom / camera.zoom;
      camera.panX += keep * (io.MousePos.x - min_.x - centre.x / io.DisplayFramebufferScale.x) / height;
      camera.panY -= keep * (io.MousePos.y - min_.y - centre.y / io.DisplayFramebufferScale.y) / height;
      camera.zoom = zoom;
    }
    const bool shifting = ImGui::IsMouseDown(ImGuiMouseButton_Middle) || io.KeyShift;
    const bool dragging = active && (ImGui::IsMouseDragging(ImGuiMouseButton_Left, theme_.px(kClickDistance)) ||
                                     ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0));
    if (dragging && shifting) {
      camera.panX += io.MouseDelta.x / height;
      camera.panY -= io.MouseDelta.y / height;
    } else if (dragging) {
      camera.yaw -= io.MouseDelta.x * kTurn / theme_.scale();
      camera.pitch = std::clamp(camera.pitch + io.MouseDelta.y * kTurn / theme_.scale(), kLowestPitch, kHighestPitch);
    }
    return dragging;
  }

  [[nodiscard]] render::SceneProjection projection() const {
    const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    const SceneCamera& camera = state_.view.camera;
    const render::SceneModel& model = director_.model();
    return {model,
            {camera.yaw, camera.pitch, camera.zoom, camera.panX, camera.panY},
            std::round((max_.x - min_.x) * scale.x),
            std::round((max_.y - min_.y) * scale.y),
            labelMargins(theme_, model, (max_.y - min_.y) / (max_.x - min_.x))};
  }

  void picture(bool turning) {
    const render::SceneModel& model = director_.model();
    projection_ = projection();
    const bool draft = turning || director_.moving() || state_.playback.playing;
    renderer_.draw(model, projection_, paletteOf(theme_), director_.progress(), draft);
    // OpenGL's pictures begin with their bottom row.
    ImGui::GetWindowDrawList()->AddImage(ImTextureRef(static_cast<ImTextureID>(renderer_.texture())), min_, max_,
                                         {0, 1}, {1, 0});
  }

  [[nodiscard]] ImVec2 onScreen(const glm::vec3& point) const {
    const glm::vec2 pixel = projection_.project(point);
    const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    return {min_.x + pixel.x / scale.x, min_.y + pixel.y / scale.y};
  }

  void outline(const render::SceneBox& box, int cellX, int cellZ, float width, float alpha) const {
    std::array<ImVec2, 4> corners;
    const auto top = render::SceneModel::top(box, cellX, cellZ);
    for (std::size_t i = 0; i < corners.size(); ++i) { corners[i] = onScreen(top[i]); }
    ImGui::GetWindowDrawList()->AddPolyline(corners.data(), static_cast<int>(corners.size()),
                                            theme_.faded(theme_.colours().text, alpha), theme_.px(width),
                                            ImDrawFlags_Closed);
  }

  /// The grid point that some panel's pointer is on, wherever the scene shows it.
  void markPoint() const {
    const auto& point = state_.selection.hoveredPoint;
    if (!point) { return; }
    const recording::GridPoint at = director_.model().fold(*point);
    ImGui::PushClipRect(min_, max_, true);
    for (const render::SceneBox& box : director_.model().boxes) {
      const std::int64_t x = at.x - box.at.x;
      const std::int64_t y = at.y - box.at.y;
      if (box.kind == render::SceneSource::Kind::None || box.at.z != at.z) { continue; }
      if (x < 0 || y < 0 || x >= box.cellsX || y >= box.cellsZ) { continue; }
      outline(box, static_cast<int>(x), static_cast<int>(y), 1.25F, 0.75F);
    }
    ImGui::PopClipRect();
  }

  void answerPointer() {
    const ImGuiIO& io = ImGui::GetIO();
    const glm::vec2 pixel = {(io.MousePos.x - min_.x) * io.DisplayFramebufferScale.x,
                             (io.MousePos.y - min_.y) * io.DisplayFramebufferScale.y};
    const auto hit = projection_.pick(director_.model(), pixel);
    if (!hit) { return; }
    outline(director_.model().boxes[hit->box], hit->cellX, hit->cellZ, 2.25F, 1);
    if (const auto point = pointOf(state_, hit->source)) { state_.selection.hoveredPoint = point; }
    const auto thread = threadOf(state_, director_.facts(), hit->source);
    if (thread) {
      state_.selection.hoveredThread = thread;
      const bool still = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, theme_.px(kClickDistance)).x == 0 &&
                         ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, theme_.px(kClickDistance)).y == 0;
      const bool output = hit->source.kind == render::SceneSource::Kind::Output;
      const bool follow = output && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
      if (follow) { state_.view.memoryTab = MemoryTab::Origins; }
      if ((ImGui::IsMouseReleased(ImGuiMouseButton_Left) && still) || follow) {
        state_.selection.thread = *thread;
        state_.selection.output.reset();
        if (output) { chooseOutput(state_, state_.blockView.outputs[hit->source.index].element); }
      }
    }
    drawSceneTooltip(state_, theme_, director_.facts(), hit->source);
  }

  AppState& state_;
  const Theme& theme_;
  render::SceneRenderer& renderer_;
  render::SceneDirector& director_;
  render::SceneProjection projection_;
  ImVec2 min_{}, max_{};
};

}  // namespace

void drawScene(AppState& state, const Theme& theme, render::SceneRenderer& renderer) {
  if (state.cursor.empty() || state.experiment == nullptr || state.experiment->recording != state.cursor.shared()) {
    panelHeading(theme, "Block");
    label(theme, theme.colours().textDim, state.computing ? "recording the block…" : "nothing is recorded");
    return;
  }
  ScenePanel(state, theme, renderer).draw();
}

}  // namespace haloscope::ui
