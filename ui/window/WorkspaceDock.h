#pragma once

#include <imgui.h>

#include <cstddef>
#include <string>

#include "parts/Workspaces.h"

/// A workspace as ImGui's docking knows it: a dock space and windows of its own, so that a panel that several
/// workspaces have can be moved in each of them.
namespace haloscope::ui {

/// "Memory###Walk Memory": the panel's title, and what ImGui tells its window in this workspace by.
[[nodiscard]] std::string windowName(Workspace workspace, Tab tab);
[[nodiscard]] ImGuiID dockSpaceId(Workspace workspace);

/// How often places are divided in so much space, with lines of text of this height.
[[nodiscard]] std::size_t dividedPlaces(Workspace workspace, ImVec2 size, float line);
/// Lets all places of the dock space that is drawn next grow and shrink by the same share. ImGui takes the room of a
/// smaller window, or of the list of scenes, from one of them alone.
void keepShares(Workspace workspace);
/// Puts all panels of the workspace into their first places.
void dockAtFirstPlaces(Workspace workspace, ImVec2 size, float line);

}  // namespace haloscope::ui
