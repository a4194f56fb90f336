#pragma once

#include <imgui.h>

#include <string_view>
#include <utility>
#include <vector>

#include "frontend/CodeText.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Names of the text that have a role, with its colour.
using NameColours = std::vector<std::pair<std::string_view, ImU32>>;

/// A row of a listing on the screen.
struct RowText {
  const CodeLine& line;
  const CodeRow& row;
  float left = 0;  ///< of its first column
  float charWidth = 0;

  /// Where a byte of the line begins.
  [[nodiscard]] float x(int byte) const {
    return left + charWidth * static_cast<float>(row.indent + columnsOf(line.piece(row.begin, byte)));
  }
  /// Its tokens, in the current font; `top`: of the letters.
  void draw(const Theme& theme, float top, const NameColours& names = {}) const;
};

}  // namespace haloscope::ui
