#include "state/PanelCaption.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "language/Text.h"
#include "state/Choices.h"

namespace haloscope {

namespace {

std::string extentText(const Dim3& size) { return fmt::format("{}×{}×{}", size.x, size.y, size.z); }

std::string kernelLine(const AppState& state, const experiment::Experiment& shown) {
  std::string line = shownName(state.catalogue, shown.file.id);
  if (!shown.file.title.empty()) { line += fmt::format(" ({})", tr(shown.file.title)); }
  for (const auto& [name, value] : shown.bindings) {
    line += fmt::format(" · {} = {}", name, shown.file.valueText(name, value));
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

/// Where the numbers come from.
std::string sourceLine(const AppState& state, Tab panel) {
  switch (panel) {
    case Tab::Tuning:
      if (state.tuning.map == nullptr) { break; }
      return state.tuning.map->timing ? trf("timed on {}", state.tuning.map->gpu)
                                      : trf("computed for {}, not measured", state.tuning.map->gpu);
    case Tab::Timings:
    case Tab::Field:
    case Tab::Playground:
      if (state.gpuName.empty()) { break; }
      return trf("executed and timed on {}", state.gpuName);
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

std::vector<std::string> panelCaption(const AppState& state, Tab panel) {
  if (state.experiment == nullptr) { return {}; }
  const experiment::Experiment& shown = *state.experiment;
  std::vector<std::string> lines = {kernelLine(state, shown)};
  std::string below = sourceLine(state, panel);
  if (followsCursor(panel) && !state.cursor.empty()) { below = stepLine(state, shown) + " · " + below; }
  lines.push_back(std::move(below));
  return lines;
}

}  // namespace haloscope
