#include "ui/window/Layout.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "state/BugLabTasks.h"
#include "state/FigureList.h"
#include "ui/panels/Panels.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kMargin = 8;  // around the panels, and between them, at scale 1

// A tab that is brought to the front is there a few frames later.
constexpr int kFramesToSettle = 3;

constexpr ImGuiWindowFlags kBar = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                                  ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                  ImGuiWindowFlags_NoScrollWithMouse;

// What some panels draw with.
struct Tools {
  render::SceneRenderers& scenes;
  SourceEditor& editor;
};

using PanelFunction = void (*)(AppState&, const Theme&, const Tools&);

struct Panel {
  const char* title;
  PanelFunction draw;
};

template <void (*function)(AppState&, const Theme&)>
constexpr PanelFunction withoutScene() {
  return [](AppState& state, const Theme& theme, const Tools&) { function(state, theme); };
}

void drawSourceWith(AppState& state, const Theme& theme, const Tools& tools) { drawSource(state, theme, tools.editor); }
void drawSceneWith(AppState& state, const Theme& theme, const Tools& tools) { drawScene(state, theme, tools.scenes); }

// A new window takes the focus, and with it its tab comes to the front: the last one must be alone in its place.
constexpr std::array kPanels = {
    Panel{kFindingsTitle, withoutScene<drawFindings>()},
    Panel{kSourceTitle, drawSourceWith},
    Panel{kSceneTitle, drawSceneWith},
    Panel{kFieldTitle, withoutScene<drawField>()},
    Panel{kTuningTitle, withoutScene<drawTuning>()},
    Panel{kFiguresTitle, withoutScene<drawFigures>()},
    Panel{kMemoryTitle, withoutScene<drawMemory>()},
    Panel{kAddressesTitle, withoutScene<drawAddresses>()},
    Panel{kOriginsTitle, withoutScene<drawOrigins>()},
    Panel{kTimelineTitle, withoutScene<drawTimeline>()},
    Panel{kOpPerByteTitle, withoutScene<drawOpPerByte>()},
    Panel{kTimingsTitle, withoutScene<drawTimings>()},
    Panel{kRooflineTitle, withoutScene<drawRoofline>()},
};

// The default places. Shares, not pixels: the same from 1280×720 to 4K, where the type scale does the rest.
void buildDefault(ImGuiID space, ImVec2 size) {
  ImGui::DockBuilderRemoveNode(space);
  ImGui::DockBuilderAddNode(space, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(space, size);
  ImGuiID left = 0, right = 0, top = 0, bottom = 0;
  ImGui::DockBuilderSplitNode(space, ImGuiDir_Right, 0.285F, &right, &left);
  ImGuiID memory = 0, roofline = 0;
  ImGui::DockBuilderSplitNode(right, ImGuiDir_Down, 0.335F, &roofline, &memory);
  ImGui::DockBuilderSplitNode(left, ImGuiDir_Down, 0.365F, &bottom, &top);
  ImGuiID source = 0, centre = 0;
  ImGui::DockBuilderSplitNode(top, ImGuiDir_Left, 0.43F, &source, &centre);
  ImGuiID timeline = 0, plots = 0, opPerByte = 0, timings = 0;
  ImGui::DockBuilderSplitNode(bottom, ImGuiDir_Down, 0.53F, &plots, &timeline);
  ImGui::DockBuilderSplitNode(plots, ImGuiDir_Right, 0.5F, &timings, &opPerByte);
  ImGui::DockBuilderDockWindow(kSourceTitle, source);
  ImGui::DockBuilderDockWindow(kSceneTitle, centre);
  ImGui::DockBuilderDockWindow(kFieldTitle, centre);
  ImGui::DockBuilderDockWindow(kTuningTitle, centre);
  ImGui::DockBuilderDockWindow(kFiguresTitle, centre);
  ImGui::DockBuilderDockWindow(kMemoryTitle, memory);
  ImGui::DockBuilderDockWindow(kAddressesTitle, memory);
  ImGui::DockBuilderDockWindow(kOriginsTitle, memory);
  ImGui::DockBuilderDockWindow(kTimelineTitle, timeline);
  ImGui::DockBuilderDockWindow(kOpPerByteTitle, opPerByte);
  ImGui::DockBuilderDockWindow(kTimingsTitle, timings);
  ImGui::DockBuilderDockWindow(kFindingsTitle, timings);
  ImGui::DockBuilderDockWindow(kRooflineTitle, roofline);
  ImGui::DockBuilderDockWindow(kBugLabTitle, roofline);
  // Of their tabs the block, the memory and the timings are in front. ImGui knows tabs by this hash, and the windows
  // need not exist yet.
  ImGui::DockBuilderGetNode(centre)->SelectedTabId = ImHashStr("#TAB", 0, ImHashStr(kSceneTitle));
  ImGui::DockBuilderGetNode(memory)->SelectedTabId = ImHashStr("#TAB", 0, ImHashStr(kMemoryTitle));
  ImGui::DockBuilderGetNode(timings)->SelectedTabId = ImHashStr("#TAB", 0, ImHashStr(kTimingsTitle));
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

// True for a panel in the window's own dock space; one that floats paints its own background.
bool liesOnSurface(const char* title) {
  const ImGuiWindow* window = ImGui::FindWindowByName(title);
  return window != nullptr && window->DockNode != nullptr &&
         ImGui::DockNodeGetRootNode(window->DockNode)->ID == dockSpaceId();
}

bool visible(const char* title) {
  const ImGuiWindow* window = ImGui::FindWindowByName(title);
  return window != nullptr && window->DockTabIsVisible;
}

// Variants side by side, and wide figures, take the room of what tells about the step in focus alone, or would stand
// twice.
bool givesWay(const AppState& state, const char* title) {
  const bool wideFigure = state.figures.shown && listedFigures()[figureIndex(state.figures.inFront)].wide;
  if (!state.comparison.on && !wideFigure) { return false; }
  if (title == kSourceTitle) { return state.comparison.on && !state.editing.open; }
  return title == kTimelineTitle || title == kOpPerByteTitle || title == kTimingsTitle || title == kFindingsTitle;
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
  // Where the pointer is, a panel says anew in every frame.
  state.selection.hoveredThread.reset();
  state.selection.hoveredPoint.reset();
  state.selection.hoveredLine.reset();
  drawBars(state, theme);
  drawDockSpace(state, theme);
  followFieldTab(state);
  followMemoryTab(state);
  followCentreTabs(state);
  followReport(state);
  drawPanels(state, theme, scenes);
  drawLab(state, theme);
  drawLaunch(state, theme);
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
  if (ImGui::DockBuilderGetNode(space) == nullptr || state.view.resetLayout) {
    buildDefault(space, size);
    state.view.resetLayout = false;
  }
  // Title bars and the gaps between panels stay empty: the surfaces below show through.
  ImGui::PushStyleColor(ImGuiCol_TitleBg, 0);
  ImGui::PushStyleColor(ImGuiCol_TitleBgActive, 0);
  ImGui::PushStyleColor(ImGuiCol_Border, 0);
  theme.push(Face::SansStrong, TextSize::Body);
  ImGui::DockSpace(space, size, ImGuiDockNodeFlags_AutoHideTabBar);
  theme.pop();
  ImGui::PopStyleColor(3);
  drawSurfaces(ImGui::DockBuilderGetNode(space), ImGui::GetWindowDrawList(), theme);
  ImGui::End();
}

void Layout::followFieldTab(AppState& state) {
  const char* wanted = state.view.showField ? kFieldTitle : kSceneTitle;
  if (state.view.showField != fieldShown_) {
    if (ImGui::FindWindowByName(wanted) != nullptr) {
      ImGui::SetWindowFocus(wanted);
      fieldShown_ = state.view.showField;
      tabSettles_ = kFramesToSettle;
    }
    return;
  }
  if (tabSettles_ > 0) {
    --tabSettles_;
  } else if (visible(kSceneTitle) != visible(kFieldTitle)) {
    // The person clicked on a tab.
    state.view.showField = fieldShown_ = visible(kFieldTitle);
  }
}

void Layout::followMemoryTab(AppState& state) {
  constexpr std::array kTitles = {kMemoryTitle, kAddressesTitle, kOriginsTitle};
  if (state.view.memoryTab != memoryTabShown_) {
    const ImGuiWindow* window = ImGui::FindWindowByName(kTitles.at(static_cast<std::size_t>(state.view.memoryTab)));
    if (window != nullptr && window->DockNode != nullptr && window->DockNode->TabBar != nullptr) {
      window->DockNode->TabBar->NextSelectedTabId = window->TabId;
      memoryTabShown_ = state.view.memoryTab;
      memoryTabSettles_ = kFramesToSettle;
    }
    return;
  }
  if (memoryTabSettles_ > 0) {
    --memoryTabSettles_;
    return;
  }
  const auto shown = std::ranges::count_if(kTitles, visible);
  if (shown != 1) { return; }  // the person took them apart
  for (std::size_t i = 0; i < kTitles.size(); ++i) {
    if (visible(kTitles.at(i))) { state.view.memoryTab = memoryTabShown_ = static_cast<MemoryTab>(i); }
  }
}

void Layout::followCentreTabs(AppState& state) {
  state.tuning.shown = visible(kTuningTitle);
  state.figures.shown = visible(kFiguresTitle);
  const char* behind = state.view.showField ? kFieldTitle : kSceneTitle;
  const auto follow = [behind](std::optional<bool>& inFront, const char* title) {
    if (!inFront) { return; }
    const ImGuiWindow* window = ImGui::FindWindowByName(*inFront ? title : behind);
    if (window == nullptr || window->DockNode == nullptr || window->DockNode->TabBar == nullptr) { return; }
    window->DockNode->TabBar->NextSelectedTabId = window->TabId;
    inFront.reset();
  };
  follow(state.view.tuningInFront, kTuningTitle);
  follow(state.view.figuresInFront, kFiguresTitle);
}

// A kernel with findings shows them; without, the panel stays where the person left it.
void Layout::followReport(const AppState& state) {
  if (state.report == reportShown_ || findingsHidden(state)) { return; }
  const bool none = state.report == nullptr || state.report->findings.empty();
  if (!none && ImGui::FindWindowByName(kFindingsTitle) == nullptr) { return; }
  reportShown_ = state.report;
  if (none) { return; }
  ImGuiWindow* window = ImGui::FindWindowByName(kFindingsTitle);
  // Not focused: whoever types goes on typing.
  if (window->DockNode != nullptr && window->DockNode->TabBar != nullptr) {
    window->DockNode->TabBar->NextSelectedTabId = window->TabId;
  }
}

void Layout::drawPanels(AppState& state, const Theme& theme, render::SceneRenderers& scenes) {
  const auto drawPanel = [&](const Panel& panel) {
    if (givesWay(state, panel.title)) { return; }
    if (liesOnSurface(panel.title)) { ImGui::SetNextWindowBgAlpha(0); }
    const ImGuiWindow* block = ImGui::FindWindowByName(kSceneTitle);
    const bool late = std::strcmp(panel.title, kTuningTitle) == 0 || std::strcmp(panel.title, kFiguresTitle) == 0;
    if (late && block != nullptr && block->DockId != 0) {
      ImGui::SetNextWindowDockID(block->DockId,
                                 ImGuiCond_FirstUseEver);  // in a layout from before there was this panel
    }
    // Begin draws a handle into the corner of a panel without tab in the colours of a button.
    ImGui::PushStyleColor(ImGuiCol_Button, 0);
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, 0);
    const bool open = ImGui::Begin(panel.title, nullptr, ImGuiWindowFlags_NoCollapse);
    ImGui::PopStyleColor(2);
    if (open) {
      panel.draw(state, theme, Tools{scenes, editor_});
      moveByHeading(theme);
    }
    ImGui::End();
  };
  // The panel under the pointer comes first: what it says about the pointer, all the others show in the same frame.
  const ImGuiWindow* hovered = ImGui::GetCurrentContext()->HoveredWindow;
  const char* first = hovered != nullptr ? hovered->RootWindow->Name : "";
  for (const Panel& panel : kPanels) {
    if (std::strcmp(panel.title, first) == 0) { drawPanel(panel); }
  }
  for (const Panel& panel : kPanels) {
    if (std::strcmp(panel.title, first) != 0) { drawPanel(panel); }
  }
}

// In the roofline's place: text, scene, memory and findings of a task stay in sight.
void Layout::drawLab(AppState& state, const Theme& theme) {
  if (!state.view.showBugLab) { return; }
  const ImGuiWindow* roofline = ImGui::FindWindowByName(kRooflineTitle);
  if (roofline != nullptr && roofline->DockId != 0) {  // of a layout from before there was this panel
    ImGui::SetNextWindowDockID(roofline->DockId, ImGuiCond_FirstUseEver);
  }
  if (liesOnSurface(kBugLabTitle)) { ImGui::SetNextWindowBgAlpha(0); }
  const FontScope font(theme, Face::Sans, TextSize::Body);
  const bool visibleNow = ImGui::Begin(kBugLabTitle, &state.view.showBugLab, ImGuiWindowFlags_NoCollapse);
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  const bool newTask = storedChanged("kernel", ImHashStr(state.choice.kernel.c_str())) && labTask(state) != nullptr;
  if (newTask && window->DockNode != nullptr && window->DockNode->TabBar != nullptr) {
    window->DockNode->TabBar->NextSelectedTabId = window->TabId;
  }
  if (visibleNow) { drawBugLab(state, theme); }
  ImGui::End();
}

}  // namespace haloscope::ui
