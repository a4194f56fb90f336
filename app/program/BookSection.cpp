#include "program/BookSection.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace haloscope {

namespace {

constexpr const char* kOther = "other";

std::string lowered(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// "section 8.9" comes before "section 8.10", and what is in no section last.
bool before(const std::string& left, const std::string& right) {
  if ((left == kOther) != (right == kOther)) { return right == kOther; }
  if (left.size() != right.size()) { return left.size() < right.size(); }
  return left < right;
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

std::vector<BookSection> bookSections(const Catalogue& catalogue) {
  std::vector<BookSection> sections;
  for (const KernelFile& file : catalogue.kernels()) {
    const std::string heading = sectionOf(file.book);
    // Those of its chapter stand together at the end of the list.
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
  const std::string text = lowered(file.id + '\n' + file.title + '\n' + file.idea + '\n' + file.book);
  std::istringstream words(lowered(query));
  std::string word;
  while (words >> word) {
    if (text.find(word) == std::string::npos) { return false; }
  }
  return true;
}

}  // namespace haloscope
