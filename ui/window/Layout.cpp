#include "ui/window/Layout.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "language/Text.h"
#include "state/BugLabTasks.h"
#include "state/FigureList.h"
#include "state/ProgramFaults.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/HelpWindow.h"
#include "ui/window/LaunchWindow.h"
#include "ui/window/PanelList.h"
#include "ui/window/StatusBar.h"
#include "ui/window/Toolbar.h"
#include "ui/window/TypedCellWindow.h"

namespace haloscope::ui {

namespace {

constexpr float kMargin = 8;  // around the panels, and between them, at scale 1

// With fewer lines of text from top to bottom the panels take fewer places.
constexpr float kLeastLines = 31;

// A tab that is to come to the front gets there a few frames later.
constexpr int kFramesToSettle = 3;

constexpr ImGuiWindowFlags kBar = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                                  ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                  ImGuiWindowFlags_NoScrollWithMouse;

// The default places. Shares, not pixels: the same from 1280×720 to 4K, where the type scale does the rest.
// With large text there is room for four places only: what would be below and to the right are tabs of the timeline.
void buildDefault(ImGuiID space, ImVec2 size, bool dense) {
  ImGui::DockBuilderRemoveNode(space);
  ImGui::DockBuilderAddNode(space, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(space, size);
  ImGuiID left = 0, right = 0, top = 0, bottom = 0;
  ImGui::DockBuilderSplitNode(space, ImGuiDir_Right, dense ? 0.33F : 0.285F, &right, &left);
  ImGuiID memory = right, roofline = 0;
  if (!dense) { ImGui::DockBuilderSplitNode(right, ImGuiDir_Down, 0.335F, &roofline, &memory); }
  ImGui::DockBuilderSplitNode(left, ImGuiDir_Down, 0.39F, &bottom, &top);
  ImGuiID source = 0, centre = 0;
  ImGui::DockBuilderSplitNode(top, ImGuiDir_Left, 0.43F, &source, &centre);
  ImGuiID timeline = bottom, plots = 0, opPerByte = bottom, timings = bottom;
  if (dense) {
    roofline = bottom;
  } else {
    ImGui::DockBuilderSplitNode(bottom, ImGuiDir_Down, 0.575F, &plots, &timeline);
    ImGui::DockBuilderSplitNode(plots, ImGuiDir_Right, 0.5F, &timings, &opPerByte);
  }
  // In the order of DockPlace.
  const std::array places = {source, centre, memory, timeline, opPerByte, timings, roofline};
  for (const Panel* panel : panels()) {
    ImGui::DockBuilderDockWindow(panel->window().c_str(), places.at(static_cast<std::size_t>(panel->place)));
  }
  // ImGui knows tabs by this hash, and the windows need not exist yet.
  for (const Tab tab : {Tab::Block, Tab::Memory, Tab::Timings}) {
    const Panel& panel = panelOf(tab);
    ImGui::DockBuilderGetNode(places.at(static_cast<std::size_t>(panel.place)))->SelectedTabId =
        ImHashStr("#TAB", 0, ImHashStr(panel.window().c_str()));
  }
  ImGui::DockBuilderFinish(space);
}

// A rounded surface behind every docked panel. ImGui paints docked windows with the corners of their host; here they
// paint nothing, and the surfaces lie on the window below them.
void drawSurfaces(const ImGuiDockNode* node, ImDrawList* list, const Theme& theme) {
  if (node == nullptr || !node->IsVisible) { return; }
  if (node->IsSplitNode()) {
    drawSurfaces(node->ChildNodes[0], list, theme);
    drawSurfaces(node->ChildNodes[1], list, theme);
    return;
  }
  const ImVec2 max{node->Pos.x + node->Size.x, node->Pos.y + node->Size.y};
  const ImGuiStyle& style = ImGui::GetStyle();
  list->AddRectFilled(node->Pos, max, theme.colours().panel, style.WindowRounding);
  list->AddRect(node->Pos, max, theme.colours().border, style.WindowRounding, style.WindowBorderSize);
}

// A panel alone in its place shows no tab; its heading is the handle by which it is taken elsewhere.
void moveByHeading(const Theme& theme) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  const ImVec2 pressed = ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left];
  const float bottom = window->Pos.y + theme.px(4) + theme.textPixels(TextSize::Heading);
  const bool held = ImGui::IsMouseDragging(ImGuiMouseButton_Left) && ImGui::GetActiveID() == window->MoveId;
  if (window->DockIsActive && held && pressed.y < bottom && window->Rect().Contains(pressed)) {
    ImGui::StartMouseMovingWindowOrNode(window, window->DockNode, true);
  }
}

ImGuiID dockSpaceId() { return ImHashStr("haloscope panels"); }

// Null before it is drawn the first time.
ImGuiWindow* windowOf(const Panel& panel) { return ImGui::FindWindowByName(panel.window().c_str()); }

// True for a panel in the window's own dock space; one that floats paints its own background.
bool liesOnSurface(const Panel& panel) {
  const ImGuiWindow* window = windowOf(panel);
  return window != nullptr && window->DockNode != nullptr &&
         ImGui::DockNodeGetRootNode(window->DockNode)->ID == dockSpaceId();
}

bool visible(const Panel& panel) {
  const ImGuiWindow* window = windowOf(panel);
  return window != nullptr && window->DockTabIsVisible;
}

// Variants side by side, the climb and wide figures take the room of the panels that say something of the step in focus
// alone. The first two show sources of their own; with large text the climb takes the roofline's room, too.
bool givesWay(const AppState& state, const Panel& panel, bool dense) {
  const bool wideFigure = state.figures.shown && listedFigures()[figureIndex(state.figures.inFront)].wide;
  const bool climb = state.view.tabs.onScreen().contains(Tab::Climb);
  const bool several = state.comparison.on || climb;
  if (panel.tab == Tab::Roofline) { return climb && dense; }
  if (panel.tab == Tab::Source) { return several && !state.editing.open; }
  return panel.yields && (several || wideFigure);
}

// In a layout from before there was this panel: where another panel of its place is docked.
void dockAtFirst(const Panel& panel) {
  for (const Panel* other : panels()) {
    const ImGuiWindow* window = windowOf(*other);
    if (other == &panel || other->place != panel.place || window == nullptr || window->DockId == 0) { continue; }
    ImGui::SetNextWindowDockID(window->DockId, ImGuiCond_FirstUseEver);
    return;
  }
}

// Brings a panel to the front of the tabs it is docked with. Returns the panels that it hides, or nothing while its
// window does not exist.
std::optional<std::set<Tab>> select(const Panel& panel) {
  ImGuiWindow* window = windowOf(panel);
  if (window == nullptr) { return std::nullopt; }
  if (window->DockNode == nullptr) {
    ImGui::BringWindowToDisplayFront(window);
    return std::set<Tab>();
  }
  if (window->DockNode->TabBar != nullptr) { window->DockNode->TabBar->NextSelectedTabId = window->TabId; }
  // The focus stays with the text that is being typed, but moves from a panel that is hidden.
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  if (focused != nullptr && focused->RootWindow != window && focused->RootWindow->DockNode == window->DockNode) {
    ImGui::FocusWindow(window);
  }
  std::set<Tab> hidden;
  for (const Panel* other : panels()) {
    const ImGuiWindow* behind = windowOf(*other);
    if (other != &panel && behind != nullptr && behind->DockNode == window->DockNode) { hidden.insert(other->tab); }
  }
  return hidden;
}

// A bar across the window, as high as what `content` needed the last time. Returns what it needed now.
template <typename Content>
float drawBar(const char* name, const Theme& theme, float top, float height, Content content) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos({viewport->Pos.x, top});
  ImGui::SetNextWindowSize({viewport->Size.x, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(kMargin + 8), theme.px(kMargin)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.colours().panel);
  ImGui::Begin(name, nullptr, kBar);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  content();
  const float needed = ImGui::GetCurrentWindow()->DC.CursorMaxPos.y - ImGui::GetWindowPos().y + theme.px(kMargin);
  ImGui::End();
  return needed;
}

}  // namespace

void Layout::draw(AppState& state, const Theme& theme, render::SceneRenderers& scenes) {
  // Panels report in every frame where the pointer is.
  state.selection.hoveredThread.reset();
  state.selection.hoveredPoint.reset();
  state.selection.hoveredLine.reset();
  drawBars(state, theme);
  drawDockSpace(state, theme);
  followReport(state);
  followTask(state);
  followTabs(state);
  drawPanels(state, theme, scenes);
  drawLaunch(state, theme);
  drawTypedCell(state, theme);
  fileDialog_.draw(state, theme);
  drawHelp(state, theme);
}

void Layout::drawBars(AppState& state, const Theme& theme) {
  if (toolbarHeight_ == 0) {
    toolbarHeight_ = ImGui::GetFrameHeight() + theme.px(2 * kMargin);
    statusHeight_ = theme.textPixels(TextSize::Small) + theme.px(2 * kMargin);
  }
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  toolbarHeight_ = drawBar("##toolbar", theme, viewport->Pos.y, toolbarHeight_, [&] { drawToolbar(state, theme); });
  const float statusTop = viewport->Pos.y + viewport->Size.y - statusHeight_;
  statusHeight_ = drawBar("##status", theme, statusTop, statusHeight_, [&] { drawStatusBar(state, theme); });
}

void Layout::drawDockSpace(AppState& state, const Theme& theme) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float margin = theme.px(kMargin);
  ImGui::SetNextWindowPos({viewport->Pos.x, viewport->Pos.y + toolbarHeight_});
  ImGui::SetNextWindowSize({viewport->Size.x, std::max(1.0F, viewport->Size.y - toolbarHeight_ - statusHeight_)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {margin, margin});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  // The frame was cleared to the background already, and on a software renderer every pixel painted twice counts.
  ImGui::Begin("##panels", nullptr, kBar | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar(3);

  const ImGuiID space = dockSpaceId();
  const ImVec2 size = ImGui::GetContentRegionAvail();
  const bool dense = size.y < kLeastLines * theme.textPixels(TextSize::Body);
  if (!dense_) { dense_ = dense; }  // a remembered layout suits the remembered size of the text
  if (ImGui::DockBuilderGetNode(space) == nullptr || state.view.resetLayout || *dense_ != dense) {
    buildDefault(space, size, dense);
    if (dense) { state.view.tabs.bringToFront(Tab::Timeline); }
    state.view.resetLayout = false;
    dense_ = dense;
  }
  // Title bars and the gaps between panels stay empty: the surfaces below show through.
  ImGui::PushStyleColor(ImGuiCol_TitleBg, 0);
  ImGui::PushStyleColor(ImGuiCol_TitleBgActive, 0);
  ImGui::PushStyleColor(ImGuiCol_Border, 0);
  theme.push(Face::SansStrong, dense ? TextSize::Small : TextSize::Body);
  ImGui::DockSpace(space, size, ImGuiDockNodeFlags_AutoHideTabBar);
  theme.pop();
  ImGui::PopStyleColor(3);
  drawSurfaces(ImGui::DockBuilderGetNode(space), ImGui::GetWindowDrawList(), theme);
  ImGui::End();
}

void Layout::followTabs(AppState& state) {
  Tabs& tabs = state.view.tabs;
  std::set<Tab> onScreen = tabs.onScreen();
  std::erase_if(tabs.requests(), [&](Tab tab) {
    const std::optional<std::set<Tab>> hidden = select(panelOf(tab));
    if (!hidden) { return false; }
    for (const Tab behind : *hidden) { onScreen.erase(behind); }
    onScreen.insert(tab);
    tabsSettle_ = kFramesToSettle;
    return true;
  });
  if (tabsSettle_ > 0) {
    --tabsSettle_;
  } else {
    onScreen.clear();
    for (const Panel* panel : panels()) {
      if (visible(*panel)) { onScreen.insert(panel->tab); }
    }
  }
  state.figures.shown = onScreen.contains(Tab::Figures);
  tabs.show(std::move(onScreen));
}

// A kernel, or a program, with findings shows them; without, the panel stays as it is.
void Layout::followReport(AppState& state) {
  const bool sameProgram = state.program.executed == programShown_;
  if ((state.report == reportShown_ && sameProgram) || findingsHidden(state)) { return; }
  const bool own = state.report != reportShown_ && state.report != nullptr && !state.report->findings.empty();
  reportShown_ = state.report;
  programShown_ = state.program.executed;
  if (own || (!sameProgram && std::ranges::any_of(programFaults(state), &ProgramFault::grave))) {
    state.view.tabs.bringToFront(Tab::Findings);
  }
}

// A task of the bug lab that was chosen elsewhere shows what is to be done.
void Layout::followTask(AppState& state) {
  if (state.choice.kernel == kernelShown_) { return; }
  kernelShown_ = state.choice.kernel;
  if (labTask(state) != nullptr && !state.view.tabs.closed(Tab::BugLab)) { state.view.tabs.bringToFront(Tab::BugLab); }
}

void Layout::drawPanel(const Panel& panel, AppState& state, const Theme& theme, render::SceneRenderers& scenes) {
  Tabs& tabs = state.view.tabs;
  if (tabs.closed(panel.tab)) { return; }
  if (givesWay(state, panel, dense_.value_or(false))) {
    // Otherwise ImGui gives its focus to the panel that had it before, which comes to the front of its tabs.
    const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
    if (focused != nullptr && focused->RootWindow == windowOf(panel)) { ImGui::SetWindowFocus(nullptr); }
    return;
  }
  if (liesOnSurface(panel)) { ImGui::SetNextWindowBgAlpha(0); }
  dockAtFirst(panel);
  // Begin draws a handle into the corner of a panel without tab in the colours of a button.
  ImGui::PushStyleColor(ImGuiCol_Button, 0);
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, 0);
  bool open = true;
  const bool drawn =
      ImGui::Begin(windowName(panel.title).c_str(), panel.closable ? &open : nullptr, ImGuiWindowFlags_NoCollapse);
  ImGui::PopStyleColor(2);
  if (drawn) {
    panel.draw(state, theme, {scenes, editor_});
    moveByHeading(theme);
  }
  ImGui::End();
  if (!open) { tabs.close(panel.tab); }
}

void Layout::drawPanels(AppState& state, const Theme& theme, render::SceneRenderers& scenes) {
  // The panel under the pointer comes first: what it says about the pointer, all the others show in the same frame.
  const ImGuiWindow* hovered = ImGui::GetCurrentContext()->HoveredWindow;
  const ImGuiWindow* first = hovered != nullptr ? hovered->RootWindow : nullptr;
  for (const bool now : {true, false}) {
    for (const Panel* panel : panels()) {
      if ((first != nullptr && windowOf(*panel) == first) == now) { drawPanel(*panel, state, theme, scenes); }
    }
  }
}

}  // namespace haloscope::ui
