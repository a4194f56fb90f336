#include "lowering/TextInsertions.h"

#include <algorithm>
#include <utility>

namespace haloscope::lowering {

void TextInsertions::begin(std::size_t from, std::size_t to, std::string text) {
  insertions_.push_back({from, false, to, insertions_.size(), std::move(text)});
}

void TextInsertions::end(std::size_t from, std::size_t to, std::string text) {
  insertions_.push_back({to, true, from, insertions_.size(), std::move(text)});
}

std::string TextInsertions::apply(const std::string& text) const {
  std::vector<Insertion> sorted = insertions_;
  std::ranges::sort(sorted, [](const Insertion& a, const Insertion& b) {
    if (a.at != b.at) return a.at < b.at;
    if (a.ends != b.ends) return a.ends;               // what ends here, before what begins
    if (a.other != b.other) return a.other > b.other;  // inner stretches end first and begin last
    return a.ends ? a.order > b.order : a.order < b.order;
  });
  std::string result;
  std::size_t copied = 0;
  for (const Insertion& one : sorted) {
    result += text.substr(copied, one.at - copied) + one.text;
    copied = one.at;
  }
  return result + text.substr(copied);
}

}  // namespace haloscope::lowering
