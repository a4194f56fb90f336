#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/SourceTokens.h"

/// The tokens of a host program.
namespace haloscope::opening {

using HostTokens = std::vector<std::string>;

/// The most tokens that one search may visit: nested brackets, and declarations that do not end, would otherwise be
/// read again and again.
inline constexpr std::size_t kMaxTokensVisited = 1'000'000;

/// The tokens of a text without comments and directives; a string or a character becomes "". At most 200 000 of them.
[[nodiscard]] HostTokens tokensOf(std::string_view text);
[[nodiscard]] HostTokens tokensOf(const std::vector<frontend::SourceToken>& tokens);

[[nodiscard]] bool isIdentifier(const std::string& token);
/// Whether a token belongs to the name of a fundamental type: int, unsigned, size_t …
[[nodiscard]] bool isTypeWord(const std::string& token);
[[nodiscard]] bool opens(const std::string& token);
[[nodiscard]] bool closes(const std::string& token);

/// The expressions between commas, from `at` up to the closing bracket (or the token `end`), to which `at` is moved.
[[nodiscard]] std::vector<HostTokens> list(const HostTokens& tokens, std::size_t& at, const std::string& end = "");

}  // namespace haloscope::opening
