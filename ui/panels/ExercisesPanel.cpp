#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "actions/ExerciseActions.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "questions/Questions.h"
#include "state/ExerciseView.h"
#include "ui/panels/CellPicture.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// Exercises with one's own numbers: a prediction, the executed answer, its derivation, and a picture.
namespace haloscope::ui {

namespace {

using exercises::Answered;
using exercises::DerivedLine;
using exercises::Exercise;
using exercises::Worked;

constexpr float kNumberWidth = 72, kListWidth = 190, kPredictionWidth = 96;  ///< pixels

void exerciseText(const Theme& theme, ImU32 colour, const std::string& text, Face face = Face::Sans,
                  TextSize size = TextSize::Small) {
  if (text.empty()) { return; }
  label(theme, colour, wrapped(theme, text, ImGui::GetContentRegionAvail().x, face, size), face, size);
}

void apart(const Theme& theme, float pixels) { ImGui::Dummy({0, theme.px(pixels)}); }

std::string exerciseTitle(const Exercise& exercise) {
  return std::string(exercise.section) + "  " + tr(exercise.title);
}

void drawExerciseChoice(AppState& state) {
  const Exercise& shown = shownExercise(state);
  const std::string other = std::string(tr("Other numbers")) + "###again";
  const std::string window = std::string(tr("Show in the window")) + "###show";
  ImGui::SetNextItemWidth(-1);
  if (ImGui::BeginCombo("##exercise", exerciseTitle(shown).c_str(), ImGuiComboFlags_HeightLarge)) {
    for (const Exercise& one : exercises::exercises()) {
      if (ImGui::Selectable((exerciseTitle(one) + "###" + one.id).c_str(), &one == &shown)) {
        chooseExercise(state, one.id);
      }
    }
    ImGui::EndCombo();
  }
  if (ImGui::Button(other.c_str())) { drawOtherNumbers(state); }
  ImGui::SameLine();
  const Worked* const worked = state.exercise.worked.get();
  const bool executed = worked != nullptr && !worked->choice.kernel.empty();
  // It came by itself; the button is the way back from another kernel or block.
  ImGui::BeginDisabled(!executed || state.choice == worked->choice);
  if (ImGui::Button(window.c_str())) { showExerciseKernel(state); }
  ImGui::EndDisabled();
}

void drawFields(AppState& state, const Theme& theme) {
  ExerciseView& view = state.exercise;
  const exercises::Typed beginning = exercises::beginning(shownExercise(state));
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const exercises::Field& field : shownExercise(state).fields) {
    const float width = theme.px(field.list ? kListWidth : kNumberWidth);
    const std::string name = std::string(field.name) + " =";
    const float needed = frameLabelWidth(theme, name, Face::Mono) + width + textWidth(tr(field.meaning)) + theme.px(28);
    if (!first) {
      ImGui::SameLine(0, theme.px(16));
      if (ImGui::GetCursorScreenPos().x + needed > right) { ImGui::NewLine(); }
    }
    first = false;
    frameLabel(theme, name, Face::Mono);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(width);
    const auto typed = view.typed.find(field.name);
    std::string text = typed == view.typed.end() ? beginning.at(field.name) : typed->second;
    const FontScope mono(theme, Face::Mono, TextSize::Body);
    if (ImGui::InputText((std::string("##") + field.name).c_str(), &text, ImGuiInputTextFlags_AutoSelectAll)) {
      typeNumber(view, field.name, text);
    }
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    label(theme, theme.colours().textDim, tr(field.meaning));
  }
}

void drawLine(const Theme& theme, const DerivedLine& line, ImU32 colour) {
  exerciseText(theme, colour, exercises::lineText(line), Face::Mono, TextSize::Body);
  if (*line.why != '\0') {
    ImGui::Indent(theme.px(16));
    exerciseText(theme, theme.colours().textDim, tr(line.why));
    ImGui::Unindent(theme.px(16));
  }
}

void drawVerdict(const Theme& theme, const Answered& answered, const std::string& typed) {
  const Palette& colours = theme.colours();
  if (!typed.empty()) {
    try {
      const bool right = questions::agrees(answered.answer(), typed);
      label(theme, right ? colours.good : colours.fault,
            right ? tr("Your prediction is right.") : tr("Your prediction is wrong."), Face::SansStrong,
            TextSize::Body);
    } catch (const UserError& error) { exerciseText(theme, colours.fault, error.message()); }
  }
  if (answered.found) {
    apart(theme, 2);
    const std::string from = questions::label(answered.origins);
    label(theme, colours.output, trf("{}: {}", from, questions::numberText(*answered.found)), Face::SansStrong,
          TextSize::Body);
    exerciseText(theme, colours.textDim, answered.executedBy);
    if (answered.largerGrid) { exerciseText(theme, colours.textDim, tr(exercises::kLargerGrid)); }
  }
  exerciseText(theme, colours.fault, answered.disagreement());
}

void drawAnswer(const Theme& theme, const Answered& answered) {
  for (const DerivedLine& line : answered.derivation) { drawLine(theme, line, theme.colours().text); }
  if (!answered.conventions.empty()) { label(theme, theme.colours().halo, tr("Counted otherwise:")); }
  for (const DerivedLine& line : answered.conventions) { drawLine(theme, line, theme.colours().halo); }
}

/// `current`: it answers what is typed now.
void drawPart(ExerciseView& view, const Theme& theme, const Answered& answered, bool current) {
  const std::string id = answered.part->id;
  ImGui::PushID(id.c_str());
  ImGui::Separator();
  apart(theme, 4);
  exerciseText(theme, theme.colours().text, tr(answered.part->ask), Face::Sans, TextSize::Body);
  std::string& prediction = view.predictions[id];
  const bool shown = view.shown.contains(id);
  ImGui::SetNextItemWidth(theme.px(kPredictionWidth));
  const bool entered =
      ImGui::InputTextWithHint("##prediction", tr("prediction"), &prediction, ImGuiInputTextFlags_EnterReturnsTrue);
  if (ImGui::IsItemEdited()) { view.shown.erase(id); }
  ImGui::SameLine();
  const std::string button = std::string(prediction.empty() ? tr("Show the answer") : tr("Check")) + "###check";
  ImGui::BeginDisabled(shown);
  if ((ImGui::Button(button.c_str()) || entered) && view.problem.empty()) { view.shown.insert(id); }
  ImGui::EndDisabled();
  if (shown && !current) {
    if (view.problem.empty()) { label(theme, theme.colours().textDim, tr("executing …")); }
  } else if (shown) {
    ImGui::Indent(theme.px(12));
    drawVerdict(theme, answered, prediction);
    drawAnswer(theme, answered);
    ImGui::Unindent(theme.px(12));
  }
  apart(theme, 6);
  ImGui::PopID();
}

void drawExercisePicture(const Theme& theme, const Worked& worked, bool current, bool executing) {
  if (!worked.picture) { return; }
  CellPicture picture{*worked.picture, tr(worked.exercise->picture.caption), {}};
  const auto list = worked.typed.find(worked.exercise->picture.list);
  if (list != worked.typed.end()) {
    std::string rest = list->second + ",";
    for (std::size_t comma = rest.find(','); comma != std::string::npos; comma = rest.find(',')) {
      picture.values.push_back(rest.substr(0, comma));
      rest.erase(0, comma + 1);
    }
  }
  drawCells(theme, picture);
  const std::string caption = current     ? trf("marked: {}", picture.caption)
                              : executing ? tr("executing …")
                                          : tr("of the last numbers that could be executed");
  label(theme, theme.colours().textDim, caption);
}

void drawExercises(AppState& state, const Theme& theme, const PanelTools&) {
  const FontScope font(theme, Face::Sans, TextSize::Body);
  drawExerciseChoice(state);
  if (!ImGui::BeginChild("exercise", {0, 0}, ImGuiChildFlags_NavFlattened)) {
    ImGui::EndChild();
    return;
  }
  const Exercise& exercise = shownExercise(state);
  ExerciseView& view = state.exercise;
  apart(theme, 4);
  exerciseText(theme, theme.colours().text, tr(exercise.task), Face::Sans, TextSize::Body);
  apart(theme, 4);
  drawFields(state, theme);
  exerciseText(theme, theme.colours().fault, view.problem);
  if (view.worked != nullptr && view.worked->exercise == &exercise) {
    const Worked& worked = *view.worked;
    const bool current = answersTyped(state);
    exerciseText(theme, theme.colours().textDim, worked.notExecuted);
    apart(theme, 4);
    drawExercisePicture(theme, worked, current, view.problem.empty());
    apart(theme, 4);
    for (const Answered& answered : worked.parts) { drawPart(view, theme, answered, current); }
  }
  ImGui::EndChild();
}

constexpr std::array kExerciseKeys = {
    Shortcut{.act = toggleTab<Tab::Exercises, Tab::Lesson>,
             .group = KeyGroup::Window,
             .text = trMark("the exercises in front"),
             .keys = ImGuiKey_F3},
};

}  // namespace

extern const Panel kExercisesPanel = {
    .tab = Tab::Exercises, .title = trMark("Exercises"), .draw = drawExercises, .shortcuts = kExerciseKeys};

}  // namespace haloscope::ui
