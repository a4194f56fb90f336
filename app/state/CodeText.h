#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/SourceLocation.h"

/// The text of a kernel as a panel shows it: cut into tokens for colouring, and into rows that fit the panel's width.
/// All places are bytes of a line, counted from 0; columns on the screen are characters.
namespace haloscope {

enum class TokenKind : unsigned char { Plain, Name, Keyword, Type, Cuda, Literal, Comment, Preprocessor };

struct Token {
  int begin = 0, end = 0;
  TokenKind kind = TokenKind::Plain;
};

struct CodeLine {
  std::string_view text;      ///< without its line break
  std::vector<Token> tokens;  ///< in order, without blanks between them
};

/// Lines and tokens of C++ with CUDA's words. A lexer for colours only: it accepts any text.
[[nodiscard]] std::vector<CodeLine> readCode(std::string_view text);

/// The line at which the definition of the kernel of that name begins; of the first kernel where there is none of that
/// name, and 1 in a text without kernels.
[[nodiscard]] int kernelLine(std::string_view text, std::string_view name);

/// A row on the screen: a piece of a line.
struct CodeRow {
  int line = 0;            ///< index into the lines
  int begin = 0, end = 0;  ///< bytes of the line
  int indent = 0;          ///< column of `begin` on the screen
};

/// Rows for lines [first, last), at most `columns` wide where that is possible. A line that fits is shown as it stands.
/// Where one does not, the block of equally deep lines around it is moved left first (a continuation is aligned under
/// an operator far to the right), and what still does not fit is broken before "=" or at a blank.
[[nodiscard]] std::vector<CodeRow> wrapCode(const std::vector<CodeLine>& lines, int first, int last, int columns);

/// Characters of `text`, a UTF-8 sequence counting as one and a tab as up to four.
[[nodiscard]] int columnsOf(std::string_view text);

/// The text of a range on one line, blanks run together, cut after `most` characters.
[[nodiscard]] std::string excerpt(std::string_view text, const SourceRange& range, std::size_t most = 72);

}  // namespace haloscope
