#pragma once

#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "parts/Workspaces.h"

namespace haloscope {

/// Which workspace is on screen, which of its panels are, and which are to come to the front of their places. Each
/// workspace keeps its own while another one is on screen.
class Tabs {
 public:
  Tabs();

  [[nodiscard]] Workspace workspace() const { return workspace_; }
  void enter(Workspace workspace);
  /// The one that was on screen before.
  [[nodiscard]] Workspace before() const { return before_; }

  /// On screen: alone in its place or the tab in front there; or about to be.
  [[nodiscard]] bool inFront(Tab tab) const;
  /// All that are on screen.
  [[nodiscard]] const std::set<Tab>& onScreen() const { return now().onScreen; }
  /// Whether the user has yet to ask for it here.
  [[nodiscard]] bool closed(Tab tab) const { return now().closed.contains(tab); }

  /// Opens a closed panel too. In this workspace if it has the panel, else in its home.
  void bringToFront(Tab tab);
  /// In its home, though this workspace may have the panel as a guest.
  void bringHome(Tab tab);
  /// Brings it to the front wherever it is and not closed. The workspace on screen stays.
  void raise(Tab tab);
  /// Brings `tab` to the front. Where it is there already: closes it if it opens on demand, else brings `other` to the
  /// front if that is a tab of the same place, else goes back to the workspace from before.
  void toggle(Tab tab, Tab other);
  void close(Tab tab);
  /// The panel that is open at the window's edge.
  [[nodiscard]] std::optional<Tab> openDrawer() const;

  /// For the layout: what was asked for in this workspace, the newest last.
  [[nodiscard]] std::vector<Tab>& requests() { return now().requests; }
  /// For the layout: what is on screen now.
  void show(std::set<Tab> onScreen) { now().onScreen = std::move(onScreen); }

 private:
  struct Shown {
    std::set<Tab> onScreen;
    std::set<Tab> closed;
    std::vector<Tab> requests;
  };
  [[nodiscard]] Shown& now() { return shown_.at(static_cast<std::size_t>(workspace())); }
  [[nodiscard]] const Shown& now() const { return shown_.at(static_cast<std::size_t>(workspace())); }

  std::array<Shown, kWorkspaces> shown_;
  Workspace workspace_ = Workspace::Walk, before_ = Workspace::Walk;
};

}  // namespace haloscope
