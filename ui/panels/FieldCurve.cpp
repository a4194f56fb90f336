#include "ui/panels/FieldCurve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "actions/Findings.h"
#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kTickDistance = 44;  ///< pixels at scale 1 between values of the vertical axis, at least
constexpr float kDotDistance = 7;    ///< pixels at scale 1 from which each point has a dot

/// 1, 2 or 5 times a power of ten, not below.
double roundStep(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) { return factor * power; }
  }
  return 10 * power;
}

class CurvePlot {
 public:
  CurvePlot(const AppState& state, const Theme& theme, ImVec2 min, ImVec2 max)
      : state_(state), theme_(theme), points_(state.field.extents.back()), list_(ImGui::GetWindowDrawList()) {
    findRange();
    const float line = ImGui::GetTextLineHeight();
    max_ = {max.x - theme.px(8), max.y - line - theme.px(6)};
    min_ = {min.x, min.y + theme.px(6)};
    const double height = max_.y - min_.y;
    step_ = roundStep((high_ - low_) * theme.px(kTickDistance) / std::max(height, 1.0));
    float widest = 0;
    for (double value = std::ceil(low_ / step_) * step_; value <= high_; value += step_) {
      widest = std::max(widest, textWidth(tickText(value)));
    }
    min_.x += widest + theme.px(8);
  }

  [[nodiscard]] ImVec2 min() const { return min_; }
  [[nodiscard]] ImVec2 max() const { return max_; }

  void draw() const {
    drawAxes();
    drawBlock();
    const FieldCurve& curve = state_.field.curve;
    drawCurve(curve.input, theme_.colours().interior, theme_.px(1.5F));
    if (state_.field.sweeps > 0) { drawCurve(curve.now, theme_.colours().output, theme_.px(2)); }
  }

  void markProbe() const {
    const FieldProbe& probe = *state_.field.probe;
    const float x = place(static_cast<double>(probe.point.x) + 0.5, 0).x;
    list_->AddLine({x, min_.y}, {x, max_.y}, theme_.colours().activeText, std::max(1.0F, theme_.px(1)));
  }

 private:
  void findRange() {
    low_ = INFINITY;
    high_ = -INFINITY;
    for (const auto* curve : {&state_.field.curve.input, &state_.field.curve.now}) {
      for (const auto& [low, high] : *curve) {
        if (std::isnan(low)) { continue; }
        low_ = std::min<double>(low_, low);
        high_ = std::max<double>(high_, high);
      }
    }
    if (low_ > high_) { low_ = 0, high_ = 1; }
    const double margin = high_ > low_ ? 0.06 * (high_ - low_) : std::max(1.0, std::abs(high_));
    low_ -= margin;
    high_ += margin;
  }

  [[nodiscard]] std::string tickText(double value) const {
    return fmt::format("{:.4g}", std::abs(value) < step_ / 2 ? 0.0 : value);
  }

  [[nodiscard]] ImVec2 place(double index, double value) const {
    return {min_.x + static_cast<float>(index / static_cast<double>(points_)) * (max_.x - min_.x),
            max_.y - static_cast<float>((value - low_) / (high_ - low_)) * (max_.y - min_.y)};
  }

  void drawAxes() const {
    const Palette& colours = theme_.colours();
    const float line = ImGui::GetTextLineHeight();
    for (double value = std::ceil(low_ / step_) * step_; value <= high_; value += step_) {
      const float y = std::round(place(0, value).y);
      const bool zero = std::abs(value) < step_ / 2;
      list_->AddLine({min_.x, y}, {max_.x, y}, zero ? colours.ghost : colours.border);
      const std::string text = tickText(value);
      textAt(list_, {min_.x - theme_.px(6) - textWidth(text), y - line / 2}, colours.textDim, text);
    }
    list_->AddRect(min_, max_, colours.border);
    // Powers of two, as blocks and warps are.
    const float widest = textWidth(std::to_string(points_)) + theme_.px(24);
    std::int64_t step = 1;
    while (static_cast<float>(step) / static_cast<float>(points_) * (max_.x - min_.x) < widest) { step *= 2; }
    for (std::int64_t index = 0; index < points_; index += step) {
      const float x = std::round(place(static_cast<double>(index) + 0.5, 0).x);
      list_->AddLine({x, max_.y}, {x, max_.y + theme_.px(3)}, colours.ghost);
      const std::string text = index == 0 ? tr("index 0") : std::to_string(index);
      const float left = index == 0 ? min_.x : x - textWidth(text) / 2;
      textAt(list_, {left, max_.y + theme_.px(4)}, colours.textDim, text);
    }
  }

  /// What the recorded block loads and writes, and what faults reach.
  void drawBlock() const {
    if (state_.experiment == nullptr) { return; }
    const recording::Footprint& footprint = state_.experiment->footprint;
    if (footprint.inputExtents != state_.field.extents || footprint.loadPoints.empty()) { return; }
    const Palette& colours = theme_.colours();
    const auto range = [&](std::int64_t first, std::int64_t last, ImU32 colour) {
      const float thickness = std::max(1.0F, std::round(theme_.px(1.5F)));
      const float left = place(static_cast<double>(first), 0).x;
      const float right = place(static_cast<double>(last + 1), 0).x;
      list_->AddRectFilled({left, min_.y}, {right, max_.y}, theme_.faded(colour, 0.08F));
      list_->AddRect({left, min_.y}, {right, max_.y}, colour, 0, thickness);
    };
    range(footprint.loadPoints.front().at.x, footprint.loadPoints.back().at.x, colours.halo);
    if (footprint.outputPoints.empty()) { return; }
    range(footprint.outputPoints.front().at.x, footprint.outputPoints.back().at.x, colours.output);
    for (const faults::OutputRun& run : faultyRuns(state_)) {
      range(run.begin + footprint.outputShift.x, run.end - 1 + footprint.outputShift.x, colours.fault);
    }
  }

  /// From point to point; where a column holds several, from its lowest value to its highest.
  void drawCurve(const std::vector<FieldCurve::Column>& curve, ImU32 colour, float thickness) const {
    const double columns = static_cast<double>(curve.size());
    const float apart = (max_.x - min_.x) / static_cast<float>(std::max(columns, 1.0));
    std::vector<ImVec2> line;
    const auto flush = [&] {
      if (line.size() > 1) { list_->AddPolyline(line.data(), static_cast<int>(line.size()), colour, thickness); }
      line.clear();
    };
    for (std::size_t column = 0; column < curve.size(); ++column) {
      const auto& [low, high] = curve[column];
      if (std::isnan(low)) {  // no finite value: a gap
        flush();
        continue;
      }
      const double index = (static_cast<double>(column) + 0.5) * static_cast<double>(points_) / columns;
      line.push_back(place(index, low));
      if (high != low) { line.push_back(place(index, high)); }
      if (apart >= theme_.px(kDotDistance)) { list_->AddCircleFilled(line.back(), theme_.px(2.5F), colour); }
    }
    flush();
  }

  const AppState& state_;
  const Theme& theme_;
  std::int64_t points_;
  ImDrawList* list_;
  ImVec2 min_, max_;
  double low_ = 0, high_ = 1, step_ = 1;
};

}  // namespace

void drawFieldCurve(AppState& state, const Theme& theme, ImVec2 min, ImVec2 max, bool hovered) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const CurvePlot plot(state, theme, min, max);
  FieldControls& controls = state.fieldControls;
  controls.width = std::max(static_cast<int>(plot.max().x - plot.min().x), 1);
  controls.height = std::max(static_cast<int>(plot.max().y - plot.min().y), 1);
  plot.draw();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool inside = mouse.x >= plot.min().x && mouse.x < plot.max().x;
  controls.pointer.reset();
  if (!hovered || !inside) { return; }
  controls.pointer = {mouse.x - plot.min().x, mouse.y - plot.min().y};
  if (state.field.probe) { plot.markProbe(); }
}

}  // namespace haloscope::ui
