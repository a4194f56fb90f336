#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The tokens of a host program.
namespace haloscope::opening {

using HostTokens = std::vector<std::string>;

/// Tokens that one search may look at: brackets that nest, and declarations that do not end, would be read again and
/// again.
inline constexpr std::size_t kMaxTokensVisited = 1'000'000;

/// Comments go; a string or a character becomes "". A text beyond all measure is cut.
[[nodiscard]] HostTokens tokensOf(std::string_view text);

/// A token and the line on which it begins, counted from 1.
struct PlacedToken {
  std::string text;
  int line = 1;
};
/// As tokensOf().
[[nodiscard]] std::vector<PlacedToken> placedTokensOf(std::string_view text);

[[nodiscard]] bool isIdentifier(const std::string& token);
/// Of the language's own types: int, unsigned, size_t …
[[nodiscard]] bool isTypeWord(const std::string& token);
[[nodiscard]] bool opens(const std::string& token);
[[nodiscard]] bool closes(const std::string& token);

/// The expressions between commas, from `at` up to the bracket that closes (or the token `end`), where `at` is left.
[[nodiscard]] std::vector<HostTokens> list(const HostTokens& tokens, std::size_t& at, const std::string& end = "");

}  // namespace haloscope::opening
