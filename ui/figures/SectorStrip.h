#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "figures/GridLayout.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// A linear array as rows of 128 bytes, one cell per element, with a gap after each 32-byte sector: needed elements are
/// filled, the rest of their sectors tinted.
class SectorStrip {
 public:
  struct Look {
    const figures::NeededElements* needed = nullptr;
    std::optional<std::int64_t> centre;  ///< outlined element: the computed point
    std::vector<std::int64_t> lines;     ///< numbers of the rows to draw, ascending
  };

  SectorStrip(const Theme& theme, const figures::GridLayout& layout) : theme_(theme), layout_(layout) {}

  /// All rows of the array.
  [[nodiscard]] std::vector<std::int64_t> allLines() const;
  /// The rows that contain needed elements.
  [[nodiscard]] std::vector<std::int64_t> linesOf(const figures::NeededElements& needed) const;
  /// Draws it as an item of the remaining width, rows `height` apart. Returns the hovered element.
  std::optional<std::int64_t> draw(const char* id, const Look& look, float height) const;

 private:
  [[nodiscard]] std::int64_t columns() const;

  const Theme& theme_;
  const figures::GridLayout& layout_;
};

}  // namespace haloscope::ui
