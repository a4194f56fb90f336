#include "ui/panels/HardwareLine.h"

#include <fmt/format.h>
#include <imgui.h>

#include <cmath>

#include "actions/Choices.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

std::string countText(double number) { return grouped(static_cast<std::uint64_t>(std::llround(number))); }

}  // namespace

float measureLink(AppState& state, const Theme& theme, float right, float top) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const Palette& colours = theme.colours();
  const std::string& measuring = state.hardware.measuring;
  const std::string text = measuring.empty() ? tr("measure") : trf("measuring {} …", shortName(measuring));
  const ImVec2 size{textWidth(text), ImGui::GetTextLineHeight()};
  ImGui::SetCursorPos({right - size.x, top});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("measure", size, ImGuiButtonFlags_EnableNav) && measuring.empty()) {
    readHardwareCounters(state);
  }
  const bool asked = lastItemAsked();
  textAt(ImGui::GetWindowDrawList(), at,
         !measuring.empty() ? colours.textDim
         : asked            ? colours.text
                            : colours.accent,
         text);
  if (asked) {
    const Tooltip tip(theme);
    tip.title(trf("Read the GPU's hardware counters ({})", keyText(readHardwareCounters)), 0, Face::SansStrong);
    tip.note(
        tr("The kernel runs on the GPU at a size that exceeds the caches; the counters measure DRAM and cache traffic. "
           "This variant is measured first, then the others of its shape."));
    if (state.gpuName.empty() && !state.gpuMissing.empty()) {
      tip.note(trf("Missing: {}", state.gpuMissing), colours.text);
    }
  }
  return size.x + theme.px(10);
}

const measuring::HardwareReading* shownReading(const AppState& state) {
  return state.experiment == nullptr ? nullptr : state.hardware.of(state.experiment->file, state.experiment->bindings);
}

std::string hardwareLine(const AppState& state) {
  if (const measuring::HardwareReading* reading = shownReading(state)) { return measuring::cacheLine(*reading); }
  if (!state.hardware.missing.empty()) { return trf("No hardware counters: {}.", state.hardware.missing); }
  const auto problem = state.experiment == nullptr ? state.hardware.problems.end()
                                                   : state.hardware.problems.find(state.experiment->file.id);
  return problem == state.hardware.problems.end() ? std::string() : trf("Not measured: {}", problem->second);
}

void hardwareTooltip(const AppState& state, const Theme& theme) {
  const Tooltip tip(theme);
  const measuring::HardwareReading* const reading = shownReading(state);
  if (reading == nullptr) {
    tip.note(hardwareLine(state), theme.colours().text);
    return;
  }
  tip.title(trf("counted by {}", reading->gpu), 0, Face::SansStrong);
  for (const measuring::CounterAgreement& one : measuring::agreements(*reading)) {
    const auto difference = one.difference();
    tip.row(one.what, trf("{}, emulator {} ({})", countText(one.hardware), countText(one.emulator),
                          difference ? fmt::format("{:+.2f} %", 100 * *difference) : tr("no hardware value")));
  }
  const hardware::Counters& counters = reading->counters;
  tip.row(tr("L2 sectors"),
          trf("{} read, {} written", countText(counters.l2ReadSectors), countText(counters.l2WriteSectors)));
  tip.row("DRAM", trf("{} read, {} written", byteText(static_cast<std::uint64_t>(counters.dramReadBytes)),
                      byteText(static_cast<std::uint64_t>(counters.dramWrittenBytes))));
  tip.row(tr("occupancy"),
          trf("{} achieved, {} possible", percentText(counters.occupancy), percentText(reading->theoreticalOccupancy)));
  for (const auto& [name, value] : reading->bindings) { tip.row(name, state.experiment->file.valueText(name, value)); }
  tip.note(measuring::cacheSentence(*reading), theme.colours().text);
  tip.note(measuring::timeSentence(*reading), theme.colours().text);
}

}  // namespace haloscope::ui
