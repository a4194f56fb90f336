#pragma once

#include <cstdint>

#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// An integer on a line with a knob. ImGui's own slider writes its value in the middle, under the knob; here the
/// caller shows the value next to it.
struct Slider {
  const char* id;
  std::int64_t minimum = 0, maximum = 1;
  float width = 0;  ///< pixels

  /// A range that spans many times its smallest value is walked in proportions, not in equal steps.
  [[nodiscard]] bool proportional() const;
  /// Where a value is on the line, 0…1.
  [[nodiscard]] float share(std::int64_t value) const;
  /// Draws it as an item. True if the user moved it.
  bool draw(const Theme& theme, std::int64_t& value) const;
};

}  // namespace haloscope::ui
