#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "actions/ExerciseActions.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "questions/CellSets.h"
#include "questions/Questions.h"
#include "recording/GridShape.h"
#include "state/ExerciseView.h"
#include "ui/widgets/CellPlanes.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/Widgets.h"

/// Exercises with one's own numbers: a prediction, the executed answer, its derivation, and a picture.
namespace haloscope::ui {

namespace {

/// Cells of an array, of a block's threads or of a warp's lanes, some of them marked: in one row, or in rows and
/// columns; of three axes the plane in the middle. Ghost cells stand around the array.
struct CellPicture {
  const questions::CellSet& set;
  std::string caption{};              ///< what is marked
  std::vector<std::string> values{};  ///< written into the cells of one row; empty: none
};

using questions::CellSet;
using recording::GridPoint;
using recording::GridShape;

constexpr std::int64_t kMostColumns = 160, kMostRows = 128;
constexpr std::int64_t kWholeColumns = 64, kWholeRows = 40;  ///< of a larger array the marked cells are drawn
constexpr std::int64_t kMargin = 2;                          ///< around these
constexpr float kLargestCell = 26, kSmallestCell = 2;        ///< pixels
constexpr float kSmallestOfVolume = 5;                       ///< with several planes side by side
constexpr float kFaint = 0.55F;                              ///< share of the colour of cells that are not marked
constexpr float kTallest = 190;                              ///< of the whole picture

/// A row or a plane with all that lies outside it; of a volume or a large array, what is marked with a margin.
std::pair<GridPoint, GridPoint> boundsOf(const CellSet& set) {
  const GridShape shape(set.extents);
  const bool volume = shape.planes() > 1 && !set.cells.empty();
  const bool part = volume || (!set.cells.empty() && (shape.columns() > kWholeColumns || shape.rows() > kWholeRows));
  GridPoint low{0, 0, 0}, high{0, shape.rows() - 1, shape.columns() - 1};
  if (part) { low = high = set.cells.front(); }
  for (const GridPoint& cell : set.cells) {
    low = {std::min(low.z, cell.z), std::min(low.y, cell.y), std::min(low.x, cell.x)};
    high = {std::max(high.z, cell.z), std::max(high.y, cell.y), std::max(high.x, cell.x)};
  }
  if (part) {
    const std::int64_t margin = volume ? 1 : kMargin;
    const auto widen = [&](std::int64_t& from, std::int64_t& to, std::int64_t extent) {
      from = std::min(from, std::max<std::int64_t>(from - margin, 0));
      to = std::max(to, std::min(to + margin, extent - 1));
    };
    widen(low.y, high.y, shape.rows());
    widen(low.x, high.x, shape.columns());
  }
  if (!volume) { low.z = high.z = shape.planes() / 2; }
  return {low, high};
}

CellLook lookOf(const Theme& theme, const CellSet& set, const GridShape& shape, const GridPoint& at) {
  const Palette& colours = theme.colours();
  const bool marked = set.contains(at);
  if (!shape.contains(at)) { return marked ? CellLook{theme.faded(colours.ghost, 0.5F), colours.ghost} : CellLook{}; }
  if (set.of != CellSet::Of::Array) {
    return CellLook{.fill = marked ? colours.halo : Theme::mixed(colours.panel, colours.output, kFaint)};
  }
  return CellLook{marked ? colours.halo : Theme::mixed(colours.panel, colours.interior, kFaint), 0};
}

void drawCells(const Theme& theme, const CellPicture& picture) {
  const CellSet& set = picture.set;
  const GridShape shape(set.extents);
  CellPlanes planes;
  std::tie(planes.low, planes.high) = boundsOf(set);
  if (planes.columns() > kMostColumns || planes.rows() > kMostRows) {
    label(theme, theme.colours().textDim, tr("Too many cells for a small picture: see it in the window."));
    return;
  }
  const float room = std::max(ImGui::GetContentRegionAvail().x, theme.px(40));
  const float numbers = planes.planeWidth(theme);
  const auto cellIn = [&](std::int64_t count) {
    return std::min((room - numbers * static_cast<float>(count)) / static_cast<float>(planes.columns() * count),
                    theme.px(kTallest) / static_cast<float>(planes.rows()));
  };
  if (cellIn(planes.planes()) < theme.px(kSmallestOfVolume)) {  // too many side by side
    planes.low.z = planes.high.z = planes.low.z + planes.planes() / 2;
  }
  planes.cell = std::clamp(cellIn(planes.planes()), theme.px(kSmallestCell), theme.px(kLargestCell));
  planes.look = [&](const GridPoint& at, bool) { return lookOf(theme, set, shape, at); };
  planes.value = [&](const GridPoint& at) {
    const auto index = static_cast<std::size_t>(at.x);
    return shape.contains(at) && index < picture.values.size() ? picture.values[index] : std::string();
  };
  if (const auto under = drawCellPlanes(theme, planes, room)) {
    const Tooltip tooltip(theme);
    tooltip.title(questions::cellText(set, under->at));
    if (set.contains(under->at)) { tooltip.note(picture.caption); }
  }
  if (planes.planes() > 1) {
    label(theme, theme.colours().textDim,
          trf("planes z = {} … {} of 0 … {}", planes.low.z, planes.high.z, shape.planes() - 1));
  } else if (shape.planes() > 1) {
    label(theme, theme.colours().textDim, trf("plane z = {} of 0 … {}", planes.low.z, shape.planes() - 1));
  }
}

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
