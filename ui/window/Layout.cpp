#include "ui/window/Layout.h"

#include <imgui_internal.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "actions/BugLabTasks.h"
#include "actions/Comparing.h"
#include "actions/MakeActions.h"
#include "actions/PresentingActions.h"
#include "actions/ProgramSteps.h"
#include "state/ProgramFaults.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/Drawers.h"
#include "ui/window/Hall.h"
#include "ui/window/LaunchWindow.h"
#include "ui/window/PanelList.h"
#include "ui/window/ScenesBar.h"
#include "ui/window/StartPage.h"
#include "ui/window/StatusBar.h"
#include "ui/window/Toolbar.h"
#include "ui/window/TypedCellWindow.h"
#include "ui/window/WorkspaceDock.h"

namespace haloscope::ui {

namespace {

constexpr float kMargin = 8;     // around the panels, and between them, at scale 1
constexpr float kFewLines = 31;  // of text from top to bottom: the tabs are smaller

// A tab that is to come to the front gets there a few frames later.
constexpr int kFramesToSettle = 3;

constexpr ImGuiWindowFlags kBar = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                                  ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                  ImGuiWindowFlags_NoScrollWithMouse;

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

// True for a panel in the window's own dock space; one that floats paints its own background.
bool liesOnSurface(Workspace workspace, const char* name) {
  const ImGuiWindow* window = ImGui::FindWindowByName(name);
  return window != nullptr && window->DockNode != nullptr &&
         ImGui::DockNodeGetRootNode(window->DockNode)->ID == dockSpaceId(workspace);
}

bool visible(Workspace workspace, Tab tab) {
  const ImGuiWindow* window = ImGui::FindWindowByName(windowName(workspace, tab).c_str());
  // What ImGui knows of a tab stays as it was when its window is closed.
  if (window == nullptr || !window->WasActive) { return false; }
  return rowOf(workspace, tab)->place == kDrawer || window->DockTabIsVisible;
}

// In a layout from before there was this panel: where another panel of its place is docked.
void dockAtFirst(Workspace workspace, const PanelRow& row) {
  for (const PanelRow& other : layoutOf(workspace).panels) {
    const ImGuiWindow* window = ImGui::FindWindowByName(windowName(workspace, other.tab).c_str());
    if (other.tab == row.tab || other.place != row.place || window == nullptr || window->DockId == 0) { continue; }
    ImGui::SetNextWindowDockID(window->DockId, ImGuiCond_FirstUseEver);
    return;
  }
}

// Brings a panel to the front of the tabs it is docked with. Returns the panels that it hides, or nothing while its
// window does not exist.
std::optional<std::set<Tab>> select(Workspace workspace, Tab tab) {
  ImGuiWindow* window = ImGui::FindWindowByName(windowName(workspace, tab).c_str());
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
  for (const PanelRow& other : layoutOf(workspace).panels) {
    const ImGuiWindow* behind = ImGui::FindWindowByName(windowName(workspace, other.tab).c_str());
    if (other.tab != tab && behind != nullptr && behind->DockNode == window->DockNode) { hidden.insert(other.tab); }
  }
  return hidden;
}

float drawerEdge(const AppState& state, const Theme& theme) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  return drawerLeft(theme, viewport->Pos.x + scenesWidth(state, theme),
                    viewport->Pos.x + viewport->Size.x - railWidth(state, theme));
}

float leastStatusHeight(const Theme& theme) { return theme.textPixels(TextSize::Small) + theme.px(2 * kMargin); }

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
  drawScreen(state, theme, scenes);
  tooltips_.update();
}

void Layout::drawScreen(AppState& state, const Theme& theme, render::SceneRenderers& scenes) {
  // Panels report in every frame where the pointer is.
  state.selection.hoveredThread.reset();
  state.selection.hoveredPoint.reset();
  state.selection.hoveredLine.reset();
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) { state.playback.held.reset(); }
  if (state.start.shown) {
    drawStart(state, theme, scenes);
    return;
  }
  if (state.presenting.on) {
    drawPresentation(state, theme, scenes);
    return;
  }
  drawBars(state, theme);
  drawDockSpace(state, theme);
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float right = viewport->Pos.x + viewport->Size.x;
  drawRail(state, theme, {right - railWidth(state, theme), viewport->Pos.y + toolbarHeight_ + theme.px(kMargin)},
           {right, viewport->Pos.y + viewport->Size.y - statusHeight_ - theme.px(kMargin)});
  followWorkspace(state);
  followReport(state);
  followTask(state);
  followTabs(state);
  followComparison(state);
  drawPanels(state, theme, scenes);
  if (const float scenesRoom = scenesWidth(state, theme); scenesRoom > 0) {
    const float bottom = viewport->Pos.y + viewport->Size.y - statusHeight_;
    ui::drawScenes(state, theme, {viewport->Pos.x, viewport->Pos.y + toolbarHeight_},
                   {viewport->Pos.x + scenesRoom, bottom});
  }
  drawLaunch(state, theme);
  drawTypedCell(state, theme);
  fileDialog_.draw(state, theme);
  export_.draw(state, theme);
  help_.draw(state, theme);
}

void Layout::drawPresentation(AppState& state, const Theme& theme, render::SceneRenderers& scenes) {
  const std::vector<Tab> hall = hallOf(state);
  state.view.tabs.show({hall.begin(), hall.end()});
  state.figures.shown = std::ranges::find(hall, Tab::Figures) != hall.end();
  followComparison(state);
  drawHall(state, theme, {scenes, editor_});
  drawTypedCell(state, theme);
  fileDialog_.draw(state, theme);
  export_.draw(state, theme);
  help_.draw(state, theme);
  shown_.reset();  // the panels are found again when it ends
}

void Layout::drawStart(AppState& state, const Theme& theme, render::SceneRenderers& scenes) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  float bottom = viewport->Pos.y + viewport->Size.y;
  // The bar is there for what has to be answered.
  if (state.problem || !state.languageProblem.empty() || !state.editing.found.empty() ||
      !state.editing.notices.empty()) {
    statusHeight_ = std::max(statusHeight_, leastStatusHeight(theme));
    bottom -= statusHeight_;
    statusHeight_ = drawBar("##status", theme, bottom, statusHeight_, [bar = StatusBar(state, theme)] { bar.draw(); });
  }
  drawStartPage(state, theme, scenes, viewport->Pos.y, bottom);
  fileDialog_.draw(state, theme);
  help_.draw(state, theme);
}

void Layout::drawBars(AppState& state, const Theme& theme) {
  if (toolbarHeight_ == 0) { toolbarHeight_ = ImGui::GetFrameHeight() + theme.px(2 * kMargin); }
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  toolbarHeight_ = drawBar("##toolbar", theme, viewport->Pos.y, toolbarHeight_, [&] { drawToolbar(state, theme); });
  // While something is executed, what was said of the block before is gone: the panels stay where they are.
  const StatusBar bar(state, theme);
  if (bar.empty() && !(state.computing && statusHeight_ > 0)) {
    statusHeight_ = 0;
    return;
  }
  statusHeight_ = std::max(statusHeight_, leastStatusHeight(theme));
  const float statusTop = viewport->Pos.y + viewport->Size.y - statusHeight_;
  statusHeight_ = drawBar("##status", theme, statusTop, statusHeight_, [&] { bar.draw(); });
}

void Layout::drawDockSpace(AppState& state, const Theme& theme) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float margin = theme.px(kMargin);
  const float scenes = scenesWidth(state, theme);
  ImGui::SetNextWindowPos({viewport->Pos.x + scenes, viewport->Pos.y + toolbarHeight_});
  ImGui::SetNextWindowSize({viewport->Size.x - scenes - railWidth(state, theme),
                            std::max(1.0F, viewport->Size.y - toolbarHeight_ - statusHeight_)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {margin, margin});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  // The frame was cleared to the background already, and on a software renderer every pixel painted twice counts.
  ImGui::Begin("##panels", nullptr, kBar | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar(3);

  const Workspace workspace = state.view.tabs.workspace();
  const ImGuiID space = dockSpaceId(workspace);
  const ImVec2 size = ImGui::GetContentRegionAvail();
  const float line = theme.textPixels(TextSize::Body);
  const std::size_t divided = dividedPlaces(workspace, size, line);
  // A remembered layout suits the remembered size of the text.
  std::size_t& before = divided_.try_emplace(workspace, divided).first->second;
  if (ImGui::DockBuilderGetNode(space) == nullptr || state.view.resetLayout || before != divided) {
    dockAtFirstPlaces(workspace, size, line);
    state.view.resetLayout = false;
    before = divided;
  }
  keepShares(workspace);
  // Title bars and the gaps between panels stay empty: the surfaces below show through.
  ImGui::PushStyleColor(ImGuiCol_TitleBg, 0);
  ImGui::PushStyleColor(ImGuiCol_TitleBgActive, 0);
  ImGui::PushStyleColor(ImGuiCol_Border, 0);
  theme.push(Face::SansStrong, size.y < kFewLines * line ? TextSize::Small : TextSize::Body);
  ImGui::DockSpace(space, size, ImGuiDockNodeFlags_AutoHideTabBar);
  theme.pop();
  ImGui::PopStyleColor(3);
  drawSurfaces(ImGui::DockBuilderGetNode(space), ImGui::GetWindowDrawList(), theme);
  ImGui::End();
}

void Layout::followWorkspace(const AppState& state) {
  const Workspace workspace = state.view.tabs.workspace();
  if (std::exchange(shown_, workspace) == workspace) { return; }
  tabsSettle_ = kFramesToSettle;
  // Otherwise ImGui gives its focus to another panel of the workspace, which comes to the front of its tabs.
  ImGui::SetWindowFocus(nullptr);
}

void Layout::followTabs(AppState& state) {
  Tabs& tabs = state.view.tabs;
  const Workspace workspace = tabs.workspace();
  std::set<Tab> onScreen = tabs.onScreen();
  std::erase_if(tabs.requests(), [&](Tab tab) {
    const std::optional<std::set<Tab>> hidden = select(workspace, tab);
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
    for (const PanelRow& row : layoutOf(workspace).panels) {
      if (visible(workspace, row.tab)) { onScreen.insert(row.tab); }
    }
  }
  state.figures.shown = onScreen.contains(Tab::Figures);
  tabs.show(std::move(onScreen));
}

// Variants are side by side as long as their panel is on screen.
void Layout::followComparison(AppState& state) {
  if (state.view.tabs.inFront(Tab::Compare)) {
    startComparison(state);
  } else {
    endComparison(state);
  }
}

// A kernel, or a program, with findings shows them; without, the panel stays as it is.
void Layout::followReport(AppState& state) {
  const bool sameProgram = state.program.executed == programShown_;
  if ((state.report == reportShown_ && sameProgram) || findingsHidden(state)) { return; }
  const bool own = state.report != reportShown_ && state.report != nullptr && !state.report->findings.empty();
  reportShown_ = state.report;
  programShown_ = state.program.executed;
  if (own || (!sameProgram && std::ranges::any_of(programFaults(state), &ProgramFault::grave))) {
    state.view.tabs.raise(Tab::Findings);
  }
}

// A task that was chosen elsewhere shows what is to be done.
void Layout::followTask(AppState& state) {
  if (state.choice.kernel == kernelShown_) { return; }
  kernelShown_ = state.choice.kernel;
  if (labTask(state) != nullptr) { state.view.tabs.raise(Tab::BugLab); }
  if (makeTask(state) != nullptr) { state.view.tabs.raise(Tab::Make); }
}

void Layout::drawPanel(const PanelRow& row, AppState& state, const Theme& theme, render::SceneRenderers& scenes) {
  Tabs& tabs = state.view.tabs;
  if (tabs.closed(row.tab)) { return; }
  const Workspace workspace = *shown_;
  const std::string name = windowName(workspace, row.tab);
  if (row.place == kDrawer) {
    drawDrawer(row, state, theme, scenes);
    return;
  }
  if (liesOnSurface(workspace, name.c_str())) { ImGui::SetNextWindowBgAlpha(0); }
  dockAtFirst(workspace, row);
  // Begin draws a handle into the corner of a panel without tab in the colours of a button.
  ImGui::PushStyleColor(ImGuiCol_Button, 0);
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, 0);
  bool open = true;
  const bool drawn = ImGui::Begin(name.c_str(), row.onDemand ? &open : nullptr,
                                  ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleColor(2);
  if (drawn) {
    panelOf(row.tab).draw(state, theme, {scenes, editor_});
    moveByHeading(theme);
  }
  ImGui::End();
  if (!open && tabs.workspace() == workspace) { tabs.close(row.tab); }
}

void Layout::drawDrawer(const PanelRow& row, AppState& state, const Theme& theme, render::SceneRenderers& scenes) {
  // Over the stage, beside its title and above the time.
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float margin = theme.px(kMargin);
  const ImVec2 min{drawerEdge(state, theme), viewport->Pos.y + toolbarHeight_ + margin};
  ImVec2 max{viewport->Pos.x + viewport->Size.x - railWidth(state, theme),
             viewport->Pos.y + viewport->Size.y - statusHeight_ - margin};
  const std::string timeline = windowName(*shown_, Tab::Timeline);
  const ImGuiWindow* time = ImGui::FindWindowByName(timeline.c_str());
  if (time != nullptr && liesOnSurface(*shown_, timeline.c_str()) && time->Pos.y > (min.y + max.y) / 2) {
    max.y = time->Pos.y - margin;
  }
  ImGui::SetNextWindowPos(min);
  ImGui::SetNextWindowSize({max.x - min.x, max.y - min.y});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.colours().panel);
  const bool drawn = ImGui::Begin(windowName(*shown_, row.tab).c_str(), nullptr,
                                  ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                                      ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleColor();
  if (drawn) { panelOf(row.tab).draw(state, theme, {scenes, editor_}); }
  ImGui::End();
}

void Layout::drawPanels(AppState& state, const Theme& theme, render::SceneRenderers& scenes) {
  // The panel under the pointer comes first: what it says about the pointer, all the others show in the same frame.
  const ImGuiWindow* hovered = ImGui::GetCurrentContext()->HoveredWindow;
  const ImGuiID first = hovered != nullptr ? hovered->RootWindow->ID : 0;
  // A panel may ask for another workspace: it is shown in the next frame.
  const Workspace workspace = *shown_;
  if (state.view.tabs.openDrawer()) { state.view.drawerLeft = drawerEdge(state, theme); }
  for (const bool now : {true, false}) {
    for (const PanelRow& row : layoutOf(workspace).panels) {
      if ((ImHashStr(windowName(workspace, row.tab).c_str()) == first) == now) { drawPanel(row, state, theme, scenes); }
    }
  }
  state.view.drawerLeft.reset();  // not for pictures of a panel alone
}

}  // namespace haloscope::ui
