#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>

#include "ui/BugLabTasks.h"
#include "ui/Findings.h"
#include "ui/Keyboard.h"
#include "ui/Panels.h"
#include "ui/Widgets.h"

/// Kernels with one fault each, to be found: the tasks, a hint for each, and the findings when the person gives up.
namespace haloscope::ui {
namespace {

const char* progressWord(const LabProgress& progress) {
  if (progress.solved) { return progress.revealed ? "solved with help" : "solved"; }
  return progress.revealed ? "revealed" : progress.hint ? "with hint" : "";
}

void drawList(AppState& state, const Theme& theme) {
  const BugTask* current = labTask(state);
  for (const BugTask& task : state.bugLab.tasks()) {
    const LabProgress& progress = state.labProgress[task.id];
    ImGui::PushID(task.id.c_str());
    if (ImGui::Selectable(task.title.c_str(), &task == current)) { openLabTask(state, task); }
    ImGui::PopID();
    const std::string word = progressWord(progress);
    if (word.empty()) { continue; }
    const FontScope font(theme, Face::Sans, TextSize::Small);
    const ImVec2 end = ImGui::GetItemRectMax();
    textAt(ImGui::GetWindowDrawList(), {end.x - textWidth(word) - theme.px(6), ImGui::GetItemRectMin().y + theme.px(3)},
           progress.solved ? theme.colours().good : theme.colours().textDim, word);
  }
}

void drawTask(AppState& state, const Theme& theme) {
  const Palette& colours = theme.colours();
  const BugTask* task = labTask(state);
  if (task == nullptr) {
    label(theme, colours.textDim,
          "Choose a task: its kernel opens with one fault in it. Find it and mend it in the text.");
    return;
  }
  LabProgress& progress = state.labProgress[task->id];
  ImGui::PushTextWrapPos(0);
  label(theme, colours.text, task->title, Face::SansStrong, TextSize::Body);
  label(theme, colours.text, task->task);
  if (progress.hint) { label(theme, colours.halo, task->hint); }
  if (progress.solved) {
    label(theme, colours.good, "Solved: the checks find nothing any more.");
  } else if (progress.revealed) {
    label(theme, colours.textDim, "The findings say where the fault is. Mend it in the text.");
  }
  ImGui::PopTextWrapPos();
  if (!progress.hint) {
    if (ImGui::Button("Show hint")) { progress.hint = true; }
    ImGui::SameLine();
  }
  if (!progress.revealed && !progress.solved) {
    if (ImGui::Button("Reveal")) { progress.revealed = true; }
    ImGui::SetItemTooltip("show the findings of this kernel");
    ImGui::SameLine();
  }
  if (ImGui::Button(state.editing.open ? "Read" : "Edit")) { perform(state, Action::Edit); }
}

}  // namespace

void drawBugLab(AppState& state, const Theme& theme) {
  if (!state.view.showBugLab) { return; }
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos({viewport->Pos.x + viewport->Size.x / 2, viewport->Pos.y + theme.px(80)}, ImGuiCond_Appearing,
                          {0.5F, 0});
  ImGui::SetNextWindowSize({theme.px(480), theme.px(400)}, ImGuiCond_Appearing);
  const FontScope font(theme, Face::Sans, TextSize::Body);
  constexpr ImGuiWindowFlags kFlags =
      ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse;
  if (ImGui::Begin("Bug lab", &state.view.showBugLab, kFlags)) {
    const auto& tasks = state.bugLab.tasks();
    const auto solved = std::ranges::count_if(tasks, [&](const BugTask& t) { return state.labProgress[t.id].solved; });
    label(theme, theme.colours().textDim, fmt::format("{} of {} solved", solved, tasks.size()));
    if (ImGui::BeginChild("tasks", {0, ImGui::GetContentRegionAvail().y * 0.5F}, ImGuiChildFlags_Borders)) {
      drawList(state, theme);
    }
    ImGui::EndChild();
    drawTask(state, theme);
  }
  ImGui::End();
}

}  // namespace haloscope::ui
