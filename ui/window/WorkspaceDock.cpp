#include "ui/window/WorkspaceDock.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "language/Text.h"
#include "ui/window/PanelList.h"

namespace haloscope::ui {

namespace {

constexpr float kLargestPart = 0.4F;  // of a place that is divided to give a part its lines of text

/// Places that are one, for want of room: each with the one that it is part of.
using Joined = std::map<std::string_view, std::string_view>;

std::string_view placeOf(const Joined& joined, std::string_view place) {
  const auto found = joined.find(place);
  return found == joined.end() ? place : found->second;
}

/// Calls `divide(place, split, share)` for the splits that there is room for, in their order. Returns the others.
template <typename Divide>
Joined forSplits(Workspace workspace, ImVec2 size, float line, Divide divide) {
  std::map<std::string_view, ImVec2> sizes;
  Joined joined;
  for (const Split& split : layoutOf(workspace).splits) {
    const std::string_view place = placeOf(joined, split.of);
    ImVec2& whole = sizes.try_emplace(place, size).first->second;
    float& length = split.side == Side::Down ? whole.y : whole.x;
    const float share = std::max(split.share, split.least * line / std::max(1.0F, length));
    if (share > std::max(kLargestPart, split.share)) {
      joined[split.part] = place;
      continue;
    }
    ImVec2 part = whole;
    (split.side == Side::Down ? part.y : part.x) = length * share;
    length *= 1 - share;
    sizes[split.part] = part;
    divide(place, split, share);
  }
  return joined;
}

/// Tabs of a place are sorted by this when they come there together; without it, by which of them was drawn first.
void orderTab(const char* window, short order) {
  if (ImGuiWindow* existing = ImGui::FindWindowByName(window)) {
    existing->DockOrder = order;
  } else if (ImGuiWindowSettings* settings = ImGui::FindWindowSettingsByID(ImHashStr(window))) {
    settings->DockOrder = order;
  }
}

}  // namespace

std::string windowName(Workspace workspace, Tab tab) {
  return fmt::format("{}###{} {}", tr(panelOf(tab).title), layoutOf(workspace).name, nameOf(tab));
}

// With another number, what was remembered of an earlier arrangement is forgotten.
ImGuiID dockSpaceId(Workspace workspace) { return ImHashStr(layoutOf(workspace).name, 0, ImHashStr("haloscope 2")); }

std::size_t dividedPlaces(Workspace workspace, ImVec2 size, float line) {
  std::size_t count = 0;
  forSplits(workspace, size, line, [&](std::string_view, const Split&, float) { ++count; });
  return count;
}

void keepShares(Workspace workspace) {
  ImGuiDockNode* root = ImGui::DockBuilderGetNode(dockSpaceId(workspace));
  if (root == nullptr || !root->IsSplitNode() || root->CentralNode == nullptr) { return; }
  root->CentralNode->SetLocalFlags(root->CentralNode->LocalFlags & ~ImGuiDockNodeFlags_CentralNode);
  root->CentralNode = nullptr;
}

void dockAtFirstPlaces(Workspace workspace, ImVec2 size, float line) {
  const ImGuiID space = dockSpaceId(workspace);
  ImGui::DockBuilderRemoveNode(space);
  ImGui::DockBuilderAddNode(space, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(space, size);
  std::map<std::string_view, ImGuiID> nodes;
  const auto nodeOf = [&](std::string_view place) -> ImGuiID& { return nodes.try_emplace(place, space).first->second; };
  const Joined joined = forSplits(workspace, size, line, [&](std::string_view place, const Split& split, float share) {
    ImGuiID& node = nodeOf(place);
    ImGuiID part = 0, rest = 0;
    const ImGuiDir side = split.side == Side::Left    ? ImGuiDir_Left
                          : split.side == Side::Right ? ImGuiDir_Right
                                                      : ImGuiDir_Down;
    ImGui::DockBuilderSplitNode(node, side, share, &part, &rest);
    node = rest;
    nodes[split.part] = part;
  });
  short order = 0;
  for (const PanelRow& row : layoutOf(workspace).panels) {
    if (row.place == kDrawer) { continue; }
    const std::string window = windowName(workspace, row.tab);
    ImGuiDockNode* node = ImGui::DockBuilderGetNode(nodeOf(placeOf(joined, row.place)));
    ImGui::DockBuilderDockWindow(window.c_str(), node->ID);
    orderTab(window.c_str(), order++);
    // ImGui knows tabs by this hash, and the windows need not exist yet.
    if (node->SelectedTabId == 0) { node->SelectedTabId = ImHashStr("#TAB", 0, ImHashStr(window.c_str())); }
  }
  ImGui::DockBuilderFinish(space);
}

}  // namespace haloscope::ui
