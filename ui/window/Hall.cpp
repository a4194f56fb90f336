#include "ui/window/Hall.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "actions/PresentingActions.h"
#include "language/Text.h"
#include "state/Session.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/PanelList.h"
#include "ui/window/ScenesBar.h"

namespace haloscope::ui {

namespace {

constexpr float kHallEdge = 16, kHallGap = 12, kStroke = 5;  // at scale 1
constexpr float kSpotlight = 0.17F;                          // its radius, of the window's height
constexpr float kMostNotes = 0.3F;                           // likewise

constexpr ImGuiWindowFlags kHallFixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                                        ImGuiWindowFlags_NoBringToFrontOnFocus;

/// Reads best across the whole width.
bool wide(Tab tab) { return tab == Tab::Timeline || tab == Tab::Program; }

void drawHallPanel(Tab tab, AppState& state, const Theme& theme, const PanelTools& tools, ImVec2 min, ImVec2 max) {
  ImGui::SetNextWindowPos(min);
  ImGui::SetNextWindowSize({max.x - min.x, max.y - min.y});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.colours().panel);
  const bool drawn = ImGui::Begin((std::string("###Hall ") + nameOf(tab)).c_str(), nullptr,
                                  ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                                      ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleColor();
  if (drawn) { panelOf(tab).draw(state, theme, tools); }
  ImGui::End();
}

/// `top`: below which there is room for them.
void drawHallPanels(AppState& state, const Theme& theme, const PanelTools& tools, float top) {
  const std::vector<Tab> hall = hallOf(state);
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float edge = theme.px(kHallEdge);
  const float gap = theme.px(kHallGap);
  const ImVec2 min = {viewport->Pos.x + edge, top + edge};
  const ImVec2 max = {viewport->Pos.x + viewport->Size.x - edge, viewport->Pos.y + viewport->Size.y - edge};
  if (hall.size() == 1) { return drawHallPanel(hall[0], state, theme, tools, min, max); }
  if (wide(hall[0]) || wide(hall[1])) {
    const float part = hall[1] == Tab::Timeline ? 0.72F : hall[0] == Tab::Timeline ? 0.28F : 0.5F;
    const float y = min.y + (max.y - min.y) * part;
    drawHallPanel(hall[0], state, theme, tools, min, {max.x, y - gap / 2});
    return drawHallPanel(hall[1], state, theme, tools, {min.x, y + gap / 2}, max);
  }
  const float share = hall[0] == Tab::Playground ? 0.36F : hall[1] == Tab::Playground ? 0.64F : 0.52F;
  const float x = min.x + (max.x - min.x) * share;
  drawHallPanel(hall[0], state, theme, tools, min, {x - gap / 2, max.y});
  drawHallPanel(hall[1], state, theme, tools, {x + gap / 2, min.y}, max);
}

/// All but a disc around the pointer is dimmed: a ring, wide enough for every corner.
void drawSpotlight(ImDrawList* list) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const ImVec2 at = ImGui::GetMousePos();
  if (!ImGui::IsMousePosValid(&at)) { return; }
  const float inner = kSpotlight * viewport->Size.y;
  const float reach = viewport->Size.x + viewport->Size.y;
  list->AddCircle(at, inner + reach / 2, IM_COL32(0, 0, 0, 150), 160, reach);
  list->AddCircle(at, inner, IM_COL32(255, 255, 255, 60), 96, 2);
}

/// The pointer draws, and the panels below get nothing of it.
void takeMarks(Presenting& presenting) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->Pos);
  ImGui::SetNextWindowSize(viewport->Size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin(
      "###Marks", nullptr,
      (kHallFixed & ~ImGuiWindowFlags_NoBringToFrontOnFocus) | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  ImGui::InvisibleButton("sheet", viewport->Size);
  const ImVec2 at = ImGui::GetMousePos();
  const Presenting::Point point = {(at.x - viewport->Pos.x) / viewport->Size.x,
                                   (at.y - viewport->Pos.y) / viewport->Size.y};
  if (ImGui::IsItemActivated()) { presenting.marks.push_back({point}); }
  if (ImGui::IsItemActive() && !presenting.marks.empty()) {
    const Presenting::Point& last = presenting.marks.back().back();
    if (last.x != point.x || last.y != point.y) { presenting.marks.back().push_back(point); }
  }
  ImGui::End();
}

void drawMarks(const Presenting& presenting, const Theme& theme, ImDrawList* list) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  std::vector<ImVec2> line;
  for (const auto& mark : presenting.marks) {
    line.clear();
    for (const Presenting::Point& point : mark) {
      line.emplace_back(viewport->Pos.x + point.x * viewport->Size.x, viewport->Pos.y + point.y * viewport->Size.y);
    }
    if (line.size() == 1) {
      list->AddCircleFilled(line[0], theme.px(kStroke) / 2, theme.colours().fault);
    } else {
      list->AddPolyline(line.data(), static_cast<int>(line.size()), theme.colours().fault, theme.px(kStroke));
    }
  }
}

std::string elapsedText(double seconds) {
  const auto all = static_cast<int>(seconds);
  return fmt::format("{}:{:02}", all / 60, all % 60);
}

void keyHint(const Theme& theme, Act act, const char* word, bool on) {
  ImGui::SameLine(0, theme.px(14));
  ImGui::AlignTextToFramePadding();
  label(theme, on ? theme.colours().accent : theme.colours().textDim, keyText(act), Face::Mono);
  ImGui::SameLine(0, theme.px(4));
  label(theme, on ? theme.colours().text : theme.colours().textDim, word);
}

void drawHallBar(AppState& state, const Theme& theme) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const Session& session = state.session;
  Presenting& presenting = state.presenting;
  const FontScope font(theme, Face::Sans, TextSize::Small);
  ImGui::SetNextWindowPos({viewport->Pos.x, viewport->Pos.y + viewport->Size.y}, 0, {0, 1});
  ImGui::SetNextWindowSize({viewport->Size.x, 0});
  ImGui::SetNextWindowBgAlpha(0.93F);
  ImGui::Begin("###Presentation", nullptr, kHallFixed & ~ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  ImGui::AlignTextToFramePadding();
  if (const Scene* scene = session.shown()) {
    label(theme, theme.colours().accent, fmt::format("{} / {}", session.current + 1, session.scenes.size()),
          Face::Mono);
    ImGui::SameLine();
    label(theme, theme.colours().text, scene->title, Face::SansStrong);
  } else {
    label(theme, theme.colours().textDim, tr("no scenes"));
  }
  ImGui::SameLine(0, theme.px(14));
  label(theme, theme.colours().textDim, elapsedText(presenting.seconds), Face::Mono);
  keyHint(theme, toggleSpotlight, tr("spotlight"), presenting.spotlight);
  keyHint(theme, toggleMarking, tr("draw"), presenting.marking);
  keyHint(theme, toggleFrozen, tr("freeze"), presenting.frozen);
  keyHint(theme, toggleNotes, tr("notes"), presenting.notes);
  if (state.problem) {
    ImGui::SameLine(0, theme.px(14));
    clippedLabel(theme, theme.colours().fault, state.problem->message);
  }
  ImGui::SameLine(0, theme.px(14));
  if (ImGui::BeginChild("hall", {std::clamp(ImGui::GetContentRegionAvail().x, theme.px(200), theme.px(320)),
                                 ImGui::GetFrameHeight()})) {
    chooseHall(presenting.hall, hallOf(state));
  }
  ImGui::EndChild();
  ImGui::End();
}

/// `inRow`: the time, what is shown and what comes next share a line.
void drawNoteWords(const AppState& state, const Theme& theme, TextSize size, bool inRow) {
  const Session& session = state.session;
  const Palette& colours = theme.colours();
  const auto go = [&] {
    if (inRow) { ImGui::SameLine(0, theme.px(16)); }
  };
  ImGui::PushTextWrapPos(0);
  const Scene* scene = session.shown();
  label(theme, colours.textDim, elapsedText(state.presenting.seconds), Face::Mono, size);
  go();
  if (scene == nullptr) {
    label(theme, colours.textDim, tr("no scenes"), Face::Sans, size);
  } else {
    const bool last = session.current + 1 >= session.scenes.size();
    const std::string next =
        last ? tr("This is the last scene.") : trf("Next: {}", session.scenes[session.current + 1].title);
    label(theme, colours.text, fmt::format("{}  {}", session.current + 1, scene->title), Face::SansStrong, size);
    if (inRow) {
      go();
      clippedLabel(theme, colours.textDim, next, Face::Sans, size);
    }
    if (!scene->note.empty()) { label(theme, colours.text, scene->note, Face::Sans, size); }
    if (!inRow) { label(theme, colours.textDim, next, Face::Sans, size); }
  }
  ImGui::PopTextWrapPos();
}

/// What the lecturer wants to say, the time, and what comes next: a strip above what is shown, which it does not cover.
/// Returns its lower edge.
float drawNotes(const AppState& state, const Theme& theme) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const FontScope font(theme, Face::Sans, TextSize::Body);
  ImGui::SetNextWindowPos(viewport->Pos);
  ImGui::SetNextWindowSizeConstraints({viewport->Size.x, 0}, {viewport->Size.x, kMostNotes * viewport->Size.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin(windowName(trMark("Notes")).c_str(), nullptr,
               (kHallFixed & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar();
  drawNoteWords(state, theme, TextSize::Body, true);
  const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowSize().y;
  ImGui::End();
  return bottom;
}

}  // namespace

void drawHall(AppState& state, const Theme& theme, const PanelTools& tools) {
  Presenting& presenting = state.presenting;
  const float top = presenting.notes ? drawNotes(state, theme) : ImGui::GetMainViewport()->Pos.y;
  drawHallPanels(state, theme, tools, top);
  if (presenting.marking) { takeMarks(presenting); }
  ImDrawList* list = ImGui::GetForegroundDrawList();
  drawMarks(presenting, theme, list);
  if (presenting.spotlight) { drawSpotlight(list); }
  if (showsBar(presenting) || state.problem) { drawHallBar(state, theme); }
}

void drawNotesPage(AppState& state, const Theme& theme, std::uint32_t live, int width, int height) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->Pos);
  ImGui::SetNextWindowSize(viewport->Size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(28), theme.px(24)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  const FontScope font(theme, Face::Sans, TextSize::Body);  // around the window: it ends with the font it began with
  ImGui::Begin("###notes page", nullptr, kHallFixed & ~ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleVar(2);
  if (state.problem) { notice(theme, state.problem->message); }
  drawNoteWords(state, theme, TextSize::Heading, false);
  if (live != 0 && width > 0) {
    label(theme, theme.colours().halo, tr("The hall sees a still picture. This is what you work on:"));
    const float across = ImGui::GetContentRegionAvail().x;
    // OpenGL's rows begin at the bottom.
    ImGui::Image(static_cast<ImTextureID>(live),
                 {across, across * static_cast<float>(height) / static_cast<float>(width)}, {0, 1}, {1, 0});
  }
  ImGui::End();
}

}  // namespace haloscope::ui
