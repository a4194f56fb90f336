#include "language/MoFile.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "language/Language.h"

namespace haloscope {

namespace {

constexpr std::uint32_t kMagic = 0x950412de;  // in the order of bytes of the machine that wrote the file: this one
constexpr std::size_t kHeader = 5 * sizeof(std::uint32_t);

}  // namespace

MoFile::MoFile(std::string content, std::string_view path) : content_(std::move(content)) {
  const auto expect = [&](bool good) {
    if (!good) { throw LanguageError(fmt::format("{}: the translations are damaged; install Haloscope again", path)); }
  };
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    expect(at <= content_.size() && content_.size() - at >= sizeof value);
    std::memcpy(&value, content_.data() + at, sizeof value);
    return value;
  };
  // Its length, where it begins; a zero follows.
  const auto text = [&](std::size_t entry) {
    const std::size_t length = word(entry), begin = word(entry + 4);
    expect(begin < content_.size() && length < content_.size() - begin && content_[begin + length] == '\0');
    return std::string_view(content_.data() + begin, length);
  };
  expect(content_.size() >= kHeader && word(0) == kMagic && word(4) >> 16 == 0);
  const std::size_t count = word(8), originals = word(12), translations = word(16);
  expect(count <= content_.size() / 16);
  texts_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    // Of a text with a plural: up to the zero between the forms.
    const char* english = text(originals + 8 * i).data();
    const std::string_view translation = text(translations + 8 * i);
    if (*english != '\0' && !translation.empty()) { texts_.emplace(english, translation.data()); }
  }
}

const char* MoFile::find(std::string_view english) const {
  const auto found = texts_.find(english);
  return found == texts_.end() ? nullptr : found->second;
}

}  // namespace haloscope
