#pragma once

#include <map>
#include <string>
#include <string_view>

/// Text in HTML and XML. Whatever was not written for a page goes through one of these.
namespace haloscope {

/// For text and for attributes in quotes. What is no UTF-8, and what no page may contain, becomes visible as \x1b; so
/// does a line break, as \n.
[[nodiscard]] std::string escaped(std::string_view text);

/// The same for a text of several lines: line breaks stay.
[[nodiscard]] std::string escapedLines(std::string_view text);

/// JSON within a <script>: no tag can begin or end in it.
[[nodiscard]] std::string escapedJson(std::string_view json);

/// The link to a file, as an attribute's value: any byte but letters, digits, . - _ and / in percent.
[[nodiscard]] std::string linkTo(std::string_view path);

/// The template with each {{name}} replaced; what is filled in is not looked at again. Throws std::out_of_range for a
/// name without a text.
[[nodiscard]] std::string filledIn(std::string_view pattern, const std::map<std::string, std::string>& texts);

}  // namespace haloscope
