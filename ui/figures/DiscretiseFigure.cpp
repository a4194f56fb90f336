#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <string>
#include <vector>

#include "language/Text.h"
#include "ui/figures/ErrorPlot.h"
#include "ui/figures/FigureDrawings.h"
#include "ui/figures/SinePlots.h"
#include "ui/widgets/Slider.h"
#include "ui/widgets/Widgets.h"

/// A function known at grid points only, its derivative by finite differences, and the error. All derivatives are
/// computed by executing kernels of the catalogue.
namespace haloscope::ui {

namespace {

constexpr std::array kTypes = {ValueType::F16, ValueType::F32, ValueType::F64};
constexpr std::array kTypeWords = {"half", "float", "double"};
// The plots' shares of the height left over by the text.
constexpr float kSineShare = 0.5F;  // of both, side by side
constexpr float kLeastPlots = 400;  // all, at scale 1: where there is less room, the figure scrolls
constexpr float kSlider = 110;      // at scale 1

void drawControls(DiscretiseFigure& figure, const Theme& theme) {
  const Palette& colours = theme.colours();
  ImGui::AlignTextToFramePadding();
  label(theme, colours.textDim, tr("grid points"));
  ImGui::SameLine(0, theme.px(8));
  Slider{"##points", figures::kFewestSamples, figures::kMostSamples, theme.px(kSlider)}.draw(theme, figure.points);
  if (lastItemAsked()) {
    const Tooltip tip(theme);
    tip.note(tr("From 0 to π. The book uses 7, π/6 apart. Keyboard: Enter, then the arrow keys."), colours.text);
  }
  ImGui::SameLine(0, theme.px(8));
  label(theme, colours.text,
        fmt::format("{}, h = π/{} = {:.4f}", figure.points, figure.points - 1,
                    std::numbers::pi / static_cast<double>(figure.points - 1)));
  ImGui::SameLine(0, 0);
  const float width = choiceRowWidth(theme, kTypeWords);
  const float right = ImGui::GetContentRegionAvail().x - width - theme.px(4);
  if (right > 0) { ImGui::SetCursorPosX(ImGui::GetCursorPosX() + right); }
  const auto chosen = std::ranges::find(kTypes, figure.type) - kTypes.begin();
  constexpr std::array kTips = {trMark("The kernels compute in half (11-bit significand)"),
                                trMark("In float (24-bit significand)"), trMark("In double (53-bit significand)")};
  figure.type =
      kTypes.at(static_cast<std::size_t>(choiceRow(theme, "type", kTypeWords, static_cast<int>(chosen), kTips)));
}

}  // namespace

void drawDiscretiseFigure(AppState& state, const Theme& theme) {
  const Palette& colours = theme.colours();
  DiscretiseFigure& figure = state.figures.discretise;
  const FontScope font(theme, Face::Sans, TextSize::Small);
  if (!figure.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, colours.fault);
    ImGui::TextWrapped("%s", figure.problem.c_str());
    ImGui::PopStyleColor();
    return;
  }
  drawControls(figure, theme);
  if (figure.samples == nullptr) {
    label(theme, colours.textDim, tr("executing the kernels …"));
    return;
  }
  const float row = ImGui::GetTextLineHeightWithSpacing();
  // Four rows of text between the plots, with gaps.
  const float room = std::max(theme.px(kLeastPlots), ImGui::GetContentRegionAvail().y - 4 * row - theme.px(24));
  if (ImGui::BeginTable("sine and slopes", 2, ImGuiTableFlags_SizingStretchSame)) {
    ImGui::TableNextColumn();
    drawSampledSine(*figure.samples, theme, room * kSineShare);
    ImGui::TableNextColumn();
    drawSampledSlopes(*figure.samples, theme, room * kSineShare);
    ImGui::EndTable();
  }
  if (figure.errors == nullptr) {
    label(theme, colours.textDim, tr("executing the kernels at decreasing spacings …"));
    return;
  }
  drawMeasuredOrders(*figure.errors, figure.type, theme);
  if (figure.measuring) {
    ImGui::SameLine(0, theme.px(12));
    label(theme, colours.textDim, tr("executing …"));
  }
  drawErrorPlot(*figure.errors, figure.type, figure.samples->spacing, theme, room * (1 - kSineShare));
}

}  // namespace haloscope::ui
