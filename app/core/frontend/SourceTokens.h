#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace haloscope::frontend {

/// The bytes of a text from `begin` up to `end`.
struct TextRange {
  std::size_t begin = 0, end = 0;

  [[nodiscard]] bool contains(std::size_t at) const { return begin <= at && at < end; }
};

struct SourceToken {
  enum class Kind : std::uint8_t {
    Identifier,  ///< keywords too
    Number,
    Literal,  ///< a string or a character
    Comment,
    Punctuator,
    Unknown,  ///< a quote that is not closed, a byte that C++ does not know
  };
  Kind kind = Kind::Unknown;
  bool inDirective = false;   ///< between the # of a preprocessor directive and the end of its line
  std::size_t offset = 0;     ///< in bytes
  std::size_t length = 0;     ///< in bytes
  int line = 1;               ///< from 1
  int column = 1;             ///< in bytes, from 1
  std::string_view spelling;  ///< in SourceTokens::text()

  [[nodiscard]] std::size_t end() const { return offset + length; }
};

/// The tokens of a text before preprocessing, see RawLexer. Any text has tokens; none is an error.
class SourceTokens {
 public:
  explicit SourceTokens(std::string text);

  [[nodiscard]] const std::string& text() const { return *text_; }

  /// All of them, with comments and directives.
  [[nodiscard]] const std::vector<SourceToken>& all() const { return all_; }
  /// Those that are neither comments nor parts of directives.
  [[nodiscard]] const std::vector<SourceToken>& code() const { return code_; }

  struct Directive {
    TextRange where;                  ///< from its # to its last token, over all lines that it continues on
    std::string word;                 ///< "define", "include"
    std::string name;                 ///< of the macro; of the file, without its quotes
    bool quoted = false;              ///< the file's name is in "", not in <>
    std::vector<SourceToken> tokens;  ///< from its #, without comments
  };
  [[nodiscard]] const std::vector<Directive>& directives() const { return directives_; }

  /// `#pragma unroll 4`, `#pragma nounroll`, `_Pragma("unroll")`: hints that belong to the loop after them.
  [[nodiscard]] std::vector<TextRange> loopHints() const;

  /// The declaration that contains the token at `offset`, which must not be in brackets within it: from the end of the
  /// previous declaration to its semicolon or, for a function, the end of its body.
  [[nodiscard]] TextRange declaration(std::size_t offset, bool function) const;
  /// From a macro's name to the end of its arguments and of a semicolon after them.
  [[nodiscard]] TextRange invocation(std::size_t offset) const;

 private:
  void add(const SourceToken& token);
  void endDirective();
  [[nodiscard]] std::size_t indexOf(std::size_t offset) const;
  [[nodiscard]] std::string_view spelling(std::size_t index) const;
  /// The token after the bracket that closes the one at `index`.
  [[nodiscard]] std::size_t afterBrackets(std::size_t index) const;
  [[nodiscard]] std::size_t beginOf(std::size_t index) const;

  std::unique_ptr<const std::string> text_;  ///< stays where it is when this moves: the tokens point into it
  std::vector<SourceToken> all_, code_;
  std::vector<SourceToken> openDirective_;  ///< tokens of the directive that is being read
  std::vector<Directive> directives_;
};

}  // namespace haloscope::frontend
