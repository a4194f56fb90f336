#include "ui/source/RowText.h"

#include <algorithm>

#include "cells/CodeHtml.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

void RowText::draw(const Theme& theme, float top, const NameColours& names) const {
  for (const Token& token : line.tokens) {
    const int begin = std::max(token.begin, row.begin), end = std::min(token.end, row.end);
    if (begin >= end) { continue; }
    const std::string_view piece = line.piece(begin, end);
    const auto named =
        token.kind == TokenKind::Name ? std::ranges::find(names, piece, &NameColours::value_type::first) : names.end();
    textAt(ImGui::GetWindowDrawList(), {x(begin), top}, named == names.end() ? theme.of(token.kind) : named->second,
           piece);
  }
}

}  // namespace haloscope::ui
