#include "handout/Columns.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "text/JsonText.h"

namespace haloscope::handout {

namespace {

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string result(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(result.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), 6);
  if (status != Z_OK) { throw std::runtime_error("zlib could not compress the recording"); }
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

void Columns::add(const char* name, const std::vector<std::uint32_t>& numbers, bool neighbours) {
  add(name, numbers, neighbours ? Kind::Neighbours : Kind::Numbers);
}

void Columns::add(const char* name, const std::vector<std::int64_t>& numbers) {
  std::vector<std::uint32_t> lows, highs;
  for (const std::int64_t number : numbers) {
    lows.push_back(static_cast<std::uint32_t>(number));
    highs.push_back(static_cast<std::uint32_t>(number >> 32));
  }
  add(name, lows, Kind::Neighbours);
  if (std::ranges::any_of(highs, [](std::uint32_t high) { return high != 0; })) { add(name, highs, Kind::UpperHalves); }
}

void Columns::add(const char* name, const std::vector<std::uint32_t>& numbers, Kind kind) {
  list_.push_back({name, numbers.size(), static_cast<int>(kind)});
  std::vector<std::uint32_t> stored = numbers;
  if (kind == Kind::Neighbours) {
    // Zigzag, so that a small negative difference has zeros in its upper bytes, too.
    std::uint32_t before = 0;
    for (std::uint32_t& number : stored) {
      const std::uint32_t difference = number - std::exchange(before, number);
      number = difference << 1U ^ (0U - (difference >> 31U));
    }
  }
  // All lowest bytes, then all second ones: alike bytes next to each other compress better.
  for (unsigned shift = 0; shift < 32; shift += 8) {
    for (const std::uint32_t number : stored) { bytes_ += static_cast<char>(number >> shift & 0xffU); }
  }
}

std::string Columns::packed(nlohmann::ordered_json facts) const {
  facts["columns"] = list_;
  const std::string text = jsonText(facts);
  std::string whole;
  for (unsigned shift = 0; shift < 32; shift += 8) { whole += static_cast<char>(text.size() >> shift & 0xffU); }
  return base64(deflated(whole + text + bytes_));
}

}  // namespace haloscope::handout
