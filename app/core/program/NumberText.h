#pragma once

#include <cstdint>
#include <string>

/// Numbers as text for the user.
namespace haloscope {

/// "1,038".
[[nodiscard]] std::string grouped(std::uint64_t number);
/// "3,072 B"; "297 kB" from a hundred thousand on, then "13.7 MB", "1.37 GB" (powers of ten).
[[nodiscard]] std::string byteText(std::uint64_t bytes);

struct TimeUnit {
  const char* name;
  double perMillisecond;
};
/// That a time is legible in.
[[nodiscard]] TimeUnit timeUnit(double milliseconds);
/// "0.744 ms", "8.21 µs", "1.85 ns".
[[nodiscard]] std::string timeText(double milliseconds);
/// To four digits in a unit that several times have in common: "0.7443 ms", "1,024 µs".
[[nodiscard]] std::string timeText(double milliseconds, const TimeUnit& unit);
/// In the unit of the longer one, to two digits: "55 … 84 ns", "0.61 … 1.3 µs".
[[nodiscard]] std::string timeRangeText(double lowMs, double highMs);

}  // namespace haloscope
