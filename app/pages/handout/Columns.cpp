#include "handout/Columns.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "text/JsonText.h"

namespace haloscope::handout {

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

std::string Columns::bytes(nlohmann::ordered_json facts) const {
  facts["columns"] = list_;
  return container(jsonText(facts), bytes_);
}

std::string container(const std::string& text, const std::string& bytes) {
  std::string whole;
  for (unsigned shift = 0; shift < 32; shift += 8) { whole += static_cast<char>(text.size() >> shift & 0xffU); }
  return whole + text + bytes;
}

}  // namespace haloscope::handout
