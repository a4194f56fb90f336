#include "parts/Tabs.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace haloscope {

Tabs::Tabs() {
  for (std::size_t i = 0; i < kWorkspaces; ++i) {
    const auto workspace = static_cast<Workspace>(i);
    std::set<std::string_view> places;
    for (const PanelRow& row : layoutOf(workspace).panels) {
      if (row.onDemand) {
        shown_[i].closed.insert(row.tab);
      } else if (places.insert(row.place).second) {
        shown_[i].onScreen.insert(row.tab);
      }
    }
  }
}

void Tabs::enter(Workspace workspace) {
  if (workspace != workspace_) { before_ = std::exchange(workspace_, workspace); }
}

bool Tabs::inFront(Tab tab) const {
  return now().onScreen.contains(tab) || std::ranges::find(now().requests, tab) != now().requests.end();
}

void Tabs::bringToFront(Tab tab) {
  if (rowOf(workspace(), tab) == nullptr) {
    const std::optional<Workspace> home = homeOf(tab);
    if (!home) { return; }
    enter(*home);
  }
  // Until the layout knows better: the tabs of its place are behind it.
  const std::string_view place = rowOf(workspace(), tab)->place;
  for (const PanelRow& row : layoutOf(workspace()).panels) {
    if (row.place != place) { continue; }
    now().onScreen.erase(row.tab);
    std::erase(now().requests, row.tab);
    if (place == kDrawer) { now().closed.insert(row.tab); }
  }
  now().closed.erase(tab);
  now().requests.push_back(tab);
}

void Tabs::bringHome(Tab tab) {
  if (const std::optional<Workspace> home = homeOf(tab)) { enter(*home); }
  bringToFront(tab);
}

void Tabs::raise(Tab tab) {
  for (std::size_t i = 0; i < kWorkspaces; ++i) {
    const auto workspace = static_cast<Workspace>(i);
    Shown& shown = shown_.at(i);
    if (rowOf(workspace, tab) != nullptr && !shown.closed.contains(tab)) { shown.requests.push_back(tab); }
  }
}

void Tabs::toggle(Tab tab, Tab other) {
  const PanelRow* row = rowOf(workspace(), tab);
  const PanelRow* otherRow = rowOf(workspace(), other);
  if (row == nullptr || !inFront(tab)) {
    bringToFront(tab);
  } else if (row->onDemand) {
    close(tab);
  } else if (otherRow != nullptr && otherRow->place == row->place) {
    bringToFront(other);
  } else {
    enter(before());
  }
}

void Tabs::close(Tab tab) {
  now().closed.insert(tab);
  now().onScreen.erase(tab);
  std::erase(now().requests, tab);
}

std::optional<Tab> Tabs::openDrawer() const {
  for (const PanelRow& row : layoutOf(workspace()).panels) {
    if (row.place == kDrawer && !closed(row.tab)) { return row.tab; }
  }
  return std::nullopt;
}

}  // namespace haloscope
