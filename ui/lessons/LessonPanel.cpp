#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <string>
#include <utility>

#include "actions/ExerciseActions.h"
#include "actions/LessonFollowing.h"
#include "actions/MakeActions.h"
#include "actions/ViewActions.h"
#include "catalogue/Catalogue.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "lessons/CourseTest.h"
#include "lessons/LessonFacts.h"
#include "making/MakeTask.h"
#include "program/SourceLocation.h"
#include "render/SceneRenderers.h"
#include "state/ExerciseView.h"
#include "ui/lessons/Card.h"
#include "ui/lessons/CourseMap.h"
#include "ui/lessons/PageBlocks.h"
#include "ui/lessons/PageText.h"
#include "ui/lessons/QuestionView.h"
#include "ui/lessons/StepsView.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The course: its map, and the lesson that is open.
namespace haloscope::ui {
namespace {

using lessons::Block;
using lessons::Lesson;

constexpr float kColumn = 560;                    // of text, at scale 1: at most 75 characters
constexpr const char* kLinkUsed = "lesson link";  // among the keys that were used, in the settings file

void followExerciseLink(AppState& state, const std::string& id) {
  try {
    chooseExercise(state, id);
    state.view.tabs.bringToFront(Tab::Exercises);
  } catch (const InputError& unknown) { state.lesson.problem = unknown.message(); }
}

void followPageLink(AppState& state, const Lesson& lesson, std::size_t index) {
  const lessons::Link& link = lesson.links[index];
  if (link.broken) { return; }
  switch (link.kind) {
    case lessons::Link::Kind::Window:
      followLink(state, link.window);
      state.lesson.followed = {lesson.id, index};
      state.view.keysUsed.insert(kLinkUsed);
      break;
    case lessons::Link::Kind::Lesson:
      openLesson(state, link.target);
      break;
    case lessons::Link::Kind::Term:
      openGlossary(state, link.target);
      break;
    case lessons::Link::Kind::Exercise:
      followExerciseLink(state, link.target);
      break;
    case lessons::Link::Kind::Page:
      openManual(state, link.target);
      break;
    case lessons::Link::Kind::Web:
      break;
  }
}

/// Whether everything that the lesson asks for was executed: its page then has its final length.
bool complete(const AppState& state, const Lesson& lesson) {
  const auto facts = state.lesson.facts.find(lesson.id);
  if (facts == state.lesson.facts.end()) { return false; }
  std::map<std::string, std::uint64_t> seeds;
  if (isTest(state, lesson)) {
    for (const lessons::Question& question : lesson.questions) { seeds[question.id] = state.lesson.sitting.seed; }
  }
  return facts->second->answers(lesson, seeds);
}

/// A page of a lesson, from top to bottom.
class Page {
 public:
  Page(AppState& state, const Theme& theme, render::SceneRenderers& scenes, const Lesson& lesson, float width)
      : state_(state),
        theme_(theme),
        scenes_(scenes),
        lesson_(lesson),
        width_(width),
        text_(
            theme, lesson,
            [&state, &lesson](std::size_t value) -> const lessons::ShownValue* {
              const auto facts = state.lesson.facts.find(lesson.id);
              return facts == state.lesson.facts.end() ? nullptr : facts->second->shown(lesson, value);
            },
            followedIn(state, lesson)) {}

  void draw() {
    drawTitle();
    const auto link = drawBlocks(theme_, lesson_, text_, width_,
                                 [this](const Block& block, float width) { drawAsked(block, width); });
    if (link) { clicked_ = link; }
    isTest(state_, lesson_) ? drawTestEnd() : drawWhereNext();
    if (clicked_) { followPageLink(state_, lesson_, *clicked_); }
  }

 private:
  static std::optional<std::size_t> followedIn(const AppState& state, const Lesson& lesson) {
    const auto& followed = state.lesson.followed;
    return followed && followed->first == lesson.id ? std::optional(followed->second) : std::nullopt;
  }

  /// For those who have not followed a link yet.
  void drawLinkHint() {
    // Where a link was followed for the first time it stays, so that the page does not move under the mouse.
    if (!state_.view.keysUsed.contains(kLinkUsed)) { state_.lesson.hinted = lesson_.id; }
    if (state_.lesson.hinted != lesson_.id) { return; }
    const Palette& colours = theme_.colours();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float shift = theme_.px(12);
    ImGui::SetCursorScreenPos({at.x + shift, at.y});
    const TextLook look{.size = TextSize::Small, .colour = colours.textDim};
    const lessons::Spans words = {
        {.kind = lessons::Span::Kind::Text,
         .text = tr("Blue words set the right half of the window: its kernel, block, step or tab. Numbers above dots "
                    "were counted by executing the kernel.")}};
    text(words, width_ - shift, look);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + theme_.px(3), ImGui::GetItemRectMax().y}, colours.accent);
    ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
    space(8);
  }

  void space(float pixels) { ImGui::Dummy({0, theme_.px(pixels)}); }

  void text(const lessons::Spans& spans, float width, const TextLook& look) {
    if (const auto link = text_.draw(spans, width, look)) { clicked_ = link; }
  }

  void drawTitle() {
    const Palette& colours = theme_.colours();
    const bool test = isTest(state_, lesson_);
    const std::string where = test && state_.lesson.testing == lessons::TestTime::Before
                                  ? std::string(tr("Before the course"))
                              : test                        ? std::string(tr("After the course"))
                              : lesson_.section == "beyond" ? std::string(tr("Beyond the book"))
                                                            : trf("PMPP 4e, section {}", lesson_.section);
    label(theme_, colours.textDim, lesson_.minutes > 0 ? trf("{} · about {} minutes", where, lesson_.minutes) : where);
    const lessons::Spans title = {{.kind = lessons::Span::Kind::Text, .text = lesson_.title}};
    text(title, width_, {.face = Face::SansStrong, .size = TextSize::Heading, .colour = colours.text});
    if (!lesson_.restsOn.empty()) { drawLessonLinks(tr("Rests on:"), lesson_.restsOn); }
    if (lesson_.language != state_.lesson.course->language) {
      label(theme_, colours.textDim, tr("This lesson has not been translated yet."));
    }
    space(8);
    if (!test) { drawLinkHint(); }
    for (const SourceError& problem : lesson_.problems) { notice(theme_, problem.what()); }
    const auto facts = state_.lesson.facts.find(lesson_.id);
    if (facts == state_.lesson.facts.end()) { return; }
    for (const SourceError& problem : facts->second->problems) { notice(theme_, problem.what()); }
  }

  /// "Rests on: …" with a link for each lesson.
  void drawLessonLinks(const char* what, const std::vector<std::string>& ids) {
    const Palette& colours = theme_.colours();
    label(theme_, colours.textDim, what);
    bool first = true;
    for (const std::string& id : ids) {
      const Lesson* other = state_.lesson.course->find(id);
      if (other == nullptr) { continue; }
      if (!std::exchange(first, false)) {
        ImGui::SameLine(0, 0);
        label(theme_, colours.textDim, tr(", "));
      }
      ImGui::SameLine(0, theme_.px(6));
      const FontScope font(theme_, Face::Sans, TextSize::Small);
      if (ImGui::GetContentRegionAvail().x < textWidth(other->title)) { ImGui::NewLine(); }
      if (ImGui::TextLink(other->title.c_str())) { openLesson(state_, id); }
    }
  }

  /// What the page asks the reader, and its animations.
  void drawAsked(const Block& block, float width) {
    if (block.kind == Block::Kind::Steps) {
      if (const auto link = drawSteps(state_, theme_, scenes_, lesson_, block.index, text_, width)) { clicked_ = link; }
      return;
    }
    if (state_.lesson.scrollToQuestion == lesson_.questions[block.index].id) {
      ImGui::SetScrollFromPosY(ImGui::GetCursorScreenPos().y - ImGui::GetWindowPos().y, 0.03F);
      if (complete(state_, lesson_)) { state_.lesson.scrollToQuestion.clear(); }
    }
    if (const auto link = drawQuestion(state_, theme_, lesson_, block.index, text_, width)) { clicked_ = link; }
  }

  void drawTestEnd() {
    space(12);
    ImGui::Separator();
    space(8);
    if (!testFinished(state_)) {
      const FontScope font(theme_, Face::SansStrong, TextSize::Body);
      ImGui::BeginDisabled(!complete(state_, lesson_));
      if (ImGui::Button((std::string(tr("Finish")) + "###finish").c_str())) { finishTest(state_); }
      ImGui::EndDisabled();
    } else {
      label(theme_, theme_.colours().text, lessons::resultText(*state_.lesson.testing, state_.lesson.sitting, lesson_),
            Face::SansStrong, TextSize::Body);
      if (ImGui::Button((std::string(tr("All lessons")) + "###done").c_str())) { openCourseMap(state_); }
    }
    space(32);
  }

  void drawWhereNext() {
    space(12);
    ImGui::Separator();
    space(8);
    const auto belongs = [&](const making::MakeTask& task) { return task.lesson == lesson_.id; };
    for (const making::MakeTask& task : state_.make.tasks | std::views::filter(belongs)) {
      label(theme_, theme_.colours().textDim, tr("Write it yourself"));
      const FontScope font(theme_, Face::SansStrong, TextSize::Body);
      if (ImGui::Button(fmt::format("{}###{}", tr(task.skeleton.title), task.id).c_str())) {
        openMakeTask(state_, task);
      }
      space(4);
    }
    if (const Lesson* next = state_.lesson.course->neighbour(lesson_.id, 1)) {
      label(theme_, theme_.colours().textDim, tr("Next"));
      const FontScope font(theme_, Face::SansStrong, TextSize::Body);
      if (ImGui::Button(fmt::format("{}###next", next->title).c_str())) { openLesson(state_, next->id); }
    } else {
      label(theme_, theme_.colours().textDim, tr("This was the last lesson."));
    }
    space(32);
  }

  AppState& state_;
  const Theme& theme_;
  render::SceneRenderers& scenes_;
  const Lesson& lesson_;
  float width_;
  PageText text_;
  std::optional<std::size_t> clicked_;
};

/// Previous, map, next.
void drawLessonBar(AppState& state, const Theme& theme, const Lesson& lesson) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const lessons::Course& course = *state.lesson.course;
  const auto go = [&](const char* id, ImGuiDir direction, const Lesson* to) {
    ImGui::BeginDisabled(to == nullptr);
    if (ImGui::ArrowButton(id, direction) && to != nullptr) { openLesson(state, to->id); }
    ImGui::EndDisabled();
    if (to != nullptr) { ImGui::SetItemTooltip("%s", to->title.c_str()); }
  };
  go("##previous", ImGuiDir_Left, course.neighbour(lesson.id, -1));
  ImGui::SameLine();
  if (ImGui::Button((std::string(tr("All lessons")) + "###map").c_str())) { openCourseMap(state); }
  ImGui::SameLine();
  go("##next", ImGuiDir_Right, course.neighbour(lesson.id, 1));
}

void drawLesson(AppState& state, const Theme& theme, const PanelTools& tools) {
  const FontScope font(theme, Face::Sans, TextSize::Body);
  LessonView& view = state.lesson;
  if (view.course == nullptr || view.course->lessons.empty()) {
    ImGui::PushTextWrapPos(0);
    label(theme, theme.colours().textDim, tr("The lessons were not found: assets/lessons is missing."));
    ImGui::PopTextWrapPos();
    return;
  }
  const Lesson* lesson = shownLesson(state);
  tools.scenes.keepInText(lesson != nullptr ? lesson->steps.size() : 0);
  if (lesson != nullptr) { drawLessonBar(state, theme, *lesson); }
  if (!view.problem.empty()) { notice(theme, view.problem); }
  if (ImGui::BeginChild(lesson != nullptr ? lesson->id.c_str() : "map", {0, 0}, ImGuiChildFlags_None,
                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysVerticalScrollbar)) {
    const float room = ImGui::GetContentRegionAvail().x - theme.px(12);
    const float width = std::min(room, theme.px(kColumn));
    ImGui::SetCursorPosX(std::max(theme.px(4), (room - width) / 2));
    ImGui::BeginGroup();
    if (lesson != nullptr) {
      Page(state, theme, tools.scenes, *lesson, width).draw();
    } else {
      drawCourseMap(state, theme, width);
    }
    ImGui::EndGroup();
    if (view.scrollTo) {
      const float reach = std::max(0.0F, ImGui::GetItemRectSize().y + ImGui::GetItemRectMin().y + ImGui::GetScrollY() -
                                             ImGui::GetWindowPos().y - ImGui::GetWindowHeight());
      ImGui::SetScrollY(*view.scrollTo * reach);
      // What was executed last may have changed the page's height: it is there when that stays.
      const bool still = !storedChanged("reach", static_cast<std::uint64_t>(reach));
      if (*view.scrollTo == 0 || lesson == nullptr || (still && complete(state, *lesson))) { view.scrollTo.reset(); }
    }
    view.scroll = ImGui::GetScrollMaxY() > 0 ? ImGui::GetScrollY() / ImGui::GetScrollMaxY() : 0;
    if (lesson != nullptr && !isTest(state, *lesson) && ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - theme.px(40) &&
        ImGui::GetScrollMaxY() > 0) {
      view.progress[lesson->id].read = true;
    }
  }
  ImGui::EndChild();
}

constexpr std::array kLessonKeys = {
    Shortcut{.act = toggleTab<Tab::Lesson>,
             .group = KeyGroup::Window,
             .text = trMark("the lesson in front"),
             .keys = ImGuiKey_L},
    Shortcut{.act = openNextLesson, .group = KeyGroup::Window, .text = trMark("next lesson"), .sign = '>'},
    Shortcut{.act = openPreviousLesson, .group = KeyGroup::Window, .text = trMark("previous lesson"), .sign = '<'},
};

}  // namespace

extern const Panel kLessonPanel = {
    .tab = Tab::Lesson, .title = trMark("Lesson"), .draw = drawLesson, .shortcuts = kLessonKeys};

}  // namespace haloscope::ui
