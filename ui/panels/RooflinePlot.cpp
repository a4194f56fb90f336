#include "ui/panels/RooflinePlot.h"

#include <fmt/format.h>
#include <imgui.h>
#include <implot.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "actions/Choices.h"
#include "language/Text.h"
#include "measuring/Roofline.h"
#include "ui/widgets/LabelPlacer.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {
namespace {

using measuring::Roof;

std::optional<measuring::Achieved> achieved(const AppState& state) {
  if (state.experiment == nullptr || state.field.path == FieldPath::Emulator) { return std::nullopt; }
  return measuring::achieved(*state.experiment, state.field.extents, state.field.medianMs);
}

bool isCurrent(const AppState& state, const experiment::RooflinePoint& point) {
  return state.experiment != nullptr && point.id == state.experiment->file.id;
}

/// Variants whose positions in the plot coincide visually: one dot, one label.
struct Cluster {
  std::vector<const experiment::RooflinePoint*> points;
  double opPerByte = 0;
  bool current = false;
};

/// Minimum distance of dots as a factor; closer ones would hide each other.
constexpr double kSamePlace = 1.12;

/// A variant with hardware counters: its performance, plotted at the OP/B by the formula and by DRAM traffic.
struct Counted {
  const experiment::RooflinePoint* point = nullptr;
  const measuring::HardwareReading* reading = nullptr;
  bool current = false;
};

std::vector<Counted> countedOf(const AppState& state) {
  std::vector<Counted> all;
  for (const experiment::RooflinePoint& point : state.roofline) {
    const bool current = isCurrent(state, point);
    const KernelFile* const file = current ? &state.experiment->file : state.catalogue.find(point.id);
    if (file == nullptr) { continue; }
    const measuring::HardwareReading* const reading = state.hardware.of(*file, point.bindings);
    if (reading == nullptr || reading->dramOpPerByte() <= 0 || reading->book() <= 0) { continue; }
    all.push_back({&point, reading, current});
  }
  return all;
}

/// Variants whose bound alone is known.
std::vector<Cluster> clusters(const AppState& state, const std::vector<Counted>& counted) {
  std::vector<const experiment::RooflinePoint*> points;
  for (const experiment::RooflinePoint& point : state.roofline) {
    const bool known = std::ranges::any_of(counted, [&](const Counted& one) { return one.point == &point; });
    if (point.interiorBlock > 0 && !known) { points.push_back(&point); }
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const auto* a, const auto* b) { return a->interiorBlock < b->interiorBlock; });
  std::vector<Cluster> result;
  for (const auto* point : points) {
    const double value = point->interiorBlock;
    if (result.empty() || value > result.back().opPerByte * kSamePlace) { result.push_back({{}, value, false}); }
    result.back().points.push_back(point);
    if (isCurrent(state, *point)) {
      result.back().current = true;
      result.back().opPerByte = value;
    }
  }
  return result;
}

/// Line spacing of a label, in text heights.
constexpr float kLine = 0.95F;

class RooflinePlot {
 public:
  RooflinePlot(const AppState& state, const Theme& theme, const Roofs& roofs)
      : state_(state), theme_(theme), roofs_(roofs), counted_(countedOf(state)), clusters_(clusters(state, counted_)) {}

  /// Leaves this many pixels free below.
  void draw(float below) {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    findLimits();
    constexpr ImPlotFlags kPlot = ImPlotFlags_NoLegend | ImPlotFlags_NoMouseText | ImPlotFlags_NoMenus |
                                  ImPlotFlags_NoBoxSelect | ImPlotFlags_NoTitle;
    constexpr ImPlotAxisFlags kAxis = ImPlotAxisFlags_NoLabel | ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_NoHighlight;
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    if (!ImPlot::BeginPlot("##roofline", {-1, ImGui::GetContentRegionAvail().y - below}, kPlot)) {
      ImGui::PopStyleVar();
      return;
    }
    ImPlot::SetupAxes(nullptr, nullptr, kAxis, kAxis);
    ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
    ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
    ImPlot::SetupAxesLimits(lowX_, highX_, lowY_, highY_, ImPlotCond_Always);
    ImPlot::SetupAxisFormat(ImAxis_X1, formatTick, nullptr);
    ImPlot::SetupAxisFormat(ImAxis_Y1, formatTick, nullptr);
    ImPlot::SetupFinish();
    ImGui::PopStyleVar();
    drawInside();
    ImPlot::EndPlot();
  }

 private:
  void findLimits() {
    // A bound without a known peak leaves the limits to a prediction that has one.
    const bool predicted = roofs_.bound.peakGFlops <= 0 && roofs_.predicted && roofs_.predicted->peakGFlops > 0;
    const Roof& roof = predicted ? *roofs_.predicted : roofs_.bound;
    // Zoom in on counted variants; for bounds show the whole roof.
    const bool near = !counted_.empty();
    lowX_ = near ? 0.5 : 0.125;
    highX_ = roof.peakGFlops > 0 ? roof.ridge() * (near ? 1.6 : 6) : 64;
    for (const Cluster& cluster : clusters_) { include(cluster.opPerByte, 2, 4); }
    double lowest = near ? counted_.front().reading->gflops() : roof.bandwidthGBs * lowX_;
    for (const Counted& one : counted_) {
      include(one.reading->book(), 1.5, 4);
      include(one.reading->dramOpPerByte(), 1.5, 4);
      lowest = std::min(lowest, one.reading->gflops());
    }
    if (const auto reached = achieved(state_)) { lowest = std::min(lowest, reached->gflops); }
    lowY_ = lowest / (near ? 4 : 2);
    double top = roof.at(highX_);
    if (roofs_.predicted) { top = std::max(top, roofs_.predicted->at(highX_)); }
    highY_ = top * 2.6;
  }

  /// Extends the range to include a value with margins on both sides, as factors.
  void include(double opPerByte, double before, double behind) {
    lowX_ = std::min(lowX_, opPerByte / before);
    highX_ = std::max(highX_, opPerByte * behind);
  }

  static int formatTick(double value, char* buffer, int size, void* /*data*/) {
    const std::string text = value >= 1000 ? fmt::format("{:g}k", value / 1000) : fmt::format("{:g}", value);
    return std::snprintf(buffer, static_cast<std::size_t>(size), "%s", text.c_str());
  }

  void drawInside() {
    list_ = ImPlot::GetPlotDrawList();
    const ImVec2 min = ImPlot::GetPlotPos();
    const ImVec2 max{min.x + ImPlot::GetPlotSize().x, min.y + ImPlot::GetPlotSize().y};
    const Palette& colours = theme_.colours();
    const float margin = theme_.px(4);
    LabelPlacer placer({min.x + margin, min.y}, {max.x - margin, max.y - margin});

    const auto corner = [&](ImVec2 at, const char* text) {
      textAt(list_, at, colours.textDim, text);
      placer.block(at, {at.x + textWidth(text), at.y + ImGui::GetTextLineHeight()});
    };
    const float line = ImGui::GetTextLineHeight();
    corner({min.x + margin, min.y + margin}, "GFLOP/s");
    corner({max.x - margin - textWidth("OP/B"), max.y - line - theme_.px(2)}, "OP/B");

    ImPlot::PushPlotClipRect();
    const Roof& roof = roofs_.bound;
    drawRoof(roof, true, roofs_.measured, placer);
    if (roofs_.predicted) { drawRoof(*roofs_.predicted, false, false, placer); }
    for (const Cluster& cluster : clusters_) {
      blockPoint(placer, ImPlot::PlotToPixels(cluster.opPerByte, roof.at(cluster.opPerByte)));
    }
    for (const Counted& one : counted_) {
      blockPoint(placer, ImPlot::PlotToPixels(one.reading->book(), one.reading->gflops()));
      blockPoint(placer, ImPlot::PlotToPixels(one.reading->dramOpPerByte(), one.reading->gflops()));
    }
    // The current variant's label is placed first and gets the best position.
    const auto drawClusters = [&](bool current) {
      for (const Cluster& cluster : clusters_) {
        if (cluster.current == current) { drawCluster(cluster, roof, placer); }
      }
    };
    const auto drawCounted = [&](bool current) {
      for (const Counted& one : counted_) {
        if (one.current == current) { drawPair(one, roof, placer); }
      }
    };
    drawClusters(true);
    drawCounted(true);
    if (std::ranges::none_of(counted_, &Counted::current)) { drawAchieved(roof, placer); }
    drawCounted(false);
    drawClusters(false);
    ImPlot::PopPlotClipRect();
  }

  void blockPoint(LabelPlacer& placer, ImVec2 at) const {
    const float radius = theme_.px(5);
    placer.block({at.x - radius, at.y - radius}, {at.x + radius, at.y + radius});
  }

  /// Slope and ceiling: dashed if predicted, solid if measured.
  void drawRoof(const Roof& roof, bool front, bool solid, LabelPlacer& placer) {
    const Palette& colours = theme_.colours();
    const ImU32 colour = solid ? colours.good : front ? colours.text : colours.textDim;
    // A slope without a measured ceiling ends at the predicted one.
    const double predicted =
        roofs_.predicted && roofs_.predicted->peakGFlops > 0 ? roofs_.predicted->peakGFlops : highY_;
    const double ceiling = roof.peakGFlops > 0 ? roof.peakGFlops : predicted;
    const double bend = std::min(ceiling / roof.bandwidthGBs, highX_);
    const ImVec2 low = ImPlot::PlotToPixels(lowX_, roof.at(lowX_));
    const ImVec2 ridge = ImPlot::PlotToPixels(bend, roof.at(bend));
    const ImVec2 high = roof.peakGFlops > 0 ? ImPlot::PlotToPixels(highX_, roof.at(highX_)) : ridge;
    const float weight = theme_.px(front ? 1.75F : 1.0F);
    segment(low, ridge, colour, weight, solid);
    segment(ridge, high, colour, weight, solid);
    // Reserve the slope in short pieces, so that labels avoid it.
    for (int i = 0; i < 24; ++i) {
      const float t = static_cast<float>(i) / 24.0F;
      const ImVec2 at{low.x + (ridge.x - low.x) * t, low.y + (ridge.y - low.y) * t};
      placer.block({at.x - 2, at.y - theme_.px(2)}, {at.x + 2, at.y + theme_.px(2)});
    }
    const char* precision = roofs_.type == ValueType::F64 ? "FP64" : "FP32";
    if (roof.peakGFlops <= 0 && front && roofs_.type == ValueType::F16) {
      const std::string text = tr("half: no peak known");
      const ImVec2 corner{ImPlot::GetPlotPos().x + ImPlot::GetPlotSize().x, ImPlot::GetPlotPos().y};
      const ImVec2 at{corner.x - textWidth(text) - theme_.px(6), corner.y + theme_.px(3)};
      textAt(list_, at, colour, text);
      placer.block(at, {corner.x, at.y + ImGui::GetTextLineHeight()});
    }
    if (roof.peakGFlops > 0) {
      const std::string text =
          fmt::format("{} {} GFLOP/s", precision, grouped(static_cast<std::uint64_t>(roof.peakGFlops)));
      const ImVec2 at{high.x - textWidth(text) - theme_.px(6), high.y - ImGui::GetTextLineHeight() - theme_.px(3)};
      textAt(list_, at, colour, text);
      placer.block(at, {high.x, high.y});
    }
    const std::string slope =
        fmt::format("{} GB/s{}", grouped(static_cast<std::uint64_t>(std::lround(roof.bandwidthGBs))),
                    solid ? tr(" measured copy") : "");
    const ImVec2 size{textWidth(slope), ImGui::GetTextLineHeight()};
    for (const float t : {0.78F, 0.62F, 0.9F, 0.45F, 0.3F}) {
      const ImVec2 on{low.x + (ridge.x - low.x) * t, low.y + (ridge.y - low.y) * t};
      const ImVec2 at{on.x - size.x - theme_.px(10), on.y - size.y};
      if (!placer.take(at, size)) { continue; }
      textAt(list_, at, colour, slope);
      return;
    }
  }

  void segment(ImVec2 from, ImVec2 to, ImU32 colour, float weight, bool solid) const {
    if (solid) {
      list_->AddLine(from, to, colour, weight);
      return;
    }
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    const float dash = theme_.px(5), period = theme_.px(8);
    const int dashes = static_cast<int>(std::ceil(length / period));
    for (int i = 0; i < dashes; ++i) {
      const float begin = static_cast<float>(i) * period;
      const float a = begin / length, b = std::min(1.0F, (begin + dash) / length);
      list_->AddLine({from.x + (to.x - from.x) * a, from.y + (to.y - from.y) * a},
                     {from.x + (to.x - from.x) * b, from.y + (to.y - from.y) * b}, colour, weight);
    }
  }

  void drawCluster(const Cluster& cluster, const Roof& roof, LabelPlacer& placer) {
    const Palette& colours = theme_.colours();
    const double reach = roof.at(cluster.opPerByte);
    const ImVec2 at = ImPlot::PlotToPixels(cluster.opPerByte, reach);
    const float radius = theme_.px(cluster.current ? 5.0F : 3.5F);
    const ImU32 colour = cluster.current ? colours.activeText : Theme::mixed(colours.textDim, colours.text, 0.5F);
    list_->AddLine(at, {at.x, ImPlot::GetPlotPos().y + ImPlot::GetPlotSize().y}, theme_.faded(colour, 0.25F));
    list_->AddCircleFilled(at, radius, colour);
    list_->AddCircle(at, radius, colours.panel, 0, theme_.px(1));

    // One line per variant, the current one in bold.
    ImVec2 size{0, 0};
    const auto eachLine = [&](auto&& visit) {
      for (const auto* point : cluster.points) {
        const bool isMine = isCurrent(state_, *point);
        const FontScope font(theme_, isMine ? Face::SansStrong : Face::Sans, TextSize::Small);
        visit(shortName(point->id), isMine ? colours.text : colours.textDim);
      }
    };
    eachLine([&](const std::string& text, ImU32) {
      size = {std::max(size.x, textWidth(text)), size.y + ImGui::GetTextLineHeight() * kLine};
    });
    const ImVec2 place = placer.place(at, size, theme_.px(8));
    leader(at, place, size, radius);
    float y = place.y;
    eachLine([&](const std::string& text, ImU32 ink) {
      textAt(list_, {place.x, y}, ink, text);
      y += ImGui::GetTextLineHeight() * kLine;
    });
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool onLabel = ImPlot::IsPlotHovered() && mouse.x > place.x && mouse.x < place.x + size.x &&
                         mouse.y > place.y && mouse.y < place.y + size.y;
    if (hovers(at, radius) || onLabel) { tooltip(cluster, roof); }
  }

  /// From the formula's OP/B (ring) to DRAM's (diamond), at the height of the achieved performance.
  void drawPair(const Counted& one, const Roof& roof, LabelPlacer& placer) {
    const Palette& colours = theme_.colours();
    const measuring::HardwareReading& reading = *one.reading;
    const ImVec2 book = ImPlot::PlotToPixels(reading.book(), reading.gflops());
    const ImVec2 dram = ImPlot::PlotToPixels(reading.dramOpPerByte(), reading.gflops());
    const float radius = theme_.px(one.current ? 5.0F : 3.5F);
    const ImU32 colour = one.current ? colours.good : Theme::mixed(colours.panel, colours.good, 0.6F);
    const float length = dram.x - book.x;
    if (std::abs(length) > 2 * radius) {
      const float sign = length > 0 ? 1.0F : -1.0F;
      const float tip = dram.x - sign * radius;
      list_->AddLine({book.x + sign * radius, book.y}, {tip, dram.y}, colour, theme_.px(one.current ? 2.0F : 1.0F));
      const float head = theme_.px(4);
      list_->AddTriangleFilled({tip, dram.y}, {tip - sign * head * 1.5F, dram.y - head},
                               {tip - sign * head * 1.5F, dram.y + head}, colour);
    }
    list_->AddCircleFilled(book, radius, colours.panel);
    list_->AddCircle(book, radius, colour, 0, theme_.px(1.5F));
    list_->AddQuadFilled({dram.x, dram.y - radius}, {dram.x + radius, dram.y}, {dram.x, dram.y + radius},
                         {dram.x - radius, dram.y}, colour);

    const FontScope font(theme_, one.current ? Face::SansStrong : Face::Sans, TextSize::Small);
    const std::string name = shortName(one.point->id);
    const ImVec2 size{textWidth(name), ImGui::GetTextLineHeight()};
    const float reach = theme_.px(8);
    // Where dots crowd, the other names are left to the tooltips.
    const std::optional<ImVec2> place =
        one.current ? placer.place(dram, size, reach) : placer.tryPlace(dram, size, reach);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto within = [&](ImVec2 min, ImVec2 max) {
      return ImPlot::IsPlotHovered() && mouse.x > min.x && mouse.x < max.x && mouse.y > min.y && mouse.y < max.y;
    };
    bool asked = hovers(book, radius) || hovers(dram, radius) ||
                 within({std::min(book.x, dram.x), dram.y - radius}, {std::max(book.x, dram.x), dram.y + radius});
    if (place) {
      leader(dram, *place, size, radius);
      textAt(list_, *place, one.current ? colours.text : colours.textDim, name);
      asked = asked || within(*place, {place->x + size.x, place->y + size.y});
    }
    if (asked) { pairTooltip(one, roof); }
  }

  void pairTooltip(const Counted& one, const Roof& roof) const {
    const measuring::HardwareReading& reading = *one.reading;
    const Tooltip tip(theme_);
    tip.title(reading.title, 0, Face::SansStrong);
    tip.row(tr("achieved"), fmt::format("{} GFLOP/s, {:.3f} ms", grouped(static_cast<std::uint64_t>(reading.gflops())),
                                        reading.milliseconds));
    tip.row(reading.bookOpPerByte ? tr("formula (ring)") : tr("executed (ring)"),
            fmt::format("{:.4g} OP/B", reading.book()));
    tip.row(tr("DRAM (diamond)"), trf("{:.4g} OP/B; the roof there is {} GFLOP/s", reading.dramOpPerByte(),
                                      grouped(static_cast<std::uint64_t>(roof.at(reading.dramOpPerByte())))));
    for (const auto& [name, value] : reading.bindings) { tip.row(name, std::to_string(value)); }
    tip.note(measuring::cacheSentence(reading), theme_.colours().text);
    tip.note(measuring::timeSentence(reading), theme_.colours().text);
  }

  /// A thin line to a label placed away from its dot.
  void leader(ImVec2 at, ImVec2 place, ImVec2 size, float radius) const {
    const ImVec2 nearest{std::clamp(at.x, place.x - 2, place.x + size.x + 2),
                         std::clamp(at.y, place.y, place.y + size.y)};
    const float distance = std::hypot(nearest.x - at.x, nearest.y - at.y);
    if (distance < theme_.px(12)) { return; }
    const float t = (radius + theme_.px(1)) / distance;
    list_->AddLine({at.x + (nearest.x - at.x) * t, at.y + (nearest.y - at.y) * t}, nearest,
                   theme_.faded(theme_.colours().textDim, 0.6F));
  }

  [[nodiscard]] bool hovers(ImVec2 at, float radius) const {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    return ImPlot::IsPlotHovered() && std::hypot(mouse.x - at.x, mouse.y - at.y) < radius + theme_.px(3);
  }

  void tooltip(const Cluster& cluster, const Roof& roof) const {
    const Tooltip tip(theme_);
    for (const auto* point : cluster.points) {
      tip.title(point->title, 0, Face::SansStrong);
      tip.row(tr("interior block"), fmt::format("{:.4g} OP/B", point->interiorBlock));
      if (point->formula) { tip.row(tr("formula"), fmt::format("{:.4g} OP/B", *point->formula)); }
      // The tile that the point represents: a tile that the chosen size does not fit keeps its default.
      for (const auto& [name, value] : point->bindings) { tip.row(name, std::to_string(value)); }
    }
    tip.row(tr("at most"), trf("{} GFLOP/s, if DRAM moved exactly these bytes",
                               grouped(static_cast<std::uint64_t>(std::lround(roof.at(cluster.opPerByte))))));
  }

  /// The current variant's measured performance on this GPU, below its dot.
  void drawAchieved(const Roof& roof, LabelPlacer& placer) {
    const auto reached = achieved(state_);
    if (!reached || state_.experiment->opPerByte.interiorBlock <= 0) { return; }
    const Palette& colours = theme_.colours();
    const double opPerByte = state_.experiment->opPerByte.interiorBlock;
    const ImVec2 at = ImPlot::PlotToPixels(opPerByte, reached->gflops);
    const ImVec2 most = ImPlot::PlotToPixels(opPerByte, roof.at(opPerByte));
    const float radius = theme_.px(5);
    list_->AddLine(most, at, colours.good, theme_.px(1.5F));
    list_->AddQuadFilled({at.x, at.y - radius}, {at.x + radius, at.y}, {at.x, at.y + radius}, {at.x - radius, at.y},
                         colours.good);
    blockPoint(placer, at);
    const std::string text = trf("measured {} GFLOP/s", grouped(static_cast<std::uint64_t>(reached->gflops)));
    const ImVec2 size{textWidth(text), ImGui::GetTextLineHeight()};
    const ImVec2 place = placer.place(at, size, theme_.px(8));
    leader(at, place, size, radius);
    textAt(list_, place, colours.good, text);
    if (!hovers(at, radius)) { return; }
    const Tooltip tip(theme_);
    tip.title(text, colours.good, Face::SansStrong);
    tip.row(roof.peakGFlops > 0 ? tr("of the roof") : tr("of the bandwidth bound"),
            percentText(reached->gflops / roof.at(opPerByte)));
    tip.row(tr("median"), trf("{:.3f} ms per sweep", state_.field.medianMs));
    if (reached->gflops > roof.at(opPerByte)) {
      tip.note(tr("Above the roof: caches served some of the kernel's global loads, so DRAM moved fewer bytes."));
    }
    if (reached->scaled) {
      tip.note(tr("Operations counted at the size in the toolbar, scaled to the field's points."));
    }
  }

  const AppState& state_;
  const Theme& theme_;
  const Roofs& roofs_;
  std::vector<Counted> counted_;
  std::vector<Cluster> clusters_;
  double lowX_ = 0.1, highX_ = 100, lowY_ = 10, highY_ = 100000;
  ImDrawList* list_ = nullptr;
};

}  // namespace

void drawRooflinePlot(const AppState& state, const Theme& theme, const Roofs& roofs, float below) {
  RooflinePlot(state, theme, roofs).draw(below);
}

}  // namespace haloscope::ui
