#include "inputs/PngChunks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "language/Text.h"

namespace haloscope::inputs {

namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";

constexpr std::array<std::uint32_t, 256> kRemainders = [] {
  constexpr std::uint32_t kPolynomial = 0xedb88320;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) { rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? kPolynomial : 0U); }
    table[byte] = rest;
  }
  return table;
}();

/// CRC-32, as PNG, zlib and Ethernet have it.
std::uint32_t checksum(std::string_view bytes) {
  std::uint32_t rest = 0xffffffff;
  for (const char c : bytes) { rest = kRemainders[(rest ^ static_cast<unsigned char>(c)) & 0xffU] ^ (rest >> 8U); }
  return ~rest;
}

std::uint32_t numberAt(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) { value = value << 8U | static_cast<unsigned char>(bytes[at + i]); }
  return value;
}

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

std::string damageOfPng(std::string_view bytes) {
  if (!bytes.starts_with(kSignature)) { return {}; }
  constexpr std::size_t kAround = 12;  // bytes of a part besides its data: length, name, checksum
  for (std::size_t at = kSignature.size();;) {
    if (bytes.size() - at < kAround) { return trf("it ends after {} bytes, before its last part", bytes.size()); }
    const std::string_view name = bytes.substr(at + 4, 4);
    if (!std::ranges::all_of(name, isLetter)) { return trf("at byte {} no part of a PNG begins", at); }
    const std::size_t length = numberAt(bytes, at);
    if (length > bytes.size() - at - kAround) {
      return trf("its part {} at byte {} is cut off: {} of {} bytes are there", name, at, bytes.size() - at - kAround,
                 length);
    }
    if (checksum(bytes.substr(at + 4, 4 + length)) != numberAt(bytes, at + 8 + length)) {
      return trf("the checksum of its part {} at byte {} is wrong", name, at);
    }
    if (name == "IEND") { return {}; }
    at += kAround + length;
  }
}

}  // namespace haloscope::inputs
