#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actions/Walking.h"
#include "language/Text.h"
#include "state/CodeText.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The block's steps from left to right: planes, barrier intervals, activities, and the cursor.
namespace haloscope::ui {
namespace {

using recording::Activity;
using recording::Recording;

constexpr std::array kActivities = {Activity::Control, Activity::Load, Activity::Compute,
                                    Activity::Output,  Activity::Move, Activity::Barrier};
constexpr double kFewestSteps = 12;  ///< visible at the highest zoom
constexpr float kRoomToMove = 6;     ///< pixels of a step from which on the head is dragged through its movement

/// The visible part of the recording and its position on screen.
struct StepWindow {
  double start = 0, span = 1;  ///< in steps
  float left = 0, width = 1;

  [[nodiscard]] float x(double step) const { return left + static_cast<float>((step - start) / span) * width; }
  [[nodiscard]] double step(float x) const { return start + static_cast<double>((x - left) / width) * span; }
  [[nodiscard]] float pixelsPerStep() const { return width / static_cast<float>(span); }
  [[nodiscard]] bool shows(double from, double to) const { return to > start && from < start + span; }
};

void keepInside(StepWindow& window, double steps) {
  window.span = std::clamp(window.span, std::min(kFewestSteps, steps), steps);
  window.start = std::clamp(window.start, 0.0, steps - window.span);
}

/// The three tracks and the ImGui item that covers them.
class Tracks {
 public:
  Tracks(AppState& state, const Theme& theme)
      : state_(state), theme_(theme), recording_(state.cursor.recording()), list_(ImGui::GetWindowDrawList()) {}

  void draw(float height) {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float names = textWidth(tr("interval")) + theme_.px(10);
    const float line = ImGui::GetTextLineHeight();
    const float gap = theme_.px(3);
    // With large text a row gives way, and then the other: the steps keep a line's height.
    const bool planesKnown = !recording_.planes.empty();
    const auto rows = static_cast<int>((height - line) / (line + gap));
    const bool planes = planesKnown && rows >= 1;
    const bool intervals = rows >= (planesKnown ? 2 : 1);

    view_.left = origin.x + names;
    view_.width = std::max(theme_.px(32), width - names);
    float y = origin.y;
    const auto row = [&](const char* name, float rowHeight) {
      textAt(list_, {origin.x, y + (rowHeight - line) / 2}, theme_.colours().textDim, name);
      const float top = y;
      y += rowHeight + gap;
      return top;
    };
    const float planeTop = planes ? row(tr("plane"), line + theme_.px(1)) : y;
    const float intervalTop = intervals ? row(tr("interval"), line) : y;
    const float stepTop = row(tr("step"), std::max(line, origin.y + height - y));
    const float bottom = origin.y + height;

    remembered();
    ImGui::SetCursorScreenPos({view_.left, origin.y});
    ImGui::InvisibleButton("tracks", {view_.width, bottom - origin.y}, ImGuiButtonFlags_EnableNav);
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    const bool hovered = ImGui::IsItemHovered();
    navigate(hovered, ImGui::IsItemActive());

    list_->PushClipRect({view_.left, origin.y - theme_.px(4)}, {view_.left + view_.width, bottom + theme_.px(4)}, true);
    if (planes) { drawPlanes(planeTop, line + theme_.px(1)); }
    if (intervals) { drawIntervals(intervalTop, line); }
    drawSteps(stepTop, bottom - stepTop);
    drawLineTicks(stepTop);
    drawCursor(origin.y, bottom, stepTop);
    if (hovered) { drawHover(origin.y, bottom); }
    list_->PopClipRect();
    ImGui::SetCursorScreenPos({origin.x, bottom});
    ImGui::Dummy({width, theme_.px(1)});
  }

 private:
  [[nodiscard]] double steps() const { return static_cast<double>(std::max<std::size_t>(1, recording_.steps.size())); }

  /// The view of the last frame; all steps for a new recording; scrolled to show the cursor after it moved.
  void remembered() {
    const bool renewed = storedChanged("recording", reinterpret_cast<std::uintptr_t>(&recording_));
    const bool moved = storedChanged("position", state_.cursor.position());
    view_.start = renewed ? 0 : static_cast<double>(storedFloat("start", 0)) * steps();
    view_.span = renewed ? steps() : static_cast<double>(storedFloat("span", 1)) * steps();
    const auto at = static_cast<double>(state_.cursor.position());
    if (moved && !view_.shows(at - 1, at)) { view_.start = at - view_.span / 3; }
    keepInside(view_, steps());
  }

  void navigate(bool hovered, bool active) {
    const ImGuiIO& io = ImGui::GetIO();
    if (hovered && io.MouseWheel != 0 && !io.KeyShift) {
      const double at = view_.step(io.MousePos.x);
      const double factor = std::pow(0.8, static_cast<double>(io.MouseWheel));
      const double span = std::clamp(view_.span * factor, std::min(kFewestSteps, steps()), steps());
      view_.start = at - (at - view_.start) * span / view_.span;
      view_.span = span;
    }
    const float sideways = io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0);
    if (hovered && sideways != 0) { view_.start -= static_cast<double>(sideways) * view_.span / 12; }
    if (hovered && ImGui::IsMouseDragging(ImGuiMouseButton_Middle)) {
      view_.start -= static_cast<double>(io.MouseDelta.x / view_.width) * view_.span;
    }
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Right)) { view_.span = steps(); }
    keepInside(view_, steps());
    store("start", static_cast<float>(view_.start / steps()));
    store("span", static_cast<float>(view_.span / steps()));
    if (active && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
      // A click selects the step; left of the first step is the start.
      const double at = std::min(view_.step(io.MousePos.x), steps());
      state_.playback.playing = false;
      state_.cursor.goTo(at < 0 ? 0 : static_cast<std::size_t>(at) + 1);
      // The head is dragged through the movement of a step, too; a click shows where it ends.
      std::optional<float>& held = state_.playback.held;
      const bool dragged = held || ImGui::IsMouseDragging(ImGuiMouseButton_Left);
      const bool moves = dragged && at >= 0 && view_.pixelsPerStep() >= theme_.px(kRoomToMove);
      const double share = at < steps() ? at - std::floor(at) : 1;
      held = moves ? std::optional(static_cast<float>(share)) : std::nullopt;
    }
  }

  /// The step at the cursor; the first one at position 0.
  [[nodiscard]] const recording::Step* current() const { return state_.cursor.current(); }

  void drawPlanes(float top, float height) {
    const Palette& colours = theme_.colours();
    for (std::size_t i = 0; i < recording_.planes.size(); ++i) {
      const recording::Plane& plane = recording_.planes[i];
      const bool here = current() != nullptr && current()->plane == i;
      const std::string name =
          plane.variable.empty() ? std::to_string(i) : fmt::format("{} = {}", plane.variable, plane.value);
      band(plane.firstStep, plane.endStep, top, height, here, name, std::to_string(plane.value), colours.panelRaised);
    }
  }

  void drawIntervals(float top, float height) {
    const Palette& colours = theme_.colours();
    for (std::size_t i = 0; i < recording_.intervals.size(); ++i) {
      const recording::Interval& interval = recording_.intervals[i];
      const bool here = current() != nullptr && current()->interval == i;
      const std::string number = std::to_string(i);
      const ImU32 fill = Theme::mixed(colours.panel, colours.panelRaised, i % 2 == 0 ? 0.75F : 0.45F);
      band(interval.firstStep, interval.endStep, top, height, here, number, number, fill);
    }
  }

  /// A range of steps with its name, short name or no name, depending on the width.
  void band(std::uint32_t first, std::uint32_t end, float top, float height, bool here, const std::string& name,
            const std::string& shortName, ImU32 fill) {
    if (!view_.shows(first, end)) { return; }
    const Palette& colours = theme_.colours();
    const ImVec2 min{std::max(view_.x(first), view_.left - theme_.px(8)), top};
    const ImVec2 max{std::max(min.x + 1, std::min(view_.x(end), view_.left + view_.width + theme_.px(8)) - 1),
                     top + height};
    list_->AddRectFilled(min, max, here ? Theme::mixed(fill, colours.active, 0.22F) : fill, theme_.px(2));
    const float left = std::max(min.x, view_.left);
    const float room = std::min(max.x, view_.left + view_.width) - left;
    for (const std::string& text : {name, shortName}) {
      const float wide = textWidth(text);
      if (wide + theme_.px(2) > room) { continue; }
      const ImVec2 at{left + (room - wide) / 2, top + (height - ImGui::GetTextLineHeight()) / 2};
      textAt(list_, at, here ? colours.text : colours.textDim, text);
      return;
    }
  }

  /// Whether the range contains the cursor: its plane or, without planes, its interval.
  [[nodiscard]] bool near(const recording::Step& step) const {
    if (current() == nullptr) { return true; }
    return recording_.planes.empty() ? step.interval == current()->interval : step.plane == current()->plane;
  }

  [[nodiscard]] ImU32 stepColour(std::size_t step) const {
    const ImU32 colour = theme_.of(recording_.activities[step]);
    return near(recording_.steps[step]) ? colour : Theme::mixed(theme_.colours().panel, colour, 0.45F);
  }

  void drawSteps(float top, float height) {
    const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(view_.start)));
    const auto end = std::min(recording_.steps.size(), static_cast<std::size_t>(std::ceil(view_.start + view_.span)));
    if (view_.pixelsPerStep() < 1) { return drawDense(top, height); }
    const float gap = view_.pixelsPerStep() >= theme_.px(4) ? 1.0F : 0.0F;
    for (std::size_t step = first; step < end;) {
      // Without gaps, a run of equal steps is one rectangle.
      std::size_t next = step + 1;
      const ImU32 colour = stepColour(step);
      while (gap == 0 && next < end && stepColour(next) == colour) { ++next; }
      const float left = std::round(view_.x(static_cast<double>(step)));
      const float right = std::round(view_.x(static_cast<double>(next))) - gap;
      list_->AddRectFilled({left, top}, {std::max(left + 1, right), top + height}, colour,
                           gap > 0 ? theme_.px(1.5F) : 0);
      if (recording_.activities[step] == Activity::Move) { stripe(list_, theme_, {left, top}, {right, top + height}); }
      if (right - left > theme_.px(48)) { writeStatement(step, {left, top}, {right, top + height}, colour); }
      step = next;
    }
  }

  /// With few steps there is room for the source of each.
  void writeStatement(std::size_t step, ImVec2 min, ImVec2 max, ImU32 fill) const {
    const StatementId id = recording_.steps[step].statement;
    if (id == kNone) { return; }
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    const std::string text = excerpt(state_.experiment->file.text, recording_.program->statements[id].range);
    const float margin = theme_.px(5);
    clippedTextAt(list_, {min.x + margin, (min.y + max.y - ImGui::GetTextLineHeight()) / 2}, max.x - min.x - 2 * margin,
                  theme_.textOn(fill), text);
  }

  /// More steps than pixels: each column shows its most frequent activity other than control.
  void drawDense(float top, float height) {
    const int columns = static_cast<int>(view_.width);
    for (int column = 0; column < columns; ++column) {
      const float x = view_.left + static_cast<float>(column);
      const auto first = static_cast<std::size_t>(std::max(0.0, view_.step(x)));
      const auto end = std::min(recording_.steps.size(), static_cast<std::size_t>(std::ceil(view_.step(x + 1))));
      std::array<int, kActivities.size()> counts{};
      for (std::size_t step = first; step < end; ++step) {
        ++counts[static_cast<std::size_t>(recording_.activities[step])];
      }
      counts[static_cast<std::size_t>(Activity::Control)] =
          std::min(counts[static_cast<std::size_t>(Activity::Control)], 1);
      const auto most = std::max_element(counts.rbegin(), counts.rend());
      const auto activity = static_cast<Activity>(counts.rend() - most - 1);
      if (first < end) { list_->AddRectFilled({x, top}, {x + 1, top + height}, theme_.of(activity)); }
    }
  }

  /// Marks the steps that executed the source line under the mouse.
  void drawLineTicks(float top) {
    if (!state_.selection.hoveredLine) { return; }
    const int line = *state_.selection.hoveredLine;
    const std::vector<Statement>& statements = recording_.program->statements;
    for (std::size_t step = 0; step < recording_.steps.size(); ++step) {
      const StatementId id = recording_.steps[step].statement;
      if (id == kNone || statements[id].range.line > line || statements[id].range.endLine < line) { continue; }
      if (!view_.shows(static_cast<double>(step), static_cast<double>(step + 1))) { continue; }
      const float x = std::round(view_.x(static_cast<double>(step)));
      const float right = std::max(x + theme_.px(2), std::round(view_.x(static_cast<double>(step + 1))) - 1);
      list_->AddRectFilled({x, top - theme_.px(3)}, {right, top}, theme_.colours().text);
    }
  }

  void drawCursor(float top, float bottom, float stepTop) {
    const ImU32 active = theme_.colours().active;
    const auto position = static_cast<double>(state_.cursor.position());
    if (view_.pixelsPerStep() >= theme_.px(4) && position > 0) {
      outlineActive(list_, theme_, {std::round(view_.x(position - 1)) - 1, stepTop - 1},
                    {std::round(view_.x(position)), bottom + 1}, theme_.px(1.5F), theme_.px(1.5F));
    }
    const double within = state_.playback.held.value_or(0.5F);
    const float x = std::round(view_.x(std::max(0.0, position - 1 + within)));
    const float half = std::max(1.0F, std::round(theme_.px(1)));
    const float wing = theme_.px(5);
    // A line would cross out the text of a wide block; its outline marks it instead.
    const bool words = position > 0 && view_.pixelsPerStep() > theme_.px(48);
    const ImVec2 lineMin{x - half, top - theme_.px(3)};
    const ImVec2 lineMax{x + half, words ? stepTop : bottom + theme_.px(3)};
    list_->AddRectFilled({lineMin.x - 1, lineMin.y}, {lineMax.x + 1, lineMax.y}, theme_.colours().activeEdge);
    list_->AddRectFilled(lineMin, lineMax, active);
    list_->AddTriangleFilled({x - wing, top - theme_.px(4)}, {x + wing, top - theme_.px(4)}, {x, top + theme_.px(3)},
                             active);
  }

  void drawHover(float top, float bottom) {
    const float x = ImGui::GetIO().MousePos.x;
    list_->AddLine({x, top}, {x, bottom}, theme_.faded(theme_.colours().text, 0.5F));
    const double at = view_.step(x);
    if (at < 0 || at >= steps() || recording_.steps.empty()) { return; }
    const auto index = static_cast<std::size_t>(at);
    const recording::Step& step = recording_.steps[index];
    const Activity activity = recording_.activities[index];
    const Tooltip tip(theme_);
    tip.title(trf("step {} of {}", grouped(index + 1), grouped(recording_.steps.size())), 0, Face::SansStrong);
    if (step.statement != kNone) {
      const SourceRange& range = recording_.program->statements[step.statement].range;
      label(theme_, theme_.colours().text, excerpt(state_.experiment->file.text, range), Face::Mono);
      tip.row(tr("line"), std::to_string(range.line));
    }
    tip.row(tr("activity"), name(activity), Theme::mixed(theme_.of(activity), theme_.colours().text, 0.4F));
    tip.row(tr("barrier interval"), std::to_string(step.interval));
    if (step.plane != kNone) {
      const recording::Plane& plane = recording_.planes[step.plane];
      tip.row(tr("plane"), plane.variable.empty() ? std::to_string(step.plane)
                                                  : fmt::format("{} = {}", plane.variable, plane.value));
    }
    if (view_.pixelsPerStep() < 1) { tip.note(tr("Several steps share this pixel: zoom in with the wheel.")); }
  }

  AppState& state_;
  const Theme& theme_;
  const Recording& recording_;
  ImDrawList* list_;
  StepWindow view_;
};

/// The icons of the transport buttons, drawn so that no font needs them.
class Sign {
 public:
  Sign(ImDrawList* list, ImVec2 centre, float size, ImU32 colour)
      : list_(list), centre_(centre), h_(size / 2), colour_(colour) {}

  /// At `x` from the centre, in halves of the size; -1 points left.
  void arrow(float x, int direction, float scale = 0.8F) const {
    arrowAt(list_, {centre_.x + x * h_, centre_.y}, h_ * scale, direction, colour_);
  }
  void bar(float left, float right) const {
    list_->AddRectFilled({centre_.x + left * h_, centre_.y - h_ * 0.8F},
                         {centre_.x + right * h_, centre_.y + h_ * 0.8F}, colour_);
  }

 private:
  ImDrawList* list_;
  ImVec2 centre_;
  float h_;
  ImU32 colour_;
};

struct TransportButton {
  Act act;
  void (*draw)(const Sign& sign, bool playing);
};

constexpr std::array kTransport = {
    TransportButton{goToStart,
                    [](const Sign& sign, bool) {
                      sign.bar(-1.1F, -0.7F);
                      sign.arrow(0.15F, -1);
                    }},
    TransportButton{goToPreviousInterval,
                    [](const Sign& sign, bool) {
                      sign.arrow(-0.65F, -1);
                      sign.arrow(0.65F, -1);
                    }},
    TransportButton{stepBack, [](const Sign& sign, bool) { sign.arrow(-0.1F, -1); }},
    TransportButton{playOrPause,
                    [](const Sign& sign, bool playing) {
                      if (!playing) { return sign.arrow(0.1F, 1, 1); }
                      sign.bar(-0.8F, -0.2F);
                      sign.bar(0.2F, 0.8F);
                    }},
    TransportButton{stepForward, [](const Sign& sign, bool) { sign.arrow(0.1F, 1); }},
    TransportButton{goToNextInterval,
                    [](const Sign& sign, bool) {
                      sign.arrow(-0.65F, 1);
                      sign.arrow(0.65F, 1);
                    }},
    TransportButton{goToEnd,
                    [](const Sign& sign, bool) {
                      sign.arrow(-0.15F, 1);
                      sign.bar(0.7F, 1.1F);
                    }},
};

void drawTransport(AppState& state, const Theme& theme, float height) {
  const Palette& colours = theme.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < kTransport.size(); ++i) {
    const TransportButton& button = kTransport.at(i);
    const bool play = button.act == playOrPause;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{theme.px(play ? 32.0F : 24.0F), height};
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("transport", size, ImGuiButtonFlags_EnableNav)) { button.act(state); }
    ImGui::PopID();
    const bool asked = lastItemAsked();
    const ImU32 fill = asked ? Theme::mixed(colours.panelRaised, colours.text, 0.12F) : colours.panelRaised;
    list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, fill, theme.px(4));
    const ImVec2 centre{std::round(at.x + size.x / 2), std::round(at.y + size.y / 2)};
    button.draw(Sign(list, centre, std::round(theme.px(10)), play ? colours.activeText : colours.text),
                state.playback.playing);
    if (asked) {
      const Tooltip tip(theme);
      tip.row(keyText(button.act), describe(button.act));
    }
    ImGui::SameLine(0, theme.px(3));
  }
}

/// "− 1× +".
void drawSpeed(AppState& state, const Theme& theme, float height) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const Palette& colours = theme.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float baseline = (height - ImGui::GetTextLineHeight()) / 2;
  const auto sign = [&](Act act, const char* text) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{theme.px(18), height};
    if (ImGui::InvisibleButton(text, size, ImGuiButtonFlags_EnableNav)) { act(state); }
    const bool asked = lastItemAsked();
    textAt(list, {at.x + (size.x - textWidth(text)) / 2, at.y + baseline}, asked ? colours.text : colours.textDim,
           text);
    if (asked) {
      const Tooltip tip(theme);
      tip.row(keyText(act), describe(act));
    }
  };
  sign(playSlower, "−");
  ImGui::SameLine(0, 0);
  const std::string speed = fmt::format("{:g}×", state.playback.speed);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = textWidth("0.0625×");
  textAt(list, {at.x + (width - textWidth(speed)) / 2, at.y + baseline}, colours.text, speed);
  ImGui::Dummy({width, height});
  ImGui::SameLine(0, 0);
  sign(playFaster, "+");
}

/// Legend of the activities that occur, with the progress of the outputs.
void drawActivityLegend(const AppState& state, const Theme& theme, float height) {
  const Recording& recording = state.cursor.recording();
  const recording::BlockView& view = state.blockView;
  const std::string progress = trf("output {} of {}", grouped(view.outputsWritten), grouped(view.outputs.size()));
  std::vector<LegendEntry> entries;
  for (const Activity activity : kActivities) {
    if (std::ranges::find(recording.activities, activity) == recording.activities.end()) { continue; }
    entries.push_back({theme.of(activity), activity == Activity::Output ? progress.c_str() : name(activity),
                       activity == Activity::Move ? Swatch::Striped : Swatch::Filled});
  }
  const float room = ImGui::GetContentRegionAvail().x;
  // In a narrow panel, drop the most common and least informative entries first.
  while (!entries.empty() && legendWidth(theme, entries) > room) { entries.erase(entries.begin()); }
  if (entries.empty()) { return; }
  const float line = theme.textPixels(TextSize::Small);
  ImGui::SetCursorPos({ImGui::GetCursorPosX() + std::max(0.0F, room - legendWidth(theme, entries)),
                       ImGui::GetCursorPosY() + std::max(0.0F, std::round((height - line) / 2))});
  legend(theme, entries);
}

void drawTimeline(AppState& state, const Theme& theme, const PanelTools&) {
  if (state.cursor.empty() || state.experiment == nullptr) {
    panelHeading(theme, tr("Timeline"));
    label(theme, theme.colours().textDim, state.computing ? tr("recording the block…") : tr("Nothing is recorded."));
    return;
  }
  // Heading, buttons and legend share one row, so that the tracks get the remaining height.
  const float height = theme.px(20);
  const ImVec2 start = ImGui::GetCursorPos();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(theme.px(8), theme.px(3)));
  float title = 0;
  {
    const FontScope font(theme, Face::SansStrong, TextSize::Body);
    textAt(ImGui::GetWindowDrawList(), {at.x, at.y + (height - ImGui::GetFontSize()) / 2}, theme.colours().text,
           tr("Timeline"));
    title = textWidth(tr("Timeline"));
  }
  ImGui::SetCursorPos({start.x + title + theme.px(16), start.y});
  drawTransport(state, theme, height);
  ImGui::SameLine(0, theme.px(12));
  drawSpeed(state, theme, height);
  ImGui::SameLine(0, theme.px(16));
  drawActivityLegend(state, theme, height);
  ImGui::SetCursorPos({start.x, start.y + height + theme.px(8)});
  Tracks(state, theme).draw(ImGui::GetContentRegionAvail().y - theme.px(4));
  ImGui::PopStyleVar();
}

}  // namespace

extern const Panel kTimelinePanel = {.tab = Tab::Timeline, .title = trMark("Timeline"), .draw = drawTimeline};

}  // namespace haloscope::ui
