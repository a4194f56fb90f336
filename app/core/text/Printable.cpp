#include "text/Printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "text/JsonText.h"

namespace haloscope {

namespace {

constexpr std::size_t kLongestSequence = 4;

/// A character of UTF-8; no bytes: there is none.
struct Character {
  std::size_t bytes = 0;
  std::uint32_t code = 0;
};

/// The one at the beginning.
Character characterAt(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80        ? 1
                             : first >> 5U == 6  ? 2
                             : first >> 4U == 14 ? 3
                             : first >> 3U == 30 ? 4
                                                 : 0;
  if (length == 0 || length > bytes.size()) { return {}; }
  std::uint32_t code = length == 1 ? first : first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6U != 2) { return {}; }
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, kLongestSequence + 1> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast.at(length) || code > 0x10ffff || surrogate) { return {}; }
  return {length, code};
}

/// Controls, separators of lines, marks that change the direction of the text after them, and what has no width, so
/// that two names look alike: Unicode's categories Cc, Zl, Zp, of Cf what no script needs for its words, and letters
/// that are drawn as nothing (the fillers of Hangul, the blank of Braille).
bool isInvisible(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c || code == 0x180e ||
         code == 0x200b || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
         (code >= 0xe0000 && code <= 0xe007f) || code == 0x34f || code == 0x115f || code == 0x1160 || code == 0x2800 ||
         code == 0x3164 || code == 0xffa0;
}

std::string madePrintable(std::string_view bytes, bool lines) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const Character character = characterAt(bytes);
    const char first = bytes.front();
    const std::size_t length = std::max<std::size_t>(character.bytes, 1);
    if (lines && (first == '\n' || first == '\t')) {
      text += first;
    } else if (lines && bytes.starts_with("\r\n")) {
      // The line feed follows.
    } else if (first == '\n') {
      text += "\\n";
    } else if (character.bytes == 0 || isInvisible(character.code)) {
      for (const char c : bytes.substr(0, length)) { text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c)); }
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(length);
  }
  return text;
}

}  // namespace

std::string visibleJson(std::string json) {
  std::string text;
  std::size_t done = 0;
  for (std::size_t at = 0; at < json.size();) {
    const Character character = characterAt(std::string_view(json).substr(at));
    // Its layout has line breaks; in its strings they are written as such already.
    if (character.code >= 0x7f && isInvisible(character.code)) {
      text.append(json, done, at - done).append(fmt::format("\\u{:04x}", character.code));
      done = at + character.bytes;
    }
    at += std::max<std::size_t>(character.bytes, 1);
  }
  return done == 0 ? std::move(json) : text.append(json, done);
}

std::string printable(std::string_view bytes) { return madePrintable(bytes, false); }

std::string printableLines(std::string_view bytes) { return madePrintable(bytes, true); }

std::size_t characterEnd(std::string_view text, std::size_t at) {
  if (at >= text.size()) { return text.size(); }
  for (std::size_t back = 1; back < kLongestSequence && back <= at; ++back) {
    const std::size_t length = characterAt(text.substr(at - back)).bytes;
    if (length > 0) { return std::max(at, at - back + length); }
  }
  return at;
}

}  // namespace haloscope
