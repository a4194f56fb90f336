#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>

#include "actions/BugLabTasks.h"
#include "actions/Findings.h"
#include "actions/LessonFollowing.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The bug lab: kernels with one fault each, a hint for each, and the findings once the user asks for them.
namespace haloscope::ui {
namespace {

const char* progressWord(const LabProgress& progress) {
  if (progress.solved) { return progress.revealed ? tr("solved with help") : tr("solved"); }
  return progress.revealed ? tr("revealed") : progress.hint ? tr("with hint") : "";
}

std::string titleOf(const AppState& state, const BugTask& task) {
  const auto progress = state.labProgress.find(task.id);
  const char* word = progress != state.labProgress.end() ? progressWord(progress->second) : "";
  const std::string stars(static_cast<std::size_t>(task.difficulty), '*');
  const std::string title = fmt::format("{} {}", tr(task.title), stars);
  return *word == '\0' ? title : fmt::format("{} ({})", title, word);
}

/// A drop-down list of the tasks, and how many are solved.
void drawChoice(AppState& state, const Theme& theme) {
  const BugTask* current = labTask(state);
  const auto& tasks = state.bugLab.tasks();
  const auto solved = std::ranges::count_if(tasks, [&](const BugTask& t) { return state.labProgress[t.id].solved; });
  const std::string count = trf("{} of {} solved", solved, tasks.size());
  theme.push(Face::Sans, TextSize::Small);
  const float room = textWidth(count) + theme.px(8);
  theme.pop();
  ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x - room, theme.px(120)));
  const std::string shown = current != nullptr ? titleOf(state, *current) : tr("choose a task");
  if (ImGui::BeginCombo("##task", shown.c_str(), ImGuiComboFlags_HeightLarge)) {
    for (const BugTask& task : tasks) {
      const bool chosen = &task == current;
      if (ImGui::Selectable((titleOf(state, task) + "###" + task.id).c_str(), chosen)) { openLabTask(state, task); }
      if (chosen) { ImGui::SetItemDefaultFocus(); }
    }
    ImGui::EndCombo();
  }
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  label(theme, theme.colours().textDim, count);
}

void drawButtons(AppState& state, LabProgress& progress) {
  if (ImGui::Button(state.editing.open ? tr("Read") : tr("Edit"))) { toggleEditor(state); }
  if (!progress.hint) {
    ImGui::SameLine();
    if (ImGui::Button(tr("Show hint"))) { progress.hint = true; }
  }
  if (!progress.revealed && !progress.solved) {
    ImGui::SameLine();
    if (ImGui::Button(tr("Reveal"))) { progress.revealed = true; }
    ImGui::SetItemTooltip("%s", tr("Show the findings of this kernel"));
  }
}

/// Where the task belongs in the course: a click opens the lesson.
void drawLessonOfTask(AppState& state, const Theme& theme, const BugTask& task) {
  label(theme, theme.colours().textDim, trf("difficulty {} of 3", task.difficulty));
  const lessons::Course* const course = state.lesson.course.get();
  const lessons::Lesson* const lesson = course != nullptr ? course->find(task.lesson) : nullptr;
  if (lesson == nullptr) { return; }
  ImGui::SameLine();
  const FontScope font(theme, Face::Sans, TextSize::Small);
  if (ImGui::SmallButton((trf("lesson: {}", lesson->title) + "###lesson").c_str())) {
    openLesson(state, task.lesson);
    state.view.tabs.bringToFront(Tab::Lesson);
  }
}

void drawTask(AppState& state, const Theme& theme, const BugTask& task) {
  const Palette& colours = theme.colours();
  LabProgress& progress = state.labProgress[task.id];
  drawButtons(state, progress);
  drawLessonOfTask(state, theme, task);
  ImGui::PushTextWrapPos(0);
  label(theme, colours.text, tr(task.task));
  const std::string sentence = labSentence(state);
  const bool right = state.report != nullptr && state.report->lab && state.report->lab->solved;
  if (!sentence.empty()) {
    label(theme, right ? colours.good : colours.fault, sentence);
  } else if (progress.solved) {
    label(theme, colours.good, tr("You have solved it."));
  }
  if (progress.hint) { label(theme, colours.halo, tr(task.hint)); }
  if (progress.revealed && !progress.solved) {
    label(theme, colours.textDim, tr("The findings show where the fault is. Fix it in the source."));
  }
  ImGui::PopTextWrapPos();
}

void drawBugLab(AppState& state, const Theme& theme, const PanelTools&) {
  const FontScope font(theme, Face::Sans, TextSize::Body);
  drawChoice(state, theme);
  if (const BugTask* task = labTask(state)) {
    drawTask(state, theme, *task);
    return;
  }
  ImGui::PushTextWrapPos(0);
  label(theme, theme.colours().textDim, tr("Each task is a kernel with one fault. Find it and fix it in the source."));
  ImGui::PopTextWrapPos();
}

constexpr std::array kBugLabKeys = {
    Shortcut{.act = toggleTab<Tab::BugLab>, .group = KeyGroup::Text, .text = trMark("the bug lab"), .keys = ImGuiKey_U},
};

}  // namespace

extern const Panel kBugLabPanel = {
    .tab = Tab::BugLab, .title = trMark("Bug lab"), .draw = drawBugLab, .shortcuts = kBugLabKeys};

}  // namespace haloscope::ui
