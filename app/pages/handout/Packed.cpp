#include "handout/Packed.h"

#include <zlib.h>

#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace haloscope::handout {

namespace {

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string result(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  if (status != Z_OK) { throw std::runtime_error("zlib could not compress what the page holds"); }
  result.resize(size);
  return result;
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t at) { return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U; };
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const unsigned three = byte(at) << 16U | byte(at + 1) << 8U | byte(at + 2);
    for (int digit = 3; digit >= 0; --digit) {
      const bool filled = at + static_cast<std::size_t>(3 - digit) <= bytes.size();
      text += filled ? kDigits[three >> (6U * static_cast<unsigned>(digit)) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace

std::string base64OfDigits(const std::string& digits) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16));
  }
  return base64(bytes);
}

std::string packed(const std::string& bytes) { return base64(deflated(bytes)); }

}  // namespace haloscope::handout
