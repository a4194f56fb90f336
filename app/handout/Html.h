#pragma once

#include <map>
#include <string>
#include <string_view>

namespace haloscope::handout {

/// A text as HTML shows it, in an element or between the quotes of an attribute.
[[nodiscard]] std::string escaped(std::string_view text);

/// JSON within a <script>: no tag can begin or end in it.
[[nodiscard]] std::string escapedJson(std::string_view json);

/// The template with each {{name}} replaced; what is filled in is not looked at again. Throws std::out_of_range for a
/// name without a text.
[[nodiscard]] std::string filledIn(std::string_view pattern, const std::map<std::string, std::string>& texts);

/// The lines of a source from `first` up to before `end`, counted from 1: list items with the tokens in spans whose
/// classes name their kinds.
[[nodiscard]] std::string sourceLines(const std::string& text, int first, int end);

}  // namespace haloscope::handout
