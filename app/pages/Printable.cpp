#include "pages/Printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace haloscope {

namespace {

constexpr std::size_t kLongestSequence = 4;

/// Bytes of the UTF-8 sequence at the beginning; 0 if there is none.
std::size_t sequenceAt(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80        ? 1
                             : first >> 5U == 6  ? 2
                             : first >> 4U == 14 ? 3
                             : first >> 3U == 30 ? 4
                                                 : 0;
  if (length == 0 || length > bytes.size()) { return 0; }
  std::uint32_t code = length == 1 ? first : first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6U != 2) { return 0; }
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, kLongestSequence + 1> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < kLeast.at(length) || code > 0x10ffff || surrogate ? 0 : length;
}

/// C1 controls, and marks that change the direction of the text after them.
bool isInvisible(std::string_view sequence) {
  return (sequence.size() == 2 && sequence[0] == '\xc2' && static_cast<unsigned char>(sequence[1]) < 0xa0) ||
         sequence == "\u061c" || sequence == "\u200e" || sequence == "\u200f" ||
         (sequence >= "\u202a" && sequence <= "\u202e") || (sequence >= "\u2066" && sequence <= "\u2069");
}

std::string madePrintable(std::string_view bytes, bool lines) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = sequenceAt(bytes);
    const auto first = static_cast<unsigned char>(bytes.front());
    if (lines && (first == '\n' || first == '\t')) {
      text += bytes.front();
    } else if (lines && bytes.starts_with("\r\n")) {
      // The line feed follows.
    } else if (first == '\n') {
      text += "\\n";
    } else if (length == 0 || first < 0x20 || first == 0x7f || isInvisible(bytes.substr(0, length))) {
      for (std::size_t i = 0; i < std::max<std::size_t>(length, 1); ++i) {
        text += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[i]));
      }
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

}  // namespace

std::string printable(std::string_view bytes) { return madePrintable(bytes, false); }

std::string printableLines(std::string_view bytes) { return madePrintable(bytes, true); }

std::size_t characterEnd(std::string_view text, std::size_t at) {
  if (at >= text.size()) { return text.size(); }
  for (std::size_t back = 1; back < kLongestSequence && back <= at; ++back) {
    const std::size_t length = sequenceAt(text.substr(at - back));
    if (length > 0) { return std::max(at, at - back + length); }
  }
  return at;
}

}  // namespace haloscope
