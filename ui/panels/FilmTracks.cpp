#include "ui/panels/FilmTracks.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontend/CodeText.h"
#include "language/Text.h"
#include "recording/Film.h"
#include "recording/StepCaption.h"
#include "ui/panels/FilmPicture.h"
#include "ui/widgets/CarrierColours.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using recording::Activity;
using recording::Film;
using recording::FilmClock;
using recording::FilmFrame;
using recording::Recording;
using recording::Step;

constexpr double kFewestSeconds = 0.8, kFewestSteps = 12;  // visible at the highest zoom, whichever is shorter
constexpr std::size_t kMostSamples = 64;                   // of the steps that share a pixel

// At scale 1.
constexpr float kRoomToMove = 6;     // of a step from which on the head is dragged through its movement
constexpr float kSlimTrack = 12;     // of the steps below the frames
constexpr float kLeastFrame = 40;    // height of the frames, or they give way
constexpr float kLeastPicture = 34;  // width of a frame with a picture
constexpr float kLeastCut = 5;       // width of a frame that is drawn alone
constexpr float kRowGap = 3;
constexpr float kRoomForSource = 48;  // width of a step from which on it has room for its source
constexpr float kWing = 5;            // of the head, on both sides

/// The visible part of the film and its position on screen.
struct FilmWindow {
  double start = 0, span = 1;  ///< in seconds
  float left = 0, width = 1;

  [[nodiscard]] double end() const { return start + span; }
  [[nodiscard]] float right() const { return left + width; }
  [[nodiscard]] float x(double second) const { return left + static_cast<float>((second - start) / span) * width; }
  [[nodiscard]] double second(float x) const { return start + static_cast<double>((x - left) / width) * span; }
  [[nodiscard]] float pixels(double seconds) const { return static_cast<float>(seconds / span) * width; }
};

/// Places of the rows on screen, from top to bottom. A row that is not there has no height.
struct FilmRows {
  float top = 0, bottom = 0;
  float planeTop = 0, planeHeight = 0;
  float intervalTop = 0, intervalHeight = 0;
  float stepTop = 0;
  bool frames = false;  ///< the intervals have pictures
};

/// The rows and the ImGui item that covers them.
class FilmTracks {
 public:
  FilmTracks(AppState& state, const Theme& theme)
      : state_(state),
        theme_(theme),
        recording_(state.cursor.recording()),
        film_(*state.experiment->film),
        clock_(film_.clock()),
        list_(ImGui::GetWindowDrawList()) {}

  void draw(float height) {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const FilmRows rows = layOut(origin.y, height);
    // Frames need no names; numbers do.
    const float names = rows.frames ? theme_.px(kWing + 1) : textWidth(tr("interval")) + theme_.px(10);
    view_.left = origin.x + names;
    view_.width = std::max(theme_.px(32), width - names - (rows.frames ? theme_.px(kWing + 1) : 0));
    if (!rows.frames) { drawNames(rows, origin.x); }

    remembered();
    ImGui::SetCursorScreenPos({view_.left, rows.top});
    ImGui::InvisibleButton("tracks", {view_.width, rows.bottom - rows.top}, ImGuiButtonFlags_EnableNav);
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    const bool hovered = ImGui::IsItemHovered();
    navigate(hovered, ImGui::IsItemActive());

    const float beside = rows.frames ? theme_.px(kWing + 1) : 0;
    list_->PushClipRect({view_.left - beside, rows.top - theme_.px(4)},
                        {view_.right() + beside, rows.bottom + theme_.px(4)}, true);
    if (rows.planeHeight > 0) { drawPlanes(rows.planeTop, rows.planeHeight); }
    if (rows.frames) {
      drawFrames(rows.intervalTop, rows.intervalHeight);
    } else if (rows.intervalHeight > 0) {
      drawIntervals(rows.intervalTop, rows.intervalHeight);
    }
    drawSteps(rows.stepTop, rows.bottom - rows.stepTop);
    drawLineTicks(rows.stepTop);
    drawHead(rows);
    if (hovered) { drawHover(rows.top, rows.bottom); }
    list_->PopClipRect();
    ImGui::SetCursorScreenPos({origin.x, rows.bottom});
    ImGui::Dummy({width, theme_.px(1)});
  }

 private:
  [[nodiscard]] FilmRows layOut(float top, float height) const {
    const float line = ImGui::GetTextLineHeight();
    const float gap = theme_.px(kRowGap);
    const float planeHeight = line + theme_.px(1);
    const bool planesKnown = !recording_.planes.empty();
    FilmRows rows{.top = top, .bottom = top + std::max(height, line)};
    float y = top;
    const auto row = [&](float& rowTop, float& rowHeight, float rowSize) {
      rowTop = y;
      rowHeight = rowSize;
      y += rowSize + gap;
    };
    // The ticks of a line come above the steps.
    const float slim = theme_.px(kSlimTrack) + 2 * gap;
    const float room = height - slim - (planesKnown ? planeHeight + gap : 0);
    rows.frames = room >= theme_.px(kLeastFrame);
    if (rows.frames) {
      if (planesKnown) { row(rows.planeTop, rows.planeHeight, planeHeight); }
      row(rows.intervalTop, rows.intervalHeight, room);
      rows.stepTop = rows.bottom - theme_.px(kSlimTrack);
      return rows;
    }
    // With large text a row gives way, and then the other: the steps keep a line's height.
    const auto count = static_cast<int>((height - line) / (line + gap));
    if (planesKnown && count >= 1) { row(rows.planeTop, rows.planeHeight, planeHeight); }
    if (count >= (planesKnown ? 2 : 1)) { row(rows.intervalTop, rows.intervalHeight, line); }
    rows.stepTop = std::min(y, rows.bottom - line);
    return rows;
  }

  void drawNames(const FilmRows& rows, float x) {
    const auto write = [&](const char* name, float top, float height) {
      textAt(list_, {x, top + (height - ImGui::GetTextLineHeight()) / 2}, theme_.colours().textDim, name);
    };
    if (rows.planeHeight > 0) { write(tr("plane"), rows.planeTop, rows.planeHeight); }
    if (rows.intervalHeight > 0) { write(tr("interval"), rows.intervalTop, rows.intervalHeight); }
    write(tr("step"), rows.stepTop, rows.bottom - rows.stepTop);
  }

  /// Of the film; never 0, which no window could show.
  [[nodiscard]] double total() const { return clock_.total() > 0 ? clock_.total() : 1; }

  /// Of the window at the highest zoom. Steps of a long interval are shown for a moment only.
  [[nodiscard]] double fewestSeconds() const {
    const auto steps = static_cast<double>(std::max<std::size_t>(1, clock_.steps()));
    return std::min({kFewestSeconds, kFewestSteps * total() / steps, total()});
  }

  void keepInside() {
    view_.span = std::clamp(view_.span, fewestSeconds(), total());
    view_.start = std::clamp(view_.start, 0.0, total() - view_.span);
  }

  /// The view of the last frame; the whole film for a new recording; scrolled to show the cursor after it moved.
  void remembered() {
    const bool renewed = storedChanged("film", state_.film.revisionOf(state_.experiment->film));
    const bool moved = storedChanged("position", state_.cursor.position());
    view_.start = renewed ? 0 : static_cast<double>(storedFloat("start", 0)) * total();
    view_.span = renewed ? total() : static_cast<double>(storedFloat("span", 1)) * total();
    const std::size_t position = state_.cursor.position();
    const double begin = position == 0 ? 0 : clock_.begin(position - 1);
    const double end = position == 0 ? 0 : clock_.end(position - 1);
    if (moved && (end <= view_.start || begin >= view_.end())) { view_.start = begin - view_.span / 3; }
    keepInside();
  }

  void navigate(bool hovered, bool active) {
    const ImGuiIO& io = ImGui::GetIO();
    if (hovered && io.MouseWheel != 0 && !io.KeyShift) {
      const double at = view_.second(io.MousePos.x);
      const double factor = std::pow(0.8, static_cast<double>(io.MouseWheel));
      const double span = std::clamp(view_.span * factor, fewestSeconds(), total());
      view_.start = at - (at - view_.start) * span / view_.span;
      view_.span = span;
    }
    const float sideways = io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0);
    if (hovered && sideways != 0) { view_.start -= static_cast<double>(sideways) * view_.span / 12; }
    if (hovered && ImGui::IsMouseDragging(ImGuiMouseButton_Middle)) {
      view_.start -= static_cast<double>(io.MouseDelta.x / view_.width) * view_.span;
    }
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Right)) { view_.span = total(); }
    keepInside();
    store("start", static_cast<float>(view_.start / total()));
    store("span", static_cast<float>(view_.span / total()));
    if (active && ImGui::IsMouseDown(ImGuiMouseButton_Left) && clock_.steps() > 0) {
      goTo(view_.second(io.MousePos.x), ImGui::IsMouseDragging(ImGuiMouseButton_Left));
    }
  }

  /// A click selects the step; left of the first step is the start.
  void goTo(double second, bool dragged) {
    const std::size_t step = clock_.stepAt(second);
    state_.playback.playing = false;
    state_.cursor.goTo(second < 0 ? 0 : step + 1);
    // The head is dragged through the movement of a step, too; a click shows where it ends.
    std::optional<float>& held = state_.playback.held;
    const double seconds = clock_.seconds(step);
    const bool moves =
        (held || dragged) && second >= 0 && seconds > 0 && view_.pixels(seconds) >= theme_.px(kRoomToMove);
    const double share = moves ? std::clamp((second - clock_.begin(step)) / seconds, 0.0, 1.0) : 1;
    held = moves ? std::optional(static_cast<float>(share)) : std::nullopt;
  }

  /// The step at the cursor; none at position 0.
  [[nodiscard]] const Step* current() const { return state_.cursor.current(); }

  /// Calls draw(i, next) for the ranges of steps that are in view, [i, next) at a time: those that end within `least`
  /// pixels of another come with it.
  template <typename Range, typename Draw>
  void eachInView(const std::vector<Range>& ranges, float least, const Draw& draw) const {
    const auto endsBy = [&](double second) {
      return [this, second](const Range& range) { return clock_.begin(range.endStep) <= second; };
    };
    const auto first = std::ranges::partition_point(ranges, endsBy(view_.start));
    for (auto i = static_cast<std::size_t>(first - ranges.begin());
         i < ranges.size() && clock_.begin(ranges[i].firstStep) < view_.end();) {
      const double near = clock_.begin(ranges[i].firstStep) + static_cast<double>(least / view_.width) * view_.span;
      const auto rest = std::span(ranges).subspan(i + 1);
      const bool small = clock_.begin(ranges[i].endStep) < near;
      const auto with = small ? std::ranges::partition_point(rest, endsBy(near)) - rest.begin() : 0;
      const std::size_t next = i + 1 + static_cast<std::size_t>(with);
      draw(i, next);
      i = next;
    }
  }

  void drawPlanes(float top, float height) {
    const auto& planes = recording_.planes;
    eachInView(planes, 2, [&](std::size_t i, std::size_t next) {
      const recording::Plane& plane = planes[i];
      const std::string number = plane.variable.empty() ? std::to_string(i) : std::to_string(plane.value);
      const std::string name = recording::planeText(recording_, static_cast<std::uint32_t>(i));
      const bool here = current() != nullptr && current()->plane >= i && current()->plane < next;
      band(plane.firstStep, planes[next - 1].endStep, top, height, here, name, number, theme_.colours().panelRaised);
    });
  }

  /// As numbers.
  void drawIntervals(float top, float height) {
    const Palette& colours = theme_.colours();
    const auto& intervals = recording_.intervals;
    eachInView(intervals, 2, [&](std::size_t i, std::size_t next) {
      const bool here = current() != nullptr && current()->interval >= i && current()->interval < next;
      const std::string number = std::to_string(i);
      const ImU32 fill = Theme::mixed(colours.panel, colours.panelRaised, i % 2 == 0 ? 0.75F : 0.45F);
      band(intervals[i].firstStep, intervals[next - 1].endStep, top, height, here, number, number, fill);
    });
  }

  /// A range of steps with its name, short name or no name, depending on the width.
  void band(std::uint32_t first, std::uint32_t end, float top, float height, bool here, const std::string& name,
            const std::string& shortName, ImU32 fill) {
    const Palette& colours = theme_.colours();
    const ImVec2 min{std::max(view_.x(clock_.begin(first)), view_.left - theme_.px(8)), top};
    const ImVec2 max{std::max(min.x + 1, std::min(view_.x(clock_.begin(end)), view_.right() + theme_.px(8)) - 1),
                     top + height};
    list_->AddRectFilled(min, max, here ? Theme::mixed(fill, colours.active, 0.22F) : fill, theme_.px(2));
    const float left = std::max(min.x, view_.left);
    const float room = std::min(max.x, view_.right()) - left;
    for (const std::string& text : {name, shortName}) {
      const float wide = textWidth(text);
      if (wide + theme_.px(2) > room) { continue; }
      const ImVec2 at{left + (room - wide) / 2, top + (height - ImGui::GetTextLineHeight()) / 2};
      textAt(list_, at, here ? colours.text : colours.textDim, text);
      return;
    }
  }

  /// The intervals with their pictures; where they are narrow, several in one frame.
  void drawFrames(float top, float height) {
    const Palette& colours = theme_.colours();
    const auto& frames = film_.frames();
    FilmPicture picture(list_, theme_, film_, carrierColours(theme_, *state_.experiment));
    const bool numbers = recording_.planes.empty() && height >= ImGui::GetTextLineHeight() + theme_.px(kLeastFrame);
    const float rounding = theme_.px(3);
    const float far = theme_.px(8);  // out of view
    std::optional<std::array<ImVec2, 2>> here;
    eachInView(frames, theme_.px(kLeastCut), [&](std::size_t i, std::size_t next) {
      const float begin = std::round(view_.x(clock_.begin(frames[i].firstStep)));
      const float end = std::round(view_.x(clock_.begin(frames[next - 1].endStep)));
      if (end <= begin) { return; }
      const bool alone = end - begin >= theme_.px(kLeastCut);
      const float margin = alone ? std::max(1.0F, std::round(theme_.px(1.5F))) : 0;
      const ImVec2 min{std::max(begin + margin, view_.left - far), top};
      const ImVec2 max{std::min(end - margin, view_.right() + far), top + height};
      if (min.x >= max.x) { return; }
      list_->AddRectFilled(min, max, colours.panelRaised, alone ? rounding : 0);
      const Step* at = current();
      if (at != nullptr && at->interval >= i && at->interval < next) { here = {min, max}; }
      if (alone && i > 0) { drawCut(begin, top, top + height); }
      const bool toCome = at == nullptr || i > at->interval;
      const float inner = theme_.px(4);
      const ImVec2 low{std::max(min.x, view_.left) + inner, top + inner};
      const ImVec2 high{std::min(max.x, view_.right()) - inner, max.y - inner};
      if (high.x - low.x + 2 * inner < theme_.px(kLeastPicture)) { return; }
      float below = low.y;
      const std::string number = std::to_string(i);
      if (numbers && textWidth(number) <= high.x - low.x) {
        textAt(list_, {low.x, top + theme_.px(2)}, Theme::mixed(colours.panelRaised, colours.textDim, 0.8F), number);
        below = top + theme_.px(2) + ImGui::GetTextLineHeight();
      }
      picture.draw(i, {low.x, below}, high, toCome);
    });
    if (here) { outlineActive(list_, theme_, (*here)[0], (*here)[1], rounding, std::max(1.0F, theme_.px(1.5F))); }
  }

  /// The barrier between two frames.
  void drawCut(float x, float top, float bottom) {
    const float half = std::max(0.5F, theme_.px(0.5F));
    list_->AddRectFilled({x - half, top - theme_.px(2)}, {x + half, bottom + theme_.px(2)},
                         Theme::mixed(theme_.colours().panel, theme_.of(Activity::Barrier), 0.7F));
  }

  /// Whether the range contains the cursor: its plane or, without planes, its interval.
  [[nodiscard]] bool near(const Step& step) const {
    if (current() == nullptr) { return true; }
    return recording_.planes.empty() ? step.interval == current()->interval : step.plane == current()->plane;
  }

  [[nodiscard]] ImU32 stepColour(std::size_t step) const {
    const ImU32 colour = theme_.of(recording_.activities[step]);
    return near(recording_.steps[step]) ? colour : Theme::mixed(theme_.colours().panel, colour, 0.45F);
  }

  /// The steps in view, [first, end).
  [[nodiscard]] std::array<std::size_t, 2> stepsInView() const {
    if (clock_.steps() == 0) { return {0, 0}; }
    return {clock_.stepAt(view_.start), clock_.stepAt(view_.end()) + 1};
  }

  void drawSteps(float top, float height) {
    const auto [first, end] = stepsInView();
    if (static_cast<double>(end - first) > 2 * static_cast<double>(view_.width)) { return drawDense(top, height); }
    const bool words = height >= ImGui::GetTextLineHeight();
    for (std::size_t step = first; step < end;) {
      const float gap = view_.pixels(clock_.seconds(step)) >= theme_.px(4) ? 1.0F : 0.0F;
      // Without gaps, a run of equal steps is one rectangle.
      std::size_t next = step + 1;
      const ImU32 colour = stepColour(step);
      while (gap == 0 && next < end && stepColour(next) == colour &&
             view_.pixels(clock_.seconds(next)) < theme_.px(4)) {
        ++next;
      }
      const float left = std::round(view_.x(clock_.begin(step)));
      const float right = std::max(left + 1, std::round(view_.x(clock_.begin(next))) - gap);
      list_->AddRectFilled({left, top}, {right, top + height}, colour, gap > 0 ? theme_.px(1.5F) : 0);
      if (recording_.activities[step] == Activity::Move) { stripe(list_, theme_, {left, top}, {right, top + height}); }
      if (words && right - left > theme_.px(kRoomForSource)) {
        writeStatement(step, {left, top}, {right, top + height}, colour);
      }
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

  /// More steps than pixels: each column shows what takes most of its time.
  void drawDense(float top, float height) {
    const int columns = static_cast<int>(view_.width);
    float begin = view_.left;
    std::optional<Activity> shown;
    for (int column = 0; column < columns; ++column) {
      const float x = view_.left + static_cast<float>(column);
      const Activity activity =
          recording::longestActivity(recording_, clock_, view_.second(x), view_.second(x + 1), kMostSamples);
      if (shown && *shown != activity) {
        list_->AddRectFilled({begin, top}, {x, top + height}, theme_.of(*shown));
        begin = x;
      }
      shown = activity;
    }
    if (shown) { list_->AddRectFilled({begin, top}, {view_.right(), top + height}, theme_.of(*shown)); }
  }

  /// Marks the steps that executed the source line under the mouse.
  void drawLineTicks(float top) {
    if (!state_.selection.hoveredLine) { return; }
    const int line = *state_.selection.hoveredLine;
    const std::vector<Statement>& statements = recording_.program->statements;
    const auto [first, end] = stepsInView();
    for (std::size_t step = first; step < end; ++step) {
      const StatementId id = recording_.steps[step].statement;
      if (id == kNone || statements[id].range.line > line || statements[id].range.endLine < line) { continue; }
      const float x = std::round(view_.x(clock_.begin(step)));
      const float right = std::max(x + theme_.px(2), std::round(view_.x(clock_.end(step))) - 1);
      list_->AddRectFilled({x, top - theme_.px(3)}, {right, top}, theme_.colours().text);
      // Others within the tick's pixels would not be seen.
      step = std::max(step + 1, clock_.stepAt(view_.second(right))) - 1;
    }
  }

  void drawHead(const FilmRows& rows) {
    const ImU32 active = theme_.colours().active;
    const std::size_t position = state_.cursor.position();
    double second = 0;
    bool words = false;
    if (position > 0) {
      const double begin = clock_.begin(position - 1);
      const double seconds = clock_.seconds(position - 1);
      second = begin + static_cast<double>(state_.playback.held.value_or(
                           state_.cursor.position() == state_.cursor.end() ? 1.0F : 0.5F)) *
                           seconds;
      const float pixels = view_.pixels(seconds);
      if (pixels >= theme_.px(4)) {
        outlineActive(list_, theme_, {std::round(view_.x(begin)) - 1, rows.stepTop - 1},
                      {std::round(view_.x(begin + seconds)), rows.bottom + 1}, theme_.px(1.5F), theme_.px(1.5F));
      }
      // A line would cross out the text of a wide block; its outline marks it instead.
      words = pixels > theme_.px(kRoomForSource) && rows.bottom - rows.stepTop >= ImGui::GetTextLineHeight();
    }
    const float x = std::round(view_.x(second));
    const float half = std::max(1.0F, std::round(theme_.px(1)));
    const float wing = theme_.px(kWing);
    const ImVec2 lineMin{x - half, rows.top - theme_.px(3)};
    const ImVec2 lineMax{x + half, words ? rows.stepTop : rows.bottom + theme_.px(3)};
    list_->AddRectFilled({lineMin.x - 1, lineMin.y}, {lineMax.x + 1, lineMax.y}, theme_.colours().activeEdge);
    list_->AddRectFilled(lineMin, lineMax, active);
    list_->AddTriangleFilled({x - wing, rows.top - theme_.px(4)}, {x + wing, rows.top - theme_.px(4)},
                             {x, rows.top + theme_.px(3)}, active);
  }

  void drawHover(float top, float bottom) {
    const float x = ImGui::GetIO().MousePos.x;
    list_->AddLine({x, top}, {x, bottom}, theme_.faded(theme_.colours().text, 0.5F));
    const double second = view_.second(x);
    if (second < 0 || second >= total() || recording_.steps.empty()) { return; }
    const std::size_t index = clock_.stepAt(second);
    const Step& step = recording_.steps[index];
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
    if (step.plane != kNone) { tip.row(tr("plane"), recording::planeText(recording_, step.plane)); }
    if (view_.pixels(clock_.seconds(index)) < 1) {
      tip.note(tr("Several steps share this pixel: zoom in with the wheel."));
    }
  }

  AppState& state_;
  const Theme& theme_;
  const Recording& recording_;
  const Film& film_;
  const FilmClock& clock_;
  ImDrawList* list_;
  FilmWindow view_;
};

}  // namespace

void drawFilmTracks(AppState& state, const Theme& theme, float height) { FilmTracks(state, theme).draw(height); }

}  // namespace haloscope::ui
