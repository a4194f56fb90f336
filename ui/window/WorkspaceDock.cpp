#include "ui/window/WorkspaceDock.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "language/Text.h"
#include "ui/window/PanelList.h"

namespace haloscope::ui {

namespace {

constexpr float kLargestPart = 0.4F;  // of a place that is divided to give a part its lines of text

// Unlike the titles they are the same in every language.
constexpr std::array kTabNames = {
#define HALOSCOPE_TAB_NAME(name) #name,
    HALOSCOPE_PANELS(HALOSCOPE_TAB_NAME)
#undef HALOSCOPE_TAB_NAME
};

/// Calls `divide(split, share)` for the splits that there is room for, in their order, and `join(split)` for the
/// others.
template <typename Divide, typename Join>
void forSplits(Workspace workspace, ImVec2 size, float line, Divide divide, Join join) {
  std::map<std::string_view, ImVec2> sizes;
  const auto sizeOf = [&](std::string_view place) -> ImVec2& { return sizes.try_emplace(place, size).first->second; };
  for (const Split& split : layoutOf(workspace).splits) {
    ImVec2& whole = sizeOf(split.of);
    float& length = split.side == Side::Right ? whole.x : whole.y;
    const float share = std::max(split.share, split.least * line / std::max(1.0F, length));
    if (share > std::max(kLargestPart, split.share)) {
      sizes[split.part] = whole;
      join(split);
      continue;
    }
    ImVec2 part = whole;
    (split.side == Side::Right ? part.x : part.y) = length * share;
    length *= 1 - share;
    sizes[split.part] = part;
    divide(split, share);
  }
}

}  // namespace

std::string windowName(Workspace workspace, Tab tab) {
  return fmt::format("{}###{} {}", tr(panelOf(tab).title), layoutOf(workspace).name,
                     kTabNames.at(static_cast<std::size_t>(tab)));
}

ImGuiID dockSpaceId(Workspace workspace) { return ImHashStr(layoutOf(workspace).name, 0, ImHashStr("haloscope")); }

std::size_t dividedPlaces(Workspace workspace, ImVec2 size, float line) {
  std::size_t count = 0;
  forSplits(workspace, size, line, [&](const Split&, float) { ++count; }, [](const Split&) {});
  return count;
}

void dockAtFirstPlaces(Workspace workspace, ImVec2 size, float line) {
  const ImGuiID space = dockSpaceId(workspace);
  ImGui::DockBuilderRemoveNode(space);
  ImGui::DockBuilderAddNode(space, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(space, size);
  std::map<std::string_view, ImGuiID> nodes;
  const auto nodeOf = [&](std::string_view place) -> ImGuiID& { return nodes.try_emplace(place, space).first->second; };
  forSplits(
      workspace, size, line,
      [&](const Split& split, float share) {
        ImGuiID& node = nodeOf(split.of);
        ImGuiID part = 0, rest = 0;
        const ImGuiDir side = split.side == Side::Right ? ImGuiDir_Right : ImGuiDir_Down;
        ImGui::DockBuilderSplitNode(node, side, share, &part, &rest);
        node = rest;
        nodes[split.part] = part;
      },
      [&](const Split& split) { nodes[split.part] = nodeOf(split.of); });
  for (const PanelRow& row : layoutOf(workspace).panels) {
    const std::string window = windowName(workspace, row.tab);
    ImGuiDockNode* node = ImGui::DockBuilderGetNode(nodeOf(row.place));
    ImGui::DockBuilderDockWindow(window.c_str(), node->ID);
    // ImGui knows tabs by this hash, and the windows need not exist yet.
    if (node->SelectedTabId == 0) { node->SelectedTabId = ImHashStr("#TAB", 0, ImHashStr(window.c_str())); }
  }
  ImGui::DockBuilderFinish(space);
}

}  // namespace haloscope::ui
