#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

/// The panels of the window, one row each, in the order in which they are first drawn. A row `Name` makes Tab::Name;
/// the panel itself is ui::kNamePanel, defined in the panel's own file. A new window takes the focus and its tab comes
/// to the front: the last row must be a panel that has its place to itself.
#define HALOSCOPE_PANELS(ROW) \
  ROW(Findings)               \
  ROW(Source)                 \
  ROW(Block)                  \
  ROW(Field)                  \
  ROW(Tuning)                 \
  ROW(Figures)                \
  ROW(Program)                \
  ROW(Climb)                  \
  ROW(Lesson)                 \
  ROW(Exercises)              \
  ROW(Memory)                 \
  ROW(Addresses)              \
  ROW(Origins)                \
  ROW(Timeline)               \
  ROW(OpPerByte)              \
  ROW(Timings)                \
  ROW(BugLab)                 \
  ROW(Roofline)

namespace haloscope {

/// A panel of the window; panels that share a place are tabs there.
enum class Tab : std::uint8_t {
#define HALOSCOPE_TAB(name) name,
  HALOSCOPE_PANELS(HALOSCOPE_TAB)
#undef HALOSCOPE_TAB
};

/// Which panels are on screen, and which are to come to the front of their places.
class Tabs {
 public:
  /// On screen: alone in its place or the tab in front there; or about to be.
  [[nodiscard]] bool inFront(Tab tab) const;
  /// All that are on screen.
  [[nodiscard]] const std::set<Tab>& onScreen() const { return onScreen_; }
  [[nodiscard]] bool closed(Tab tab) const { return closed_.contains(tab); }

  /// Opens a closed panel too.
  void bringToFront(Tab tab);
  /// `tab`, or `other` where `tab` is in front already.
  void toggle(Tab tab, Tab other) { bringToFront(inFront(tab) ? other : tab); }
  void close(Tab tab);

  /// For the layout: what was asked for, the newest last.
  [[nodiscard]] std::vector<Tab>& requests() { return requests_; }
  /// For the layout: what is on screen now.
  void show(std::set<Tab> onScreen) { onScreen_ = std::move(onScreen); }

 private:
  std::set<Tab> onScreen_;
  std::set<Tab> closed_ = {Tab::BugLab};
  std::vector<Tab> requests_;
};

}  // namespace haloscope
