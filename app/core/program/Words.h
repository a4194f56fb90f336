#pragma once

#include <cctype>
#include <string_view>

namespace haloscope {

/// Whether a character can be part of a C++ identifier or number.
[[nodiscard]] inline bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether a character is a decimal digit.
[[nodiscard]] inline bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Without blanks and line ends around it.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) { return {}; }
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace haloscope
