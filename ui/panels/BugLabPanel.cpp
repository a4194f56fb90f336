#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "actions/BugLabTasks.h"
#include "actions/Findings.h"
#include "actions/LessonFollowing.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "state/AppState.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/Widgets.h"

/// The bug lab: kernels with one fault each, a hint for each, and the findings once the user asks for them.
namespace haloscope::ui {
namespace {

constexpr const char* kGallery = "###lab gallery";
constexpr float kMostOfWindow = 0.92F;
constexpr int kCardColumns = 4;
// At scale 1.
constexpr float kLeastCard = 240, kSymbol = 44, kCardPad = 10, kCardGap = 8;
constexpr float kDot = 2.5F;
constexpr int kTextLines = 3;

/// The axes of the largest of the kernel's arrays: 1 to 3.
std::size_t axesOf(const BugTask& task) {
  std::size_t axes = 1;
  for (const ArrayDeclaration& array : task.faulty.arrays) { axes = std::max(axes, array.shape.size()); }
  return std::min<std::size_t>(axes, 3);
}

/// What goes wrong: the first sentence of the task.
std::string symptomOf(const BugTask& task) {
  const std::string text = tr(task.task);
  constexpr std::string_view kChineseStop = "。";
  const std::size_t chinese = text.find(kChineseStop);
  if (chinese != std::string::npos) { return text.substr(0, chinese + kChineseStop.size()); }
  return text.substr(0, text.find(". ") == std::string::npos ? text.size() : text.find(". ") + 1);
}

/// The grid that the kernel computes on, as a strip, a sheet or a stack of sheets, with a cell that is wrong or, where
/// the task is solved, right.
void drawSymbol(const Theme& theme, ImVec2 at, float size, std::size_t axes, bool solved) {
  const Palette& colours = theme.colours();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  constexpr int kCells = 4;
  const ImU32 plain = Theme::mixed(colours.panelRaised, colours.interior, 0.75F);
  const int sheets = axes == 3 ? 3 : 1;
  const int rows = axes == 1 ? 1 : kCells;
  const float shift = axes == 3 ? size * 0.14F : 0;
  const float sheet = size - shift * static_cast<float>(sheets - 1);
  const float cell = std::floor(sheet / kCells);
  for (int layer = 0; layer < sheets; ++layer) {
    const float back = shift * static_cast<float>(sheets - 1 - layer);
    const ImVec2 corner{at.x + back,
                        at.y + size - cell * static_cast<float>(rows) - back - (axes == 1 ? (size - cell) / 2 : 0)};
    const bool front = layer == sheets - 1;
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < kCells; ++column) {
        const bool marked = front && column == 2 && row == rows / 2;
        const ImVec2 min{corner.x + cell * static_cast<float>(column), corner.y + cell * static_cast<float>(row)};
        const ImU32 fill = marked ? (solved ? colours.good : colours.fault)
                                  : Theme::mixed(colours.panelRaised, plain, front ? 1.0F : 0.55F);
        list->AddRectFilled(min, {min.x + cell - 1, min.y + cell - 1}, fill);
      }
    }
  }
}

const char* stateWord(const AppState& state, const BugTask& task) {
  const auto found = state.labProgress.find(task.id);
  if (found == state.labProgress.end()) { return ""; }
  const LabProgress& progress = found->second;
  if (progress.solved) { return progress.revealed ? tr("solved with help") : tr("solved"); }
  return progress.revealed ? tr("revealed") : progress.hint ? tr("with hint") : "";
}

/// As many of three dots as the task is difficult.
void drawDifficulty(const Theme& theme, ImVec2 middle, int difficulty) {
  constexpr int kMost = 3;
  ImDrawList* const list = ImGui::GetWindowDrawList();
  for (int i = 0; i < kMost; ++i) {
    const ImVec2 at{middle.x + static_cast<float>(i - kMost / 2) * theme.px(4 * kDot), middle.y};
    if (i < difficulty) {
      list->AddCircleFilled(at, theme.px(kDot), theme.colours().textDim);
    } else {
      list->AddCircle(at, theme.px(kDot), theme.colours().textDim);
    }
  }
}

/// True: it was chosen.
bool drawCard(const AppState& state, const Theme& theme, const BugTask& task, ImVec2 size) {
  const Palette& colours = theme.colours();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max{min.x + size.x, min.y + size.y};
  const bool chosen = ImGui::InvisibleButton(("###" + task.id).c_str(), size, ImGuiButtonFlags_EnableNav);
  ImGui::SetItemTooltip("%s", trf("difficulty {} of 3", task.difficulty).c_str());
  const bool here = labTask(state) == &task;
  list->AddRectFilled(min, max,
                      lastItemAsked() ? colours.panelRaised : Theme::mixed(colours.panel, colours.panelRaised, 0.55F),
                      theme.px(8));
  list->AddRect(min, max, here ? colours.accent : colours.border, theme.px(8),
                std::max(1.0F, theme.px(here ? 1.5F : 1)));
  const float pad = theme.px(kCardPad);
  const float symbol = theme.px(kSymbol);
  const auto progress = state.labProgress.find(task.id);
  drawSymbol(theme, {min.x + pad, min.y + pad}, symbol, axesOf(task),
             progress != state.labProgress.end() && progress->second.solved);
  drawDifficulty(theme, {min.x + pad + symbol / 2, max.y - pad - theme.px(kDot)}, task.difficulty);
  const float left = min.x + 2 * pad + symbol;
  const float right = max.x - pad;
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const std::string word = stateWord(state, task);
  textAt(list, {right - textWidth(word), min.y + pad}, colours.good, word);
  const float room = right - left - (word.empty() ? 0 : textWidth(word) + pad);
  const float line = ImGui::GetTextLineHeight();
  theme.push(Face::SansStrong, TextSize::Body);
  clippedTextAt(list, {left, min.y + pad}, room, colours.text, tr(task.title));
  const float y = min.y + pad + ImGui::GetTextLineHeight() + theme.px(2);
  theme.pop();
  const ImVec4 lines{left, y, right, y + line * kTextLines + theme.px(2)};
  list->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {left, y}, colours.textDim, symptomOf(task).c_str(), nullptr,
                right - left, &lines);
  return chosen;
}

/// All tasks of the bug lab as cards over the window: title, what goes wrong, difficulty, and whether it is solved.
/// `openLabGallery` from the window in which `drawLabGallery` is called each frame; a task or Esc closes it.
void openLabGallery() { ImGui::OpenPopup(kGallery); }

void drawLabGallery(AppState& state, const Theme& theme) {
  if (!ImGui::IsPopupOpen(kGallery)) { return; }
  const ImGuiViewport* const viewport = ImGui::GetMainViewport();
  const ImVec2 middle = viewport->GetWorkCenter();
  const float width = kMostOfWindow * viewport->WorkSize.x;
  ImGui::SetNextWindowPos(middle, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {width, kMostOfWindow * viewport->WorkSize.y});
  if (!ImGui::BeginPopup(kGallery)) { return; }
  // The panel may come to the front after it.
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  const auto& tasks = state.bugLab.tasks();
  const auto isSolved = [&](const BugTask& task) {
    const auto found = state.labProgress.find(task.id);
    return found != state.labProgress.end() && found->second.solved;
  };
  panelHeading(theme, tr("The bug lab: each kernel has one fault. Find it and mend it."),
               trf("{} of {} solved", std::ranges::count_if(tasks, isSolved), tasks.size()));
  const float gap = theme.px(kCardGap);
  const float room = ImGui::GetContentRegionAvail().x;
  const int columns = std::clamp(static_cast<int>((room + gap) / (theme.px(kLeastCard) + gap)), 1, kCardColumns);
  const float card = std::floor((room - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  const float height = 2 * theme.px(kCardPad) + theme.textPixels(TextSize::Body) +
                       static_cast<float>(kTextLines) * theme.textPixels(TextSize::Small) * 1.2F + theme.px(8);
  const auto open = std::ranges::find_if_not(tasks, isSolved);
  const BugTask* const first = labTask(state) != nullptr ? labTask(state) : open != tasks.end() ? &*open : nullptr;
  const BugTask* chosen = nullptr;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  int column = 0;
  for (const BugTask& task : tasks) {
    if (column > 0) { ImGui::SameLine(); }
    if (drawCard(state, theme, task, {card, height})) { chosen = &task; }
    if (&task == first) { ImGui::SetItemDefaultFocus(); }
    column = (column + 1) % columns;
  }
  ImGui::PopStyleVar();
  if (chosen != nullptr) {
    openLabTask(state, *chosen);
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

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
