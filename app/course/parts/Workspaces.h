#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parts/Panels.h"

/// The workspaces, in the order of their tabs and keys (1, 2, …).
#define HALOSCOPE_WORKSPACES(ROW) \
  ROW(Learn)                      \
  ROW(Walk)                       \
  ROW(Tune)                       \
  ROW(Figures)                    \
  ROW(Program)                    \
  ROW(Compare)                    \
  ROW(Play)

namespace haloscope {

/// What the window shows at a time: some of the panels, in places of their own. What was chosen stays chosen in all.
enum class Workspace : std::uint8_t {
#define HALOSCOPE_WORKSPACE(name) name,
  HALOSCOPE_WORKSPACES(HALOSCOPE_WORKSPACE)
#undef HALOSCOPE_WORKSPACE
};

#define HALOSCOPE_ONE(name) +1
inline constexpr std::size_t kWorkspaces = HALOSCOPE_WORKSPACES(HALOSCOPE_ONE);
#undef HALOSCOPE_ONE

/// The place at the window's right edge, over the others: its panels are opened from there, one at a time.
inline constexpr std::string_view kDrawer = "drawer";

/// A panel in a workspace. The first one of a place is in front there.
struct PanelRow {
  Tab tab;
  std::string_view place;
  bool onDemand = false;  ///< closed until the user asks for it, and can be closed again
  bool guest = false;     ///< another workspace is its home
};

enum class Side : std::uint8_t { Left, Right, Down };

/// Divides the place `of`: on its `side`, `share` of it becomes the place `part`.
struct Split {
  std::string_view of;
  Side side;
  float share;
  std::string_view part;
  /// `part` gets at least so many lines of text. Where that is too much of `of`, the place is not divided, and the
  /// panels of `part` are tabs of `of`.
  float least = 0;
};

/// Places are shares of the window, the same from 1280×720 to 4K, where the type scale does the rest. The first row's
/// or split's place is the whole window until it is divided.
struct WorkspaceLayout {
  const char* name;     ///< on its tab
  const char* purpose;  ///< for its tooltip
  std::span<const Split> splits;
  std::span<const PanelRow> panels;
};

[[nodiscard]] const WorkspaceLayout& layoutOf(Workspace workspace);
/// "learn", "walk", …: for the command line.
[[nodiscard]] std::vector<std::string> workspaceNames();
[[nodiscard]] std::optional<Workspace> workspaceNamed(const std::string& name);
/// Where a panel is shown that the workspace on screen does not have: the first one that has it, Learn after the
/// others.
[[nodiscard]] std::optional<Workspace> homeOf(Tab tab);
/// Whether panels of it are opened at the window's edge.
[[nodiscard]] bool hasDrawers(Workspace workspace);
/// Null: the workspace does not have the panel.
[[nodiscard]] const PanelRow* rowOf(Workspace workspace, Tab tab);

}  // namespace haloscope
