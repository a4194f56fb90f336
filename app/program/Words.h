#pragma once

#include <cctype>

namespace haloscope {

/// Whether a character belongs to a name or a number of C++.
[[nodiscard]] inline bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Of a decimal number.
[[nodiscard]] inline bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace haloscope
