#pragma once

#include <cctype>

namespace haloscope {

/// Whether a character can be part of a C++ identifier or number.
[[nodiscard]] inline bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether a character is a decimal digit.
[[nodiscard]] inline bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace haloscope
