#include "program/LineDiff.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "program/Words.h"

namespace haloscope {

namespace {

using Lines = std::vector<std::string_view>;

// Beyond that, only equal lines are paired: comparing every line with every other would take too long.
constexpr std::size_t kMostCompared = 1'000'000;

std::string_view trimmed(std::string_view line) {
  constexpr const char* kBlanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(kBlanks);
  return begin == std::string_view::npos ? std::string_view()
                                         : line.substr(begin, line.find_last_not_of(kBlanks) - begin + 1);
}

/// The words of a line, sorted.
Lines wordsOf(std::string_view line) {
  Lines words;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    while (end < line.size() && isWord(line[end])) { ++end; }
    if (end > i) { words.push_back(line.substr(i, end - i)); }
    i = end + 1;
  }
  std::ranges::sort(words);
  return words;
}

struct Common {
  std::size_t begin = 0, end = 0;  ///< bytes in common at the begin and, beyond those, at the end
};

Common commonOf(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  Common common;
  while (common.begin < shorter && a[common.begin] == b[common.begin]) { ++common.begin; }
  while (common.end < shorter - common.begin && a[a.size() - 1 - common.end] == b[b.size() - 1 - common.end]) {
    ++common.end;
  }
  return common;
}

/// A line without blanks at its ends, and its words.
struct ComparedLine {
  std::string_view text;
  Lines words;
};

std::vector<ComparedLine> comparedLines(const Lines& lines) {
  std::vector<ComparedLine> compared;
  compared.reserve(lines.size());
  for (const std::string_view line : lines) { compared.push_back({trimmed(line), wordsOf(line)}); }
  return compared;
}

/// What pairing two lines is worth; 0: they are not paired. Lines are alike if they share most of their words.
int worth(const ComparedLine& a, const ComparedLine& b) {
  constexpr int kSame = 8, kSameSigns = 2, kAlike = 3;
  if (a.text == b.text) { return a.text.empty() ? 1 : a.words.empty() ? kSameSigns : kSame; }
  Lines shared;
  std::ranges::set_intersection(a.words, b.words, std::back_inserter(shared));
  const std::size_t longer = std::max(a.words.size(), b.words.size());
  return longer > 0 && 3 * shared.size() >= 2 * longer ? kAlike : 0;
}

/// Lines that have no partner share rows while both texts have some.
void addApart(std::vector<LinePair>& pairs, int left, int leftEnd, int right, int rightEnd) {
  while (left < leftEnd || right < rightEnd) {
    pairs.push_back({left < leftEnd ? left++ : -1, right < rightEnd ? right++ : -1, LinePair::Kind::Apart});
  }
}

}  // namespace

std::vector<LinePair> pairLines(const Lines& left, const Lines& right) {
  const std::vector<ComparedLine> a = comparedLines(left), b = comparedLines(right);
  const bool small = a.size() * b.size() <= kMostCompared;
  const auto valueOf = [&](std::size_t i, std::size_t j) {
    return small || a[i].text == b[j].text ? worth(a[i], b[j]) : 0;
  };
  // best[i][j]: the most that pairing the lines from i and j on is worth.
  const std::size_t width = b.size() + 1;
  std::vector<int> best((a.size() + 1) * width, 0);
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      const int value = valueOf(i, j);
      const int paired = value == 0 ? 0 : value + best[(i + 1) * width + j + 1];
      best[i * width + j] = std::max({paired, best[(i + 1) * width + j], best[i * width + j + 1]});
    }
  }
  std::vector<LinePair> pairs;
  int apartLeft = 0, apartRight = 0;
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const int value = valueOf(i, j);
    const int here = best[i * width + j];
    if (value > 0 && here == value + best[(i + 1) * width + j + 1]) {
      const int leftLine = static_cast<int>(i++), rightLine = static_cast<int>(j++);
      addApart(pairs, apartLeft, leftLine, apartRight, rightLine);
      const bool same = a[i - 1].text == b[j - 1].text;
      pairs.push_back({leftLine, rightLine, same ? LinePair::Kind::Same : LinePair::Kind::Changed});
      apartLeft = leftLine + 1;
      apartRight = rightLine + 1;
    } else if (here == best[(i + 1) * width + j]) {
      ++i;
    } else {
      ++j;
    }
  }
  addApart(pairs, apartLeft, static_cast<int>(a.size()), apartRight, static_cast<int>(b.size()));
  return pairs;
}

std::pair<std::size_t, std::size_t> changedPart(std::string_view line, std::string_view other) {
  const std::string_view text = trimmed(line);
  const std::size_t indent = text.empty() ? 0 : static_cast<std::size_t>(text.data() - line.data());
  const Common common = commonOf(text, trimmed(other));
  return {indent + common.begin, indent + text.size() - common.end};
}

}  // namespace haloscope
