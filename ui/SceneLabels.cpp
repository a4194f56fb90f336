#include "ui/SceneLabels.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ui/Widgets.h"

namespace haloscope::ui {

namespace {

using render::SceneColour;
using render::SceneLabel;

/// How far along the plane's front edge a label hangs, from the outer corner.
constexpr float kAlongEdge = 0.3F;
/// The longest detail that a carrier has: what its space is reserved for.
constexpr const char* kLongestDetail = "registers, i = 000";

bool isRight(const SceneLabel& label) { return label.kind == SceneLabel::Kind::Output; }

/// A label with its place on the screen.
struct PlacedLabel {
  const SceneLabel* label;
  ImVec2 min, size;
};

class LabelPlacer {
 public:
  LabelPlacer(const Theme& theme, const render::SceneProjection& projection, ImVec2 min, ImVec2 max)
      : theme_(theme), projection_(projection), min_(min), max_(max) {}

  void place(const SceneLabel& label) {
    const ImVec2 size = sizeOf(label);
    // The plane's outermost corner on the label's side, and its lowest one: between them runs the edge to hang it on.
    std::array<ImVec2, 4> corners;
    for (std::size_t i = 0; i < corners.size(); ++i) { corners[i] = onScreen(label.around[i]); }
    const auto byX = [](const ImVec2& a, const ImVec2& b) { return a.x < b.x; };
    const auto byY = [](const ImVec2& a, const ImVec2& b) { return a.y < b.y; };
    const ImVec2 lowest = *std::max_element(corners.begin(), corners.end(), byY);
    const ImVec2 outer = isRight(label) ? *std::max_element(corners.begin(), corners.end(), byX)
                                        : *std::min_element(corners.begin(), corners.end(), byX);
    const ImVec2 anchor = {outer.x + (lowest.x - outer.x) * kAlongEdge, outer.y + (lowest.y - outer.y) * kAlongEdge};
    const float gap = theme_.px(5);
    ImVec2 at = {isRight(label) ? anchor.x + gap : anchor.x - gap - size.x, anchor.y + theme_.px(6)};
    at.x = std::clamp(at.x, min_.x, std::max(min_.x, max_.x - size.x));
    at.y = std::clamp(at.y, min_.y, std::max(min_.y, max_.y - size.y));
    placed_.push_back({&label, at, size});
  }

  /// Labels give way downwards, then upwards from the bottom.
  void separate() {
    std::stable_sort(placed_.begin(), placed_.end(),
                     [](const PlacedLabel& a, const PlacedLabel& b) { return a.min.y < b.min.y; });
    for (std::size_t i = 1; i < placed_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (overlap(placed_[k], placed_[i])) { placed_[i].min.y = placed_[k].min.y + placed_[k].size.y; }
      }
    }
    for (std::size_t i = placed_.size(); i-- > 0;) {
      PlacedLabel& label = placed_[i];
      label.min.y = std::min(label.min.y, max_.y - label.size.y);
      for (std::size_t k = i + 1; k < placed_.size(); ++k) {
        if (overlap(label, placed_[k])) { label.min.y = placed_[k].min.y - label.size.y; }
      }
    }
  }

  void draw() const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (const PlacedLabel& placed : placed_) {
      const SceneLabel& label = *placed.label;
      ImVec2 at = placed.min;
      if (!label.text.empty()) {
        const FontScope font(theme_, Face::Mono, TextSize::Small);
        line(list, at, placed, sceneColour(theme_, label.colour), label.text);
        at.y += ImGui::GetTextLineHeight();
      }
      const FontScope font(theme_, Face::Sans, TextSize::Small);
      line(list, at, placed, theme_.colours().textDim, label.detail);
    }
  }

 private:
  [[nodiscard]] ImVec2 onScreen(const glm::vec3& point) const {
    const glm::vec2 pixel = projection_.project(point);
    const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    return {min_.x + pixel.x / scale.x, min_.y + pixel.y / scale.y};
  }

  [[nodiscard]] ImVec2 sizeOf(const SceneLabel& label) const {
    ImVec2 size = {0, 0};
    if (!label.text.empty()) {
      const FontScope font(theme_, Face::Mono, TextSize::Small);
      size = {textWidth(label.text), ImGui::GetTextLineHeight()};
    }
    if (!label.detail.empty()) {
      const FontScope font(theme_, Face::Sans, TextSize::Small);
      size = {std::max(size.x, textWidth(label.detail)), size.y + ImGui::GetTextLineHeight()};
    }
    return size;
  }

  static bool overlap(const PlacedLabel& a, const PlacedLabel& b) {
    return a.min.x < b.min.x + b.size.x && b.min.x < a.min.x + a.size.x && a.min.y < b.min.y + b.size.y &&
           b.min.y < a.min.y + a.size.y;
  }

  void line(ImDrawList* list, ImVec2 at, const PlacedLabel& placed, ImU32 colour, const std::string& text) const {
    if (!isRight(*placed.label)) { at.x += placed.size.x - textWidth(text); }
    // A dark rim keeps the words legible where a turn of the scene puts a plane behind them.
    const ImU32 rim = theme_.faded(theme_.colours().panel, 0.7F);
    for (const ImVec2 offset : {ImVec2(-1, 0), ImVec2(1, 0), ImVec2(0, -1), ImVec2(0, 1)}) {
      textAt(list, {at.x + offset.x, at.y + offset.y}, rim, text);
    }
    textAt(list, at, colour, text);
  }

  const Theme& theme_;
  const render::SceneProjection& projection_;
  ImVec2 min_, max_;
  std::vector<PlacedLabel> placed_;
};

}  // namespace

ImU32 sceneColour(const Theme& theme, SceneColour colour) {
  const Palette& palette = theme.colours();
  switch (colour) {
    case SceneColour::Interior:
      return palette.interior;
    case SceneColour::Halo:
      return palette.halo;
    case SceneColour::Ghost:
    case SceneColour::Unwritten:
      return palette.ghost;
    case SceneColour::Computed:
      return theme.of(recording::Role::Computed);
    case SceneColour::Output:
    case SceneColour::Pending:
    case SceneColour::Next:
      return palette.output;
    case SceneColour::Previous:
      return palette.previous;
    case SceneColour::Active:
      return palette.active;
    case SceneColour::Frame:
      return palette.ghost;
    case SceneColour::Text:
    case SceneColour::Count:
      break;
  }
  return palette.text;
}

render::SceneMargins labelMargins(const Theme& theme, const render::SceneModel& model) {
  float left = 0;
  float right = 0;
  for (const SceneLabel& label : model.labels) {
    float width = 0;
    {
      const FontScope font(theme, Face::Mono, TextSize::Small);
      width = textWidth(label.text);
    }
    if (label.kind != SceneLabel::Kind::Plane) {
      const FontScope font(theme, Face::Sans, TextSize::Small);
      const bool carrier = label.kind == SceneLabel::Kind::Carrier;
      width = std::max(width, textWidth(carrier ? kLongestDetail : label.detail.c_str()));
    }
    float& side = isRight(label) ? right : left;
    side = std::max(side, width);
  }
  // Much of a label lies in the space under the plane's slanting edge.
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  return {scale.x * (left * 0.62F + theme.px(6)), scale.y * theme.px(8), scale.x * (right * 0.62F + theme.px(6)),
          scale.y * theme.px(10)};
}

void drawSceneLabels(const Theme& theme, const render::SceneModel& model, const render::SceneProjection& projection,
                     ImVec2 min, ImVec2 max) {
  LabelPlacer placer(theme, projection, min, max);
  for (const SceneLabel& label : model.labels) { placer.place(label); }
  placer.separate();
  placer.draw();
}

}  // namespace haloscope::ui
