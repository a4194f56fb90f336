#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "cells/Palette.h"
#include "frontend/CodeText.h"

/// The look of a kernel's text, the same in the window and on pages.
namespace haloscope {

/// Roles have the hues; the language's own tokens differ by tone.
[[nodiscard]] cells::Colour colourOf(const cells::Palette& palette, TokenKind kind);

/// A line as HTML: each token an element whose class is its kind, blanks between them of the class "blank". What lies
/// within `marked`, in bytes from the line's first, is <mark>, else <span>. A line is cut after `most` bytes.
[[nodiscard]] std::string codeHtml(const CodeLine& line, std::pair<std::size_t, std::size_t> marked = {},
                                   std::size_t most = std::string::npos);

/// A style sheet for these classes.
[[nodiscard]] std::string codeStyle();

}  // namespace haloscope
