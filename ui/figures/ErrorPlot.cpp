#include "ui/figures/ErrorPlot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "catalogue/Precision.h"
#include "language/Text.h"
#include "ui/figures/PlotCanvas.h"
#include "ui/figures/SinePlots.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using figures::DerivativeError;
using figures::ErrorCurve;

constexpr float kOtherTypes = 0.3F;  // opacity of the curves in other types

std::string superscript(int order) {
  static constexpr std::array kSuperscripts = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char digit : std::to_string(order)) { text += kSuperscripts.at(static_cast<std::size_t>(digit - '0')); }
  return text;
}

PlotCanvas::Axis decades(double low, double high, int step) {
  PlotCanvas::Axis axis{low, high, true, {}};
  for (int power = static_cast<int>(std::ceil(std::log10(low))); power <= std::floor(std::log10(high)); ++power) {
    if (power % step == 0) { axis.ticks.emplace_back(std::pow(10.0, power), fmt::format("1e{}", power)); }
  }
  return axis;
}

/// Label of the faint curves, placed where no curve passes.
void drawFaintText(const PlotCanvas& plot, ValueType type, const Theme& theme) {
  std::string others;
  for (const ValueType other : {ValueType::F16, ValueType::F32, ValueType::F64}) {
    if (other != type) { others += (others.empty() ? tr("faint: ") : ", ") + realTypeName(other); }
  }
  textAt(plot.list(), {plot.min().x + theme.px(6), plot.min().y + theme.px(2)}, theme.colours().textDim, others);
}

/// The slope predicted by Taylor's theorem, next to the curve: from the widest spacing used for the fit down to where
/// the curve departs from it.
void drawReference(const PlotCanvas& plot, const ErrorCurve& curve, const Theme& theme) {
  const auto first = std::ranges::find_if(
      curve.errors, [](const DerivativeError& one) { return one.intervals >= figures::kFirstFitted; });
  if (first == curve.errors.end()) { return; }
  constexpr double kBelow = 0.35;  // offset factor, so that both are visible
  const double last = curve.errors[curve.finest].spacing;
  const auto at = [&](double spacing) {
    return plot.place(spacing, kBelow * first->error * std::pow(spacing / first->spacing, curve.order));
  };
  const ImU32 colour = theme.faded(formulaColour(theme, curve.points), 0.8F);
  plot.dashed(at(first->spacing), at(last), colour);
  const ImVec2 middle = at(std::sqrt(first->spacing * last));
  textAt(plot.list(), {middle.x + theme.px(6), middle.y - theme.px(2)}, colour, "h" + superscript(curve.order));
}

void tooltip(const ErrorCurve& curve, const DerivativeError& one, const Theme& theme) {
  const Tooltip tip(theme);
  tip.title(trf("{} points in {}", curve.points, realTypeName(curve.type)), formulaColour(theme, curve.points),
            Face::SansStrong);
  tip.row(tr("spacing h"), fmt::format("{:.6g}", one.spacing));
  tip.row(tr("intervals per period"), grouped(static_cast<std::uint64_t>(one.intervals)));
  tip.row(tr("largest error, executed"), fmt::format("{:.4e}", one.error));
  tip.row(tr("order by Taylor's theorem"), std::to_string(curve.order));
  tip.row(tr("measured"), curve.measured ? trf("{:.3f} on {} points", *curve.measured, curve.fittedPoints())
                                         : std::string(tr("too few points above rounding")));
  const bool beyond = one.spacing < curve.errors[curve.finest].spacing;
  tip.note(one.fitted
               ? tr("One of the points used to measure the order: h ≤ π/6, and the error is above what rounding can "
                    "contribute.")
           : beyond ? tr("A difference of nearly equal values divided by a small h: rounding dominates the error.")
                    : trf("Executed by {}.", curve.kernel));
}

}  // namespace

void drawErrorPlot(const std::vector<ErrorCurve>& curves, ValueType type, double spacing, const Theme& theme,
                   float height) {
  const Palette& colours = theme.colours();
  double finest = 1;
  double widest = 0.1;
  double lowest = 1;
  double highest = 0;
  for (const ErrorCurve& curve : curves) {
    for (const DerivativeError& one : curve.errors) {
      finest = std::min(finest, one.spacing);
      widest = std::max(widest, one.spacing);
      if (one.error > 0) { lowest = std::min(lowest, one.error); }
      highest = std::max(highest, one.error);
    }
  }
  PlotCanvas plot("errors", {ImGui::GetContentRegionAvail().x, height}, decades(finest * 0.7, widest * 1.4, 1),
                  decades(lowest / 3, std::min(highest * 2, 100.0), 3), theme);
  if (!plot.open()) { return; }
  const ImVec2 chosen = plot.place(spacing, 1);
  plot.list()->AddLine({chosen.x, plot.min().y}, {chosen.x, plot.max().y}, theme.faded(colours.text, 0.5F),
                       theme.px(1));
  const std::string spacingText = fmt::format("h = {:.3g}", spacing);
  textAt(plot.list(), {chosen.x - textWidth(spacingText) - theme.px(4), plot.max().y - ImGui::GetTextLineHeight()},
         colours.textDim, spacingText);
  struct Point {
    const ErrorCurve* curve;
    const DerivativeError* error;
  };
  std::vector<Point> points;
  std::vector<ImVec2> places;
  for (const bool front : {false, true}) {
    for (const ErrorCurve& curve : curves) {
      if ((curve.type == type) != front) { continue; }
      const ImU32 colour = theme.faded(formulaColour(theme, curve.points), front ? 1 : kOtherTypes);
      std::vector<ImVec2> line;
      for (const DerivativeError& one : curve.errors) {
        if (one.error <= 0) { continue; }
        line.push_back(plot.place(one.spacing, one.error));
        if (!front) { continue; }
        points.push_back({&curve, &one});
        places.push_back(line.back());
        plot.dot(line.back(), colour, one.fitted ? 3 : 1.5F);
      }
      plot.line(line, colour, front ? 1.5F : 1);
      if (front) { drawReference(plot, curve, theme); }
    }
  }
  drawFaintText(plot, type, theme);
  if (!plot.end() || places.empty()) { return; }
  const std::size_t asked = plot.nearest(places);
  plot.mark(places[asked]);
  tooltip(*points[asked].curve, *points[asked].error, theme);
}

void drawMeasuredOrders(const std::vector<ErrorCurve>& curves, ValueType type, const Theme& theme) {
  label(theme, theme.colours().textDim, tr("largest error over one period, by spacing h; measured order:"));
  if (lastItemAsked()) {
    const Tooltip tip(theme);
    tip.note(trf("Executed at decreasing spacings in {}; faint: in the other types. Dashed: the slopes by "
                 "Taylor's theorem. Large dots: the points used to measure the order.",
                 realTypeName(type)),
             theme.colours().text);
  }
  bool hidden = false;
  for (const ErrorCurve& curve : curves) {
    if (curve.type != type) { continue; }
    hidden = hidden || !curve.measured;
    ImGui::SameLine(0, theme.px(12));
    label(theme, formulaColour(theme, curve.points),
          curve.measured ? fmt::format("{:.2f}", *curve.measured) : std::string("–"), Face::SansStrong);
    if (!lastItemAsked()) { continue; }
    const Tooltip tip(theme);
    tip.title(trf("{} points", curve.points), formulaColour(theme, curve.points), Face::SansStrong);
    tip.note(curve.measured
                 ? trf("The slope of the line fitted to {} executed errors with h ≤ π/6 that are above what "
                       "rounding can contribute. Taylor's theorem predicts {}.",
                       curve.fittedPoints(), curve.order)
                 : trf("For h ≤ π/6, fewer than {} errors are above what rounding can contribute in {}: no slope "
                       "can be measured.",
                       figures::kFewestFitted, realTypeName(type)),
             theme.colours().text);
  }
  if (hidden) {
    ImGui::SameLine(0, theme.px(12));
    label(theme, theme.colours().textDim, tr("–: hidden by rounding"));
  }
}

}  // namespace haloscope::ui
