#include "ui/panels/LockstepTracks.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "actions/Choices.h"
#include "actions/Comparing.h"
#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kTrackGap = 3;       ///< between rows, at scale 1
constexpr float kFinestTick = 1.5F;  ///< pixels; narrower ones are not drawn one by one

/// "tiled" of "stencil/tiled".
std::string laneName(const AppState& state, const ComparedVariant& variant) {
  return shortName(shownName(state.catalogue, variant.choice.kernel));
}

class LockstepTracks {
 public:
  LockstepTracks(AppState& state, const Theme& theme)
      : state_(state), theme_(theme), time_(state.comparison.time), list_(ImGui::GetWindowDrawList()) {}

  void draw() {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    line_ = ImGui::GetTextLineHeight();
    float names = textWidth(unit());
    for (const ComparedVariant& variant : state_.comparison.variants) {
      names = std::max(names, textWidth(laneName(state_, variant)));
    }
    left_ = origin.x + names + theme_.px(10);
    width_ = std::max(theme_.px(32), origin.x + width - left_);
    const float row = line_ + theme_.px(kTrackGap);

    textAt(list_, origin, theme_.colours().textDim, unit());
    drawSections(origin.y);
    float y = origin.y + row;
    for (std::size_t i = 0; i < time_.trackCount(); ++i, y += row) {
      const bool focus = i == state_.comparison.focus;
      textAt(list_, {origin.x, y}, focus ? theme_.colours().text : theme_.colours().textDim,
             laneName(state_, state_.comparison.variants[i]));
      drawTrack(i, y);
    }
    drawNow(origin.y, y - theme_.px(kTrackGap));
    ImGui::SetCursorScreenPos({left_, origin.y});
    ImGui::InvisibleButton("lockstep", {width_, y - origin.y}, ImGuiButtonFlags_EnableNav);
    if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
      const double share = static_cast<double>((ImGui::GetIO().MousePos.x - left_) / width_);
      const double tick = std::ceil(share * static_cast<double>(time_.end()));
      goToTick(state_, static_cast<std::size_t>(std::clamp(tick, 0.0, static_cast<double>(time_.end()))));
    }
    ImGui::SetCursorScreenPos({origin.x, y});
    ImGui::Dummy({width, theme_.px(1)});
  }

 private:
  [[nodiscard]] bool byCell() const { return state_.comparison.linedUpBy() == LineUp::Cell; }
  [[nodiscard]] const char* unit() const { return byCell() ? tr("the cell") : tr("interval"); }

  [[nodiscard]] float x(std::size_t tick) const {
    return left_ + width_ * static_cast<float>(static_cast<double>(tick) / static_cast<double>(time_.end()));
  }

  void drawSections(float top) {
    for (std::size_t k = 0; k < time_.sectionCount(); ++k) {
      const float from = x(time_.startOf(k)), to = x(time_.startOf(k + 1)) - theme_.px(1);
      if (to <= from) { continue; }
      const bool now = k == time_.section() && time_.position() > 0;
      const Palette& colours = theme_.colours();
      list_->AddRectFilled({from, top}, {to, top + line_},
                           now ? Theme::mixed(colours.panelRaised, colours.active, 0.4F) : colours.panelRaised,
                           theme_.px(2));
      const std::string text = byCell() ? cellPhaseName(k) : std::to_string(k);
      const float wide = textWidth(text);
      if (wide < to - from) {
        textAt(list_, {from + (to - from - wide) / 2, top}, now ? colours.text : colours.textDim, text);
      }
    }
  }

  void drawTrack(std::size_t track, float top) {
    if (!state_.comparison.variants[track].shown()) { return; }
    const recording::Lockstep::Sections& sections = time_.sections(track);
    for (std::size_t k = 0; k < sections.size(); ++k) {
      if (sections[k].firstStep == sections[k].endStep) { continue; }  // it waits for the others
      drawSteps(track, time_.startOf(k), time_.startOf(k + 1), top);
    }
  }

  /// Draws each step between the ticks `begin` and `end` with its length, in the colour of its activity.
  void drawSteps(std::size_t track, std::size_t begin, std::size_t end, float top) {
    const recording::Recording& recording = *state_.comparison.variants[track].block.experiment->recording;
    const std::size_t stride =
        std::max<std::size_t>(1, static_cast<std::size_t>(kFinestTick * static_cast<float>(time_.end()) / width_));
    for (std::size_t tick = begin + 1; tick <= end;) {
      const std::size_t position = time_.positionAt(track, tick);
      const std::size_t first = tick;
      while (tick <= end && (time_.positionAt(track, tick) == position || tick < first + stride)) { ++tick; }
      const float from = x(first - 1), to = x(tick - 1);
      const bool now = time_.position() >= first && time_.position() < tick;
      const ImU32 hue = theme_.of(recording.activities[position - 1]);
      const float gap = to - from > theme_.px(4) ? theme_.px(1) : 0;
      list_->AddRectFilled({from, top}, {to - gap, top + line_}, theme_.faded(hue, now ? 1.0F : 0.55F),
                           gap > 0 ? theme_.px(1.5F) : 0);
    }
  }

  void drawNow(float top, float bottom) {
    if (time_.empty()) { return; }
    const std::size_t tick = time_.position();
    const float at = tick == 0 ? left_ : (x(tick - 1) + x(tick)) / 2;
    list_->AddLine({at, top}, {at, bottom}, theme_.colours().activeText, theme_.px(1.5F));
  }

  AppState& state_;
  const Theme& theme_;
  const recording::Lockstep& time_;
  ImDrawList* list_;
  float left_ = 0, width_ = 1, line_ = 1;
};

}  // namespace

float lockstepTracksHeight(const AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const auto rows = static_cast<float>(state.comparison.variants.size() + 1);
  return rows * (ImGui::GetTextLineHeight() + theme.px(kTrackGap)) + theme.px(6);
}

void drawLockstepTracks(AppState& state, const Theme& theme) {
  if (state.comparison.time.trackCount() != state.comparison.variants.size()) { return; }
  LockstepTracks(state, theme).draw();
}

}  // namespace haloscope::ui
