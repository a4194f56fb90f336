#include "parts/Workspaces.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "language/Text.h"

namespace haloscope {

namespace {

// The place of the whole window, before it is divided.
constexpr std::string_view kWhole = "whole";

// The text that is read on the left, what it speaks of on the right.
constexpr std::array kLearnSplits = {
    Split{kWhole, Side::Right, 0.58F, "scene", 20},
    Split{"scene", Side::Down, 0.47F, "below", 8},
    Split{"below", Side::Down, 0.3F, "time", 5.6F},
};
constexpr std::array kLearnPanels = {
    PanelRow{Tab::Lesson, kWhole},   PanelRow{Tab::Exercises, kWhole}, PanelRow{Tab::Make, kWhole},
    PanelRow{Tab::Block, "scene"},   PanelRow{Tab::Field, "scene"},    PanelRow{Tab::Figures, "scene"},
    PanelRow{Tab::Source, "below"},  PanelRow{Tab::Memory, "below"},   PanelRow{Tab::Addresses, "below"},
    PanelRow{Tab::Origins, "below"}, PanelRow{Tab::Findings, "below"}, PanelRow{Tab::Timeline, "time"},
};

// The stage fills the window, its time below it. The source comes beside it, the rest over it.
constexpr std::array kWalkSplits = {
    Split{kWhole, Side::Down, 0.2F, "time", 6.5F},
    Split{kWhole, Side::Left, 0.36F, "source"},
};
constexpr std::array kWalkPanels = {
    PanelRow{Tab::Block, kWhole},          PanelRow{Tab::Field, kWhole},
    PanelRow{Tab::Timeline, "time"},       PanelRow{Tab::Source, "source", true},
    PanelRow{Tab::Memory, kDrawer, true},  PanelRow{Tab::Addresses, kDrawer, true},
    PanelRow{Tab::Origins, kDrawer, true}, PanelRow{Tab::Findings, kDrawer, true},
    PanelRow{Tab::BugLab, kDrawer, true},  PanelRow{Tab::Tuning, kDrawer, true, true},
};

constexpr std::array kTuneSplits = {
    Split{kWhole, Side::Right, 0.4F, "roofline"},
    Split{"roofline", Side::Down, 0.56F, "bytes", 16},
    Split{"bytes", Side::Down, 0.5F, "times", 8},
};
constexpr std::array kTunePanels = {
    PanelRow{Tab::Tuning, kWhole},     PanelRow{Tab::Field, kWhole},    PanelRow{Tab::Roofline, "roofline"},
    PanelRow{Tab::OpPerByte, "bytes"}, PanelRow{Tab::Timings, "times"},
};

constexpr std::array kFiguresPanels = {PanelRow{Tab::Figures, kWhole}};

// The program above, and below it the launch that is selected there.
constexpr std::array kProgramSplits = {
    Split{kWhole, Side::Down, 0.44F, "source", 10},
    Split{"source", Side::Right, 0.64F, "scene"},
    Split{"scene", Side::Right, 0.45F, "findings"},
};
constexpr std::array kProgramPanels = {
    PanelRow{Tab::Program, kWhole},
    PanelRow{Tab::Source, "source"},
    PanelRow{Tab::Block, "scene"},
    PanelRow{Tab::Findings, "findings"},
};

constexpr std::array kCompareSplits = {Split{kWhole, Side::Right, 0.285F, "side"}};
constexpr std::array kComparePanels = {
    PanelRow{Tab::Compare, kWhole},
    PanelRow{Tab::Climb, kWhole},
    PanelRow{Tab::Origins, "side", true},
    PanelRow{Tab::Addresses, "side", true},
};

// What there is to turn on the left, the field on the right.
constexpr std::array kPlaySplits = {Split{kWhole, Side::Right, 0.71F, "field"}};
constexpr std::array kPlayPanels = {
    PanelRow{Tab::Playground, kWhole},
    PanelRow{Tab::Field, "field"},
    PanelRow{Tab::Source, "field"},
    PanelRow{Tab::Block, "field"},
};

// In the order of Workspace.
constexpr std::array kLayouts = {
    WorkspaceLayout{trMark("Learn"), trMark("the two chapters, lesson by lesson"), kLearnSplits, kLearnPanels},
    WorkspaceLayout{trMark("Walk"), trMark("one block, step by step"), kWalkSplits, kWalkPanels},
    WorkspaceLayout{trMark("Tune"), trMark("tile sizes, operations per byte, the roofline, times"), kTuneSplits,
                    kTunePanels},
    WorkspaceLayout{trMark("Figures"), trMark("the book's figures, computed"), {}, kFiguresPanels},
    WorkspaceLayout{trMark("Program"), trMark("every call of a program's host code"), kProgramSplits, kProgramPanels},
    WorkspaceLayout{trMark("Compare"), trMark("variants side by side, and the climb"), kCompareSplits, kComparePanels},
    WorkspaceLayout{trMark("Play"), trMark("why stencils matter: problems, solved sweep after sweep"), kPlaySplits,
                    kPlayPanels},
};
static_assert(kLayouts.size() == kWorkspaces);

constexpr bool dividesKnownPlaces(const WorkspaceLayout& layout) {
  for (std::size_t i = 0; i < layout.splits.size(); ++i) {
    const auto before = layout.splits.first(i);
    if (layout.splits[i].of != kWhole && std::ranges::find(before, layout.splits[i].of, &Split::part) == before.end()) {
      return false;
    }
  }
  return std::ranges::all_of(layout.panels, [&](const PanelRow& row) {
    const bool divided = std::ranges::find(layout.splits, row.place, &Split::part) != layout.splits.end();
    const bool drawer = row.place == kDrawer && row.onDemand;
    return (row.place == kWhole || divided || drawer) &&
           std::ranges::count(layout.panels, row.tab, &PanelRow::tab) == 1;
  });
}
static_assert(std::ranges::all_of(kLayouts, dividesKnownPlaces), "a place is misspelt, or a panel is there twice");

}  // namespace

const WorkspaceLayout& layoutOf(Workspace workspace) { return kLayouts.at(static_cast<std::size_t>(workspace)); }

std::vector<std::string> workspaceNames() {
  std::vector<std::string> names;
  for (const WorkspaceLayout& layout : kLayouts) {
    std::string& name = names.emplace_back(layout.name);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }
  return names;
}

std::optional<Workspace> workspaceNamed(const std::string& name) {
  const std::vector<std::string> names = workspaceNames();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) { return std::nullopt; }
  return static_cast<Workspace>(found - names.begin());
}

std::optional<Workspace> homeOf(Tab tab) {
  static_assert(Workspace::Learn == Workspace{0});
  for (std::size_t i = 1; i <= kWorkspaces; ++i) {
    const auto workspace = static_cast<Workspace>(i % kWorkspaces);
    const PanelRow* row = rowOf(workspace, tab);
    if (row != nullptr && !row->guest) { return workspace; }
  }
  return std::nullopt;
}

bool hasDrawers(Workspace workspace) {
  return std::ranges::find(layoutOf(workspace).panels, kDrawer, &PanelRow::place) != layoutOf(workspace).panels.end();
}

const PanelRow* rowOf(Workspace workspace, Tab tab) {
  const std::span<const PanelRow> panels = layoutOf(workspace).panels;
  const auto row = std::ranges::find(panels, tab, &PanelRow::tab);
  return row == panels.end() ? nullptr : &*row;
}

}  // namespace haloscope
