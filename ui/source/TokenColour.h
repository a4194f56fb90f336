#pragma once

#include "frontend/CodeText.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Colours of tokens. Roles have the hues; the language's own tokens differ by tone.
[[nodiscard]] ImU32 tokenColour(const Theme& theme, TokenKind kind);

}  // namespace haloscope::ui
