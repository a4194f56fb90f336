#include <fmt/format.h>
#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "figures/LaunchTail.h"
#include "figures/TailCells.h"
#include "figures/TailWaves.h"
#include "language/Text.h"
#include "ui/figures/FigureDrawings.h"
#include "ui/figures/FigureParts.h"
#include "ui/widgets/Slider.h"
#include "ui/widgets/Widgets.h"

/// The tail: blocks by the share of their lanes that store a result, and the idle share over the size.
namespace haloscope::ui {
namespace {

using figures::BlockGroup;
using figures::LaunchTail;
using figures::TailCells;
using figures::TailCurve;
using figures::TailSample;

constexpr std::int64_t kSliderMaximum = 1024;
constexpr float kTallestBlock = 26, kWidestBlock = 64;
constexpr const char* kPlane = "tail plane";

std::string shareText(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? "–" : percentText(static_cast<double>(part) / static_cast<double>(all));
}

/// The size parameter of the plot, and its value.
void drawSize(AppState& state, const Theme& theme) {
  TailFigure& figure = state.figures.tail;
  const KernelFile& file = state.experiment->file;
  if (file.sizes.size() > 1) {
    std::vector<const char*> words;
    int chosen = 0;
    for (std::size_t i = 0; i < file.sizes.size(); ++i) {
      words.push_back(file.sizes[i].name.c_str());
      if (file.sizes[i].name == figure.size) { chosen = static_cast<int>(i); }
    }
    figure.size = file.sizes[static_cast<std::size_t>(choiceRow(theme, "tail size", words, chosen))].name;
    ImGui::SameLine(0, theme.px(12));
  }
  const SizeParameter* size = file.findSize(figure.size);
  if (size == nullptr) { return; }
  std::int64_t value = figure.sizes.at(figure.size);
  const std::int64_t before = value;
  frameLabel(theme, figure.size, Face::Mono);
  ImGui::SameLine(0, theme.px(8));
  const Slider slider{"##tail n", size->minimum, std::max({size->minimum + 1, std::min(size->maximum, kSliderMaximum)}),
                      theme.px(200)};
  slider.draw(theme, value);
  ImGui::SameLine(0, theme.px(8));
  ImGui::SetNextItemWidth(theme.px(96));
  constexpr std::int64_t kStep = 1;
  ImGui::InputScalar("##tail value", ImGuiDataType_S64, &value, &kStep);
  value = std::clamp(value, size->minimum, size->maximum);
  if (value == before) { return; }
  figure.sizes = figures::withSize(file, figure.sizes, figure.size, value);
}

/// Where the figure's sizes differ from the toolbar's: the difference, and a button to restore them.
void drawOtherSizes(const AppState& state, TailFigure& figure, const Theme& theme) {
  std::string here, there;
  for (const SizeParameter& size : state.experiment->file.sizes) {
    const std::int64_t mine = figure.sizes.at(size.name), chosen = state.experiment->bindings.at(size.name);
    if (mine == chosen) { continue; }
    here += fmt::format("{}{} = {}", here.empty() ? "" : ", ", size.name, mine);
    there += fmt::format("{}{}", there.empty() ? "" : ", ", chosen);
  }
  if (here.empty()) { return; }
  if (ImGui::Button(tr("Use the toolbar's sizes"))) { figure.sizes = state.experiment->bindings; }
  ImGui::SameLine(0, theme.px(8));
  ImGui::AlignTextToFramePadding();
  clippedLabel(theme, theme.colours().textDim, trf("at {} instead of {}", here, there));
}

/// A stacked bar of counts.
struct Part {
  const char* name;
  std::uint64_t count;
  ImU32 colour;
};

void drawBar(const char* id, const char* what, std::span<const Part> parts, std::uint64_t all, const Theme& theme) {
  const Palette& colours = theme.colours();
  const float line = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float left = theme.px(60);
  const float width = ImGui::GetContentRegionAvail().x - left;
  ImDrawList* list = ImGui::GetWindowDrawList();
  textAt(list, at, colours.textDim, what);
  float x = at.x + left;
  for (const Part& part : parts) {
    const float share = all == 0 ? 0 : static_cast<float>(part.count) / static_cast<float>(all);
    const float end = x + share * width;
    if (part.count > 0) {
      list->AddRectFilled({x, at.y + theme.px(1)}, {std::max(end, x + 1), at.y + line}, part.colour);
    }
    const std::string text = grouped(part.count);
    if (textWidth(text) + theme.px(6) < end - x) {
      textAt(list, {x + (end - x - textWidth(text)) / 2, at.y}, theme.textOn(part.colour), text);
    }
    x = end;
  }
  ImGui::InvisibleButton(id, {left + width, line + theme.px(3)}, ImGuiButtonFlags_EnableNav);
  if (!lastItemAsked()) { return; }
  const Tooltip tip(theme);
  tip.title(fmt::format("{} {}", grouped(all), what), 0, Face::SansStrong);
  for (const Part& part : parts) {
    tip.row(part.name, fmt::format("{}, {}", grouped(part.count), shareText(part.count, all)), part.colour);
  }
}

void drawCounts(const TailFigure& figure, const LaunchTail& tail, const Theme& theme) {
  const Palette& colours = theme.colours();
  const analysis::WorkTally& work = tail.work;
  const ImU32 partly = Theme::mixed(colours.output, colours.ghost, 0.5F);
  const std::array threads = {Part{tr("store a result"), work.working, colours.output},
                              Part{tr("only fill a tile"), work.helping, colours.halo},
                              Part{tr("touch no memory"), work.idle, colours.ghost}};
  const std::array warps = {Part{tr("all 32 lanes store a result"), work.fullWarps, colours.output},
                            Part{tr("some lanes store a result"), work.partialWarps, partly},
                            Part{tr("only fill a tile"), work.helpingWarps, colours.halo},
                            Part{tr("return at once"), work.idleWarps, colours.ghost}};
  drawBar("tail threads", tr("threads"), threads, work.threads, theme);
  drawBar("tail warps", tr("warps"), warps, work.warps, theme);
  const std::array entries = {
      LegendEntry{colours.output, tr("store a result")}, LegendEntry{partly, tr("warp partly active")},
      LegendEntry{colours.halo, tr("only fill a tile")}, LegendEntry{colours.ghost, tr("touch no memory")}};
  legend(theme, entries);
  std::string text = trf("Executed: {} of {} threads store nothing ({}), {} blocks store no result",
                         grouped(tail.threadsWithoutResult()), grouped(work.threads), percentText(tail.withoutResult()),
                         grouped(figure.cells->blocksWithoutWork));
  if (const auto held = tailWaves(tail.configuration, figure.code, figure.target)) {
    text += trf(". {} holds {} at once: {:.2f} waves, predicted.", figure.target.name, grouped(held->residentBlocks),
                held->waves);
  } else {
    text += ".";
  }
  sentence(theme, colours.text, text);
}

/// One plane of the grid: a cell per block, or per group of blocks in a large grid.
class GridPicture {
 public:
  GridPicture(const TailCells& cells, std::uint32_t plane, const Theme& theme)
      : cells_(cells),
        theme_(theme),
        plane_(plane),
        columns_(static_cast<int>(cells.columns)),
        rows_(static_cast<int>(cells.rows)) {}

  void draw(float height) const {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const Palette& colours = theme_.colours();
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 cell{std::min(width / static_cast<float>(columns_), theme_.px(kWidestBlock)),
                      std::min(height / static_cast<float>(rows_), theme_.px(kTallestBlock))};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float gap = cell.x > theme_.px(6) ? theme_.px(1) : 0;
    for (int row = 0; row < rows_; ++row) {
      for (int column = 0; column < columns_; ++column) {
        const BlockGroup& sum = of(column, row);
        const ImVec2 min{at.x + static_cast<float>(column) * cell.x, at.y + static_cast<float>(row) * cell.y};
        const ImVec2 max{min.x + cell.x - gap, min.y + cell.y - gap};
        const auto share = static_cast<float>(sum.workingShare());
        const ImU32 fill = Theme::mixed(colours.ghost, colours.output, share);
        list->AddRectFilled(min, max, fill);
        if (sum.blocksWithoutWork > 0) { list->AddRect(min, max, colours.fault, 0, theme_.px(1.5F)); }
        const std::string text = percentText(share);
        if (textWidth(text) + theme_.px(4) < cell.x && ImGui::GetTextLineHeight() < cell.y) {
          textAt(list, {min.x + (cell.x - textWidth(text)) / 2, min.y + (cell.y - ImGui::GetTextLineHeight()) / 2},
                 theme_.textOn(fill), text);
        }
      }
    }
    if (const auto hovered = cellGridItem("tail grid", cell, columns_, rows_)) {
      drawTip(*hovered % columns_, *hovered / columns_);
    }
  }

 private:
  [[nodiscard]] const BlockGroup& of(int column, int row) const {
    return cells_.at(static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row), plane_);
  }

  void drawTip(int column, int row) const {
    const BlockGroup& sum = of(column, row);
    const Palette& colours = theme_.colours();
    const Tooltip tip(theme_);
    const std::uint32_t x = static_cast<std::uint32_t>(column) * cells_.blocksAlongX;
    const std::uint32_t y = static_cast<std::uint32_t>(row) * cells_.blocksAlongY;
    tip.title(cells_.together() ? trf("{} blocks from ({},{},{})", sum.blocks, x, y, plane_)
                                : trf("block ({},{},{})", x, y, plane_));
    if (cells_.together()) { tip.row(tr("blocks without a result"), grouped(sum.blocksWithoutWork), colours.fault); }
    tip.row(tr("threads"), grouped(sum.threads));
    tip.row(tr("store a result"), fmt::format("{}, {}", grouped(sum.working), shareText(sum.working, sum.threads)),
            colours.output);
    tip.row(tr("only fill a tile"), grouped(sum.helping), colours.halo);
    tip.row(tr("touch no memory"), grouped(sum.idle), colours.ghost);
  }

  const TailCells& cells_;
  const Theme& theme_;
  std::uint32_t plane_;
  int columns_, rows_;
};

/// "each cell is 6 rows of blocks".
std::string cellText(const TailCells& cells) {
  if (!cells.together()) { return tr("one cell per block"); }
  if (cells.blocksAlongX == 1) { return trf("each cell is {} rows of blocks", cells.blocksAlongY); }
  if (cells.blocksAlongY == 1) { return trf("each cell is {} columns of blocks", cells.blocksAlongX); }
  return trf("each cell is {}×{} blocks", cells.blocksAlongX, cells.blocksAlongY);
}

void drawGrid(const LaunchTail& tail, const TailCells& cells, const Theme& theme, float height) {
  const Palette& colours = theme.colours();
  const Dim3& grid = tail.configuration.grid;
  int plane = std::clamp(storedInt(kPlane, static_cast<int>(grid.z / 2)), 0, static_cast<int>(grid.z) - 1);
  label(theme, colours.textDim,
        grid.z > 1 ? trf("plane {} of {} along z: {}", plane, grid.z, cellText(cells))
                   : trf("the grid: {}, coloured by the share of threads that store a result", cellText(cells)));
  if (grid.z > 1) {
    ImGui::SameLine(0, theme.px(12));
    std::int64_t value = plane;
    if (Slider{"##tail plane", 0, static_cast<std::int64_t>(grid.z) - 1, theme.px(120)}.draw(theme, value)) {
      store(kPlane, static_cast<int>(value));
      plane = static_cast<int>(value);
    }
    height -= theme.px(8);
  }
  GridPicture(cells, static_cast<std::uint32_t>(plane), theme).draw(height);
  const std::array entries = {
      LegendEntry{colours.ghost, "0 %"}, LegendEntry{Theme::mixed(colours.ghost, colours.output, 0.5F), "50 %"},
      LegendEntry{colours.output, tr("100 % of the lanes store a result")},
      LegendEntry{colours.fault,
                  cells.together() ? tr("contains a block without a result") : tr("no lane stores a result"),
                  Swatch::Outlined}};
  legend(theme, entries);
}

void sampleTooltip(const TailCurve& curve, const TailSample& sample, const Theme& theme) {
  const Tooltip tip(theme);
  tip.title(fmt::format("{} = {}", curve.size, sample.size));
  tip.row(tr("blocks"), grouped(sample.blocks));
  tip.row(tr("threads"), grouped(sample.threads));
  if (const auto share = sample.withoutWork()) {
    tip.row(tr("store a result"), grouped(*sample.working), theme.colours().output);
    tip.row(tr("store nothing"), fmt::format("{}, {}", grouped(sample.threads - *sample.working), percentText(*share)),
            theme.colours().interior);
  }
  tip.note(tr("By formula, from the launch in the header and one executed interior block. Click: execute this size."));
}

/// The share of threads without a result over the size, a sawtooth.
class Sawtooth {
 public:
  Sawtooth(const KernelFile& file, TailFigure& figure, const Theme& theme)
      : file_(file), figure_(figure), curve_(*figure.curve), theme_(theme) {}

  void draw(float height) {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const Palette& colours = theme_.colours();
    const std::array entries = {
        LegendEntry{colours.interior, tr("share of threads that store nothing, by formula"), Swatch::Line},
        LegendEntry{colours.output, tr("executed")}};
    legend(theme_, entries);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, height};
    constexpr ImPlotFlags kFlags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs;
    if (!ImPlot::BeginPlot("###tail", size, kFlags)) { return; }
    ImPlot::SetupAxis(ImAxis_X1, curve_.size.c_str(), ImPlotAxisFlags_NoHighlight);
    ImPlot::SetupAxis(ImAxis_Y1, nullptr, ImPlotAxisFlags_NoHighlight);
    ImPlot::SetupAxisFormat(ImAxis_Y1, percentTick, nullptr);
    // Room for half of the last tick's label at the right.
    const auto first = static_cast<double>(curve_.samples.front().size);
    const auto last = static_cast<double>(curve_.samples.back().size);
    ImPlot::SetupAxesLimits(first, last + 0.03 * (last - first), 0, 1.02, ImPlotCond_Always);
    ImPlot::SetupFinish();
    drawInside();
    ImPlot::EndPlot();
    const ImVec2 below = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(at);
    if (ImGui::InvisibleButton("tail sizes", size, ImGuiButtonFlags_EnableNav) && asked_ != nullptr) {
      figure_.sizes = figures::withSize(file_, figure_.sizes, figure_.size, asked_->size);
    }
    if (lastItemAsked() && asked_ != nullptr) { sampleTooltip(curve_, *asked_, theme_); }
    ImGui::SetCursorScreenPos(below);
    ImGui::Dummy({0, 0});
  }

 private:
  void drawInside() {
    const Palette& colours = theme_.colours();
    ImDrawList* list = ImPlot::GetPlotDrawList();
    ImPlot::PushPlotClipRect();
    const ImVec2 min = ImPlot::GetPlotPos();
    const ImVec2 max{min.x + ImPlot::GetPlotSize().x, min.y + ImPlot::GetPlotSize().y};
    std::vector<ImVec2> line;
    for (const TailSample& sample : curve_.samples) {
      if (const auto share = sample.withoutWork()) {
        line.push_back(ImPlot::PlotToPixels(static_cast<double>(sample.size), *share));
      }
    }
    list->AddPolyline(line.data(), static_cast<int>(line.size()), colours.interior, theme_.px(1.25F));
    const auto chosen = static_cast<double>(figure_.sizes.at(figure_.size));
    const float x = ImPlot::PlotToPixels(chosen, 0).x;
    list->AddLine({x, min.y}, {x, max.y}, colours.ghost, theme_.px(1));
    if (figure_.tail != nullptr && figure_.tail->executed && figure_.tail->bindings == figure_.sizes) {
      const ImVec2 place = ImPlot::PlotToPixels(chosen, figure_.tail->withoutResult());
      list->AddCircleFilled(place, theme_.px(4), colours.output);
      list->AddCircle(place, theme_.px(6), colours.text, 0, theme_.px(1.25F));
    }
    asked_ = nullptr;
    const bool hovered = ImGui::IsMouseHoveringRect(min, max);
    const double wanted = hovered ? ImPlot::PixelsToPlot(ImGui::GetIO().MousePos).x : chosen;
    for (const TailSample& sample : curve_.samples) {
      const double distance = std::abs(static_cast<double>(sample.size) - wanted);
      if (asked_ == nullptr || distance < std::abs(static_cast<double>(asked_->size) - wanted)) { asked_ = &sample; }
    }
    ImPlot::PopPlotClipRect();
  }

  const KernelFile& file_;
  TailFigure& figure_;
  const TailCurve& curve_;
  const Theme& theme_;
  const TailSample* asked_ = nullptr;
};

}  // namespace

void drawTailFigure(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  TailFigure& figure = state.figures.tail;
  const Palette& colours = theme.colours();
  if (state.experiment == nullptr || figure.kernel != state.experiment->file.id ||
      !figure.fits(state.experiment->bindings)) {
    label(theme, colours.textDim, tr("executing the grid …"));
    return;
  }
  drawSize(state, theme);
  drawOtherSizes(state, figure, theme);
  if (state.experiment->file.sizes.empty()) {
    sentence(theme, colours.textDim, tr("This kernel has no size parameter: its launch is fixed."));
  }
  if (figure.tail == nullptr) {
    label(theme, colours.textDim, tr("executing the grid …"));
    return;
  }
  const LaunchTail& tail = *figure.tail;
  const Dim3& grid = tail.configuration.grid;
  const Dim3& block = tail.configuration.block;
  std::string shape = trf("{}×{}×{} blocks of {}×{}×{} threads", grid.x, grid.y, grid.z, block.x, block.y, block.z);
  if (!figure.size.empty()) { shape = fmt::format("{} = {}: {}", figure.size, tail.bindings.at(figure.size), shape); }
  if (figure.counting) { shape += tr("; the next size is being executed …"); }
  clippedLabel(theme, colours.text, shape, Face::SansStrong);
  const bool curve = figure.curve != nullptr && figure.curve->samples.size() > 1 && figure.curve->note.empty() &&
                     figure.curve->size == figure.size;
  const float room = ImGui::GetContentRegionAvail().y;
  const float plot = curve ? std::max(theme.px(110), room * 0.32F) : 0;
  if (tail.executed) {
    drawCounts(figure, tail, theme);
    const float others = ImGui::GetTextLineHeight() * 5 + theme.px(24);
    drawGrid(tail, *figure.cells, theme, std::max(theme.px(60), ImGui::GetContentRegionAvail().y - plot - others));
  } else {
    sentence(theme, colours.fault, tail.problem);
  }
  if (curve) {
    Sawtooth(state.experiment->file, figure, theme)
        .draw(std::max(theme.px(96), ImGui::GetContentRegionAvail().y - theme.px(24)));
  } else if (figure.curve != nullptr && !figure.curve->note.empty()) {
    sentence(theme, colours.textDim, figure.curve->note);
  }
}

}  // namespace haloscope::ui
