#include "ui/figures/PlotCanvas.h"

#include <implot.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

void setUp(ImAxis which, const PlotCanvas::Axis& axis) {
  ImPlot::SetupAxis(which, nullptr, ImPlotAxisFlags_NoHighlight);
  if (axis.logarithmic) { ImPlot::SetupAxisScale(which, ImPlotScale_Log10); }
  ImPlot::SetupAxisLimits(which, axis.low, axis.high, ImPlotCond_Always);
  if (axis.ticks.empty()) { return; }
  std::vector<double> values;
  std::vector<const char*> texts;
  for (const auto& [value, text] : axis.ticks) {
    values.push_back(value);
    texts.push_back(text.c_str());
  }
  ImPlot::SetupAxisTicks(which, values.data(), static_cast<int>(values.size()), texts.data());
}

}  // namespace

PlotCanvas::PlotCanvas(const char* id, ImVec2 size, const Axis& x, const Axis& y, const Theme& theme)
    : PlotCanvas(id, size, x, y, theme, ImPlotFlags_None) {}

PlotCanvas PlotCanvas::trueToScale(const char* id, float width, float height, const Axis& x, const Axis& y,
                                   const Theme& theme) {
  // What the ticks' texts take; the rest is ImPlot's to even out.
  const ImVec2 around{textWidth("0.0") + theme.px(24), ImGui::GetTextLineHeight() + theme.px(24)};
  const float needed =
      around.x + (height - around.y) * static_cast<float>((x.high - x.low) / std::max(y.high - y.low, 1e-9));
  return {id, {std::min(width, needed), height}, x, y, theme, ImPlotFlags_Equal};
}

PlotCanvas::PlotCanvas(const char* id, ImVec2 size, const Axis& x, const Axis& y, const Theme& theme, ImPlotFlags flags)
    : theme_(theme), id_(id), corner_(ImGui::GetCursorScreenPos()), size_(size) {
  constexpr ImPlotFlags kFlags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs;
  open_ = ImPlot::BeginPlot((std::string("###") + id).c_str(), size, kFlags | flags);
  if (!open_) { return; }
  setUp(ImAxis_X1, x);
  setUp(ImAxis_Y1, y);
  ImPlot::SetupFinish();
  list_ = ImPlot::GetPlotDrawList();
  min_ = ImPlot::GetPlotPos();
  max_ = {min_.x + ImPlot::GetPlotSize().x, min_.y + ImPlot::GetPlotSize().y};
  ImPlot::PushPlotClipRect();
}

PlotCanvas::~PlotCanvas() {
  if (open_) { end(); }
}

ImVec2 PlotCanvas::place(double x, double y) const { return ImPlot::PlotToPixels(x, y); }

void PlotCanvas::line(const std::vector<ImVec2>& places, ImU32 colour, float width) const {
  list_->AddPolyline(places.data(), static_cast<int>(places.size()), colour, theme_.px(width));
}

void PlotCanvas::dashed(ImVec2 from, ImVec2 to, ImU32 colour) const {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  const float step = theme_.px(4);
  for (float at = 0; at < length; at += 2 * step) {
    const float a = at / length;
    const float b = std::min(1.0F, (at + step) / length);
    list_->AddLine({std::lerp(from.x, to.x, a), std::lerp(from.y, to.y, a)},
                   {std::lerp(from.x, to.x, b), std::lerp(from.y, to.y, b)}, colour, theme_.px(1));
  }
}

void PlotCanvas::dot(ImVec2 at, ImU32 colour, float radius) const {
  list_->AddCircleFilled(at, theme_.px(radius), colour);
}

bool PlotCanvas::end() {
  if (!open_) { return false; }
  open_ = false;
  ImPlot::PopPlotClipRect();
  ImPlot::EndPlot();
  const ImVec2 below = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(corner_);
  ImGui::InvisibleButton(id_, size_, ImGuiButtonFlags_EnableNav);
  const bool asked = lastItemAsked();
  ImGui::SetCursorScreenPos(below);
  ImGui::Dummy({0, 0});
  return asked;
}

std::size_t PlotCanvas::nearest(const std::vector<ImVec2>& places) const {
  std::size_t best = 0;
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  if (!ImGui::IsMouseHoveringRect(min_, max_)) { return best; }
  const auto distance = [&](const ImVec2& at) { return std::hypot(at.x - pointer.x, at.y - pointer.y); };
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (distance(places[i]) < distance(places[best])) { best = i; }
  }
  return best;
}

void PlotCanvas::mark(ImVec2 at) const {
  ImGui::GetWindowDrawList()->AddCircle(at, theme_.px(5), theme_.colours().activeText, 0, theme_.px(2));
}

}  // namespace haloscope::ui
