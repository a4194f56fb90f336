#include <fmt/format.h>
#include <imgui.h>
#include <implot.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "actions/Choices.h"
#include "actions/ChosenGpu.h"
#include "language/Text.h"
#include "measuring/PredictedTime.h"
#include "program/NumberText.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The time of each sweep on the GPU; without a GPU, the time that the roofline of one predicts.
namespace haloscope::ui {
namespace {

constexpr int kRingShown = 64;  // samples across the plot

/// The end of a scale that begins at 0: 1, 2 or 5 times a power of ten.
double scaleEnd(double longest) {
  const double power = std::pow(10, std::floor(std::log10(longest)));
  for (const double times : {1, 2, 5}) {
    if (times * power >= longest) { return times * power; }
  }
  return 10 * power;
}

std::string captionOf(const FieldStatus& field) {
  const std::string median = trn("median of {} sweep", "median of {} sweeps", field.ring.size(), field.ring.size());
  if (field.clockMHz == 0) { return trf("{} · p10 … p90", median); }
  return fmt::format("{} · {} MHz · {:.0f} W", median, field.clockMHz, field.powerWatts);
}

void drawMissing(const AppState& state, const Theme& theme) {
  const Palette& colours = theme.colours();
  ImGui::PushTextWrapPos(0);
  if (state.gpuName.empty()) {
    label(theme, colours.textDim, tr("looking for a GPU and measuring it …"), Face::Sans, TextSize::Body);
  } else if (state.field.path == FieldPath::Emulator || !state.field.problem.empty()) {
    label(theme, colours.text, trf("{} cannot run this kernel.", state.gpuName), Face::Sans, TextSize::Body);
    label(theme, colours.textDim, state.field.problem);
  } else {
    label(theme, colours.text, tr("Not timed yet."), Face::Sans, TextSize::Body);
    label(theme, colours.textDim, trf("Run the field: {} then times each sweep.", state.gpuName));
  }
  ImGui::PopTextWrapPos();
}

struct PredictedRow {
  std::string name;
  double milliseconds = 0;
  bool chosen = false;
};

/// The variants of the chapter without caches: with the operations and stores of this launch, and the loads that follow
/// from each variant's operations per byte. The one on screen is no exception, or it would differ from its equals.
std::vector<PredictedRow> predictedRows(const AppState& state, const measuring::Roof& roof) {
  const experiment::LaunchCounts& counts = state.experiment->counts;
  std::vector<PredictedRow> rows;
  for (const experiment::RooflinePoint& point : state.roofline) {
    if (point.interiorBlock <= 0) { continue; }
    const auto loads = static_cast<std::uint64_t>(static_cast<double>(counts.flops) / point.interiorBlock);
    rows.push_back({shortName(shownName(state.catalogue, point.id)),
                    measuring::predictedMs(roof, counts.flops, loads + counts.globalStoreBytes),
                    point.id == state.experiment->file.id});
  }
  return rows;
}

void drawPredictedRows(const Theme& theme, const std::vector<PredictedRow>& rows, const TimeUnit& unit) {
  const Palette& colours = theme.colours();
  const FontScope font(theme, Face::Sans, TextSize::Small);
  ImDrawList* list = ImGui::GetWindowDrawList();
  float names = 0, times = 0;
  double longest = 0;
  for (const PredictedRow& row : rows) {
    names = std::max(names, textWidth(row.name));
    times = std::max(times, textWidth(timeText(row.milliseconds, unit)));
    longest = std::max(longest, row.milliseconds);
  }
  if (longest <= 0) { return; }
  const double end = scaleEnd(longest);
  const float gap = theme.px(8);
  const float line = ImGui::GetTextLineHeight();
  const float room = std::max(theme.px(24), ImGui::GetContentRegionAvail().x - names - times - 2 * gap);
  for (const PredictedRow& row : rows) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = room * static_cast<float>(row.milliseconds / end);
    const float left = at.x + names + gap;
    textAt(list, at, row.chosen ? colours.text : colours.textDim, row.name);
    list->AddRectFilled({left, at.y + line * 0.2F}, {left + room, at.y + line * 0.85F},
                        theme.faded(colours.textDim, 0.10F), theme.px(2));
    list->AddRectFilled({left, at.y + line * 0.2F}, {left + std::max(width, 1.0F), at.y + line * 0.85F},
                        row.chosen ? colours.active : theme.faded(colours.textDim, 0.5F), theme.px(2));
    textAt(list, {left + width + gap, at.y}, row.chosen ? colours.text : colours.textDim,
           timeText(row.milliseconds, unit));
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, line});
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string last = fmt::format("{:g} {}", end * unit.perMillisecond, unit.name);
  textAt(list, {at.x + names + gap, at.y}, colours.textDim, "0");
  textAt(list, {at.x + names + gap + room - textWidth(last), at.y}, colours.textDim, last);
  ImGui::Dummy({ImGui::GetContentRegionAvail().x, line});
}

void drawAssumptions(const Theme& theme, const measuring::GpuSpec& gpu, const measuring::PredictedTime& time) {
  const Tooltip tip(theme);
  tip.title(tr("Predicted by formula, not measured"), 0, Face::SansStrong);
  tip.row(tr("GPU"), gpu.name);
  tip.row(tr("bandwidth"), trf("{:.0f} GB/s of DRAM, from the data sheet", gpu.bandwidthGBs));
  tip.row(tr("no cache"), trf("{}: all global loads and stores that were executed", byteText(time.executedBytes)));
  tip.row(tr("each array once"), trf("{}: as if caches served every repeated access", byteText(time.arrayBytes)));
  tip.row(tr("operations"),
          time.peakKnown ? trf("{} at the peak rate", grouped(time.flops)) : tr("left out: no peak for half"));
  tip.note(measuring::assumptions());
  tip.note(
      tr("The bars compare the chapter without caches: this launch's operations and stores, and the loads that follow "
         "from each variant's operations per byte in an interior block."));
}

/// Without a GPU: the time by the roofline of the GPU chosen in the roofline panel.
void drawPrediction(const AppState& state, const Theme& theme) {
  const Palette& colours = theme.colours();
  const measuring::GpuSpec* gpu = chosenGpu(state);
  if (gpu == nullptr || state.experiment == nullptr) {
    panelHeading(theme, tr("Predicted time"));
    label(theme, colours.textDim,
          gpu == nullptr ? tr("assets/gpus.json lists no GPU") : tr("Nothing has been executed yet."));
    return;
  }
  const experiment::Experiment& experiment = *state.experiment;
  const measuring::PredictedTime time = measuring::predictedTime(experiment, *gpu);
  if (const std::string missing = measuring::whyNotPredicted(time); !missing.empty()) {
    panelHeading(theme, tr("Predicted time"));
    ImGui::PushTextWrapPos(0);
    label(theme, colours.textDim, missing);
    ImGui::PopTextWrapPos();
    return;
  }
  const std::vector<PredictedRow> rows =
      predictedRows(state, measuring::roofOf(*gpu, measuring::computedType(experiment)));
  double shortest = std::min(time.uncachedMs, time.onceMs);
  for (const PredictedRow& row : rows) { shortest = std::min(shortest, row.milliseconds); }
  const TimeUnit unit = timeUnit(shortest);
  panelHeading(theme, trf("Predicted time: {}", gpu->name), tr("by formula, not measured"));
  ImGui::PushTextWrapPos(0);
  label(theme, colours.text,
        trf("{} at {}: {} without caches, {} with each array moved once",
            shortName(shownName(state.catalogue, experiment.file.id)), experiment.file.sizesText(experiment.bindings),
            timeText(time.uncachedMs, unit), timeText(time.onceMs, unit)));
  ImGui::PopTextWrapPos();
  if (ImGui::IsItemHovered()) { drawAssumptions(theme, *gpu, time); }
  if (ImGui::BeginChild("variants", {0, 0}, ImGuiChildFlags_NavFlattened)) { drawPredictedRows(theme, rows, unit); }
  ImGui::EndChild();
  if (ImGui::IsItemHovered()) { drawAssumptions(theme, *gpu, time); }
}

/// The samples as a line, the median as a horizontal line, p10 to p90 as a band.
void drawRing(const FieldStatus& field, const Theme& theme, ImVec2 size) {
  const Palette& colours = theme.colours();
  std::vector<double> milliseconds;
  milliseconds.reserve(field.ring.size());
  for (const TimingSample& sample : field.ring) { milliseconds.push_back(sample.milliseconds); }
  const auto [lowest, highest] = std::minmax_element(milliseconds.begin(), milliseconds.end());
  // The scale shows the spread without exaggerating a difference of one per cent.
  const double span = std::max(*highest - *lowest, 0.1 * field.medianMs);
  const double middle = (*highest + *lowest) / 2;

  const FontScope font(theme, Face::Sans, TextSize::Small);
  constexpr ImPlotFlags kFlags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs;
  if (!ImPlot::BeginPlot("###ring", size, kFlags)) { return; }
  ImPlot::SetupAxis(ImAxis_X1, nullptr, ImPlotAxisFlags_NoDecorations);
  ImPlot::SetupAxis(ImAxis_Y1, nullptr, ImPlotAxisFlags_NoHighlight);
  ImPlot::SetupAxisFormat(ImAxis_Y1, field.medianMs >= 0.1 ? "%.3f" : "%.4f");
  ImPlot::SetupAxesLimits(0, kRingShown - 1, std::max(0.0, middle - 0.75 * span), middle + 0.75 * span,
                          ImPlotCond_Always);
  ImPlot::SetupFinish();
  ImDrawList* list = ImPlot::GetPlotDrawList();
  ImPlot::PushPlotClipRect();
  const ImVec2 bandMin = ImPlot::PlotToPixels(0.0, field.p90Ms);
  const ImVec2 bandMax = ImPlot::PlotToPixels(static_cast<double>(kRingShown - 1), field.p10Ms);
  list->AddRectFilled(bandMin, bandMax, theme.faded(colours.interior, 0.16F));
  const float median = ImPlot::PlotToPixels(0.0, field.medianMs).y;
  list->AddLine({bandMin.x, median}, {bandMax.x, median}, theme.faded(colours.interior, 0.55F), theme.px(1));
  // The newest sample is at the right edge.
  std::vector<ImVec2> line;
  const double first = kRingShown - static_cast<double>(milliseconds.size());
  for (std::size_t i = 0; i < milliseconds.size(); ++i) {
    line.push_back(ImPlot::PlotToPixels(first + static_cast<double>(i), milliseconds[i]));
  }
  list->AddPolyline(line.data(), static_cast<int>(line.size()), colours.interior, theme.px(2));
  list->AddCircleFilled(line.back(), theme.px(3), colours.activeText);
  ImPlot::PopPlotClipRect();
  ImPlot::EndPlot();
}

/// Draws text ending at `right` and moves `y` below it.
void rightText(const Theme& theme, Face face, TextSize size, ImU32 colour, std::string_view text, float right,
               float& y) {
  const FontScope font(theme, face, size);
  textAt(ImGui::GetWindowDrawList(), {right - textWidth(text), y}, colour, text);
  y += ImGui::GetTextLineHeight() + theme.px(4);
}

void drawNumbers(const FieldStatus& field, const Theme& theme, ImVec2 at, ImVec2 size) {
  const Palette& colours = theme.colours();
  const float right = at.x + size.x;
  float y = at.y;
  const TimeUnit unit = timeUnit(field.medianMs);
  rightText(theme, Face::SansStrong, TextSize::Heading, colours.text, timeText(field.medianMs, unit), right, y);
  const bool disturbed = !field.disturbance.empty();
  rightText(
      theme, disturbed ? Face::SansStrong : Face::Sans, TextSize::Small, disturbed ? colours.fault : colours.textDim,
      disturbed ? tr("disturbed") : fmt::format("{} … {}", timeText(field.p10Ms, unit), timeText(field.p90Ms, unit)),
      right, y);
  rightText(theme, Face::Sans, TextSize::Body, colours.interior, fmt::format("{:.0f} GB/s", field.effectiveGBs), right,
            y);
  if (field.fractionOfCopy > 0) {
    rightText(theme, Face::Sans, TextSize::Body, colours.halo, trf("{:.2f} of copy", field.fractionOfCopy), right, y);
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("numbers", {size.x, std::max(y - at.y, 1.0F)}, ImGuiButtonFlags_EnableNav);
  if (!lastItemAsked()) { return; }
  const Tooltip tip(theme);
  tip.title(tr("One sweep, timed with GPU events"), 0, Face::SansStrong);
  tip.row(tr("median"), timeText(field.medianMs, unit));
  tip.row(tr("p10 … p90"), fmt::format("{} … {}", timeText(field.p10Ms, unit), timeText(field.p90Ms, unit)));
  tip.row(tr("sweeps"), trf("the last {}, after {} warm-up sweeps", field.ring.size(),
                            grouped(field.sweeps - std::min<std::uint64_t>(field.sweeps, field.ring.size()))));
  tip.row(tr("effective"), trf("{:.1f} GB/s: each point read once and each computed one written once a time step, {}, "
                               "divided by the median",
                               field.effectiveGBs, byteText(static_cast<std::uint64_t>(field.sweepBytes))));
  if (field.copyGBs > 0) {
    tip.row(tr("copy"), trf("{:.1f} GB/s, best of several copies measured on this GPU", field.copyGBs));
  }
  if (field.clockMHz > 0) {
    tip.row(tr("clock"), trf("{} MHz, multiprocessors, over the last two seconds", field.clockMHz));
    tip.row(tr("power"), fmt::format("{:.0f} W", field.powerWatts));
  }
  if (!field.disturbance.empty()) { tip.note(trf("Disturbed: {}.", field.disturbance), colours.fault); }
  if (field.fieldBytes < measuring::kFillsTheGpu) {
    tip.note(
        tr("A field this small fits into the caches, and launch overhead dominates. Choose a larger N in the field "
           "panel for a meaningful time."));
  }
}

void drawTimings(AppState& state, const Theme& theme, const PanelTools&) {
  const FieldStatus& field = state.field;
  const bool timed = !field.ring.empty() && field.medianMs > 0;
  const bool looking = field.preparing && field.path == FieldPath::None;
  if (state.gpuName.empty() && !looking) {
    drawPrediction(state, theme);
    return;
  }
  panelHeading(theme, tr("Live timings"), timed ? captionOf(field) : std::string());
  if (!timed) {
    drawMissing(state, theme);
    return;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float numbers = std::min(theme.px(148), room.x * 0.45F);
  const float plot = room.x - numbers - theme.px(12);
  drawRing(field, theme, {plot, std::max(room.y, theme.px(48))});
  drawNumbers(field, theme, {at.x + plot + theme.px(12), at.y}, {numbers, room.y});
}

}  // namespace

extern const Panel kTimingsPanel = {.tab = Tab::Timings, .title = trMark("Timings"), .draw = drawTimings};

}  // namespace haloscope::ui
