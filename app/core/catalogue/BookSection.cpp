#include "catalogue/BookSection.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <string_view>

#include "language/Text.h"
#include "program/Words.h"

namespace haloscope {

namespace {

constexpr const char* kOther = "other";

std::string lowered(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// "section 8.9" comes before "section 8.10"; variants without a section come last.
bool before(const std::string& left, const std::string& right) {
  if ((left == kOther) != (right == kOther)) { return right == kOther; }
  if (left.size() != right.size()) { return left.size() < right.size(); }
  return left < right;
}

/// "8.1", but not "8." on the way to it.
bool isSectionNumber(const std::string& word) {
  const std::size_t point = word.find('.');
  if (point == 0 || point == std::string::npos || point + 1 == word.size()) { return false; }
  return std::ranges::all_of(word.substr(0, point), isDigit) && std::ranges::all_of(word.substr(point + 1), isDigit);
}

/// Whether `word` occurs, but not as a part of a longer word or number.
bool hasWhole(const std::string& text, const std::string& word) {
  const auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || (!belongs(text[at - 1]) && text[at - 1] != '.');
    const bool longer = end < text.size() &&
                        (belongs(text[end]) || (text[end] == '.' && end + 1 < text.size() && isDigit(text[end + 1])));
    if (begins && !longer) { return true; }
  }
  return false;
}

constexpr std::array kRealTypes = {ValueType::F16, ValueType::F32, ValueType::F64};

bool isRealType(const std::string& word) {
  return std::ranges::any_of(kRealTypes, [&](ValueType type) { return realTypeName(type) == word; });
}

/// Whether the variant offers this type, or its text names it.
bool computesIn(const KernelFile& file, const std::string& type) {
  if (file.precision) {
    return std::ranges::any_of(file.precision->types, [&](ValueType one) { return realTypeName(one) == type; });
  }
  return hasWhole(file.text, type);
}

}  // namespace

std::string sectionOf(const std::string& book) {
  std::istringstream parts(book);
  std::string part;
  while (std::getline(parts, part, ',')) {
    part.erase(0, part.find_first_not_of(' '));
    if (part.starts_with("section ") || part.starts_with("part ")) { return part; }
  }
  return kOther;
}

std::string shownHeading(const BookSection& section) {
  const auto number = [&](std::string_view word) { return section.heading.substr(word.size()); };
  for (const std::string_view word : {"section ", "part "}) {
    if (!section.heading.starts_with(word)) { continue; }
    return word == "part " ? trf("part {}", number(word)) : trf("section {}", number(word));
  }
  return tr("other");
}

std::vector<BookSection> bookSections(const Catalogue& catalogue) {
  std::vector<BookSection> sections;
  for (const KernelFile& file : catalogue.kernels()) {
    const std::string heading = sectionOf(file.book);
    // Variants of one chapter are adjacent at the end of the list.
    auto first = std::ranges::find(sections, file.chapter, &BookSection::chapter);
    while (first != sections.end() && first->chapter == file.chapter && before(first->heading, heading)) { ++first; }
    if (first == sections.end() || first->chapter != file.chapter || first->heading != heading) {
      first = sections.insert(first, {file.chapter, heading, {}});
    }
    first->variants.push_back(&file);
  }
  return sections;
}

bool matches(const KernelFile& file, const std::string& query) {
  const std::string text = lowered(file.id + '\n' + file.title + '\n' + file.idea + '\n' + file.book + '\n' +
                                   tr(file.title) + '\n' + tr(file.idea));
  std::istringstream words(lowered(query));
  std::string word;
  while (words >> word) {
    const bool found = isSectionNumber(word) ? hasWhole(text, word)
                       : isRealType(word)    ? computesIn(file, word)
                                             : text.find(word) != std::string::npos;
    if (!found) { return false; }
  }
  return true;
}

}  // namespace haloscope
