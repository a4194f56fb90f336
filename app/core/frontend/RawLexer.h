#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "frontend/SourceTokens.h"

namespace haloscope::frontend {

/// A token of a text, as bytes from `begin` up to `end`.
struct RawToken {
  SourceToken::Kind kind = SourceToken::Kind::Unknown;
  std::size_t begin = 0, end = 0;
  bool startsLine = false;  ///< the first one on its line; a line that ends with a backslash goes on
};

/// Splits CUDA C++ into tokens, as the standard's phases 1 to 3 do ([lex.phases] of C++20; `<<<` and `>>>` are tokens),
/// and Clang's raw lexer, to which a test compares it. It is our own so that a stranger's text can be coloured and
/// searched where no compiler may run. Takes time in proportion to the text, whatever that is.
class RawLexer {
 public:
  explicit RawLexer(std::string_view text);

  /// None at the end of the text.
  [[nodiscard]] std::optional<RawToken> next();

 private:
  /// A place in the text. Backslashes at ends of lines are passed over, as if the lines were one.
  struct Place {
    std::size_t at = 0;      ///< of the character, after what was passed over
    std::size_t length = 0;  ///< of the character in bytes: more than 1 only in UTF-8; 0 at the end of the text
  };
  [[nodiscard]] Place placeFrom(std::size_t at) const;
  [[nodiscard]] char current() const;
  /// The character `ahead` places after the current one; 0 after the end.
  [[nodiscard]] char ahead(int places) const;
  void advance();
  void advance(int places);
  [[nodiscard]] bool atEnd() const { return place_.length == 0; }

  void skipSpace();
  [[nodiscard]] bool atIdentifier() const;
  void passIdentifier();
  SourceToken::Kind passNumber();
  SourceToken::Kind passQuoted(char quote);
  SourceToken::Kind passRawString();
  SourceToken::Kind passComment();
  SourceToken::Kind passPunctuator();
  void passSuffix();
  /// Places of a literal's prefix before its quote: 1 of L"…", 3 of u8R"…"; -1 if no literal begins here.
  [[nodiscard]] int literalPrefix() const;

  std::string_view text_;
  Place place_;
  std::size_t passed_ = 0;  ///< end of the character before the current one
  bool startsLine_ = true;
};

}  // namespace haloscope::frontend
