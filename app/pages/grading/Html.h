#pragma once

#include <string>

#include "grading/Record.h"

/// Pages that need nothing but themselves. Everything that comes from a hand-in goes through escaped() (text/Html.h).
namespace haloscope::grading {

/// A whole page in the current language. `body` is HTML.
[[nodiscard]] std::string page(const std::string& title, const std::string& body, const std::string& script = {});

/// The verdict as a badge.
[[nodiscard]] std::string badge(Verdict verdict);

/// The picture of a finding, as an SVG element: the threads of the block and the cells around the place.
[[nodiscard]] std::string drawn(const Picture& picture);

/// Cells that are wrong, with what they should be, as a table.
[[nodiscard]] std::string wrongCells(const Record& record);

/// "line 12" and so on, of a mark; empty if its place is not known.
[[nodiscard]] std::string placeText(const Mark& mark, bool withFile);

}  // namespace haloscope::grading
