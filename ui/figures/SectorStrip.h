#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "figures/GridLayout.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// A linear array as rows of 128 bytes, a cell an element, with a gap after each sector of 32 bytes: what is needed is
/// filled, what moves along in its sector tinted.
class SectorStrip {
 public:
  struct Look {
    const figures::NeededElements* needed = nullptr;
    std::optional<std::int64_t> centre;  ///< element that is outlined: the point that is computed
    std::vector<std::int64_t> lines;     ///< rows to draw, by their number; ascending
  };

  SectorStrip(const Theme& theme, const figures::GridLayout& layout) : theme_(theme), layout_(layout) {}

  /// All rows of the array.
  [[nodiscard]] std::vector<std::int64_t> allLines() const;
  /// The rows in which something is needed.
  [[nodiscard]] std::vector<std::int64_t> linesOf(const figures::NeededElements& needed) const;
  /// Draws it as an item of the rest of the width, rows `height` apart. The element under the pointer.
  std::optional<std::int64_t> draw(const char* id, const Look& look, float height) const;

 private:
  [[nodiscard]] std::int64_t columns() const;

  const Theme& theme_;
  const figures::GridLayout& layout_;
};

}  // namespace haloscope::ui
