#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>

#include "actions/LessonFollowing.h"
#include "actions/MakeActions.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "state/AppState.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/Widgets.h"

/// Tasks in which a kernel is written: the task, its help level by level, the verdict, the goals, the place on the
/// climb.
namespace haloscope::ui {

namespace {

using making::MadeKernel;
using making::MakeTask;

void makeText(const Theme& theme, ImU32 colour, const std::string& text, TextSize size = TextSize::Body) {
  if (text.empty()) { return; }
  label(theme, colour, wrapped(theme, text, ImGui::GetContentRegionAvail().x, Face::Sans, size), Face::Sans, size);
}

void makeGap(const Theme& theme, float pixels) { ImGui::Dummy({0, theme.px(pixels)}); }

void makeHeading(const Theme& theme, const char* text) {
  makeGap(theme, 6);
  ImGui::Separator();
  makeGap(theme, 2);
  label(theme, theme.colours().text, text, Face::SansStrong, TextSize::Body);
}

const char* progressMark(const AppState& state, const MakeTask& task) {
  const auto found = state.make.progress.find(task.id);
  if (found == state.make.progress.end()) { return ""; }
  return found->second.solved ? tr("solved") : found->second.right ? tr("right") : "";
}

std::string makeTitle(const AppState& state, const MakeTask& task) {
  const char* const mark = progressMark(state, task);
  return *mark == '\0' ? std::string(tr(task.skeleton.title)) : fmt::format("{}  · {}", tr(task.skeleton.title), mark);
}

void drawMakeChoice(AppState& state, const MakeTask* current) {
  ImGui::SetNextItemWidth(-1);
  const std::string preview = current != nullptr ? makeTitle(state, *current) : std::string(tr("Choose a task"));
  if (!ImGui::BeginCombo("##make task", preview.c_str(), ImGuiComboFlags_HeightLargest)) { return; }
  for (const MakeTask& task : state.make.tasks) {
    if (ImGui::Selectable((makeTitle(state, task) + "###" + task.id).c_str(), &task == current)) {
      openMakeTask(state, task);
      if (!state.editing.open) { toggleEditor(state); }
    }
  }
  ImGui::EndCombo();
}

void drawMakeButtons(AppState& state, const MakeTask& task) {
  const std::string edit = fmt::format("{}###edit", state.editing.open ? tr("Read") : tr("Write"));
  if (ImGui::Button(edit.c_str())) { toggleEditor(state); }
  ImGui::SameLine();
  const bool judging = state.make.asked.task == task.id && state.make.made == nullptr;
  ImGui::BeginDisabled(judging || (shownVerdict(state) != nullptr && !verdictIsOld(state)));
  if (ImGui::Button((std::string(tr("Check")) + "###check").c_str())) { checkSolution(state); }
  ImGui::EndDisabled();
  constexpr std::array kNext = {trMark("Show the sketch"), trMark("Show the outline"), trMark("Show hints")};
  const MakeHelp help = state.make.progress[task.id].help;
  if (help == MakeHelp::Hints) { return; }
  ImGui::SameLine();
  const std::string next = fmt::format("{}###help", tr(kNext.at(static_cast<std::size_t>(help))));
  if (ImGui::Button(next.c_str())) { showMoreHelp(state); }
}

void drawLessonLink(AppState& state, const Theme& theme, const MakeTask& task) {
  const lessons::Course* const course = state.lesson.course.get();
  const lessons::Lesson* const lesson = course != nullptr ? course->find(task.lesson) : nullptr;
  if (lesson == nullptr) { return; }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  if (ImGui::Button((trf("lesson: {}", lesson->title) + "###lesson").c_str())) {
    openLesson(state, task.lesson);
    state.view.tabs.bringToFront(Tab::Lesson);
  }
}

/// What is wanted, and beside it what the judged kernel comes to.
void drawGoals(const Theme& theme, const MakeTask& task, const MadeKernel* made) {
  if (task.goals.empty()) { return; }
  const Palette& colours = theme.colours();
  makeHeading(theme, tr("Goals"));
  const FontScope font(theme, Face::Sans, TextSize::Small);
  if (!ImGui::BeginTable("goals", 2, ImGuiTableFlags_SizingStretchProp)) { return; }
  ImGui::TableSetupColumn("says", ImGuiTableColumnFlags_WidthStretch, 1.7F);
  ImGui::TableSetupColumn("has", ImGuiTableColumnFlags_WidthStretch, 1);
  for (std::size_t i = 0; i < task.goals.size(); ++i) {
    ImGui::TableNextColumn();
    makeText(theme, colours.text, tr(task.goals[i].says), TextSize::Small);
    ImGui::TableNextColumn();
    if (made != nullptr && i < made->goals.size()) {
      const making::ReachedGoal& goal = made->goals[i];
      makeText(theme, goal.reached ? colours.good : colours.fault, goal.text(), TextSize::Small);
    } else {
      makeText(theme, colours.textDim, task.wanted(task.goals[i]), TextSize::Small);
    }
  }
  ImGui::EndTable();
}

void drawPlace(AppState& state, const Theme& theme, const MadeKernel& made) {
  const Palette& colours = theme.colours();
  makeText(theme, colours.textDim, made.sameAsText(), TextSize::Small);
  if (!made.place) { return; }
  makeHeading(theme, tr("On the climb"));
  makeText(theme, colours.text, made.place->sentence(), TextSize::Small);
  const FontScope font(theme, Face::Sans, TextSize::Small);
  if (ImGui::BeginTable("rungs", 4, ImGuiTableFlags_SizingStretchProp)) {
    ImGui::TableSetupColumn(tr("a point"), ImGuiTableColumnFlags_WidthStretch, 2);
    ImGui::TableSetupColumn(tr("sectors"));
    ImGui::TableSetupColumn("L1 B");
    ImGui::TableSetupColumn(tr("shared B"));
    ImGui::TableHeadersRow();
    for (const figures::RungCosts& rung : made.place->rows) {
      const bool own = rung.id == made.file.id;
      ImGui::TableNextColumn();
      clippedLabel(theme, own ? colours.accent : colours.text, own ? tr("your kernel") : rung.id);
      for (const double number : {rung.sectors, rung.globalBytes, rung.sharedBytes}) {
        ImGui::TableNextColumn();
        label(theme, own ? colours.accent : colours.text, fmt::format("{:.3g}", number), Face::Mono);
      }
    }
    ImGui::EndTable();
  }
  if (ImGui::Button((std::string(tr("Show the climb")) + "###climb").c_str())) { showOnClimb(state); }
}

void drawMakeVerdict(AppState& state, const Theme& theme, const MakeTask& task, const MadeKernel* made) {
  const Palette& colours = theme.colours();
  if (made == nullptr) {
    if (state.make.asked.task == task.id && state.make.made == nullptr) {
      makeText(theme, colours.textDim, tr("executing …"));
    }
    return;
  }
  makeGap(theme, 4);
  makeText(theme,
           made->outcome == making::Outcome::Solved           ? colours.good
           : made->outcome == making::Outcome::NothingWritten ? colours.textDim
           : making::isRight(made->outcome)                   ? colours.halo
                                                              : colours.fault,
           made->sentence);
  if (verdictIsOld(state)) {
    makeText(theme, colours.textDim, tr("The text was changed since: check it again."), TextSize::Small);
  }
  const bool hasPlace = !making::isRight(made->outcome) && !made->report.findings.empty();
  if (hasPlace && ImGui::Button((std::string(tr("Show where")) + "###where").c_str())) { showWrongPlace(state); }
  if (state.make.progress[task.id].help == MakeHelp::Hints && !made->hint.empty()) {
    makeText(theme, colours.halo, trf("Hint: {}", made->hint));
  }
}

void drawMakeHelp(AppState& state, const Theme& theme, const MakeTask& task) {
  const Palette& colours = theme.colours();
  const MakeHelp help = state.make.progress[task.id].help;
  if (help >= MakeHelp::Sketch) {
    makeHeading(theme, tr("Sketch"));
    makeText(theme, colours.text, tr(task.sketch));
    if (!task.drawing.empty()) {
      makeGap(theme, 4);
      if (ImGui::BeginChild("drawing", {0, 0}, ImGuiChildFlags_AutoResizeY, ImGuiWindowFlags_HorizontalScrollbar)) {
        label(theme, colours.textDim, tr(task.drawing), Face::Mono, TextSize::Small);
      }
      ImGui::EndChild();
    }
  }
  if (help >= MakeHelp::Outline) {
    makeHeading(theme, tr("Outline"));
    for (std::size_t i = 0; i < task.outline.size(); ++i) {
      makeText(theme, colours.text, fmt::format("{}. {}", i + 1, tr(task.outline[i])), TextSize::Small);
    }
  }
  if (help >= MakeHelp::Hints) {
    makeGap(theme, 4);
    makeText(theme, colours.textDim, tr("A check that finds something wrong gives a hint for it."), TextSize::Small);
  }
}

void drawMake(AppState& state, const Theme& theme, const PanelTools&) {
  const FontScope font(theme, Face::Sans, TextSize::Body);
  const MakeTask* const task = makeTask(state);
  drawMakeChoice(state, task);
  if (task == nullptr) {
    makeText(theme, theme.colours().textDim,
             tr("Each task is a kernel to write. Its launch and its arrays are given; the verdict comes from executing "
                "it."));
    return;
  }
  drawMakeButtons(state, *task);
  if (ImGui::BeginChild("task", {0, 0}, ImGuiChildFlags_NavFlattened)) {
    makeGap(theme, 2);
    makeText(theme, theme.colours().text, tr(task->skeleton.task));
    drawLessonLink(state, theme, *task);
    const MadeKernel* const made = shownVerdict(state);
    drawMakeVerdict(state, theme, *task, made);
    drawGoals(theme, *task, made);
    if (made != nullptr) { drawPlace(state, theme, *made); }
    drawMakeHelp(state, theme, *task);
  }
  ImGui::EndChild();
}

constexpr std::array kMakeKeys = {
    Shortcut{.act = toggleTab<Tab::Make, Tab::Lesson>,
             .group = KeyGroup::Window,
             .text = trMark("the tasks in which a kernel is written"),
             .keys = ImGuiMod_Shift | ImGuiKey_F3},
    Shortcut{.act = checkSolution,
             .group = KeyGroup::Text,
             .text = trMark("check the kernel of a task"),
             .keys = ImGuiMod_Ctrl | ImGuiKey_Enter,
             .whileTyping = true},
};

}  // namespace

extern const Panel kMakePanel = {.tab = Tab::Make, .title = trMark("Make"), .draw = drawMake, .shortcuts = kMakeKeys};

}  // namespace haloscope::ui
