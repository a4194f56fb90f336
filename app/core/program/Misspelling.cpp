#include "program/Misspelling.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>
#include <vector>

#include "program/Words.h"

namespace haloscope {

namespace {

/// Longer names are not compared: they are unlikely to be misspelt in one place only.
constexpr std::size_t kLongest = 64;

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
bool isAxis(char c) { return lower(c) >= 'x' && lower(c) <= 'z'; }

bool sameButCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

/// Whether two names differ in a number, an axis or a one-letter word.
bool differOnPurpose(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) { return isDigit(a.back()) || isDigit(b.back()); }
  const auto [first, other] = std::ranges::mismatch(a, b);
  if (first == a.end()) { return false; }
  const auto at = static_cast<std::size_t>(first - a.begin());
  if (a.substr(at + 1) != b.substr(at + 1)) { return false; }
  const bool begins = at == 0 || !isLetter(a[at - 1]);
  const bool ends = at + 1 == a.size() || !isLetter(a[at + 1]);
  return (isDigit(*first) && isDigit(*other)) || (isAxis(*first) && isAxis(*other)) || (begins && ends);
}

}  // namespace

int editDistance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1);
  std::vector<int> last(b.size() + 1);
  std::vector<int> now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) { last[j] = static_cast<int>(j); }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) { now[j] = std::min(now[j], before[j - 2] + 1); }
    }
    before = std::exchange(last, now);
  }
  return last[b.size()];
}

bool isMisspelling(std::string_view written, std::string_view meant) {
  const std::size_t length = std::min(written.size(), meant.size());
  if (length == 0 || written == meant || std::max(written.size(), meant.size()) > kLongest) { return false; }
  if (sameButCase(written, meant)) { return true; }
  if (length < 4 || differOnPurpose(written, meant)) { return false; }
  return editDistance(written, meant) <= (length < 6 ? 1 : 2);
}

std::vector<std::string> nearestNames(const std::string& written, const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  constexpr int kContained = -1;
  std::vector<std::pair<int, std::string>> all;
  for (const std::string& name : names) {
    const bool within = name.find(written) != std::string::npos || written.find(name) != std::string::npos;
    all.emplace_back(within ? kContained : editDistance(written, name), name);
  }
  std::ranges::sort(all);
  std::vector<std::string> found;
  for (const auto& [distance, name] : all) {
    if (found.size() < kMost && std::ranges::find(found, name) == found.end()) { found.push_back(name); }
  }
  return found;
}

}  // namespace haloscope
