#include "program/NumberText.h"

#include <fmt/format.h>

#include <algorithm>

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

std::string timeText(double milliseconds) {
  if (milliseconds >= 0.1) { return fmt::format("{:.3f} ms", milliseconds); }
  return milliseconds >= 1e-4 ? fmt::format("{:.2f} µs", milliseconds * 1e3)
                              : fmt::format("{:.2f} ns", milliseconds * 1e6);
}

std::string timeRangeText(double lowMs, double highMs) {
  const double longer = std::max(lowMs, highMs);
  const double unit = longer >= 0.1 ? 1 : longer >= 1e-4 ? 1e-3 : 1e-6;
  const auto two = [&](double milliseconds) {
    const double value = milliseconds / unit;
    return fmt::format("{:.{}f}", value, value >= 9.95 ? 0 : value >= 0.995 ? 1 : 2);
  };
  const std::string low = two(std::min(lowMs, highMs)), high = two(longer);
  const char* name = unit == 1 ? "ms" : unit == 1e-3 ? "µs" : "ns";
  return low == high ? fmt::format("{} {}", high, name) : fmt::format("{} … {} {}", low, high, name);
}

}  // namespace haloscope
