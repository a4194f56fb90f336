#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "program/SourceLocation.h"

/// The text of a kernel as a panel shows it: divided into tokens for colouring, and into rows that fit the panel's
/// width. Positions are bytes of a line, from 0; columns on the screen are characters.
namespace haloscope {

enum class TokenKind : unsigned char { Plain, Name, Keyword, Type, Cuda, Literal, Comment, Preprocessor };

struct Token {
  int begin = 0, end = 0;
  TokenKind kind = TokenKind::Plain;
};

struct CodeLine {
  std::string_view text;      ///< without its line break
  std::vector<Token> tokens;  ///< in order; blanks between them belong to none

  [[nodiscard]] std::string_view piece(int begin, int end) const {
    return text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end > begin ? end - begin : 0));
  }
};

/// The lines of any text, with their tokens as Clang's lexer has them. They point into `text`. Too slow for every
/// frame: see CodeReader.
[[nodiscard]] std::vector<CodeLine> readCode(std::string_view text);

/// Reads a text again only when it has changed.
class CodeReader {
 public:
  CodeReader() = default;
  /// A copy begins empty: the lines of the original point into its own texts.
  CodeReader(const CodeReader&) {}
  CodeReader& operator=(const CodeReader&) = delete;
  CodeReader(CodeReader&&) = default;
  CodeReader& operator=(CodeReader&&) = default;
  ~CodeReader() = default;

  /// As readCode(), but pointing into a copy of `text`. Valid until eight other texts have been asked for.
  [[nodiscard]] const std::vector<CodeLine>& lines(std::string_view text);

 private:
  struct ReadText {
    std::string text;
    std::vector<CodeLine> lines;
  };
  std::list<ReadText> texts_;  ///< the one last asked for first
};

/// The line, from 1, at which the definition of the kernel `name` begins; of the first kernel if there is none of that
/// name, and 1 in a text without kernels.
[[nodiscard]] int kernelLine(std::string_view text, std::string_view name);

/// A row on the screen: a piece of a line.
struct CodeRow {
  int line = 0;            ///< index into the lines
  int begin = 0, end = 0;  ///< bytes of the line
  int indent = 0;          ///< column of `begin` on the screen
};

/// Rows for lines [first, last), at most `columns` wide where that is possible. A line that fits is shown as written.
/// Around one that does not, the block of equally indented lines is moved left first (a continuation may be aligned
/// with an operator far to the right), and a line that is still too long is broken before "=" or at a blank.
[[nodiscard]] std::vector<CodeRow> wrapCode(const std::vector<CodeLine>& lines, int first, int last, int columns);

/// Characters of `text`, a UTF-8 sequence counting as one and a tab as up to four.
[[nodiscard]] int columnsOf(std::string_view text);

/// The text of a range on one line, blanks run together, cut after `most` characters.
[[nodiscard]] std::string excerpt(std::string_view text, const SourceRange& range, std::size_t most = 72);

}  // namespace haloscope
