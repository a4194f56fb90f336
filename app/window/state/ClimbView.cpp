#include "state/ClimbView.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace haloscope {

namespace {

std::vector<std::string_view> codeLinesOf(const SourceDifference::Source& source) {
  std::vector<std::string_view> lines;
  const std::string_view text = source.text;
  int number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (number >= source.firstLine) { lines.push_back(text.substr(begin, end - begin)); }
    begin = end + 1;
  }
  while (!lines.empty() && lines.back().find_first_not_of(" \t\r") == std::string_view::npos) { lines.pop_back(); }
  return lines;
}

}  // namespace

SourceDifference::Source sourceOf(const KernelFile& file) { return {file.id, file.text, file.firstCodeLine}; }

SourceDifference differenceOf(SourceDifference::Source below, SourceDifference::Source above) {
  SourceDifference difference{std::move(below), std::move(above), {}};
  difference.pairs = pairLines(codeLinesOf(difference.below), codeLinesOf(difference.above));
  return difference;
}

}  // namespace haloscope
