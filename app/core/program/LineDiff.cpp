#include "program/LineDiff.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>

#include "program/Words.h"

namespace haloscope {

namespace {

using Lines = std::vector<std::string_view>;

// Beyond so many pairs of lines, only lines that occur once in either text are paired, and what is between them is
// compared on its own: comparing every line with every other would take too long, and too much memory.
constexpr std::size_t kMostCompared = 1'000'000;

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

/// A part of both texts.
struct Part {
  std::size_t left = 0, leftEnd = 0, right = 0, rightEnd = 0;

  [[nodiscard]] std::size_t pairs() const { return (leftEnd - left) * (rightEnd - right); }
};

/// Pairs of lines of two texts, collected from the first to the last.
class Pairing {
 public:
  Pairing(const Lines& left, const Lines& right) : a_(comparedLines(left)), b_(comparedLines(right)) {}

  [[nodiscard]] std::vector<LinePair> all() {
    pair({0, a_.size(), 0, b_.size()});
    addApart(pairs_, apartLeft_, static_cast<int>(a_.size()), apartRight_, static_cast<int>(b_.size()));
    return std::move(pairs_);
  }

 private:
  void add(std::size_t left, std::size_t right) {
    addApart(pairs_, apartLeft_, static_cast<int>(left), apartRight_, static_cast<int>(right));
    const bool same = a_[left].text == b_[right].text;
    pairs_.push_back(
        {static_cast<int>(left), static_cast<int>(right), same ? LinePair::Kind::Same : LinePair::Kind::Changed});
    apartLeft_ = static_cast<int>(left) + 1;
    apartRight_ = static_cast<int>(right) + 1;
  }

  void pair(Part part) {
    while (part.left < part.leftEnd && part.right < part.rightEnd && a_[part.left].text == b_[part.right].text) {
      add(part.left++, part.right++);
    }
    if (part.pairs() <= kMostCompared) { return compareAll(part); }
    const std::vector<std::pair<std::size_t, std::size_t>> anchors = anchorsIn(part);
    if (anchors.empty()) { return; }
    for (const auto& [left, right] : anchors) {
      pair({part.left, left, part.right, right});
      add(left, right);
      part.left = left + 1;
      part.right = right + 1;
    }
    pair(part);
  }

  /// The longest ascending sequence of lines that both parts have exactly once.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> anchorsIn(const Part& part) const {
    struct Seen {
      int left = 0, right = 0;
      std::size_t at = 0;  ///< in the right one
    };
    std::map<std::string_view, Seen> seen;
    for (std::size_t i = part.left; i < part.leftEnd; ++i) { ++seen[a_[i].text].left; }
    for (std::size_t j = part.right; j < part.rightEnd; ++j) {
      Seen& line = seen[b_[j].text];
      ++line.right;
      line.at = j;
    }
    struct Link {
      std::size_t left, right, before;
    };
    constexpr std::size_t kFirst = static_cast<std::size_t>(-1);
    std::vector<Link> links;
    std::vector<std::size_t> last;  // of sequences of 1, 2, … lines: the link that ends earliest in the right part
    for (std::size_t i = part.left; i < part.leftEnd; ++i) {
      const Seen& line = seen.at(a_[i].text);
      if (line.left != 1 || line.right != 1) { continue; }
      const auto place =
          std::ranges::lower_bound(last, line.at, {}, [&](std::size_t link) { return links[link].right; });
      links.push_back({i, line.at, place == last.begin() ? kFirst : *std::prev(place)});
      if (place == last.end()) {
        last.push_back(links.size() - 1);
      } else {
        *place = links.size() - 1;
      }
    }
    std::vector<std::pair<std::size_t, std::size_t>> anchors;
    for (std::size_t link = last.empty() ? kFirst : last.back(); link != kFirst; link = links[link].before) {
      anchors.emplace_back(links[link].left, links[link].right);
    }
    std::ranges::reverse(anchors);
    return anchors;
  }

  void compareAll(const Part& part) {
    // best(i, j): the most that pairing the lines from i and j on is worth.
    const std::size_t width = part.rightEnd - part.right + 1;
    std::vector<int> values((part.leftEnd - part.left + 1) * width, 0);
    const auto best = [&](std::size_t i, std::size_t j) -> int& {
      return values[(i - part.left) * width + j - part.right];
    };
    for (std::size_t i = part.leftEnd; i-- > part.left;) {
      for (std::size_t j = part.rightEnd; j-- > part.right;) {
        const int value = worth(a_[i], b_[j]);
        best(i, j) = std::max({value == 0 ? 0 : value + best(i + 1, j + 1), best(i + 1, j), best(i, j + 1)});
      }
    }
    for (std::size_t i = part.left, j = part.right; i < part.leftEnd && j < part.rightEnd;) {
      const int value = worth(a_[i], b_[j]);
      if (value > 0 && best(i, j) == value + best(i + 1, j + 1)) {
        add(i++, j++);
      } else if (best(i, j) == best(i + 1, j)) {
        ++i;
      } else {
        ++j;
      }
    }
  }

  std::vector<ComparedLine> a_, b_;
  std::vector<LinePair> pairs_;
  int apartLeft_ = 0, apartRight_ = 0;
};

}  // namespace

std::vector<LinePair> pairLines(const Lines& left, const Lines& right) { return Pairing(left, right).all(); }

std::pair<std::size_t, std::size_t> changedPart(std::string_view line, std::string_view other) {
  const std::string_view text = trimmed(line);
  const std::size_t indent = text.empty() ? 0 : static_cast<std::size_t>(text.data() - line.data());
  const Common common = commonOf(text, trimmed(other));
  return {indent + common.begin, indent + text.size() - common.end};
}

}  // namespace haloscope
