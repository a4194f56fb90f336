#include "actions/PanelCaption.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "actions/Choices.h"
#include "actions/ChosenGpu.h"
#include "language/Text.h"

namespace haloscope {

namespace {

std::string extentText(const Dim3& size) { return fmt::format("{}×{}×{}", size.x, size.y, size.z); }

/// Whether a panel shows the field that is swept, or its times.
bool showsField(const AppState& state, Tab panel) {
  return panel == Tab::Field || panel == Tab::Playground || (panel == Tab::Timings && !state.gpuName.empty());
}

/// The values with which the numbers of a panel came about.
Bindings bindingsOf(const AppState& state, const experiment::Experiment& shown, Tab panel) {
  const measuring::TuningMap* const map = state.tuning.map.get();
  if (panel == Tab::Tuning && map != nullptr && map->kernel == shown.file.id) {
    Bindings fixed = map->bindings;
    fixed.erase(map->columns.name);
    fixed.erase(map->rows.name);
    return fixed;
  }
  Bindings bindings = shown.bindings;
  if (showsField(state, panel)) {  // it has a size of its own
    for (const SizeParameter& size : shown.file.sizes) { bindings.erase(size.name); }
  }
  return bindings;
}

std::string kernelLine(const AppState& state, const experiment::Experiment& shown, Tab panel) {
  std::string line = shownName(state.catalogue, shown.file.id);
  if (!shown.file.title.empty()) { line += fmt::format(" ({})", tr(shown.file.title)); }
  for (const auto& [name, value] : bindingsOf(state, shown, panel)) {
    line += fmt::format(" · {} = {}", name, shown.file.valueText(name, value));
  }
  if (showsField(state, panel) && !state.field.extents.empty()) {
    line += " · " + trf("a field of {}", fmt::format("{}", fmt::join(state.field.extents, "×")));
  }
  return line;
}

std::string stepLine(const AppState& state, const experiment::Experiment& shown) {
  const recording::Cursor& cursor = state.cursor;
  std::string line = trf("block ({}, {}, {}) of {}, {} threads", shown.block.x, shown.block.y, shown.block.z,
                         extentText(shown.configuration.grid), extentText(shown.configuration.block));
  line += " · " + trf("step {} of {}", cursor.position(), cursor.end());
  if (const recording::Step* step = cursor.current()) {
    line += " · " + trf("line {}", shown.program->statements[step->statement].range.line);
  }
  return line;
}

/// Who swept the field.
std::string sweptLine(const AppState& state) {
  const FieldStatus& field = state.field;
  if (field.path == FieldPath::None) { return tr("nothing was swept"); }
  if (field.sweeps == 0 && !field.painted) { return tr("the field before the first sweep"); }
  return field.path == FieldPath::Emulator ? tr("swept by Haloscope's emulator") : trf("swept on {}", state.gpuName);
}

std::string timedLine(const AppState& state) {
  if (state.gpuName.empty()) {
    const measuring::GpuSpec* const gpu = chosenGpu(state);
    return gpu == nullptr ? std::string() : trf("predicted for {} by formula, not measured", gpu->name);
  }
  if (state.field.ring.empty() || state.field.path == FieldPath::None) { return tr("nothing was timed"); }
  return state.field.path == FieldPath::Emulator ? tr("timed on Haloscope's emulator")
                                                 : trf("timed on {}", state.gpuName);
}

/// Of the panels with the launch's counts.
std::string countedLine(const AppState& state, const experiment::Experiment& shown, Tab panel) {
  std::string line = tr("counted by Haloscope's emulator");
  if (const measuring::HardwareReading* reading = state.hardware.of(shown.file, shown.bindings)) {
    line += " · " + trf("measured with the hardware counters of {}", reading->gpu);
  }
  if (panel != Tab::Roofline) { return line; }
  const std::optional<Roofs> roofs = roofsOf(state);
  if (roofs && roofs->measured) { line += " · " + trf("roof measured on {}", state.gpuName); }
  const measuring::GpuSpec* const gpu = predictedGpu(state);
  if (roofs && gpu != nullptr) { line += " · " + trf("roof of {} from its data sheet", gpu->name); }
  return line;
}

/// Where the numbers come from; empty where there are none.
std::string sourceLine(const AppState& state, const experiment::Experiment& shown, Tab panel) {
  switch (panel) {
    case Tab::Tuning:
      if (state.tuning.map == nullptr) { return {}; }
      return state.tuning.map->timing ? trf("timed on {}", state.tuning.map->gpu)
                                      : trf("computed for {}, not measured", state.tuning.map->gpu);
    case Tab::Field:
    case Tab::Playground:
      return sweptLine(state);
    case Tab::Timings:
      return timedLine(state);
    case Tab::OpPerByte:
    case Tab::Roofline:
      return countedLine(state, shown, panel);
    default:
      if (!followsCursor(panel) || state.cursor.empty()) { break; }
      if (state.cursor.recording().source == recording::Recording::Source::Emulator) { break; }
      return trf("recorded on {}", state.gpuName);
  }
  return tr("executed on Haloscope's emulator");
}

}  // namespace

bool followsCursor(Tab panel) {
  constexpr std::array kFollowing = {Tab::Source, Tab::Block, Tab::Memory, Tab::Addresses, Tab::Origins, Tab::Timeline};
  return std::ranges::find(kFollowing, panel) != kFollowing.end();
}

bool showsExperiment(Tab panel) {
  constexpr std::array kOthers = {Tab::Figures, Tab::Program,   Tab::Compare, Tab::Climb,
                                  Tab::Lesson,  Tab::Exercises, Tab::BugLab};
  return std::ranges::find(kOthers, panel) == kOthers.end();
}

std::vector<std::string> panelCaption(const AppState& state, Tab panel) {
  if (panel == Tab::Compare) {
    std::vector<std::string> lines;
    for (const ComparedVariant& one : state.comparison.variants) {
      if (one.shown()) { lines.push_back(kernelLine(state, *one.block.experiment, panel)); }
    }
    if (!lines.empty()) { lines.emplace_back(tr("executed on Haloscope's emulator")); }
    return lines;
  }
  if (state.experiment == nullptr || !showsExperiment(panel)) { return {}; }
  const experiment::Experiment& shown = *state.experiment;
  std::vector<std::string> lines = {kernelLine(state, shown, panel)};
  std::string below = sourceLine(state, shown, panel);
  if (followsCursor(panel) && !state.cursor.empty()) { below = stepLine(state, shown) + " · " + below; }
  if (!below.empty()) { lines.push_back(std::move(below)); }
  return lines;
}

}  // namespace haloscope
