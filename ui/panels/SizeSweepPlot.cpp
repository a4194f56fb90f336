#include "ui/panels/SizeSweepPlot.h"

#include <fmt/format.h>
#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "language/Text.h"
#include "measuring/TuningSizes.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {
namespace {

using measuring::SizePoint;

constexpr int kMarkedWaves = 6;

std::optional<double> plotted(const SizePoint& point, bool timing) {
  if (!timing) { return point.fullness(); }
  return point.time.samples > 0 ? std::optional(point.nsPerPoint) : std::nullopt;
}

struct Ticks {
  std::vector<double> values;
  std::vector<std::string> texts;
};

/// 0.01, 0.02, 0.05, 0.1, … from below `low` to above `high`.
Ticks steps125(double low, double high) {
  Ticks ticks;
  for (double decade = std::pow(10.0, std::floor(std::log10(low))); decade <= high; decade *= 10) {
    for (const int step : {1, 2, 5}) {
      ticks.values.push_back(decade * step);
      ticks.texts.push_back(fmt::format("{:.3g}", decade * step));
    }
  }
  return ticks;
}

void tooltip(const SizePoint& point, const Theme& theme) {
  const Tooltip tip(theme);
  tip.title(fmt::format("N = {}", point.size));
  if (point.time.samples > 0) {
    tip.row(tr("per point"), fmt::format("{:.4f} ns", point.nsPerPoint), theme.colours().interior);
    tip.row(tr("median"), fmt::format("{:.4f} ms", point.time.medianMs));
    tip.row(tr("p10 … p90"), fmt::format("{:.4f} … {:.4f} ms", point.time.p10Ms, point.time.p90Ms));
  }
  tip.row(tr("blocks"), grouped(point.blocks));
  tip.row(tr("waves"), trf("{:.2f}, {} full", point.waves, percentText(point.fullness())));
  tip.note(
      tr("A wave is the number of blocks that the GPU holds at once. A partly filled last wave takes as long as a full "
         "one."));
}

}  // namespace

void drawSizeSweep(const measuring::TuningMap& map, const Theme& theme, float height) {
  const Palette& colours = theme.colours();
  const bool timing = map.timing;
  std::vector<const SizePoint*> points;
  double lowest = 0;
  double highest = 0;
  for (const SizePoint& point : map.sizes) {
    const std::optional<double> value = plotted(point, timing);
    if (!value) { continue; }
    lowest = points.empty() ? *value : std::min(lowest, *value);
    highest = std::max(highest, *value);
    points.push_back(&point);
  }
  const std::array entries = {LegendEntry{colours.interior,
                                          timing ? tr("ns per point over N, chosen tile and block")
                                                 : tr("utilisation of the waves of blocks over N"),
                                          Swatch::Line},
                              LegendEntry{colours.ghost, tr("1, 2, … full waves"), Swatch::Line}};
  legend(theme, entries);
  if (points.size() < 2) { return; }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x,
                    std::max(theme.px(48), height - ImGui::GetTextLineHeight() - theme.px(12))};
  constexpr ImPlotFlags kFlags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs;
  if (!ImPlot::BeginPlot("###sizes", size, kFlags)) { return; }
  ImPlot::SetupAxis(ImAxis_X1, nullptr, ImPlotAxisFlags_NoHighlight);
  ImPlot::SetupAxis(ImAxis_Y1, nullptr, ImPlotAxisFlags_NoHighlight);
  ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
  const double first = static_cast<double>(points.front()->size);
  const double last = static_cast<double>(points.back()->size);
  std::vector<double> ticks;
  std::vector<std::string> words;
  for (double tick = 1; tick <= last * 1.01; tick *= 2) {
    if (tick < first * 0.99) { continue; }
    ticks.push_back(tick);
    words.push_back(fmt::format("{:.0f}", tick));
  }
  std::vector<const char*> texts;
  for (const std::string& word : words) { texts.push_back(word.c_str()); }
  if (!ticks.empty()) { ImPlot::SetupAxisTicks(ImAxis_X1, ticks.data(), static_cast<int>(ticks.size()), texts.data()); }
  // In a narrow range ImPlot itself shows more than three ticks.
  const bool decades = timing && highest > 3 * lowest;
  const Ticks marks = decades ? steps125(lowest, highest) : Ticks{};
  if (decades) {
    // Logarithmic, so that equal ratios have equal heights.
    ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
    std::vector<const char*> labels;
    for (const std::string& text : marks.texts) { labels.push_back(text.c_str()); }
    ImPlot::SetupAxisTicks(ImAxis_Y1, marks.values.data(), static_cast<int>(marks.values.size()), labels.data());
  }
  ImPlot::SetupAxesLimits(first * 0.95, last * 1.05, timing ? lowest * 0.85 : 0, timing ? highest * 1.15 : 1.05,
                          ImPlotCond_Always);
  ImPlot::SetupFinish();
  ImDrawList* list = ImPlot::GetPlotDrawList();
  ImPlot::PushPlotClipRect();
  const ImVec2 min = ImPlot::GetPlotPos();
  const ImVec2 max{min.x + ImPlot::GetPlotSize().x, min.y + ImPlot::GetPlotSize().y};
  float lastMark = min.x;
  for (int waves = 1; waves <= kMarkedWaves; ++waves) {
    const std::optional<double> where = measuring::sizeOfWaves(map.sizes, waves);
    if (!where) { continue; }
    const float x = ImPlot::PlotToPixels(*where, 0).x;
    if (x - lastMark < theme.px(12)) { continue; }
    lastMark = x;
    list->AddLine({x, min.y}, {x, max.y}, colours.ghost, theme.px(1));
    textAt(list, {x + theme.px(2), min.y}, colours.textDim, std::to_string(waves));
  }
  std::vector<ImVec2> line;
  for (const SizePoint* point : points) {
    line.push_back(ImPlot::PlotToPixels(static_cast<double>(point->size), *plotted(*point, timing)));
  }
  list->AddPolyline(line.data(), static_cast<int>(line.size()), colours.interior, theme.px(1.5F));
  for (const ImVec2& corner : line) { list->AddCircleFilled(corner, theme.px(2), colours.interior); }

  // With the mouse the nearest size; by keyboard the one with the emptiest last wave.
  std::size_t asked = 0;
  const bool hovered = ImGui::IsMouseHoveringRect(min, max);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const float pointer = ImGui::GetIO().MousePos.x;
    const bool nearer = hovered ? std::abs(line[i].x - pointer) < std::abs(line[asked].x - pointer)
                                : points[i]->waves > 1 &&
                                      (points[asked]->waves <= 1 || points[i]->fullness() < points[asked]->fullness());
    if (nearer) { asked = i; }
  }
  const ImVec2 marked = line[asked];
  ImPlot::PopPlotClipRect();
  ImPlot::EndPlot();
  const ImVec2 below = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("sizes", size, ImGuiButtonFlags_EnableNav);
  if (lastItemAsked()) {
    ImGui::GetWindowDrawList()->AddCircle(marked, theme.px(5), colours.activeText, 0, theme.px(2));
    tooltip(*points[asked], theme);
  }
  ImGui::SetCursorScreenPos(below);
  ImGui::Dummy({0, 0});
}

}  // namespace haloscope::ui
