#include "ui/lessons/CourseMap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "actions/LessonFollowing.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "lessons/CourseTest.h"
#include "program/SourceLocation.h"
#include "ui/lessons/Card.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

/// A ring that fills with the questions answered, and has a tick when all of the lesson is done.
void drawProgress(ImDrawList* list, const Theme& theme, ImVec2 centre, float radius, const LessonProgress& progress,
                  std::size_t questions) {
  const Palette& colours = theme.colours();
  const float thickness = std::max(1.5F, theme.px(2));
  const float share = questions == 0 ? (progress.read ? 1.0F : 0.0F)
                                     : static_cast<float>(std::min(progress.answered.size(), questions)) /
                                           static_cast<float>(questions);
  const bool done = progress.read && share >= 1;
  if (done) {
    list->AddCircleFilled(centre, radius, colours.good);
    const ImU32 ink = theme.textOn(colours.good);
    const ImVec2 tick[] = {{centre.x - 0.45F * radius, centre.y + 0.02F * radius},
                           {centre.x - 0.1F * radius, centre.y + 0.4F * radius},
                           {centre.x + 0.5F * radius, centre.y - 0.38F * radius}};
    list->AddPolyline(tick, 3, ink, thickness);
    return;
  }
  list->AddCircle(centre, radius - thickness / 2, colours.border, 0, thickness);
  if (progress.read) { list->AddCircleFilled(centre, radius * 0.4F, colours.good); }
  if (share > 0) {
    constexpr float kTop = -1.5708F, kRound = 6.2832F;
    list->PathArcTo(centre, radius - thickness / 2, kTop, kTop + kRound * share);
    list->PathStroke(colours.good, thickness);
  }
}

/// Of a lesson whose file has something wrong: what, with file and line.
void drawProblems(const Theme& theme, const lessons::Lesson& lesson, float width) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  for (const SourceError& problem : lesson.problems) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float from = theme.px(66);
    const std::string words = fmt::format("{}:{}: {}", std::filesystem::path(problem.file()).filename().string(),
                                          problem.where().line, problem.message());
    ImGui::SetCursorScreenPos({at.x + from, at.y});
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width - from - theme.px(12));
    label(theme, theme.colours().fault, words);
    ImGui::PopTextWrapPos();
    ImGui::SetItemTooltip("%s", problem.what());
    ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
  }
}

/// A sign in place of the progress.
void drawBroken(ImDrawList* list, const Theme& theme, ImVec2 centre, float radius) {
  list->AddCircleFilled(centre, radius, theme.colours().fault);
  const FontScope font(theme, Face::SansStrong, TextSize::Small);
  const float size = ImGui::GetFontSize();
  textAt(list, {centre.x - textWidth("!") / 2, centre.y - size / 2}, theme.textOn(theme.colours().fault), "!");
}

void drawRow(AppState& state, const Theme& theme, const lessons::Lesson& lesson, std::size_t number, float width) {
  const Palette& colours = theme.colours();
  const auto known = state.lesson.progress.find(lesson.id);
  const LessonProgress progress = known != state.lesson.progress.end() ? known->second : LessonProgress{};
  const float height = std::round(theme.textPixels(TextSize::Body) * 1.75F);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (ImGui::InvisibleButton(lesson.id.c_str(), {width, height}, ImGuiButtonFlags_EnableNav)) {
    openLesson(state, lesson.id);
  }
  const bool hovered = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  if (ImGui::IsItemHovered()) { ImGui::SetMouseCursor(ImGuiMouseCursor_Hand); }
  const ImVec2 end(at.x + width, at.y + height);
  if (hovered || lesson.id == state.lesson.last) {
    list->AddRectFilled(at, end, hovered ? colours.panelRaised : theme.faded(colours.panelRaised, 0.6F), theme.px(6));
  }
  const float middle = at.y + height / 2;
  const ImVec2 ring(at.x + theme.px(18), middle);
  if (lesson.problems.empty()) {
    drawProgress(list, theme, ring, theme.px(8), progress, lesson.questions.size());
  } else {
    drawBroken(list, theme, ring, theme.px(8));
  }
  std::string right = lesson.section == "beyond" ? tr("beyond the book") : lesson.section;
  if (!progress.answered.empty() && progress.answered.size() < lesson.questions.size()) {
    right = trf("{} of {} · {}", progress.answered.size(), lesson.questions.size(), right);
  }
  theme.push(Face::Sans, TextSize::Small);
  const float rightWidth = textWidth(right);
  textAt(list, {end.x - theme.px(12) - rightWidth, middle - theme.textPixels(TextSize::Small) / 2}, colours.textDim,
         right);
  theme.pop();
  const float textTop = middle - theme.textPixels(TextSize::Body) / 2;
  theme.push(Face::Sans, TextSize::Body);
  const std::string count = std::to_string(number);
  textAt(list, {at.x + theme.px(56) - textWidth(count), textTop}, colours.textDim, count);
  const float from = at.x + theme.px(66);
  const bool cut = clippedTextAt(list, {from, textTop}, end.x - theme.px(24) - rightWidth - from,
                                 hovered ? colours.accent : colours.text, lesson.title);
  theme.pop();
  if (cut && ImGui::IsItemHovered()) { ImGui::SetTooltip("%s", lesson.title.c_str()); }
  drawProblems(theme, lesson, width);
}

/// The test before and after the course, and what came of it.
void drawTest(AppState& state, const Theme& theme, float width) {
  const lessons::Lesson& test = state.lesson.course->test;
  if (test.id.empty()) { return; }
  const Palette& colours = theme.colours();
  ImGui::Dummy({0, theme.px(12)});
  ImGui::PushID("test");
  {
    const Card card(theme, width);
    label(theme, colours.text, test.title, Face::SansStrong, TextSize::Body);
    label(theme, colours.textDim, trf("{} questions, about {} minutes", test.questions.size(), test.minutes));
    ImGui::Dummy({0, theme.px(4)});
    const FontScope font(theme, Face::Sans, TextSize::Small);
    for (const auto time : {lessons::TestTime::Before, lessons::TestTime::After}) {
      const bool before = time == lessons::TestTime::Before;
      const char* const name = before ? tr("Before the course") : tr("After the course");
      if (!before) { ImGui::SameLine(); }
      if (ImGui::Button(fmt::format("{}###{}", name, before ? "before" : "after").c_str())) { openTest(state, time); }
    }
    bool any = false;
    for (const auto time : {lessons::TestTime::Before, lessons::TestTime::After}) {
      const lessons::TestResult& result = lessons::resultOf(state.lesson.results, time);
      if (result.taken()) { label(theme, colours.text, lessons::resultText(time, result, test)); }
      any = any || result.taken();
    }
    if (any) {
      if (ImGui::Button((std::string(tr("Copy as CSV")) + "###csv").c_str())) {
        ImGui::SetClipboardText(lessons::testTable(test, state.lesson.results).c_str());
      }
      ImGui::SetItemTooltip("%s", tr("For your lecturer: which questions were right, before and after, and no name. "
                                     "\"haloscope lesson --csv\" prints the same."));
    }
  }
  ImGui::PopID();
}

}  // namespace

void drawCourseMap(AppState& state, const Theme& theme, float width) {
  const lessons::Course& course = *state.lesson.course;
  const Palette& colours = theme.colours();
  std::size_t number = 0, done = 0;
  for (const lessons::Lesson& lesson : course.lessons) {
    const auto progress = state.lesson.progress.find(lesson.id);
    done += progress != state.lesson.progress.end() && progress->second.read ? 1 : 0;
  }
  label(theme, colours.text, tr("The course"), Face::SansStrong, TextSize::Heading);
  label(theme, colours.textDim, trf("{} of {} lessons read", done, course.lessons.size()));
  drawTest(state, theme, width);
  for (const lessons::Chapter& chapter : lessons::chapters(course)) {
    ImGui::Dummy({0, theme.px(12)});
    label(theme, colours.text, lessons::titleOf(chapter), Face::SansStrong, TextSize::Body);
    ImGui::Dummy({0, theme.px(4)});
    for (const lessons::Lesson* lesson : chapter.lessons) { drawRow(state, theme, *lesson, ++number, width); }
  }
  ImGui::Dummy({0, theme.px(24)});
}

}  // namespace haloscope::ui
