#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "actions/Choices.h"
#include "actions/ChosenGpu.h"
#include "language/Text.h"
#include "measuring/GpuSpecs.h"
#include "program/Program.h"
#include "ui/panels/HardwareLine.h"
#include "ui/panels/RooflinePlot.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The roofline: the bound of each variant of the chapter on a GPU, and what the current one achieved.
namespace haloscope::ui {
namespace {

/// Minimum height of a readable plot.
constexpr float kLeastRooflinePlot = 130;

/// The GPU to predict for, at the right of the heading.
void drawGpuChoice(AppState& state, const Theme& theme, ValueType type) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const auto last = static_cast<int>(state.gpuSpecs.size()) - 1;
  const measuring::GpuSpec* const predicted = predictedGpu(state);
  const std::string shown = predicted != nullptr ? predicted->name : tr("this GPU");
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(theme.px(6), theme.px(2)));
  if (ImGui::BeginCombo("##gpu", shown.c_str(), ImGuiComboFlags_HeightLargest)) {
    if (state.measuredCopyGBs > 0 && ImGui::Selectable(tr("this GPU"), predicted == nullptr)) {
      state.view.gpuSpec = -1;
    }
    for (int i = 0; i <= last; ++i) {
      const measuring::GpuSpec& spec = state.gpuSpecs[static_cast<std::size_t>(i)];
      if (ImGui::Selectable(spec.name.c_str(), &spec == predicted)) { state.view.gpuSpec = i; }
    }
    ImGui::EndCombo();
  } else if (lastItemAsked()) {
    const Tooltip tip(theme);
    tip.title(shown, 0, Face::SansStrong);
    if (predicted == nullptr) {
      tip.row(tr("copy"), trf("{} GB/s, measured", grouped(static_cast<std::uint64_t>(state.measuredCopyGBs))));
      tip.row("FP32", trf("{} GFLOP/s, measured", grouped(static_cast<std::uint64_t>(state.measuredFp32GFlops))));
      if (state.measuredFp64GFlops > 0) {
        tip.row("FP64", trf("{} GFLOP/s, measured", grouped(static_cast<std::uint64_t>(state.measuredFp64GFlops))));
      }
    } else {
      tip.row("DRAM", grouped(static_cast<std::uint64_t>(predicted->bandwidthGBs)) + " GB/s");
      tip.row("FP32", grouped(static_cast<std::uint64_t>(predicted->fp32GFlops)) + " GFLOP/s");
      tip.row("FP64", grouped(static_cast<std::uint64_t>(predicted->fp64GFlops)) + " GFLOP/s");
      if (type == ValueType::F16) { tip.row("FP16", tr("not in the list: only the slope bounds half")); }
      tip.row(tr("multiprocessors"), std::to_string(predicted->multiprocessors));
      tip.row(tr("capability"), predicted->computeCapability);
      tip.note(predicted->source);
    }
  }
  ImGui::PopStyleVar();
}

/// Explains the length of the current variant's arrow; empty if there is no arrow.
std::string sentenceOf(const AppState& state) {
  const measuring::HardwareReading* const reading = shownReading(state);
  return reading == nullptr ? std::string() : measuring::cacheSentence(*reading);
}

/// Height of the explanation below the plot; 0 if the plot would become too low (it is then in the arrow's tooltip).
float sentenceHeight(const AppState& state, const Theme& theme) {
  const std::string sentence = sentenceOf(state);
  if (sentence.empty()) { return 0; }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float height =
      ImGui::CalcTextSize(sentence.c_str(), nullptr, false, room.x).y + ImGui::GetStyle().ItemSpacing.y;
  return room.y - height < theme.px(kLeastRooflinePlot) ? 0 : height;
}

void drawSentence(const AppState& state, const Theme& theme) {
  ImGui::PushTextWrapPos(0);
  label(theme, theme.colours().textDim, sentenceOf(state));
  ImGui::PopTextWrapPos();
}

void drawRoofline(AppState& state, const Theme& theme, const PanelTools&) {
  const float top = ImGui::GetCursorPosY();
  const float left = ImGui::GetCursorPosX();
  const float width = ImGui::GetContentRegionAvail().x;
  panelHeading(theme, tr("Roofline"));
  const std::optional<Roofs> roofs = roofsOf(state);
  if (!roofs) {
    label(theme, theme.colours().textDim, tr("No GPU data: assets/gpus.json could not be read."));
    return;
  }
  float titleWidth = 0;
  {
    const FontScope font(theme, Face::SansStrong, TextSize::Body);
    titleWidth = textWidth(tr("Roofline")) + theme.px(8);
  }
  const float below = ImGui::GetCursorPosY();
  if (!state.gpuSpecs.empty()) {
    {
      const FontScope font(theme, Face::Sans, TextSize::Small);
      const char* note = !roofs->measured   ? tr("predicted bound")
                         : roofs->predicted ? tr("dashed: predicted")
                                            : tr("measured");
      textAt(ImGui::GetWindowDrawList(),
             {ImGui::GetWindowPos().x + left + titleWidth, ImGui::GetWindowPos().y + top + theme.px(2)},
             theme.colours().textDim, note);
      titleWidth += textWidth(note) + theme.px(10);
    }
    const float combo = std::min(width - titleWidth, theme.px(210));
    ImGui::SetCursorPos({left + width - combo, top - theme.px(2)});
    ImGui::SetNextItemWidth(combo);
    drawGpuChoice(state, theme, roofs->type);
    ImGui::SetCursorPos({left, std::max(below, ImGui::GetCursorPosY())});
  }
  const float sentence = sentenceHeight(state, theme);
  drawRooflinePlot(state, theme, *roofs, sentence);
  if (sentence > 0) { drawSentence(state, theme); }
}

}  // namespace

extern const Panel kRooflinePanel = {.tab = Tab::Roofline, .title = trMark("Roofline"), .draw = drawRoofline};

}  // namespace haloscope::ui
