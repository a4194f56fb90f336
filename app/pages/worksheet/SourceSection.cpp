#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "frontend/CodeText.h"
#include "language/Text.h"
#include "worksheet/Sections.h"

namespace haloscope::worksheet {

namespace {

constexpr int kMostLines = 200;  // printed in full
constexpr std::size_t kMostPrinted = 260;
constexpr double kGutter = 26;
constexpr std::size_t kTogether = 14;  // rows of a paragraph that stays on one page

/// The lines that the block executed or needs: functions, and what is declared and defined around them.
std::vector<bool> neededLines(const experiment::Experiment& experiment, const std::vector<CodeLine>& lines) {
  const Program& program = *experiment.program;
  std::vector<bool> needed(lines.size() + 1);
  const auto need = [&](int first, int last) {
    for (int line = std::max(1, first); line <= last && line <= static_cast<int>(lines.size()); ++line) {
      needed[static_cast<std::size_t>(line)] = true;
    }
  };
  need(program.kernelRange.line, program.kernelRange.endLine);
  for (const FunctionFrame& function : program.functions) { need(function.range.line, function.range.endLine); }
  for (const MemoryObject& object : program.objects) { need(object.declared.line, object.declared.endLine); }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].text.starts_with("#define")) { needed[i + 1] = true; }
  }
  // The last lines of a comment directly above.
  constexpr int kMostAbove = 8;
  int above = 0;
  for (std::size_t line = lines.size(); line > 1; --line) {
    const std::vector<Token>& tokens = lines[line - 2].tokens;
    const bool comment = !tokens.empty() && std::ranges::all_of(tokens, [](const Token& token) {
      return token.kind == TokenKind::Comment;
    });
    above = needed[line] && comment && !needed[line - 1] ? above + 1 : 0;
    if (above > 0 && above <= kMostAbove) { needed[line - 1] = true; }
  }
  return needed;
}

std::vector<Run> codeRuns(std::string_view line, const std::vector<Token>& tokens, int begin, int end) {
  std::vector<Run> runs;
  const auto add = [&](int from, int to, const Style& style) {
    from = std::max(from, begin);
    to = std::min(to, end);
    if (from >= to) { return; }
    std::string piece(line.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)));
    for (std::size_t tab = piece.find('\t'); tab != std::string::npos; tab = piece.find('\t')) {
      piece.replace(tab, 1, "    ");
    }
    runs.push_back({std::move(piece), style});
  };
  int at = 0;
  for (const Token& token : tokens) {
    add(at, token.begin, {Face::Mono, kCode});
    const bool strong =
        token.kind == TokenKind::Keyword || token.kind == TokenKind::Type || token.kind == TokenKind::Cuda;
    add(token.begin, token.end,
        {strong ? Face::MonoStrong : Face::Mono, kCode, token.kind == TokenKind::Comment ? grey(0.38) : kInk});
    at = token.end;
  }
  add(at, end, {Face::Mono, kCode});
  return runs;
}

/// Pieces of a row that is still too wide, such as a long comment: broken after blanks, or anywhere.
std::vector<CodeRow> narrowed(const CodeRow& row, std::string_view line, int columns) {
  std::vector<CodeRow> rows = {row};
  for (;;) {
    CodeRow& last = rows.back();
    const int room = std::max(20, columns - last.indent);
    int column = 0, blank = -1, at = last.begin;
    for (; at < last.end && column < room; ++at) {
      const auto byte = static_cast<unsigned char>(line[static_cast<std::size_t>(at)]);
      if ((byte & 0xc0U) == 0x80U) { continue; }  // within a character
      column += byte == '\t' ? 4 : byte < 0x80U ? 1 : 2;
      if (byte == ' ' && at > last.begin) { blank = at; }
    }
    while (at < last.end && (static_cast<unsigned char>(line[static_cast<std::size_t>(at)]) & 0xc0U) == 0x80U) { ++at; }
    if (at >= last.end) { return rows; }
    CodeRow next = last;
    last.end = next.begin = blank > 0 ? blank + 1 : at;
    next.indent = row.indent + 4;
    rows.push_back(next);
  }
}

Piece remark(const SheetWriter& writer, const std::string& sentence) {
  const Text text(writer.fonts(), sentence, {Face::Italic, kSmall, kDim}, writer.width() - kGutter);
  Piece piece;
  piece.height = text.height() + 2;
  piece.draw = [text](const Pen& pen, double x, double y) { pen.text(text, x + kGutter, y + 1); };
  return piece;
}

}  // namespace

void addSource(SheetWriter& writer, const ChapterSheet& sheet) {
  const experiment::Experiment& experiment = *sheet.chapter.experiment;
  const KernelFile& file = experiment.file;
  const std::vector<CodeLine> lines = readCode(file.text);
  const int first = std::max(1, file.firstCodeLine) - 1, last = static_cast<int>(lines.size());
  const bool whole = last - first <= kMostLines;
  const std::vector<bool> needed = whole ? std::vector<bool>() : neededLines(experiment, lines);

  writer.heading(trf("Source: {}", file.path.filename().string()));
  const Text ruler(writer.fonts(), "0000000000", {Face::Mono, kCode});
  const double character = ruler.width() / 10, baseline = ruler.baseline();
  const int columns = static_cast<int>((writer.width() - kGutter) / character);
  const double height = kCode * 1.25;

  Pieces rows;
  std::size_t paragraph = 0;  // its first row
  const auto endParagraph = [&] {
    const std::size_t count = rows.size() - paragraph;
    for (std::size_t i = paragraph; i + 1 < rows.size(); ++i) {
      const bool edge = i < paragraph + 2 || i + 5 > rows.size();
      rows[i].keepWithNext = count <= kTogether || edge;
    }
    paragraph = rows.size();
  };
  const auto addLines = [&](int from, int to) {
    int shown = -1;
    std::vector<CodeRow> narrow;
    for (const CodeRow& row : wrapCode(lines, from, to, columns)) {
      const std::vector<CodeRow> pieces = narrowed(row, lines[static_cast<std::size_t>(row.line)].text, columns);
      narrow.insert(narrow.end(), pieces.begin(), pieces.end());
    }
    for (const CodeRow& row : narrow) {
      const CodeLine& line = lines[static_cast<std::size_t>(row.line)];
      if (line.text.find_first_not_of(" \t") == std::string_view::npos) { endParagraph(); }
      const Text code(writer.fonts(), codeRuns(line.text, line.tokens, row.begin, row.end));
      const Text number(writer.fonts(), row.line == shown ? "" : std::to_string(row.line + 1), {Face::Mono, 6.5, kDim});
      shown = row.line;
      const double indent = row.indent * character;
      Piece piece;
      piece.height = height;
      piece.draw = [=](const Pen& pen, double x, double y) {
        pen.text(number, x + kGutter - 8 - number.width(), y + baseline - number.baseline());
        pen.text(code, x + kGutter + indent, y + baseline - code.baseline());
      };
      rows.push_back(std::move(piece));
    }
  };
  if (whole) {
    addLines(first, last);
  } else {
    int skipped = first;  // the first line since the last that is printed
    for (int line = first; line < last && rows.size() < kMostPrinted;) {
      if (!needed[static_cast<std::size_t>(line) + 1]) {
        ++line;
        continue;
      }
      int end = line;
      while (end < last && needed[static_cast<std::size_t>(end) + 1] && end - line < static_cast<int>(kMostPrinted)) {
        ++end;
      }
      if (skipped < line) { rows.push_back(remark(writer, trf("Lines {} to {} are left out.", skipped + 1, line))); }
      addLines(line, end);
      skipped = line = end;
    }
    endParagraph();
    if (rows.size() > kMostPrinted) {
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(kMostPrinted), rows.end());
    }
    if (skipped < last) {
      rows.push_back(
          remark(writer, trf("The file goes on up to line {}; a sheet has room for {} lines.", last, kMostPrinted)));
    }
  }
  endParagraph();
  if (!rows.empty()) {
    rows.front().before = 3;
    rows.back().keepWithNext = false;
  }
  for (Piece& row : rows) { writer.add(std::move(row)); }
}

}  // namespace haloscope::worksheet
