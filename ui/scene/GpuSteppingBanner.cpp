#include "ui/scene/GpuSteppingBanner.h"

#include <fmt/format.h>
#include <imgui.h>

#include "actions/ViewActions.h"
#include "language/Text.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

bool shown(const AppState& state) {
  const GpuStepping& stepping = state.gpuStepping;
  return stepping.recorded != nullptr && state.experiment == stepping.recorded->experiment;
}

}  // namespace

std::string gpuSteppingSentence(const AppState& state) {
  const GpuStepping& stepping = state.gpuStepping;
  if (!stepping.wanted) { return {}; }
  if (!stepping.problem.empty()) { return stepping.problem; }
  if (!shown(state)) { return tr("The GPU is running the block…"); }
  if (!stepping.agreement) { return trf("As {} ran it; the comparison with the emulator is running.", stepping.gpu); }
  const recording::RecordingAgreement& agreement = *stepping.agreement;
  if (!agreement.same()) {
    return trf("As {} ran it, which differs from the emulator: {} values differ, {} are missing; first {}.",
               stepping.gpu, grouped(agreement.different), grouped(agreement.missing),
               agreement.first ? agreement.first->sentence : "");
  }
  return trf("As {} ran it: {} accesses and {} assignments, {} the emulator's.", stepping.gpu,
             grouped(agreement.accesses), grouped(agreement.assignments),
             agreement.uncertain == 0 ? tr("bitwise equal to") : tr("equal, except for atomics, to"));
}

/// Where the scene's values came from. Only floats are drawn from the shared buffer; see render::RecordedValues.
std::string pathSentence(const AppState& state) {
  if (!state.gpuStepping.copyReason.empty()) {
    return trf("The values were copied through the host: {}.", state.gpuStepping.copyReason);
  }
  const experiment::Experiment& experiment = *state.experiment;
  const ObjectId output = experiment.footprint.output;
  const ValueType type = output == kNone ? ValueType::F32 : experiment.program->objects[output].element;
  if (type != ValueType::F32) {
    return trf(
        "The scene's values, of type {}, are copied through the host; floats would be drawn from the buffer "
        "that CUDA and OpenGL share.",
        realTypeName(type));
  }
  return tr("The scene's values are drawn from what the threads logged, in a buffer that CUDA and OpenGL share.");
}

void drawGpuSteppingBanner(AppState& state, const Theme& theme, float width) {
  const std::string sentence = gpuSteppingSentence(state);
  if (sentence.empty()) { return; }
  const GpuStepping& stepping = state.gpuStepping;
  const Palette& colours = theme.colours();
  const bool wrong = !stepping.problem.empty() || (shown(state) && stepping.agreement && !stepping.agreement->same());
  const FontScope font(theme, Face::Sans, TextSize::Small);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  label(theme, wrong ? colours.halo : colours.text, sentence);
  ImGui::PopTextWrapPos();
  if (shown(state)) {
    const measuring::GpuRecording& run = stepping.recorded->run;
    const std::string path = pathSentence(state);
    ImGui::SetItemTooltip(
        "%s", trf("rewriting and compiling {:.0f} ms, the instrumented launch {:.2f} ms (events), reading its "
                  "words {:.0f} ms, from key press to picture {:.0f} ms\ncompiled so that products and sums are "
                  "rounded separately\n{} uninitialised values, and {} that depend on the order of atomic "
                  "operations, are not compared\n{}",
                  run.compileSeconds * 1e3, run.runMilliseconds, run.readSeconds * 1e3,
                  stepping.recorded->seconds * 1e3, stepping.agreement ? stepping.agreement->indeterminate : 0,
                  stepping.agreement ? stepping.agreement->uncertain : 0, path)
                  .c_str());
  }
  if (wrong && shown(state) && stepping.agreement && stepping.agreement->first) {
    if (ImGui::SmallButton(tr("Go to the first difference"))) {
      state.cursor.goTo(stepping.agreement->first->step + 1);
      state.playback.playing = false;
    }
    ImGui::SameLine();
  }
  if (shown(state)) {
    if (ImGui::SmallButton(stepping.byClock ? tr("Warps side by side") : tr("In clock order"))) {
      state.gpuStepping.byClock = !stepping.byClock;
    }
    ImGui::SetItemTooltip("%s", stepping.byClock
                                    ? tr("a step is a statement, executed by all the warps that have reached it")
                                    : tr("a step is a statement of one warp, in the order of the "
                                         "multiprocessor's clock"));
    ImGui::SameLine();
  }
  if (ImGui::SmallButton((trf("Back to the emulator ({})", keyText(toggleGpuStepping)) + "###emulator").c_str())) {
    state.gpuStepping.wanted = false;
  }
}

}  // namespace haloscope::ui
