#include "ui/window/PanelList.h"

#include <algorithm>
#include <array>

namespace haloscope::ui {

// Each is defined in the file of its panel.
#define HALOSCOPE_PANEL(name) extern const Panel k##name##Panel;
HALOSCOPE_PANELS(HALOSCOPE_PANEL)
#undef HALOSCOPE_PANEL

namespace {

constexpr std::array kPanels = {
#define HALOSCOPE_PANEL(name) &k##name##Panel,
    HALOSCOPE_PANELS(HALOSCOPE_PANEL)
#undef HALOSCOPE_PANEL
};

}  // namespace

std::span<const Panel* const> panels() { return kPanels; }

const Panel& panelOf(Tab tab) { return *kPanels.at(static_cast<std::size_t>(tab)); }

const std::vector<Shortcut>& shortcuts() {
  static const std::vector<Shortcut> all = [] {
    const std::span<const Shortcut> general = generalShortcuts();
    std::vector<Shortcut> rows(general.begin(), general.end());
    for (const Panel* panel : kPanels) { rows.insert(rows.end(), panel->shortcuts.begin(), panel->shortcuts.end()); }
    std::ranges::stable_sort(rows, {}, &Shortcut::group);
    return rows;
  }();
  return all;
}

}  // namespace haloscope::ui
