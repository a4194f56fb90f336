#include <fmt/format.h>
#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actions/Choices.h"
#include "figures/OpPerByteSeries.h"
#include "figures/ThreadOrganisation.h"
#include "language/Text.h"
#include "ui/figures/FigureDrawings.h"
#include "ui/figures/FigureParts.h"
#include "ui/figures/ReuseTable.h"
#include "ui/widgets/LabelPlacer.h"
#include "ui/widgets/Widgets.h"

/// The OP/B explorer: operations per byte, halo share and idle lanes over a tile size or a radius.
namespace haloscope::ui {
namespace {

using figures::OpPerByteCurve;
using figures::OpPerBytePoint;
using Quantity = OpPerByteFigure::Quantity;

constexpr float kLeastCurvePlot = 150;
constexpr double kLogRange = 48;  // ratio of last to first value, from which the axis is logarithmic

/// A curve of the plot, or the executed dots.
struct Series {
  std::string name;
  ImU32 colour = 0;
  bool dashed = false, dots = false;
  figures::SeriesPoints points;
};

class Explorer {
 public:
  Explorer(AppState& state, const Theme& theme)
      : state_(state), theme_(theme), figure_(state.figures.opPerByte), curve_(figure_.curve) {
    if (figure_.quantity == Quantity::OpPerByte) {
      collectOpPerByte();
    } else {
      collectShares();
    }
  }

  void draw(float height) {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    std::vector<LegendEntry> entries;
    for (const Series& one : series_) {
      if (one.points.empty()) { continue; }
      entries.push_back({one.colour, one.name.c_str(), one.dots ? Swatch::Filled : Swatch::Line});
    }
    if (!curve_.walls.empty()) { entries.push_back({theme_.colours().fault, tr("launch limit"), Swatch::Line}); }
    legend(theme_, entries);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, height};
    constexpr ImPlotFlags kFlags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs;
    if (!ImPlot::BeginPlot("###opb", size, kFlags)) { return; }
    setUpAxes();
    drawInside();
    ImPlot::EndPlot();
    const ImVec2 below = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(at);
    if (ImGui::InvisibleButton("opb values", size, ImGuiButtonFlags_EnableNav) && asked_ != nullptr) { choose(); }
    if (lastItemAsked()) { drawTip(); }
    ImGui::SetCursorScreenPos(below);
    ImGui::Dummy({0, 0});
  }

 private:
  void collectOpPerByte() {
    const Palette& colours = theme_.colours();
    figures::OpPerByteSeries found = figures::opPerByteSeries(curve_);
    series_ = {{tr("book's formula"), colours.interior, false, false, std::move(found.formula)},
               {tr("its limit for large tiles"), colours.halo, true, false, std::move(found.bound)},
               {tr("each element loaded once"), colours.series, true, false, std::move(found.reuse)},
               {tr("executed (interior block)"), colours.output, false, true, std::move(found.executed)}};
  }

  void collectShares() {
    const Palette& colours = theme_.colours();
    const bool halo = figure_.quantity == Quantity::Halo;
    figures::ShareSeries found = halo ? figures::haloSeries(curve_) : figures::idleSeries(curve_);
    series_ = {{halo ? tr("1 − output tile / input tile") : tr("block size = input tile: its rim computes nothing"),
                colours.interior, false, false, std::move(found.byTile)},
               {tr("block size = output tile: lanes idle while loading"), colours.halo, true, false,
                std::move(found.byOutputTile)},
               {halo ? tr("halo share of the loads (executed)") : tr("threads without output (executed)"),
                colours.output, false, true, std::move(found.executed)}};
  }

  [[nodiscard]] bool logarithmic() const {
    return static_cast<double>(curve_.highest) >
           kLogRange * static_cast<double>(std::max<std::int64_t>(1, curve_.lowest));
  }

  void setUpAxes() {
    ImPlot::SetupAxis(ImAxis_X1, curve_.tunable.c_str(), ImPlotAxisFlags_NoHighlight);
    ImPlot::SetupAxis(ImAxis_Y1, nullptr, ImPlotAxisFlags_NoHighlight);
    double top = 0;
    for (const Series& one : series_) {
      for (const auto& [value, height] : one.points) { top = std::max(top, height); }
    }
    const bool share = figure_.quantity != Quantity::OpPerByte;
    top = share ? 1.02 : top > 0 ? top * 1.12 : 1;
    // Room for half of the last tick's label at the right.
    const auto span = static_cast<double>(curve_.highest - curve_.lowest);
    double left = static_cast<double>(curve_.lowest) - 0.5;
    double right = static_cast<double>(curve_.highest) + std::max(0.5, 0.03 * span);
    std::vector<double> ticks;
    std::vector<std::string> words;
    if (logarithmic()) {
      ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
      left = static_cast<double>(std::max<std::int64_t>(1, curve_.lowest)) * 0.9;
      right = static_cast<double>(curve_.highest) * 1.25;
      for (double tick = 1; tick < right; tick *= 2) {
        if (tick < left) { continue; }
        ticks.push_back(tick);
        words.push_back(fmt::format("{:.0f}", tick));
      }
    } else {
      const std::int64_t step = roundStep(curve_.highest - curve_.lowest);
      const std::int64_t first = step == 1 ? curve_.lowest : (curve_.lowest + step - 1) / step * step;
      for (std::int64_t tick = first; tick <= curve_.highest; tick += step) {
        ticks.push_back(static_cast<double>(tick));
        words.push_back(std::to_string(tick));
      }
    }
    std::vector<const char*> texts;
    for (const std::string& word : words) { texts.push_back(word.c_str()); }
    if (!ticks.empty()) {
      ImPlot::SetupAxisTicks(ImAxis_X1, ticks.data(), static_cast<int>(ticks.size()), texts.data());
    }
    if (share) { ImPlot::SetupAxisFormat(ImAxis_Y1, percentTick, nullptr); }
    ImPlot::SetupAxesLimits(left, right, 0, top, ImPlotCond_Always);
    ImPlot::SetupFinish();
  }

  /// Tick spacing for about ten ticks: 1, 2 or 5 times a power of ten.
  static std::int64_t roundStep(std::int64_t span) {
    for (std::int64_t ten = 1;; ten *= 10) {
      for (const std::int64_t step : {ten, 2 * ten, 5 * ten}) {
        if (span <= 11 * step) { return step; }
      }
    }
  }

  void drawInside() {
    const Palette& colours = theme_.colours();
    ImDrawList* list = ImPlot::GetPlotDrawList();
    ImPlot::PushPlotClipRect();
    const ImVec2 min = ImPlot::GetPlotPos();
    const ImVec2 max{min.x + ImPlot::GetPlotSize().x, min.y + ImPlot::GetPlotSize().y};
    drawWalls(list, min, max);
    for (const Series& one : series_) { drawSeries(list, one); }
    findAsked(min, max);
    const std::int64_t chosen = curve_.bindings.at(curve_.tunable);
    for (const OpPerBytePoint* point : {curve_.at(chosen), asked_}) {
      const auto place = point == nullptr ? std::nullopt : placeOf(*point);
      if (place) {
        list->AddCircle(*place, theme_.px(6), point == asked_ ? colours.activeText : colours.text, 0, theme_.px(1.5F));
      }
    }
    ImPlot::PopPlotClipRect();
  }

  void drawSeries(ImDrawList* list, const Series& one) const {
    std::vector<ImVec2> line;
    for (const auto& [value, height] : one.points) { line.push_back(ImPlot::PlotToPixels(value, height)); }
    for (std::size_t i = 0; one.dots && i < line.size(); ++i) {
      list->AddCircleFilled(line[i], theme_.px(3), one.colour);
    }
    if (one.dashed) { dashedLine(list, theme_, line, one.colour, theme_.px(1.25F)); }
    if (!one.dashed && !one.dots && line.size() > 1) {
      list->AddPolyline(line.data(), static_cast<int>(line.size()), one.colour, theme_.px(1.5F));
    }
  }

  void drawWalls(ImDrawList* list, ImVec2 min, ImVec2 max) const {
    const ImU32 colour = theme_.colours().fault;
    for (const figures::LaunchWall& wall : curve_.walls) {
      const float x = wallAt(wall);
      list->AddRectFilled({x, min.y}, max, theme_.faded(colour, 0.06F));
      list->AddLine({x, min.y}, {x, max.y}, colour, theme_.px(1.25F));
    }
    nameWalls(list, min, max);
  }

  /// Places a limit's label next to its line, avoiding curves, other labels and, if possible, other limits.
  void nameWalls(ImDrawList* list, ImVec2 min, ImVec2 max) const {
    LabelPlacer amongWalls(min, max);
    for (const Series& one : series_) { keepOff(amongWalls, one); }
    LabelPlacer placer = amongWalls;
    for (const figures::LaunchWall& wall : curve_.walls) { placer.block({wallAt(wall), min.y}, {wallAt(wall), max.y}); }
    const float gap = theme_.px(4);
    for (const figures::LaunchWall& wall : curve_.walls) {
      const ImVec2 size = {textWidth(wall.limit), ImGui::GetTextLineHeight()};
      const float right = wallAt(wall) + gap;
      const float left = wallAt(wall) - gap - size.x;
      const ImVec2 lowest = {right + size.x > max.x ? left : right, max.y - size.y - gap};
      const auto freeIn = [&](LabelPlacer& labels) {
        std::optional<ImVec2> found;
        for (float y = lowest.y; !found && y > min.y; y -= size.y / 2) {
          for (const float x : {right, left}) {
            if (!found && labels.take({x, y}, size)) { found = ImVec2{x, y}; }
          }
        }
        return found;
      };
      std::optional<ImVec2> at = freeIn(placer);
      if (!at) { at = freeIn(amongWalls); }
      const ImVec2 low = at.value_or(lowest);
      const ImVec2 high = {low.x + size.x, low.y + size.y};
      amongWalls.block(low, high);
      placer.block(low, high);
      list->AddRectFilled(low, high, theme_.faded(theme_.colours().panel, 0.85F));
      textAt(list, low, theme_.colours().fault, wall.limit);
    }
  }

  [[nodiscard]] static float wallAt(const figures::LaunchWall& wall) {
    return ImPlot::PlotToPixels(static_cast<double>(wall.last) + 0.5, 0).x;
  }

  /// Reserves the dots and lines of a series, so that labels avoid them.
  void keepOff(LabelPlacer& placer, const Series& one) const {
    const float step = theme_.px(4), rim = theme_.px(one.dots ? 6 : 2);
    ImVec2 before;
    for (std::size_t i = 0; i < one.points.size(); ++i) {
      const ImVec2 at = ImPlot::PlotToPixels(one.points[i].first, one.points[i].second);
      const float length = i == 0 || one.dots ? 0 : std::hypot(at.x - before.x, at.y - before.y);
      const int pieces = std::clamp(static_cast<int>(length / step), 1, 500);
      for (int piece = 0; piece < pieces; ++piece) {
        const float share = static_cast<float>(piece) / static_cast<float>(pieces);
        const ImVec2 place = {std::lerp(at.x, before.x, length > 0 ? share : 0),
                              std::lerp(at.y, before.y, length > 0 ? share : 0)};
        placer.block({place.x - rim, place.y - rim}, {place.x + rim, place.y + rim});
      }
      before = at;
    }
  }

  [[nodiscard]] std::optional<ImVec2> placeOf(const OpPerBytePoint& point) const {
    if (series_.back().points.empty() || !point.count) { return std::nullopt; }
    const auto found =
        std::ranges::find(series_.back().points, static_cast<double>(point.value), &std::pair<double, double>::first);
    if (found == series_.back().points.end()) { return std::nullopt; }
    return ImPlot::PlotToPixels(found->first, found->second);
  }

  /// With the mouse the nearest value; by keyboard the chosen one.
  void findAsked(ImVec2 min, ImVec2 max) {
    asked_ = nullptr;
    const float pointer = ImGui::GetIO().MousePos.x;
    if (!ImGui::IsMouseHoveringRect(min, max)) {
      asked_ = ImGui::IsWindowFocused() ? curve_.at(curve_.bindings.at(curve_.tunable)) : nullptr;
      return;
    }
    float nearest = theme_.px(24);
    for (const OpPerBytePoint& point : curve_.points) {
      const float distance = std::abs(ImPlot::PlotToPixels(static_cast<double>(point.value), 0).x - pointer);
      if (distance < nearest) {
        nearest = distance;
        asked_ = &point;
      }
    }
    for (const figures::LaunchWall& wall : curve_.walls) {
      const float distance = std::abs(wallAt(wall) - pointer);
      if (distance < theme_.px(3)) { wall_ = &wall; }
    }
  }

  void choose() {
    if (const KernelFile* file = chosenFile(state_); file != nullptr && file->findTunable(curve_.tunable) != nullptr) {
      state_.choice = withValue(*file, state_.choice, curve_.tunable, asked_->value);
    }
  }

  void drawTip() const {
    const Palette& colours = theme_.colours();
    if (wall_ != nullptr) {
      const Tooltip tip(theme_);
      tip.title(wall_->limit, colours.fault, Face::SansStrong);
      tip.note(wall_->explanation);
      return;
    }
    if (asked_ == nullptr) { return; }
    const Tooltip tip(theme_);
    tip.title(fmt::format("{} = {}", curve_.tunable, asked_->value));
    if (asked_->formula) { tip.row(tr("formula"), fmt::format("{:.4f} OP/B", *asked_->formula), colours.interior); }
    if (asked_->bound) { tip.row(tr("its limit"), fmt::format("{:.4f} OP/B", *asked_->bound), colours.halo); }
    if (!asked_->count) {
      tip.note(!asked_->done ? tr("Not executed yet.") : asked_->refused, asked_->done ? colours.fault : 0);
      return;
    }
    const figures::InteriorCount& count = *asked_->count;
    tip.row(tr("executed"), fmt::format("{:.4f} OP/B", asked_->executed()), colours.output);
    if (const std::string other = asked_->otherSizes(*curve_.file); !other.empty()) {
      tip.row(tr("in a grid of"), trf("{} (has an interior block)", other));
    }
    tip.row(tr("each element once"), fmt::format("{:.4f} OP/B", count.reuseBound()), colours.series);
    tip.row(tr("operations per output"), fmt::format("{:.4g}", count.operationsPerOutput()));
    if (const auto halo = count.block.haloFraction) {
      tip.row(tr("halo"), trf("{} of the loaded points", percentText(*halo)));
    }
    tip.row(tr("threads"), trf("{}, {} without output", count.work.threads, percentText(count.withoutOutput())));
    tip.row(tr("shared"), trf("{} B per block", asked_->sharedBytes));
    if (!count.tile.empty()) {
      const figures::ThreadOrganisation organisation = figures::organisationOf(count.tile);
      tip.row(tr("input-tile block: rim"), trf("{} idle", percentText(organisation.idleComputing())));
      tip.row(tr("output-tile block: loading rounds"),
              trf("{}, {} of their lanes idle", organisation.loadTurns(), percentText(organisation.idleLoading())));
    }
    tip.note(tr("Click: choose this value."));
  }

  AppState& state_;
  const Theme& theme_;
  OpPerByteFigure& figure_;
  const OpPerByteCurve& curve_;
  std::vector<Series> series_;
  const OpPerBytePoint* asked_ = nullptr;
  const figures::LaunchWall* wall_ = nullptr;
};

void drawChoices(OpPerByteFigure& figure, const Theme& theme) {
  constexpr std::array kWords = {"OP/B", trMark("halo"), trMark("idle lanes")};
  constexpr std::array kTips = {trMark("Operations per byte loaded from global memory"),
                                trMark("Share of halo cells in the points that a block loads"),
                                trMark("Threads that compute nothing, in both organisations of PMPP 4e, section 7.4")};
  figure.quantity =
      static_cast<Quantity>(choiceRow(theme, "opb quantity", kWords, static_cast<int>(figure.quantity), kTips));
  const std::vector<Tunable>& tunables = figure.curve.file->tunables;
  if (tunables.size() < 2) { return; }
  ImGui::SameLine(0, theme.px(24));
  label(theme, theme.colours().textDim, tr("over"));
  ImGui::SameLine(0, theme.px(8));
  std::vector<const char*> words, tips;
  int chosen = 0;
  for (std::size_t i = 0; i < tunables.size(); ++i) {
    words.push_back(tunables[i].name.c_str());
    tips.push_back(tr(tunables[i].meaning));
    if (tunables[i].name == figure.curve.tunable) { chosen = static_cast<int>(i); }
  }
  const int now = choiceRow(theme, "opb tunable", words, chosen, tips);
  figure.tunable = tunables[static_cast<std::size_t>(now)].name;
}

/// A sentence about the chosen value.
void drawChosen(const OpPerByteCurve& curve, Quantity quantity, const Theme& theme) {
  const OpPerBytePoint* point = curve.at(curve.bindings.at(curve.tunable));
  if (point == nullptr) { return; }
  const std::string other = point->otherSizes(*curve.file);
  std::string text =
      fmt::format("{} = {}{}: ", curve.tunable, point->value, other.empty() ? "" : trf(" in a grid of {}", other));
  if (!point->done) {
    text += tr("an interior block is being executed …");
  } else if (!point->count) {
    text += point->refused;
  } else if (quantity == Quantity::OpPerByte) {
    text += trf("executed {:.3f}", point->executed());
    if (point->formula) { text += trf(", formula {:.3f}", *point->formula); }
    if (point->bound) { text += trf(", at most {:.4g}", *point->bound); }
    text += trf("; {:.4g} operations per output", point->count->operationsPerOutput());
  } else if (quantity == Quantity::Halo) {
    const auto halo = point->count->block.haloFraction;
    text += halo ? trf("{} of the points that the block loads are halo (executed)", percentText(*halo))
                 : std::string(tr("input and output differ in shape, so no halo is defined"));
  } else {
    text += trf("{} of {} threads store nothing (executed)", percentText(point->count->withoutOutput()),
                point->count->work.threads);
  }
  clippedLabel(theme, theme.colours().text, text);
}

}  // namespace

void drawOpPerByteFigure(AppState& state, const Theme& theme) {
  OpPerByteFigure& figure = state.figures.opPerByte;
  const Palette& colours = theme.colours();
  if (figure.curve.file == nullptr) {
    label(theme, colours.textDim, tr("executing an interior block …"));
    return;
  }
  const float table = reuseTableHeight(state, theme);
  if (!figure.curve.problem.empty()) {
    sentence(theme, colours.text, figure.curve.problem);
  } else {
    drawChoices(figure, theme);
    drawChosen(figure.curve, figure.quantity, theme);
    const float rest = ImGui::GetContentRegionAvail().y - table - theme.px(48);
    Explorer(state, theme).draw(std::max(theme.px(kLeastCurvePlot), rest));
  }
  drawReuseTable(state, theme);
}

}  // namespace haloscope::ui
