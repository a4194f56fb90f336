#pragma once

#include <cstdint>
#include <string>

/// The panels of the window, one row each, in the order in which they are first drawn. A row `Name` makes Tab::Name;
/// the panel itself is ui::kNamePanel, defined in the panel's own file. Where it is shown, parts/Workspaces.cpp says.
#define HALOSCOPE_PANELS(ROW) \
  ROW(Findings)               \
  ROW(Source)                 \
  ROW(Block)                  \
  ROW(Field)                  \
  ROW(Tuning)                 \
  ROW(Figures)                \
  ROW(Program)                \
  ROW(Compare)                \
  ROW(Climb)                  \
  ROW(Lesson)                 \
  ROW(Exercises)              \
  ROW(Make)                   \
  ROW(Memory)                 \
  ROW(Addresses)              \
  ROW(Origins)                \
  ROW(Timeline)               \
  ROW(OpPerByte)              \
  ROW(Timings)                \
  ROW(BugLab)                 \
  ROW(Roofline)               \
  ROW(Playground)

namespace haloscope {

/// A panel of the window; panels that share a place are tabs there.
enum class Tab : std::uint8_t {
#define HALOSCOPE_TAB(name) name,
  HALOSCOPE_PANELS(HALOSCOPE_TAB)
#undef HALOSCOPE_TAB
};

/// By its name in HALOSCOPE_PANELS, in capital or small letters: "Field", "opperbyte". Throws InputError for another
/// one.
[[nodiscard]] Tab tabNamed(const std::string& name);
[[nodiscard]] std::string nameOf(Tab tab);

}  // namespace haloscope
