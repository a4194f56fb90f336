#include "inputs/NumberTable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"
#include "program/Words.h"

namespace haloscope::inputs {

namespace {

constexpr std::string_view kBlanks = " \t\r";

/// What stands where a number should be, as a message can show it.
std::string shown(std::string_view word) {
  constexpr std::size_t kLongest = 40;
  std::string text(trimmed(word).substr(0, kLongest));
  std::ranges::replace_if(text, [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
  return trimmed(word).size() > kLongest ? text + "…" : text;
}

NumberTable tableOf(std::int64_t rows, std::int64_t columns, std::vector<double> values) {
  return {.extents = longAxes({rows, columns}), .values = std::move(values)};
}

}  // namespace

std::vector<std::int64_t> longAxes(std::vector<std::int64_t> extents) {
  std::erase(extents, 1);
  if (extents.empty()) { extents.push_back(1); }
  return extents;
}

std::string sizeText(const NumberTable& table) {
  const std::string extents = fmt::format("{}", fmt::join(table.extents, " × "));
  const std::size_t count = table.values.size();
  return table.grey ? trn("{} pixel", "{} pixels", count, extents) : trn("{} number", "{} numbers", count, extents);
}

std::optional<double> numberOf(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) { text.remove_prefix(1); }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) { return std::nullopt; }
  return value;
}

NumberTable parseList(const std::string& text) {
  std::vector<double> values;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t inRow = 0;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find_first_of(",/", at), text.size());
    const std::string_view word = std::string_view(text).substr(at, end - at);
    const std::optional<double> value = numberOf(word);
    if (!value) { throw InputError(trf("\"{}\" is not a number", shown(word))); }
    values.push_back(*value);
    ++inRow;
    if (end == text.size() || text[end] == '/') {
      if (rows++ == 0) { columns = inRow; }
      if (inRow != columns) { throw InputError(trf("row {} has {} numbers, the first row {}", rows, inRow, columns)); }
      inRow = 0;
    }
    at = end + 1;
  }
  return tableOf(rows, columns, std::move(values));
}

NumberTable parseRows(const std::string& file, const std::string& text) {
  constexpr std::string_view kSeparators = ",;";
  std::vector<double> values;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::size_t lineNumber = 0;
  for (std::size_t begin = 0; begin < text.size(); ++lineNumber) {
    const std::size_t newline = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, newline - begin);
    begin = newline + 1;
    if (lineNumber == 0 && line.starts_with("\xef\xbb\xbf")) { line.remove_prefix(3); }
    line = line.substr(0, line.find('#'));
    if (trimmed(line).empty()) { continue; }
    const std::string separators(line.find_first_of(kSeparators) == std::string_view::npos ? kBlanks : kSeparators);
    std::int64_t inRow = 0;
    std::size_t at = 0;
    while (at <= line.size()) {
      if (separators == kBlanks) {
        at = std::min(line.find_first_not_of(kBlanks, at), line.size());
        if (at == line.size()) { break; }
      }
      const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
      const std::string_view word = line.substr(at, end - at);
      const bool closing = end == line.size() && inRow > 0 && trimmed(word).empty();  // "1,2,"
      if (closing) { break; }
      const std::optional<double> value = numberOf(word);
      if (!value) {
        const std::size_t first = std::min(word.find_first_not_of(kBlanks), word.size());
        throw InputError(trf("{}:{}:{}: \"{}\" is not a number", file, lineNumber + 1, at + first + 1, shown(word)));
      }
      if (values.size() == kMostNumbers) {
        throw InputError(trf("{}:{}: a file may have up to {} numbers", file, lineNumber + 1, kMostNumbers));
      }
      values.push_back(*value);
      ++inRow;
      at = end + 1;
    }
    if (rows++ == 0) { columns = inRow; }
    if (inRow != columns) {
      throw InputError(trn("{}:{}: {} number; the rows before it have {}",
                           "{}:{}: {} numbers; the rows before it have {}", inRow, file, lineNumber + 1, inRow,
                           columns));
    }
  }
  if (values.empty()) { throw InputError(trf("{}: there is no number in this file", file)); }
  return tableOf(rows, columns, std::move(values));
}

}  // namespace haloscope::inputs
