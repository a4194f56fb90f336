#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// Sets of elements, one bit each; empty until the first is marked.
namespace haloscope::faults {

inline constexpr std::size_t kWordBits = 64;

inline void mark(std::vector<std::uint64_t>& set, std::int64_t index, std::int64_t count) {
  if (set.empty()) { set.resize((static_cast<std::size_t>(count) + kWordBits - 1) / kWordBits); }
  set[static_cast<std::size_t>(index) / kWordBits] |= std::uint64_t{1} << (static_cast<std::size_t>(index) % kWordBits);
}

inline bool isMarked(const std::vector<std::uint64_t>& set, std::int64_t index) {
  const auto at = static_cast<std::size_t>(index);
  return !set.empty() && (set[at / kWordBits] >> (at % kWordBits) & 1) != 0;
}

inline void unite(std::vector<std::uint64_t>& set, const std::vector<std::uint64_t>& other) {
  if (set.size() < other.size()) { set.resize(other.size()); }
  for (std::size_t i = 0; i < other.size(); ++i) { set[i] |= other[i]; }
}

}  // namespace haloscope::faults
