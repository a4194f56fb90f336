#include <imgui.h>

#include "language/Text.h"
#include "ui/panels/FilmTracks.h"
#include "ui/panels/Transport.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The block's steps as a film, with the buttons that play it at its left.
namespace haloscope::ui {
namespace {

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
