#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cells/CodeHtml.h"
#include "grading/Pages.h"
#include "text/Html.h"

/// The source of a hand-in, with its findings at their lines.
namespace haloscope::grading {

namespace {

constexpr int kMostLines = 3000;  ///< of a text that is shown as a whole
constexpr int kAroundInLong = 25;
constexpr std::size_t kLongestLine = 600;

/// A line, with what the first mark in it is about underlined. Columns count bytes from 1.
std::string markedLine(const CodeLine& line, int number, const std::vector<const Mark*>& marks) {
  const auto column = [&](int at) { return std::min(static_cast<std::size_t>(std::max(at, 1) - 1), line.text.size()); };
  for (const Mark* mark : marks) {
    const std::size_t begin = column(mark->where.column);
    const std::size_t end = mark->where.endLine == number ? column(mark->where.endColumn) : line.text.size();
    if (mark->where.line == number && begin < end) { return codeHtml(line, {begin, end}, kLongestLine); }
  }
  return codeHtml(line, {}, kLongestLine);
}

}  // namespace

std::string sourceWithMarks(const SourceText& text, const std::vector<const Mark*>& marks, const std::string& anchor,
                            int around) {
  const std::vector<CodeLine> lines = readCode(text.text);
  const int count = static_cast<int>(lines.size());
  std::map<int, std::vector<const Mark*>> byLine;
  for (const Mark* mark : marks) {
    if (mark->file == text.name && mark->where.valid()) { byLine[std::min(mark->where.line, count)].push_back(mark); }
  }
  if (around < 0 && count > kMostLines) { around = kAroundInLong; }
  const auto isShown = [&](int line) {
    if (around < 0) { return true; }
    if (byLine.empty()) { return line <= 2 * around + 1; }
    const auto next = byLine.lower_bound(line - around);
    return next != byLine.end() && next->first <= line + around;
  };
  std::string html = "<div class=\"src\" tabindex=\"0\"><pre>";
  bool skipped = false;
  for (int line = 1; line <= count; ++line) {
    if (!isShown(line)) {
      skipped = true;
      continue;
    }
    if (skipped) { html += "<span class=\"skip\">⋮</span>"; }
    skipped = false;
    const auto found = byLine.find(line);
    const std::vector<const Mark*> here = found == byLine.end() ? std::vector<const Mark*>{} : found->second;
    html += fmt::format("<span class=\"l{}\"{}><span class=\"n\">{}</span>{}\n</span>", here.empty() ? "" : " at",
                        anchor.empty() ? "" : fmt::format(" id=\"{}-{}\"", anchor, line), line,
                        markedLine(lines[static_cast<std::size_t>(line - 1)], line, here));
    for (const Mark* mark : here) {
      html += fmt::format("<span class=\"say\"><b>{}</b>: {}</span>", escaped(mark->title), escaped(mark->message));
    }
  }
  if (skipped) { html += "<span class=\"skip\">⋮</span>"; }
  return html + "</pre></div>\n";
}

}  // namespace haloscope::grading
