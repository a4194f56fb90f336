#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <imgui.h>

#include "actions/Walking.h"
#include "language/Text.h"
#include "state/AppState.h"
#include "ui/panels/FilmTracks.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/Widgets.h"

/// The block's steps as a film, with the buttons that play it at its left.
namespace haloscope::ui {
namespace {

// At scale 1.
constexpr float kTransportWidth = 190;
constexpr float kSmallButton = 22, kLargePlay = 36, kSmallPlay = 24;
constexpr float kSpeedHeight = 18, kSpeedSign = 18;
constexpr float kTransportGap = 4;  // between the rows of the column

/// The icons of the transport buttons, drawn so that no font needs them.
class TransportSign {
 public:
  TransportSign(ImDrawList* list, ImVec2 centre, float size, ImU32 colour)
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
  void (*draw)(const TransportSign& sign, bool playing);
};

constexpr std::array kTransport = {
    TransportButton{goToStart,
                    [](const TransportSign& sign, bool) {
                      sign.bar(-1.1F, -0.7F);
                      sign.arrow(0.15F, -1);
                    }},
    TransportButton{goToPreviousInterval,
                    [](const TransportSign& sign, bool) {
                      sign.arrow(-0.65F, -1);
                      sign.arrow(0.65F, -1);
                    }},
    TransportButton{stepBack, [](const TransportSign& sign, bool) { sign.arrow(-0.1F, -1); }},
    TransportButton{playOrPause,
                    [](const TransportSign& sign, bool playing) {
                      if (!playing) { return sign.arrow(0.2F, 1, 1); }
                      sign.bar(-0.8F, -0.2F);
                      sign.bar(0.2F, 0.8F);
                    }},
    TransportButton{stepForward, [](const TransportSign& sign, bool) { sign.arrow(0.1F, 1); }},
    TransportButton{goToNextInterval,
                    [](const TransportSign& sign, bool) {
                      sign.arrow(-0.65F, 1);
                      sign.arrow(0.65F, 1);
                    }},
    TransportButton{goToEnd,
                    [](const TransportSign& sign, bool) {
                      sign.arrow(-0.15F, 1);
                      sign.bar(0.7F, 1.1F);
                    }},
};

/// A row of buttons, as high as `play`, the size in pixels of the one that plays; the others are `small` pixels wide.
struct ButtonRow {
  float play = 0, small = 0, gap = 0;

  [[nodiscard]] float width() const { return play + static_cast<float>(kTransport.size() - 1) * (small + gap); }
};

void drawTransportButton(AppState& state, const Theme& theme, std::size_t index, ImVec2 min, ImVec2 max) {
  const TransportButton& button = kTransport.at(index);
  const Palette& colours = theme.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool play = button.act == playOrPause;
  ImGui::SetCursorScreenPos(min);
  ImGui::PushID(static_cast<int>(index));
  if (ImGui::InvisibleButton("transport", {max.x - min.x, max.y - min.y}, ImGuiButtonFlags_EnableNav)) {
    button.act(state);
  }
  ImGui::PopID();
  const bool asked = lastItemAsked();
  const ImVec2 centre{std::round((min.x + max.x) / 2), std::round((min.y + max.y) / 2)};
  const float size = max.y - min.y;
  float sign = theme.px(10);
  ImU32 colour = colours.text;
  if (play) {
    const ImU32 disc = asked ? Theme::mixed(colours.active, colours.text, 0.25F) : colours.active;
    sign = std::min(size * 0.45F, theme.px(16));
    colour = theme.textOn(disc);
    list->AddCircleFilled(centre, size / 2 - 1, disc);
    list->AddCircle(centre, size / 2 - 0.5F, colours.activeEdge);
  } else if (asked) {
    list->AddRectFilled(min, max, Theme::mixed(colours.panelRaised, colours.text, 0.12F), theme.px(4));
  }
  button.draw(TransportSign(list, centre, std::round(sign), colour), state.playback.playing);
  if (asked) {
    const Tooltip tip(theme);
    tip.row(keyText(button.act), describe(button.act));
  }
}

void drawTransportButtons(AppState& state, const Theme& theme, ImVec2 at, const ButtonRow& row) {
  const float small = std::min(row.play, theme.px(kSmallPlay));
  for (std::size_t i = 0; i < kTransport.size(); ++i) {
    const bool play = kTransport.at(i).act == playOrPause;
    const ImVec2 size = play ? ImVec2(row.play, row.play) : ImVec2(row.small, small);
    const float top = std::round(at.y + (row.play - size.y) / 2);
    drawTransportButton(state, theme, i, {at.x, top}, {at.x + size.x, top + size.y});
    at.x += size.x + row.gap;
  }
}

/// Room for the longest speed there is.
float speedWidth(const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  return textWidth("0.0625×") + 2 * theme.px(kSpeedSign);
}

/// "− 1× +".
void drawSpeed(AppState& state, const Theme& theme, ImVec2 at, float height) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const Palette& colours = theme.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float baseline = (height - ImGui::GetTextLineHeight()) / 2;
  const ImVec2 size{theme.px(kSpeedSign), height};
  const auto sign = [&](Act act, const char* text, float x) {
    ImGui::SetCursorScreenPos({x, at.y});
    if (ImGui::InvisibleButton(text, size, ImGuiButtonFlags_EnableNav)) { act(state); }
    const bool asked = lastItemAsked();
    textAt(list, {x + (size.x - textWidth(text)) / 2, at.y + baseline}, asked ? colours.text : colours.textDim, text);
    if (asked) {
      const Tooltip tip(theme);
      tip.row(keyText(act), describe(act));
    }
  };
  const float right = at.x + speedWidth(theme) - size.x;
  sign(playSlower, "−", at.x);
  const std::string speed = fmt::format("{:g}×", state.playback.speed);
  textAt(list, {(at.x + size.x + right - textWidth(speed)) / 2, at.y + baseline}, colours.text, speed);
  sign(playFaster, "+", right);
}

/// Empty where the block writes none.
std::string outputProgress(const AppState& state) {
  const recording::BlockView& view = state.blockView;
  if (view.outputs.empty()) { return {}; }
  return trf("output {} of {}", grouped(view.outputsWritten), grouped(view.outputs.size()));
}

/// Width in pixels of drawTransportColumn().
float transportColumnWidth(const Theme& theme) { return theme.px(kTransportWidth); }

/// The buttons that play a recording and step through it, the speed, and how many outputs are written, in a column at
/// the cursor, in the middle of `height` pixels. Where they are few, the outputs give way and the button that plays is
/// no larger than the others.
void drawTransportColumn(AppState& state, const Theme& theme, float height) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = transportColumnWidth(theme);
  const float gap = theme.px(kTransportGap);
  const float speed = std::max(theme.px(kSpeedHeight), theme.textPixels(TextSize::Small));
  const float words = theme.textPixels(TextSize::Small);
  ButtonRow row{theme.px(kLargePlay), theme.px(kSmallButton)};
  if (row.play + gap + speed > height) { row.play = theme.px(kSmallPlay); }
  row.gap = std::max(0.0F, (width - row.width()) / static_cast<float>(kTransport.size() - 1));
  const std::string progress = outputProgress(state);
  const bool hasProgress = !progress.empty() && row.play + speed + words + 2 * gap <= height;

  const float used = row.play + gap + speed + (hasProgress ? gap + words : 0);
  float y = origin.y + std::max(0.0F, std::round((height - used) / 2));
  drawTransportButtons(state, theme, {origin.x, y}, row);
  y += row.play + gap;
  drawSpeed(state, theme, {origin.x + std::round((width - speedWidth(theme)) / 2), y}, speed);
  y += speed + gap;
  if (!hasProgress) { return; }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const float x = origin.x + std::max(0.0F, (width - textWidth(progress)) / 2);
  clippedTextAt(ImGui::GetWindowDrawList(), {x, y}, width, theme.colours().textDim, progress);
}

/// The same in a row of `height` pixels at the cursor. Where it is narrow, the outputs give way.
void drawTransportRow(AppState& state, const Theme& theme, float height) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float right = origin.x + ImGui::GetContentRegionAvail().x;
  const ButtonRow row{height, theme.px(kSmallPlay), theme.px(3)};
  drawTransportButtons(state, theme, origin, row);
  float x = origin.x + row.width() + theme.px(12);
  drawSpeed(state, theme, {x, origin.y}, height);
  x += speedWidth(theme) + theme.px(16);
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const std::string progress = outputProgress(state);
  if (x + textWidth(progress) > right) { return; }
  textAt(ImGui::GetWindowDrawList(),
         {right - textWidth(progress), origin.y + (height - ImGui::GetTextLineHeight()) / 2}, theme.colours().textDim,
         progress);
}

constexpr float kBesideFilm = 480;  // width at scale 1 from which on the buttons are beside the film, not above it
constexpr float kHeadRoom = 4;      // above the film, for the head; at scale 1

void drawTimeline(AppState& state, const Theme& theme, const PanelTools&) {
  // A film is of one experiment: while the next one's recording is made, what is at hand of both does not match.
  if (state.cursor.empty() || state.experiment == nullptr || state.experiment->recording != state.cursor.shared()) {
    panelHeading(theme, tr("Timeline"));
    label(theme, theme.colours().textDim, state.computing ? tr("recording the block…") : tr("Nothing is recorded."));
    return;
  }
  const ImVec2 start = ImGui::GetCursorPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(theme.px(8), theme.px(3)));
  if (room.x >= theme.px(kBesideFilm)) {
    drawTransportColumn(state, theme, room.y);
    ImGui::SetCursorPos({start.x + transportColumnWidth(theme) + theme.px(12), start.y + theme.px(kHeadRoom)});
  } else {
    const float height = theme.px(20);
    drawTransportRow(state, theme, height);
    ImGui::SetCursorPos({start.x, start.y + height + theme.px(8)});
  }
  drawFilmTracks(state, theme, ImGui::GetContentRegionAvail().y - theme.px(4));
  ImGui::PopStyleVar();
}

}  // namespace

extern const Panel kTimelinePanel = {.tab = Tab::Timeline, .title = trMark("Timeline"), .draw = drawTimeline};

}  // namespace haloscope::ui
