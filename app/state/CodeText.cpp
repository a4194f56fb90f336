#include "state/CodeText.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "program/Words.h"

namespace haloscope {
namespace {

constexpr int kTabWidth = 4;
/// Columns by which a moved or broken line stands deeper than the line it continues.
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

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// Cuts one line; remembers across lines whether a comment or a preprocessor line goes on.
class Lexer {
 public:
  std::vector<Token> cut(std::string_view line) {
    line_ = line;
    at_ = 0;
    tokens_.clear();
    bool directive = directiveGoesOn_;
    bool first = true;
    while (at_ < line_.size()) {
      if (!inComment_ && isBlank(line_[at_])) {
        ++at_;
        continue;
      }
      if (first && !inComment_ && line_[at_] == '#') { directive = true; }
      first = false;
      if (inComment_ || starts("/*")) {
        comment();
      } else if (starts("//")) {
        push(line_.size(), TokenKind::Comment);
      } else if (directive) {
        push(std::min(line_.find("//", at_), line_.find("/*", at_)), TokenKind::Preprocessor);
      } else {
        code();
      }
    }
    directiveGoesOn_ = directive && !line_.empty() && line_.back() == '\\';
    return tokens_;
  }

 private:
  [[nodiscard]] bool starts(std::string_view with) const { return line_.substr(at_).starts_with(with); }

  void push(std::size_t end, TokenKind kind) {
    end = std::min(end, line_.size());
    tokens_.push_back({static_cast<int>(at_), static_cast<int>(end), kind});
    at_ = end;
  }

  void comment() {
    const std::size_t from = inComment_ ? at_ : at_ + 2;
    const std::size_t end = line_.find("*/", from);
    inComment_ = end == std::string_view::npos;
    push(inComment_ ? line_.size() : end + 2, TokenKind::Comment);
  }

  void code() {
    const char c = line_[at_];
    std::size_t end = at_ + 1;
    if (isDigit(c) || (c == '.' && end < line_.size() && isDigit(line_[end]))) {
      const auto goesOn = [&](char d, char before) {
        return isWord(d) || d == '.' || ((d == '+' || d == '-') && (before == 'e' || before == 'E'));
      };
      while (end < line_.size() && goesOn(line_[end], line_[end - 1])) { ++end; }
      push(end, TokenKind::Literal);
    } else if (isWord(c)) {
      while (end < line_.size() && isWord(line_[end])) { ++end; }
      const std::string_view word = line_.substr(at_, end - at_);
      push(end, contains(kKeywords, word)    ? TokenKind::Keyword
                : contains(kTypeNames, word) ? TokenKind::Type
                : contains(kCuda, word)      ? TokenKind::Cuda
                                             : TokenKind::Name);
    } else if (c == '"' || c == '\'') {
      while (end < line_.size() && line_[end] != c) { end += line_[end] == '\\' ? 2 : 1; }
      push(end + 1, TokenKind::Literal);
    } else {
      push(end, TokenKind::Plain);
    }
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
  bool inComment_ = false;
  bool directiveGoesOn_ = false;
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

std::vector<CodeLine> readCode(std::string_view text) {
  std::vector<CodeLine> lines;
  Lexer lexer;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) { line.remove_suffix(1); }
    lines.push_back({line, lexer.cut(line)});
  }
  return lines;
}

std::vector<CodeRow> wrapCode(const std::vector<CodeLine>& lines, int first, int last, int columns) {
  std::vector<CodeRow> rows;
  columns = std::max(columns, 16);
  int outer = 0;  // indentation of the last line that stands where it was written
  for (int i = first; i < last;) {
    const Margin margin = marginOf(lines[static_cast<std::size_t>(i)]);
    // The block of lines from here on that stand equally deep.
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
