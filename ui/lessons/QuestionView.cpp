#include "ui/lessons/QuestionView.h"

#include <fmt/format.h>
#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "actions/LessonFollowing.h"
#include "catalogue/Catalogue.h"
#include "language/Text.h"
#include "lessons/LessonFacts.h"
#include "lessons/Look.h"
#include "lessons/Setting.h"
#include "program/SourceLocation.h"
#include "ui/lessons/Card.h"
#include "ui/lessons/CellBoard.h"
#include "ui/lessons/LineBoard.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using lessons::Question;
using Verdict = lessons::Attempt::Verdict;

class QuestionCard {
 public:
  QuestionCard(AppState& state, const Theme& theme, const lessons::Lesson& lesson, std::size_t index, PageText& text,
               float width)
      : state_(state),
        theme_(theme),
        lesson_(lesson),
        question_(lesson.questions[index]),
        attempt_(state.lesson.attempts[{lesson.id, question_.id}]),
        text_(text),
        width_(width) {
    const auto facts = state.lesson.facts.find(lesson.id);
    if (facts != state.lesson.facts.end() && index < facts->second->questions.size()) {
      asked_ = facts->second->questions[index].get();
    }
    waits_ = asked_ == nullptr || asked_->seed != attempt_.seed;
    test_ = isTest(state, lesson);
  }

  std::optional<std::size_t> draw() {
    const Palette& colours = theme_.colours();
    words(question_.ask, {.colour = colours.text});
    ImGui::Dummy({0, theme_.px(4)});
    if (asked_ == nullptr && question_.kind == Question::Kind::Cells) {
      label(theme_, colours.textDim, tr("executing the kernel …"));
    } else if (asked_ != nullptr && !asked_->problem.empty()) {
      notice(theme_, asked_->problem);
    } else {
      // Until its numbers are there it can be read; until other ones are, the last ones keep their place.
      ImGui::BeginDisabled(waits_ || (test_ && testFinished(state_)));
      drawAnswer();
      ImGui::EndDisabled();
      if (asked_ != nullptr) { test_ ? drawTestVerdict() : drawVerdict(); }
    }
    if (!test_) { drawAgain(); }
    return clicked_;
  }

 private:
  void words(const lessons::Spans& spans, const TextLook& look) {
    if (const auto link = text_.draw(spans, width_, look)) { clicked_ = link; }
  }

  void sentence(ImU32 colour, std::string_view text, Face face = Face::Sans) {
    words({{.kind = lessons::Span::Kind::Text, .text = std::string(text)}}, {.face = face, .colour = colour});
  }

  void submit() {
    if (test_) { return; }  // it is judged as a whole
    lessons::judge(question_, *asked_, attempt_);
    if (attempt_.verdict == Verdict::Right && !attempt_.revealed) {
      state_.lesson.progress[lesson_.id].answered.insert(question_.id);
    }
  }

  void drawAnswer() {
    switch (question_.kind) {
      case Question::Kind::Number:
        return drawNumber();
      case Question::Kind::Choice:
        return drawChoice();
      case Question::Kind::Cells:
        if (drawCellBoard(theme_, *asked_, attempt_, width_)) { attempt_.verdict = Verdict::Open; }
        drawCheck();
        return;
      case Question::Kind::Line:
        return drawLines();
    }
  }

  void drawCheck() {
    if (test_) { return; }
    ImGui::BeginDisabled(!lessons::answered(question_, attempt_) || attempt_.verdict == Verdict::Right);
    if (ImGui::Button(tr("Check"))) { submit(); }
    ImGui::EndDisabled();
  }

  void drawNumber() {
    ImGui::SetNextItemWidth(theme_.px(120));
    const bool entered =
        ImGui::InputTextWithHint("##answer", tr("your answer"), &attempt_.typed, ImGuiInputTextFlags_EnterReturnsTrue);
    if (ImGui::IsItemEdited()) {
      attempt_.verdict = Verdict::Open;
      attempt_.complaint.clear();
    }
    if (!question_.unit.empty()) {
      ImGui::SameLine();
      ImGui::AlignTextToFramePadding();
      ImGui::TextUnformatted(question_.unit.c_str());
    }
    if (!test_) { ImGui::SameLine(); }
    drawCheck();
    if (entered && lessons::answered(question_, attempt_)) { submit(); }
    if (!attempt_.complaint.empty()) { sentence(theme_.colours().fault, attempt_.complaint); }
  }

  void drawChoice() {
    const Palette& colours = theme_.colours();
    for (std::size_t i = 0; i < question_.options.size(); ++i) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float indent = theme_.px(28);
      const bool chosen = attempt_.option == i;
      ImGui::SetCursorScreenPos({at.x + indent, at.y + theme_.px(3)});
      const float whole = width_;
      width_ -= indent;
      const ImU32 colour = chosen && attempt_.verdict == Verdict::Right   ? colours.good
                           : chosen && attempt_.verdict == Verdict::Wrong ? colours.fault
                                                                          : colours.text;
      words(question_.options[i].text, {.colour = colour, .leading = 1.3F});
      width_ = whole;
      const float bottom = ImGui::GetItemRectMax().y + theme_.px(3);
      ImGui::SetCursorScreenPos(at);
      ImGui::SetNextItemAllowOverlap();
      const std::string id = fmt::format("choice{}", i);
      if (ImGui::InvisibleButton(id.c_str(), {whole, bottom - at.y}, ImGuiButtonFlags_EnableNav)) {
        attempt_.option = i;
        submit();
      }
      const bool hovered = ImGui::IsItemHovered() || ImGui::IsItemFocused();
      ImDrawList* list = ImGui::GetWindowDrawList();
      const ImVec2 centre(at.x + theme_.px(12), at.y + theme_.px(3) + 0.65F * theme_.textPixels(TextSize::Body));
      list->AddCircle(centre, theme_.px(7), hovered ? colours.text : colours.textDim, 0, theme_.px(1.5F));
      if (chosen) { list->AddCircleFilled(centre, theme_.px(4), colour == colours.text ? colours.accent : colour); }
    }
  }

  void drawLines() {
    const Palette& colours = theme_.colours();
    const ImU32 ground = attempt_.verdict == Verdict::Right   ? colours.good
                         : attempt_.verdict == Verdict::Wrong ? colours.fault
                                                              : colours.accent;
    const KernelFile* const file = state_.catalogue.find(within(lesson_.setting, question_.setting).kernel);
    if (asked_ == nullptr && file == nullptr) { return; }
    const std::string& text = asked_ != nullptr ? asked_->text : file->text;
    const int firstLine = asked_ != nullptr ? asked_->firstLine : file->firstCodeLine;
    const auto line = drawLineBoard(theme_, state_.code, text, firstLine, attempt_.line, ground, width_);
    if (line) {
      attempt_.line = line;
      submit();
    }
  }

  void drawVerdict() {
    const Palette& colours = theme_.colours();
    if (attempt_.verdict == Verdict::Open && !attempt_.revealed) { return; }
    ImGui::Dummy({0, theme_.px(4)});
    if (attempt_.verdict == Verdict::Right) {
      sentence(colours.good, lessons::verdictText(question_, *asked_, attempt_), Face::SansStrong);
    } else if (attempt_.verdict == Verdict::Wrong) {
      if (!attempt_.revealed) {
        sentence(colours.fault, lessons::verdictText(question_, *asked_, attempt_), Face::SansStrong);
      }
      if (!question_.look.empty() && ImGui::Button(tr("Look at the step"))) { look(); }
      if (!attempt_.revealed) {
        if (!question_.look.empty()) { ImGui::SameLine(); }
        if (ImGui::Button(tr("Show the answer"))) { attempt_.revealed = true; }
      }
    }
    if (attempt_.revealed && attempt_.verdict != Verdict::Right) {
      sentence(colours.text, trf("The answer: {}", lessons::answerText(question_, *asked_)));
    }
    if (attempt_.revealed || attempt_.verdict == Verdict::Right) { words(question_.because, {.colour = colours.text}); }
  }

  /// Before the course nothing is given away: the question comes again.
  void drawTestVerdict() {
    if (!testFinished(state_)) { return; }
    const Palette& colours = theme_.colours();
    ImGui::Dummy({0, theme_.px(4)});
    if (attempt_.verdict == Verdict::Right) { return sentence(colours.good, tr("Right."), Face::SansStrong); }
    const bool open = attempt_.verdict == Verdict::Open;
    sentence(open ? colours.textDim : colours.fault, open ? tr("Left open.") : tr("Not yet."), Face::SansStrong);
    if (state_.lesson.testing == lessons::TestTime::After) {
      sentence(colours.text, trf("The answer: {}", lessons::answerText(question_, *asked_)));
      words(question_.because, {.colour = colours.text});
    }
  }

  void look() {
    try {
      followLink(state_, lessons::lookOf(question_, asked_->setting, state_.catalogue));
    } catch (const UserError& error) { state_.lesson.problem = error.message(); }
  }

  void drawAgain() {
    if (question_.again.empty()) { return; }
    ImGui::Dummy({0, theme_.px(2)});
    ImGui::BeginDisabled(waits_);
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    if (ImGui::Button(tr("Again with other numbers"))) { askAgain(); }
    ImGui::EndDisabled();
  }

  void askAgain() {
    lessons::Attempt next;
    next.seed = attempt_.seed + 1;
    attempt_ = std::move(next);
  }

  AppState& state_;
  const Theme& theme_;
  const lessons::Lesson& lesson_;
  const Question& question_;
  lessons::Attempt& attempt_;
  PageText& text_;
  float width_;
  const lessons::AskedQuestion* asked_ = nullptr;
  bool waits_ = false;  ///< for the numbers that it is asked with
  bool test_ = false;   ///< it is one of the course's test
  std::optional<std::size_t> clicked_;
};

}  // namespace

std::optional<std::size_t> drawQuestion(AppState& state, const Theme& theme, const lessons::Lesson& lesson,
                                        std::size_t question, PageText& text, float width) {
  ImGui::PushID(lesson.questions[question].id.c_str());
  const Card card(theme, width);
  const FontScope font(theme, Face::Sans, TextSize::Body);
  const auto clicked = QuestionCard(state, theme, lesson, question, text, card.inside()).draw();
  ImGui::PopID();
  return clicked;
}

}  // namespace haloscope::ui
