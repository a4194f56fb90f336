#include "program/NumberText.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

TimeUnit timeUnit(double milliseconds) {
  if (milliseconds >= 0.1) { return {"ms", 1}; }
  return milliseconds >= 1e-4 ? TimeUnit{"µs", 1e3} : TimeUnit{"ns", 1e6};
}

std::string timeText(double milliseconds) {
  const TimeUnit unit = timeUnit(milliseconds);
  return fmt::format("{:.{}f} {}", milliseconds * unit.perMillisecond, unit.perMillisecond > 1 ? 2 : 3, unit.name);
}

std::string timeText(double milliseconds, const TimeUnit& unit) {
  const double value = milliseconds * unit.perMillisecond;
  return value < 1e3 ? fmt::format("{:.4g} {}", value, unit.name)
                     : fmt::format("{} {}", grouped(static_cast<std::uint64_t>(std::lround(value))), unit.name);
}

std::string timeRangeText(double lowMs, double highMs) {
  const double longer = std::max(lowMs, highMs);
  const TimeUnit unit = timeUnit(longer);
  const auto two = [&](double milliseconds) {
    const double value = milliseconds * unit.perMillisecond;
    return fmt::format("{:.{}f}", value, value >= 9.95 ? 0 : value >= 0.995 ? 1 : 2);
  };
  const std::string low = two(std::min(lowMs, highMs)), high = two(longer);
  return low == high ? fmt::format("{} {}", high, unit.name) : fmt::format("{} … {} {}", low, high, unit.name);
}

}  // namespace haloscope
