#include "ui/figures/SinePlots.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "catalogue/Precision.h"
#include "language/Text.h"
#include "ui/figures/PlotCanvas.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using std::numbers::pi;

constexpr int kCurveSteps = 180;

PlotCanvas::Axis xAxis() {
  return {-0.08,
          pi + 0.08,
          false,
          {{0, "0"},
           {pi / 6, "π/6"},
           {pi / 3, "π/3"},
           {pi / 2, "π/2"},
           {2 * pi / 3, "2π/3"},
           {5 * pi / 6, "5π/6"},
           {pi, "π"}}};
}

template <typename Function>
std::vector<ImVec2> curve(const PlotCanvas& plot, Function function) {
  std::vector<ImVec2> places;
  for (int i = 0; i <= kCurveSteps; ++i) {
    const double x = pi * i / kCurveSteps;
    places.push_back(plot.place(x, function(x)));
  }
  return places;
}

std::string formulaText(int points) { return trf("{} points", points); }

}  // namespace

ImU32 formulaColour(const Theme& theme, int points) {
  const Palette& colours = theme.colours();
  return points <= 3 ? colours.interior : points <= 5 ? colours.halo : colours.output;
}

void drawSampledSine(const figures::SineSamples& samples, const Theme& theme, float height) {
  const Palette& colours = theme.colours();
  const std::string linear = trf("linear, max. error {:.2g}", samples.linearError);
  const std::string spline = trf("cubic spline, {:.2g}", samples.splineError);
  const std::array entries = {LegendEntry{colours.text, tr("samples")},
                              LegendEntry{colours.ghost, tr("sine"), Swatch::Line},
                              LegendEntry{colours.series, linear.c_str(), Swatch::Line},
                              LegendEntry{colours.text, spline.c_str(), Swatch::Line}};
  legend(theme, entries);
  PlotCanvas plot = PlotCanvas::trueToScale("sine", ImGui::GetContentRegionAvail().x, height, xAxis(),
                                            {-0.1, 1.15, false, {{0, "0"}, {0.5, "0.5"}, {1, "1"}}}, theme);
  if (!plot.open()) { return; }
  std::vector<ImVec2> places;
  for (std::size_t i = 0; i < samples.x.size(); ++i) {
    places.push_back(plot.place(samples.x[i], samples.values[i]));
    plot.list()->AddLine(places.back(), plot.place(samples.x[i], 0), theme.faded(colours.textDim, 0.35F), theme.px(1));
  }
  plot.line(curve(plot, [](double x) { return std::sin(x); }), colours.ghost, 3);
  plot.line(places, colours.series, 1.5F);
  plot.line(curve(plot, [&](double x) { return samples.curve(x); }), colours.text, 1.5F);
  for (const ImVec2& at : places) { plot.dot(at, colours.text, 3); }
  if (!plot.end()) { return; }
  const std::size_t asked = plot.nearest(places);
  plot.mark(places[asked]);
  const Tooltip tip(theme);
  tip.title(trf("grid point {} of {}", asked, samples.x.size()), 0, Face::SansStrong);
  tip.row("x", fmt::format("{:.6f}", samples.x[asked]));
  tip.row(tr("sample, sin x"), fmt::format("{:.9f}", samples.values[asked]));
  if (asked + 1 < samples.x.size()) {
    const double middle = samples.x[asked] + samples.spacing / 2;
    tip.row(tr("halfway: sin"), fmt::format("{:.9f}", std::sin(middle)), colours.ghost);
    tip.row(tr("linear"), fmt::format("{:.9f}", samples.curve.linear(middle)), colours.series);
    tip.row(tr("cubic spline"), fmt::format("{:.9f}", samples.curve(middle)), colours.text);
  }
  tip.note(
      tr("A grid stores only the samples. Values between them are an assumption; the spline has no curvature at its "
         "ends."));
}

void drawSampledSlopes(const figures::SineSamples& samples, const Theme& theme, float height) {
  const Palette& colours = theme.colours();
  std::vector<std::string> texts;
  for (const figures::SampledSlopes& one : samples.slopes) {
    if (one.slopes.values.empty()) {
      texts.push_back(trf("{}: none", formulaText(one.points)));
      continue;
    }
    texts.push_back(trf("{}: computed at {} of {} grid points, largest error {:.1g}{}", formulaText(one.points),
                        one.slopes.values.size(), samples.x.size(), one.largestError,
                        one.onlyMiddle ? tr(", exact by symmetry except for rounding") : ""));
  }
  std::vector<LegendEntry> entries = {{colours.ghost, tr("cosine"), Swatch::Line}};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    entries.push_back({formulaColour(theme, samples.slopes[i].points), texts[i].c_str()});
  }
  legend(theme, entries);
  PlotCanvas plot = PlotCanvas::trueToScale("slopes", ImGui::GetContentRegionAvail().x, height, xAxis(),
                                            {-1.2, 1.2, false, {{-1, "−1"}, {0, "0"}, {1, "1"}}}, theme);
  if (!plot.open()) { return; }
  plot.line(curve(plot, [](double x) { return std::cos(x); }), colours.ghost, 3);
  struct Point {
    const figures::SampledSlopes* formula;
    std::size_t grid;
    double value;
  };
  std::vector<Point> points;
  std::vector<ImVec2> places;
  float radius = 4.5F;  // later formulas have smaller marks, since they are closer to the cosine
  for (const figures::SampledSlopes& one : samples.slopes) {
    for (std::size_t i = 0; i < one.slopes.values.size(); ++i) {
      const std::size_t grid = static_cast<std::size_t>(one.slopes.first) + i;
      points.push_back({&one, grid, one.slopes.values[i]});
      places.push_back(plot.place(samples.x[grid], one.slopes.values[i]));
      plot.dot(places.back(), formulaColour(theme, one.points), radius);
    }
    radius -= 1.25F;
  }
  if (!plot.end() || points.empty()) { return; }
  const std::size_t asked = plot.nearest(places);
  plot.mark(places[asked]);
  const Point& point = points[asked];
  const Tooltip tip(theme);
  tip.title(trf("grid point {}, by {}", point.grid, formulaText(point.formula->points)), 0, Face::SansStrong);
  tip.row("x", fmt::format("{:.6f}", samples.x[point.grid]));
  tip.row(tr("executed"), fmt::format("{:.9f}", point.value), formulaColour(theme, point.formula->points));
  tip.row("cos x", fmt::format("{:.9f}", std::cos(samples.x[point.grid])), colours.ghost);
  tip.row(tr("error"), fmt::format("{:+.3e}", point.value - std::cos(samples.x[point.grid])));
  tip.note(
      trf("Executed from the samples by {} in {}. The outermost points keep their value: they have no "
          "derivative.",
          point.formula->kernel, realTypeName(samples.type)));
}

}  // namespace haloscope::ui
