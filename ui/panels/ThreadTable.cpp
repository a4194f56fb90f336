#include "ui/panels/ThreadTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "language/Capital.h"
#include "language/Text.h"
#include "state/Places.h"
#include "ui/widgets/CarrierColours.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {
namespace {

using recording::GridPoint;
using recording::Role;

/// The grid point that a thread is working on.
struct ThreadPoint {
  GridPoint at;
  Role role = Role::Interior;
};

/// The output that the thread writes in this step; else the point held in its own cell of an array that carries the
/// current plane; else the last input point that it was the first to read.
std::optional<ThreadPoint> pointOf(const AppState& state, const Theme& theme, std::uint32_t thread) {
  for (const recording::PointView& point : state.blockView.outputs) {
    if (point.active && point.thread == thread) { return ThreadPoint{point.at, point.role}; }
  }
  const std::vector<ImU32> hues = carrierColours(theme, *state.experiment);
  for (std::size_t i = 0; i < state.blockView.carriers.size(); ++i) {
    const recording::CarrierView& view = state.blockView.carriers[i];
    if (i >= hues.size() || hues[i] != theme.colours().interior || thread >= view.cells.size()) { continue; }
    const recording::CarrierCell& cell = view.cells[thread];
    const bool isRegister = view.carrier->kind == recording::Carrier::Kind::Register;
    if (cell.placed && (isRegister || cell.cell.writer == thread)) { return ThreadPoint{cell.at, cell.role}; }
  }
  std::optional<ThreadPoint> found;
  std::uint32_t latest = 0;
  for (const recording::PointView& point : state.blockView.inputs) {
    const bool past = point.step != kNone && std::size_t{point.step} < state.cursor.position();
    if (point.thread != thread || !past || (found && point.step < latest)) { continue; }
    found = ThreadPoint{point.at, point.role};
    latest = point.step;
  }
  return found;
}

/// An arrow button to the previous (-1) or next (+1) thread.
void threadButton(AppState& state, const Theme& theme, int by, ImVec2 size) {
  const auto count = static_cast<std::int64_t>(state.cursor.recording().threadCount());
  ImGui::PushID(by);
  if (ImGui::InvisibleButton("thread", size, ImGuiButtonFlags_EnableNav) && count > 0) {
    const std::int64_t next = (std::int64_t{state.selection.thread} + by + count) % count;
    state.selection.thread = static_cast<std::uint32_t>(next);
  }
  ImGui::PopID();
  const ImVec2 min = ImGui::GetItemRectMin();
  const ImVec2 centre{std::round(min.x + size.x / 2), std::round(min.y + size.y / 2)};
  const bool asked = lastItemAsked();
  const ImU32 colour = asked ? theme.colours().text : theme.colours().textDim;
  arrowAt(ImGui::GetWindowDrawList(), centre, theme.px(4), by, colour);
  if (asked) {
    const Tooltip tip(theme);
    tip.note(by < 0 ? tr("previous thread") : tr("next thread"), theme.colours().text);
  }
}

/// One variable: its name and its value; its type is in the tooltip.
class ValueCell {
 public:
  ValueCell(const AppState& state, const Theme& theme, const std::vector<ImU32>& hues)
      : state_(state), theme_(theme), hues_(hues), list_(ImGui::GetWindowDrawList()) {}

  void draw(const recording::ThreadValue& value, float nameWidth, float width) {
    const Palette& colours = theme_.colours();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(value.variable));
    ImGui::InvisibleButton("value", {width, ImGui::GetTextLineHeight() + theme_.px(1)}, ImGuiButtonFlags_EnableNav);
    ImGui::PopID();
    const bool asked = lastItemAsked();

    const ImU32 faint = theme_.faded(colours.textDim, 0.55F);
    textAt(list_, at, value.inScope ? hueOf(value) : faint, value.name);
    const float from = at.x + std::max(nameWidth, textWidth(value.name)) + theme_.px(8);
    const float room = at.x + width - theme_.px(8) - from;
    if (value.changed && value.inScope) {
      writeChange(value, {from, at.y}, room);
    } else {
      clippedTextAt(list_, {from, at.y}, room, value.inScope ? colours.text : faint, value.inScope ? value.text : "–");
    }
    if (asked) { tooltip(value); }
  }

 private:
  [[nodiscard]] ImU32 hueOf(const recording::ThreadValue& value) const {
    const auto& carriers = state_.experiment->carriers;
    for (std::size_t i = 0; i < std::min(carriers.size(), hues_.size()); ++i) {
      if (carriers[i].kind == recording::Carrier::Kind::Register && carriers[i].id == value.variable) {
        return hues_[i];
      }
    }
    return Theme::mixed(theme_.colours().text, theme_.colours().textDim, 0.5F);
  }

  /// "before → after"; in a narrow column with fewer digits, then without the old value.
  void writeChange(const recording::ThreadValue& value, ImVec2 at, float room) const {
    const ImU32 colour = theme_.colours().activeText;
    const std::string before = recording::formatValue(*state_.experiment->program, value.type, value.before);
    if (!hadValue(value)) {
      clippedTextAt(list_, at, room, colour, "→ " + value.text);
      return;
    }
    const std::string full = before + " → " + value.text;
    if (textWidth(full) <= room) {
      textAt(list_, at, colour, full);
      return;
    }
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const std::string brief = shorter(value, value.before) + " → " + shorter(value, value.cell.bits);
    clippedTextAt(list_, at, room, colour, textWidth(brief) <= room ? brief : "→ " + shorter(value, value.cell.bits));
  }

  [[nodiscard]] std::string shorter(const recording::ThreadValue& value, std::uint64_t bits) const {
    if (value.type == ValueType::F32) {
      return fmt::format("{:.4g}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }
    if (value.type == ValueType::F64) { return fmt::format("{:.4g}", std::bit_cast<double>(bits)); }
    return recording::formatValue(*state_.experiment->program, value.type, bits);
  }

  /// Whether the variable had been written before the current step.
  [[nodiscard]] bool hadValue(const recording::ThreadValue& value) const {
    for (const recording::Change& change : state_.cursor.recording().changesOf(state_.cursor.currentStep())) {
      if (change.kind == recording::Change::Kind::Variable && change.id == value.variable &&
          change.index == std::int64_t{state_.selection.thread}) {
        return change.originBefore.kind != recording::Origin::Kind::Unwritten;
      }
    }
    return true;
  }

  void tooltip(const recording::ThreadValue& value) const {
    const Tooltip tip(theme_);
    tip.title(value.name + " = " + (value.inScope ? recording::formatExact(value.type, value.cell.bits) : "–"));
    tip.row(tr("type"), cppName(value.type));
    if (!value.inScope) { tip.note(tr("not declared at this step")); }
    if (value.changed && hadValue(value)) {
      tip.row(tr("before"), recording::formatExact(value.type, value.before), theme_.colours().activeText);
    }
    const recording::Origin& origin = value.cell.origin;
    if (origin.kind == recording::Origin::Kind::Element) {
      const Program& program = *state_.experiment->program;
      tip.row(tr("a copy of"),
              recording::formatElement(program.objects[origin.object].name,
                                       state_.cursor.recording().extents[origin.object], origin.element));
    }
    if (value.cell.writtenAt != kNone) {
      tip.row(tr("written at"), trf("step {}", grouped(std::uint64_t{value.cell.writtenAt} + 1)));
    }
  }

  const AppState& state_;
  const Theme& theme_;
  const std::vector<ImU32>& hues_;
  ImDrawList* list_;
};

struct ValueColumn {
  float left = 0, width = 0;
  float names = 0;  ///< room for the names
};

/// Width of a change of a variable of this type, so that columns do not move while values change.
float changeWidth(ValueType type) {
  const int characters = isFloating(type) ? 17 : type == ValueType::Bool ? 9 : type == ValueType::Pointer ? 14 : 8;
  return textWidth("0") * static_cast<float>(characters);
}

/// Columns filled from top to bottom: as many as fit, each as wide as its widest possible content.
std::vector<ValueColumn> arrange(const std::vector<recording::ThreadValue>& values, float width, const Theme& theme) {
  const std::size_t count = std::max<std::size_t>(1, static_cast<std::size_t>(width / theme.px(145)));
  const std::size_t rows = (values.size() + count - 1) / count;
  std::vector<ValueColumn> columns((values.size() + rows - 1) / rows);
  std::vector<float> wanted(columns.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ValueColumn& column = columns[i / rows];
    column.names = std::max(column.names, std::min(textWidth(values[i].name), width * 0.3F));
    wanted[i / rows] = std::max(wanted[i / rows], changeWidth(values[i].type));
  }
  float sum = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) { sum += wanted[i] += columns[i].names + theme.px(20); }
  float left = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    // Distribute the remaining or missing width evenly.
    columns[i].left = std::round(left);
    columns[i].width = std::floor(wanted[i] + (width - sum) / static_cast<float>(columns.size()));
    left += columns[i].width;
  }
  return columns;
}

/// The thread's accesses in the current step, one phrase each.
std::vector<std::string> accessPhrases(const AppState& state) {
  std::vector<std::string> phrases;
  if (state.cursor.atStart()) { return phrases; }
  const recording::Recording& recording = state.cursor.recording();
  const Program& program = *recording.program;
  const std::uint32_t warp = state.selection.thread / kWarpSize;
  const LaneMask lane = LaneMask{1} << (state.selection.thread % kWarpSize);
  for (const recording::AccessGroup& group : recording.accessesOf(state.cursor.currentStep())) {
    if (group.warp != warp || (group.lanes & lane) == 0) { continue; }
    const auto entry = group.first + static_cast<std::uint32_t>(std::popcount(group.lanes & (lane - 1)));
    const MemoryObject& object = program.objects[group.object];
    phrases.push_back(
        fmt::format("{} {} = {}", group.store ? tr("writes") : tr("reads"),
                    recording::formatElement(object.name, recording.extents[group.object], recording.elements[entry]),
                    recording::formatValue(object.element, recording.values[entry])));
  }
  return phrases;
}

}  // namespace

void drawThreadHeading(AppState& state, const Theme& theme) {
  const recording::Recording& recording = state.cursor.recording();
  const std::uint32_t thread = state.selection.thread;
  const Palette& colours = theme.colours();
  const ImVec2 button{theme.px(15), theme.textPixels(TextSize::Body)};
  const float width = ImGui::GetContentRegionAvail().x;
  const float room = width - button.x * 2 - theme.px(4);
  const ImVec2 start = ImGui::GetCursorPos();
  const ImVec2 at = ImGui::GetCursorScreenPos();

  const std::string who = capitalised(threadText(thread, recording.configuration.block));
  const std::string lane = trf(" · lane {} of warp {}", thread % kWarpSize, thread / kWarpSize);
  const std::optional<ThreadPoint> point = pointOf(state, theme, thread);
  std::string where, role;
  if (point) {
    where = pointText(point->at, state.experiment->footprint.inputExtents.size());
    role = std::string(" · ") + name(point->role);
  }
  // If it does not fit, drop the role first: the point's colour shows it too.
  struct Piece {
    std::string text;
    ImU32 colour;
  };
  const ImU32 roleColour = point ? theme.of(point->role) : colours.textDim;
  const std::vector<std::vector<Piece>> forms = {
      {{lane, colours.textDim}, {where.empty() ? "" : tr(" · point "), colours.textDim}, {where + role, roleColour}},
      {{lane, colours.textDim}, {where.empty() ? "" : tr(" · point "), colours.textDim}, {where, roleColour}},
      {{lane, colours.textDim}, {where.empty() ? "" : " · ", colours.textDim}, {where, roleColour}},
      {{lane, colours.textDim}},
  };
  float whoWidth = 0;
  {
    const FontScope font(theme, Face::SansStrong, TextSize::Small);
    textAt(ImGui::GetWindowDrawList(), {at.x, at.y + (button.y - ImGui::GetFontSize()) / 2}, colours.text, who);
    whoWidth = textWidth(who);
  }
  {
    const FontScope font(theme, Face::Sans, TextSize::Small);
    const auto widthOf = [](const std::vector<Piece>& pieces) {
      float sum = 0;
      for (const Piece& piece : pieces) { sum += textWidth(piece.text); }
      return sum;
    };
    auto form = forms.begin();
    while (form + 1 != forms.end() && whoWidth + widthOf(*form) > room) { ++form; }
    float x = at.x + whoWidth;
    for (const Piece& piece : *form) {
      textAt(ImGui::GetWindowDrawList(), {x, at.y + (button.y - ImGui::GetFontSize()) / 2}, piece.colour, piece.text);
      x += textWidth(piece.text);
    }
    ImGui::InvisibleButton("who", {room, button.y});
  }
  if (ImGui::IsItemHovered()) {
    const Tooltip tip(theme);
    tip.title(who + lane, 0, Face::SansStrong);
    if (point) {
      tip.row(tr("grid point"), where);
      tip.row(tr("role"), name(point->role), roleColour);
    }
  }
  ImGui::SetCursorPos({start.x + width - button.x * 2, start.y});
  threadButton(state, theme, -1, button);
  ImGui::SameLine(0, 0);
  threadButton(state, theme, 1, button);
}

void drawThreadValues(const AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Mono, TextSize::Small);
  std::vector<recording::ThreadValue> values = recording::threadValues(state.cursor, state.selection.thread);
  const std::vector<Variable>& variables = state.experiment->program->variables;
  // Array parameters never change; variables of inlined functions are shown only while those execute.
  std::erase_if(values, [&](const recording::ThreadValue& value) {
    const Variable& variable = variables[value.variable];
    return (variable.parameter && value.type == ValueType::Pointer) || (variable.function != 0 && !value.inScope);
  });
  if (values.empty()) { return; }
  const float width = ImGui::GetContentRegionAvail().x;
  const std::vector<ValueColumn> columns = arrange(values, width, theme);
  const std::size_t rows = (values.size() + columns.size() - 1) / columns.size();
  const std::vector<ImU32> hues = carrierColours(theme, *state.experiment);
  const ImVec2 origin = ImGui::GetCursorPos();
  const float line = ImGui::GetTextLineHeight() + theme.px(1);
  ValueCell cell(state, theme, hues);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ValueColumn& column = columns[i / rows];
    ImGui::SetCursorPos({origin.x + column.left, origin.y + line * static_cast<float>(i % rows)});
    cell.draw(values[i], column.names, column.width);
  }
  ImGui::SetCursorPos(origin);
  ImGui::Dummy({width, line * static_cast<float>(rows)});
}

void drawThreadAccesses(const AppState& state, const Theme& theme) {
  const std::vector<std::string> phrases = accessPhrases(state);
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const float width = ImGui::GetContentRegionAvail().x;
  std::string text = phrases.empty() ? tr("no memory access in this step") : std::string();
  std::size_t shown = 0;
  for (; shown < phrases.size(); ++shown) {
    const std::string next = (text.empty() ? "" : text + " · ") + phrases[shown];
    if (shown > 0 && textWidth(next) > width - theme.px(56)) { break; }
    text = next;
  }
  if (shown < phrases.size()) { text += trf(" · {} more", phrases.size() - shown); }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("accesses", {width, ImGui::GetTextLineHeight()}, ImGuiButtonFlags_EnableNav);
  clippedTextAt(ImGui::GetWindowDrawList(), at, width, theme.colours().textDim, text);
  if (!phrases.empty() && lastItemAsked()) {
    const Tooltip tip(theme);
    tip.title(tr("In this step the thread"), 0, Face::SansStrong);
    for (const std::string& phrase : phrases) { label(theme, theme.colours().text, phrase, Face::Mono); }
  }
}

}  // namespace haloscope::ui
