#include "program/NumberText.h"

#include <fmt/format.h>

namespace haloscope {

std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) { text += ','; }
    text += digits[i];
  }
  return text;
}

std::string byteText(std::uint64_t bytes) {
  if (bytes < 100'000) { return grouped(bytes) + " B"; }
  const auto amount = static_cast<double>(bytes);
  const auto three = [](double value, const char* unit) {
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", value, decimals, unit);
  };
  if (bytes < 1'000'000) { return three(amount / 1e3, "kB"); }
  if (bytes < 1'000'000'000) { return three(amount / 1e6, "MB"); }
  return three(amount / 1e9, "GB");
}

}  // namespace haloscope
