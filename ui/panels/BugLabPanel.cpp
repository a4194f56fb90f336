#include <imgui.h>

#include <array>
#include <string>
#include <utility>

#include "actions/BugLabTasks.h"
#include "actions/Findings.h"
#include "actions/LessonFollowing.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "ui/panels/LabGallery.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The bug lab: kernels with one fault each, a hint for each, and the findings once the user asks for them.
namespace haloscope::ui {
namespace {

/// The task's title, and the way to all of them. Without a task they are shown as soon as the panel is.
void drawChoice(AppState& state, const Theme& theme) {
  const BugTask* const current = labTask(state);
  const char* const all = tr("All tasks");
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  const float button = textWidth(all) + 2 * ImGui::GetStyle().FramePadding.x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (current != nullptr) {
    const FontScope font(theme, Face::SansStrong, TextSize::Body);
    clippedTextAt(ImGui::GetWindowDrawList(), {at.x, at.y + ImGui::GetStyle().FramePadding.y},
                  right - ImGui::GetCursorPosX() - button - theme.px(12), theme.colours().text, tr(current->title));
  }
  ImGui::SetCursorPosX(current != nullptr ? right - button : ImGui::GetCursorPosX());
  const bool asked = ImGui::Button((std::string(all) + "###all").c_str());
  const bool appears = current == nullptr && ImGui::IsWindowAppearing();
  if (asked || appears || std::exchange(state.view.openLab, false)) { openLabGallery(); }
  drawLabGallery(state, theme);
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
