#pragma once

#include <string>

namespace haloscope::handout {

/// Base64 of the deflated bytes, as the script of a page unpacks them. Throws std::runtime_error if zlib fails.
[[nodiscard]] std::string packed(const std::string& bytes);

/// Base64 of bytes that are given as hexadecimal digits.
[[nodiscard]] std::string base64OfDigits(const std::string& digits);

}  // namespace haloscope::handout
