#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace haloscope::fuzz {

/// What fuzz_answer reads: a request to the compiler's process, encoded, and what claims to be the answer to it.
struct AskedAnswer {
  std::vector<std::byte> request, answer;
};

/// The request's length in four bytes, the request, the answer.
[[nodiscard]] inline std::vector<std::byte> join(const AskedAnswer& asked) {
  std::vector<std::byte> bytes;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<std::byte>(asked.request.size() >> shift & 0xffU));
  }
  bytes.insert(bytes.end(), asked.request.begin(), asked.request.end());
  bytes.insert(bytes.end(), asked.answer.begin(), asked.answer.end());
  return bytes;
}

/// None of bytes that are shorter than they say.
[[nodiscard]] inline std::optional<AskedAnswer> split(std::span<const std::byte> bytes) {
  constexpr std::size_t kLength = 4;
  if (bytes.size() < kLength) { return std::nullopt; }
  std::size_t length = 0;
  for (std::size_t i = 0; i < kLength; ++i) { length |= std::to_integer<std::size_t>(bytes[i]) << 8 * i; }
  bytes = bytes.subspan(kLength);
  if (length > bytes.size()) { return std::nullopt; }
  return AskedAnswer{{bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)},
                     {bytes.begin() + static_cast<std::ptrdiff_t>(length), bytes.end()}};
}

}  // namespace haloscope::fuzz
