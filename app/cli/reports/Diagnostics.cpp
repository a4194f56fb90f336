#include "reports/Diagnostics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include "checking/TextFixes.h"
#include "language/Text.h"
#include "opening/OpenedFile.h"

namespace haloscope {

namespace {

constexpr std::size_t kLongestLine = 160;  ///< bytes of a line that are shown

Ink inkOf(verdict::Weight weight) {
  switch (weight) {
    case verdict::Weight::Fault:
      return Ink::Fault;
    case verdict::Weight::Refusal:
      return Ink::Warning;
    case verdict::Weight::Note:
      break;
  }
  return Ink::Note;
}

std::vector<std::string> linesIn(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) { lines.push_back(std::move(line)); }
  return lines;
}

/// Columns that a text takes: a byte of UTF-8 that continues a character takes none.
std::size_t columnsOf(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string shownPath(const std::string& path) {
  const std::filesystem::path given(path);
  if (!given.is_absolute()) { return given.lexically_normal().string(); }
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::filesystem::path relative = given.lexically_normal().lexically_relative(here);
  return error || relative.empty() || relative.native().starts_with("..") ? path : relative.string();
}

Diagnostic diagnosticOf(const verdict::Remark& remark) {
  Diagnostic made{.place = remark.place,
                  .weight = remark.weight,
                  .kind = remark.isFinding ? remark.kind : "",
                  .title = remark.title,
                  .message = remark.message};
  if (remark.times > 1) { made.message += trf(" ({} times)", remark.times); }
  return made;
}

void DiagnosticPrinter::use(const std::string& path, const std::string& text) { lines_[path] = linesIn(text); }

const std::vector<std::string>& DiagnosticPrinter::linesOf(const std::string& path) {
  const auto known = lines_.find(path);
  if (known != lines_.end()) { return known->second; }
  std::vector<std::string> lines;
  try {
    lines = linesIn(opening::readOpenedText(path));
  } catch (const std::exception&) {  // then there is nothing to show
  }
  return lines_[path] = std::move(lines);
}

void DiagnosticPrinter::printExcerpt(const verdict::Place& place, Ink ink) {
  const std::vector<std::string>& lines = linesOf(place.file);
  const auto number = static_cast<std::size_t>(place.range.line);
  if (number > lines.size()) { return; }
  std::string line = lines[number - 1];
  std::ranges::replace(line, '\t', ' ');  // one byte for one: columns count bytes
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  if (indent == line.size()) { return; }
  const auto column = static_cast<std::size_t>(std::max(place.range.column, 0));
  const bool marks = column > indent && column <= line.size();
  const std::size_t first = marks ? column - 1 : indent;
  const bool oneLine = place.range.endLine == place.range.line && place.range.endColumn > place.range.column;
  const std::size_t last =
      oneLine ? std::min(static_cast<std::size_t>(place.range.endColumn) - 1, line.size()) : line.size();
  std::string shown = line.substr(indent, kLongestLine);
  const std::string label = fmt::format("{:>6}", number);
  printInk(Ink::Faint, "{} | ", label);
  printText("{}\n", shown);
  if (!marks || first - indent >= shown.size()) { return; }
  const std::size_t before = columnsOf(std::string_view(line).substr(indent, first - indent));
  const std::size_t marked =
      columnsOf(std::string_view(line).substr(first, std::max<std::size_t>(last, first + 1) - first));
  printInk(Ink::Faint, "{} | ", std::string(label.size(), ' '));
  printInk(ink, "{}^{}\n", std::string(before, ' '),
           std::string(oneLine ? std::min(marked, kLongestLine) - 1 : 0, '~'));
}

/// The lines that it changes, as they are and as they become.
void DiagnosticPrinter::printFix(const std::string& path, const std::vector<faults::TextEdit>& fix) {
  constexpr std::size_t kMostLines = 12;
  const checking::ChangedLines lines = checking::changedLines(fmt::format("{}", fmt::join(linesOf(path), "\n")), fix);
  if (std::max(lines.before.size(), lines.after.size()) > kMostLines) { return; }
  const auto printLines = [&](Ink ink, char sign, const std::vector<std::string>& changed) {
    for (std::size_t i = 0; i < changed.size(); ++i) {
      printText("{:>6} ", lines.first + i + 1);
      printInk(ink, "{} {}\n", sign, changed[i]);
    }
  };
  printLines(Ink::Fault, '-', lines.before);
  printLines(Ink::Good, '+', lines.after);
}

void DiagnosticPrinter::print(const Diagnostic& diagnostic) {
  const verdict::Place& place = diagnostic.place;
  const Ink ink = inkOf(diagnostic.weight);
  if (!place.file.empty()) {
    std::string where = shownPath(place.file);
    if (place.range.valid()) { where += fmt::format(":{}", place.range.line); }
    if (place.range.valid() && place.range.column > 0) { where += fmt::format(":{}", place.range.column); }
    printInk(Ink::Strong, "{}: ", where);
  }
  const bool plain = diagnostic.weight == verdict::Weight::Note;
  const std::string kind = !diagnostic.kind.empty() ? diagnostic.kind : plain ? tr("note") : tr("error");
  printInk(ink, "{}: ", kind);
  printText("{}\n", diagnostic.message);
  if (place.range.valid()) { printExcerpt(place, ink); }
  const auto under = [&](Ink colour, const char* what, const std::string& text) {
    printInk(Ink::Faint, "       = ");
    printInk(colour, "{}", what);
    printText("{}\n", text);
  };
  if (!diagnostic.remedy.empty()) { under(Ink::Good, tr("help: "), diagnostic.remedy); }
  if (!diagnostic.fix.empty()) { printFix(place.file, diagnostic.fix); }
  for (const std::string& one : diagnostic.details) { under(Ink::Plain, "", one); }
}

}  // namespace haloscope
