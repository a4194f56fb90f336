#include "host/ComparedValues.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>

#include "host/HostHeap.h"

namespace haloscope::host {

namespace {

constexpr std::size_t kMostComparedArrays = 64;
constexpr std::size_t kMostComparedBytes = std::size_t{64} << 20;

struct ComparedArray {
  std::uintptr_t begin = 0;
  std::vector<std::byte> values;
  std::vector<bool> compared;  ///< by byte

  [[nodiscard]] bool has(std::uintptr_t address, std::size_t bytes) const {
    return address >= begin && bytes <= values.size() && address - begin <= values.size() - bytes;
  }
};

struct Comparisons {
  std::mutex mutex;
  bool on = false;
  std::vector<ComparedArray> arrays;  ///< those that are there, no two of which overlap
  std::vector<std::vector<std::byte>> past;
  std::size_t bytes = 0;
};
Comparisons& comparisons() {
  static Comparisons one;
  return one;
}

/// The memory has another content from now on.
void closeCompared(std::span<const std::byte> memory) {
  Comparisons& all = comparisons();
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
  for (std::size_t i = all.arrays.size(); i-- > 0;) {
    ComparedArray& one = all.arrays[i];
    if (one.begin >= begin + memory.size() || begin >= one.begin + one.values.size()) { continue; }
    if (std::ranges::find(one.compared, true) != one.compared.end()) { all.past.push_back(std::move(one.values)); }
    all.arrays.erase(all.arrays.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void closeComparedIn(std::span<const std::byte> block) {
  const std::lock_guard lock(comparisons().mutex);
  closeCompared(block);
}

ComparedArray* comparedArrayAt(const void* address, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto found =
      std::ranges::find_if(comparisons().arrays, [&](const ComparedArray& one) { return one.has(at, bytes); });
  return found == comparisons().arrays.end() ? nullptr : &*found;
}

/// `bytes` of an element are compared with others: what it is to be taken for. `other`: where those are; null: they
/// are computed.
std::uint64_t compared(const void* own, const void* other, std::uint64_t value, std::uint64_t with,
                       std::uint32_t bytes) {
  const std::lock_guard lock(comparisons().mutex);
  ComparedArray* const array = comparedArrayAt(own, bytes);
  // Two results of the device are no reference for each other.
  if (array == nullptr || (other != nullptr && comparedArrayAt(other, bytes) != nullptr)) { return value; }
  const std::size_t at = reinterpret_cast<std::uintptr_t>(own) - array->begin;
  if (!array->compared[at]) {
    std::memcpy(&array->values[at], &with, bytes);
    std::fill_n(array->compared.begin() + static_cast<std::ptrdiff_t>(at), bytes, true);
  }
  std::uint64_t taken = 0;
  std::memcpy(&taken, &array->values[at], bytes);
  return taken;
}

}  // namespace

GuestSymbols comparisonSymbols() { return {{"haloscope_compared", reinterpret_cast<void*>(compared)}}; }

void noteComparisons() {
  comparisons().on = true;
  watchHeap(closeComparedIn);
}

void noteArrival(std::span<const std::byte> array) {
  Comparisons& all = comparisons();
  if (!all.on || array.empty()) { return; }
  const std::lock_guard lock(all.mutex);
  closeCompared(array);
  if (all.arrays.size() + all.past.size() >= kMostComparedArrays || all.bytes + array.size() > kMostComparedBytes) {
    return;
  }
  all.bytes += array.size();
  all.arrays.push_back({.begin = reinterpret_cast<std::uintptr_t>(array.data()),
                        .values = {array.begin(), array.end()},
                        .compared = std::vector<bool>(array.size())});
}

std::vector<std::vector<std::byte>> comparedValues() {
  endWatchingHeap();
  Comparisons& all = comparisons();
  const std::lock_guard lock(all.mutex);
  all.on = false;
  while (!all.arrays.empty()) {
    const ComparedArray& one = all.arrays.back();
    closeCompared({reinterpret_cast<const std::byte*>(one.begin), one.values.size()});
  }
  return std::move(all.past);
}

}  // namespace haloscope::host
