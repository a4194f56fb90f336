#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace haloscope {

/// A name that a terminal and a page can show: UTF-8, with control characters, stray bytes and marks that change the
/// direction of the text after them as \n or \x1b.
[[nodiscard]] std::string printable(std::string_view bytes);

/// The same for a text of several lines: line breaks and tabs stay.
[[nodiscard]] std::string printableLines(std::string_view bytes);

/// Where the character of UTF-8 ends that the byte before `at` belongs to; `at` itself between two characters.
[[nodiscard]] std::size_t characterEnd(std::string_view text, std::size_t at);

}  // namespace haloscope
