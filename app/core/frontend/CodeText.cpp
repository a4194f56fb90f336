#include "frontend/CodeText.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "frontend/SourceTokens.h"
#include "text/SourceLine.h"

namespace haloscope {
namespace {

constexpr int kTabWidth = 4;
/// Columns by which a moved or broken line is indented from the line it continues.
constexpr int kHangingIndent = 4;

constexpr auto kKeywords = std::to_array<std::string_view>(
    {"alignas",  "auto",     "break",  "case",   "class",       "const",  "constexpr", "continue", "default",
     "do",       "else",     "enum",   "extern", "false",       "for",    "if",        "inline",   "namespace",
     "operator", "return",   "sizeof", "static", "static_cast", "struct", "switch",    "template", "true",
     "typedef",  "typename", "union",  "using",  "volatile",    "while"});
constexpr auto kTypeNames = std::to_array<std::string_view>(
    {"bool",   "char",   "dim3",   "double",   "double2",  "float",    "float2",  "float3",
     "float4", "int",    "int2",   "int3",     "int32_t",  "int4",     "int64_t", "long",
     "short",  "signed", "size_t", "uint32_t", "uint64_t", "unsigned", "void"});
constexpr auto kCuda = std::to_array<std::string_view>(
    {"__constant__", "__device__", "__forceinline__", "__global__", "__host__", "__launch_bounds__", "__ldg",
     "__restrict__", "__shared__", "__syncthreads", "blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize"});

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& sorted, std::string_view word) {
  return std::binary_search(sorted.begin(), sorted.end(), word);
}

bool isBlank(char c) { return c == ' ' || c == '\t'; }

TokenKind kindOf(const frontend::SourceToken& token) {
  using Kind = frontend::SourceToken::Kind;
  if (token.kind == Kind::Comment) { return TokenKind::Comment; }
  if (token.inDirective) { return TokenKind::Preprocessor; }
  switch (token.kind) {
    case Kind::Identifier:
      return contains(kKeywords, token.spelling)    ? TokenKind::Keyword
             : contains(kTypeNames, token.spelling) ? TokenKind::Type
             : contains(kCuda, token.spelling)      ? TokenKind::Cuda
                                                    : TokenKind::Name;
    case Kind::Number:
    case Kind::Literal:
      return TokenKind::Literal;
    default:  // a quote that is not closed is a literal up to the end of its line
      return token.spelling.starts_with('"') || token.spelling.starts_with('\'') ? TokenKind::Literal
                                                                                 : TokenKind::Plain;
  }
}

/// Divides a text's tokens among its lines.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text), source_(std::string(text)) {}

  std::vector<CodeLine> read() {
    splitLines();
    for (const frontend::SourceToken& token : source_.all()) { add(token); }
    for (std::size_t line = 0; line < lines_.size(); ++line) { fillGaps(line); }
    return std::move(lines_);
  }

 private:
  void splitLines() {
    for (const std::string_view line : linesOf(text_)) {
      lines_.push_back({line, {}});
      begins_.push_back(static_cast<std::size_t>(line.data() - text_.data()));
    }
  }

  /// A token that continues on the next line has a piece on each.
  void add(const frontend::SourceToken& token) {
    const TokenKind kind = kindOf(token);
    for (auto line = static_cast<std::size_t>(token.line) - 1; line < lines_.size(); ++line) {
      if (begins_[line] >= token.end()) { break; }
      const std::size_t from = std::max(token.offset, begins_[line]) - begins_[line];
      const std::size_t to = std::min(token.end() - begins_[line], lines_[line].text.size());
      if (from < to) { add(lines_[line].tokens, static_cast<int>(from), static_cast<int>(to), kind); }
    }
  }

  static void add(std::vector<Token>& tokens, int begin, int end, TokenKind kind) {
    if (kind == TokenKind::Plain) {  // of an operator each character is one
      for (int at = begin; at < end; ++at) { tokens.push_back({at, at + 1, kind}); }
    } else if (kind == TokenKind::Preprocessor && !tokens.empty() && tokens.back().kind == kind) {
      tokens.back().end = end;
    } else {
      tokens.push_back({begin, end, kind});
    }
  }

  /// Characters that belong to no token, such as the backslash before a line break.
  void fillGaps(std::size_t line) {
    const std::vector<Token> tokens = std::exchange(lines_[line].tokens, {});
    const std::string_view text = lines_[line].text;
    std::size_t next = 0;
    for (std::size_t at = 0; at < text.size();) {
      if (next < tokens.size() && tokens[next].begin == static_cast<int>(at)) {
        at = static_cast<std::size_t>(tokens[next].end);
        lines_[line].tokens.push_back(tokens[next++]);
        continue;
      }
      if (!isBlank(text[at])) {
        const bool directive = std::ranges::any_of(
            source_.directives(), [&](const auto& one) { return one.where.contains(begins_[line] + at); });
        add(lines_[line].tokens, static_cast<int>(at), static_cast<int>(at) + 1,
            directive ? TokenKind::Preprocessor : TokenKind::Plain);
      }
      ++at;
    }
  }

  std::string_view text_;
  frontend::SourceTokens source_;
  std::vector<CodeLine> lines_;
  std::vector<std::size_t> begins_;  ///< offset of each line
};

/// Bytes of blanks before the first character; the whole line if there is none.
int blanks(std::string_view text) {
  int n = 0;
  while (n < static_cast<int>(text.size()) && isBlank(text[static_cast<std::size_t>(n)])) { ++n; }
  return n;
}

struct Margin {
  int bytes = 0;    ///< of blanks
  int columns = 0;  ///< that they take
  int width = 0;    ///< columns of the whole line
  [[nodiscard]] bool empty() const { return width == columns; }
};

Margin marginOf(const CodeLine& line) {
  const int bytes = blanks(line.text);
  return {bytes, columnsOf(line.text.substr(0, static_cast<std::size_t>(bytes))), columnsOf(line.text)};
}

/// Where a line that is too long may be broken, best first: before the "=" of an assignment with much to its left; at a
/// blank that leaves some words to the next row, rather after a comma or before an operator; at any blank; before "[".
/// Subscripts are kept whole where that is possible.
class BreakFinder {
 public:
  BreakFinder(const CodeLine& line, int begin, int room, bool first)
      : line_(line), begin_(begin), room_(room), first_(first), width_(columnsFrom(begin)) {}

  /// A byte after `begin`, or -1.
  [[nodiscard]] int find() const {
    int best = -1, bestScore = 0, subscripts = 0;
    for (std::size_t i = 0; i < line_.tokens.size(); ++i) {
      const int at = line_.tokens[i].begin;
      if (at < begin_) { continue; }
      const int column = columnsOf(piece(begin_, at));
      if (column > room_) { break; }
      const int found = at > begin_ ? score(i, column) : 0;
      const int value = found - (found > 0 ? std::min(subscripts, 1) * kSubscript : 0);
      if (found > 0 && (value >= bestScore || best < 0)) {
        best = at;
        bestScore = value;
      }
      const std::string_view word = piece(at, line_.tokens[i].end);
      subscripts += word == "[" ? 1 : word == "]" ? -1 : 0;
    }
    return best;
  }

 private:
  [[nodiscard]] std::string_view piece(int from, int to) const {
    return line_.text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
  }
  [[nodiscard]] int columnsFrom(int from) const { return columnsOf(line_.text.substr(static_cast<std::size_t>(from))); }

  [[nodiscard]] int score(std::size_t token, int column) const {
    const Token& here = line_.tokens[token];
    const std::string_view word = piece(here.begin, here.end);
    const bool gap = token > 0 && here.begin > line_.tokens[token - 1].end;
    if (!gap) { return word == "[" && column * 2 > room_ ? 1 : 0; }
    const bool assignment =
        word == "=" && (token + 1 == line_.tokens.size() || line_.tokens[token + 1].begin > here.end);
    const bool restFits = columnsFrom(here.begin) + kHangingIndent <= room_;
    if (assignment && first_ && restFits) { return column > kLongLeftSide ? 20 : 12; }
    if (column < kShortest) { return 0; }
    const std::string_view before = piece(line_.tokens[token - 1].begin, line_.tokens[token - 1].end);
    const bool ends = before == "," || before == ";" || before == "&" || before == "|";
    const bool compound = token + 1 < line_.tokens.size() && line_.tokens[token + 1].begin == here.end &&
                          line_.text[static_cast<std::size_t>(here.end)] == '=';
    if (compound) { return 0; }
    const bool joins = word == "+" || word == "-" || word == "*" || word == "?" || word == ":" || word == "<";
    const int value = ends ? 16 : joins ? 12 : 8;
    const bool uneven = width_ - column < kOrphan || column * 2 < room_;
    return uneven ? value / 3 : value;
  }

  static constexpr int kLongLeftSide = 14;  ///< columns left of an "=" that deserve a row of their own
  static constexpr int kSubscript = 52;     ///< that a break inside a subscript costs: more than any place is worth
  static constexpr int kShortest = 4;       ///< columns that a row has at least
  static constexpr int kOrphan = 8;         ///< fewer columns in the last row look lost

  const CodeLine& line_;
  int begin_, room_;
  bool first_;
  int width_;
};

void breakLine(std::vector<CodeRow>& rows, const CodeLine& line, int index, int begin, int indent, int columns) {
  const int length = static_cast<int>(line.text.size());
  const int hanging = std::min(indent + kHangingIndent, columns / 2);
  bool first = true;
  while (true) {
    const int room = columns - (first ? indent : hanging);
    const bool fits = columnsOf(line.text.substr(static_cast<std::size_t>(begin))) <= room;
    const int at = fits ? -1 : BreakFinder(line, begin, room, first).find();
    const int end = at > begin ? at : length;
    rows.push_back({index, begin, end, first ? indent : hanging});
    if (end >= length) { return; }
    begin = end;
    first = false;
  }
}

}  // namespace

int columnsOf(std::string_view text) {
  int columns = 0;
  for (const char c : text) {
    if (c == '\t') {
      columns += kTabWidth - columns % kTabWidth;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++columns;
    }
  }
  return columns;
}

std::vector<CodeLine> readCode(std::string_view text) { return LineReader(text).read(); }

const std::vector<CodeLine>& CodeReader::lines(std::string_view text) {
  constexpr std::size_t kMostTexts = 8;
  const auto known = std::ranges::find(texts_, text, &ReadText::text);
  if (known != texts_.end()) {
    texts_.splice(texts_.begin(), texts_, known);
  } else {
    if (texts_.size() >= kMostTexts) { texts_.pop_back(); }
    texts_.emplace_front().text = text;
    texts_.front().lines = readCode(texts_.front().text);
  }
  return texts_.front().lines;
}

std::vector<CodeRow> wrapCode(const std::vector<CodeLine>& lines, int first, int last, int columns) {
  std::vector<CodeRow> rows;
  columns = std::max(columns, 16);
  int outer = 0;  // indentation of the last line that was not moved
  for (int i = first; i < last;) {
    const Margin margin = marginOf(lines[static_cast<std::size_t>(i)]);
    // The lines from here on that are indented equally.
    int end = i + 1;
    bool tooWide = margin.width > columns;
    while (end < last && !margin.empty()) {
      const Margin next = marginOf(lines[static_cast<std::size_t>(end)]);
      if (next.columns != margin.columns || next.empty()) { break; }
      tooWide = tooWide || next.width > columns;
      ++end;
    }
    const bool move = tooWide && margin.columns > outer + kHangingIndent;
    const int indent = move ? outer + kHangingIndent : margin.columns;
    if (!move && !margin.empty()) { outer = margin.columns; }
    for (; i < end; ++i) {
      const CodeLine& line = lines[static_cast<std::size_t>(i)];
      const int begin = std::min(margin.bytes, static_cast<int>(line.text.size()));
      breakLine(rows, line, i, begin, margin.empty() ? 0 : indent, columns);
    }
  }
  return rows;
}

int kernelLine(std::string_view text, std::string_view name) {
  int first = 0, begun = 0, number = 0;
  for (const CodeLine& line : readCode(text)) {
    ++number;
    for (const Token& token : line.tokens) {
      if (token.kind == TokenKind::Comment || token.kind == TokenKind::Preprocessor) { continue; }
      const auto begin = static_cast<std::size_t>(token.begin);
      const std::string_view word = line.text.substr(begin, static_cast<std::size_t>(token.end) - begin);
      if (word == "__global__") {
        begun = number;
        if (first == 0) { first = number; }
      } else if (begun > 0 && word == name) {
        return begun;
      } else if (word == ";" || word == "{") {
        begun = 0;  // the name may follow in a call
      }
    }
  }
  return std::max(first, 1);
}

std::string excerpt(std::string_view text, const SourceRange& range, std::size_t most) {
  std::string result;
  for (int number = 1; number <= range.endLine && !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (number < range.line) { continue; }
    const std::size_t from = number == range.line ? static_cast<std::size_t>(range.column - 1) : 0;
    const std::size_t to = number == range.endLine ? static_cast<std::size_t>(range.endColumn - 1) : line.size();
    for (std::size_t i = from; i < std::min(to, line.size()); ++i) {
      const bool blank = isBlank(line[i]) || line[i] == '\r';
      if (!blank) { result += line[i]; }
      if (blank && !result.empty() && result.back() != ' ') { result += ' '; }
    }
    if (number < range.endLine && !result.empty() && result.back() != ' ') { result += ' '; }
  }
  if (columnsOf(result) <= static_cast<int>(most)) { return result; }
  std::size_t length = std::min(most, result.size());
  while (length > 0 && (static_cast<unsigned char>(result[length]) & 0xC0U) == 0x80U) { --length; }
  return result.substr(0, length) + "…";
}

}  // namespace haloscope
