#include "host/ArrayGathering.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <set>

#include "host/HostHeap.h"
#include "host/RuntimeCall.h"

namespace haloscope::host {

namespace {

constexpr std::size_t kMostArrays = 64;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

struct Gathering {
  std::mutex mutex;
  bool on = false;
  std::set<std::size_t> sizes;
  std::vector<std::vector<std::byte>> arrays;
  std::size_t bytes = 0;
};
Gathering& gathering() {
  static Gathering one;
  return one;
}

void keep(std::span<const std::byte> block) {
  Gathering& all = gathering();
  const std::lock_guard lock(all.mutex);
  if (!all.sizes.contains(block.size()) || all.arrays.size() >= kMostArrays || all.bytes + block.size() > kMostBytes ||
      std::ranges::any_of(all.arrays, [&](const auto& known) { return std::ranges::equal(known, block); })) {
    return;
  }
  all.arrays.emplace_back(block.begin(), block.end());
  all.bytes += block.size();
}

}  // namespace

void gatherArrays() {
  gathering().on = true;
  watchHeap(keep);
}

void noteCopied(std::size_t bytes) {
  Gathering& all = gathering();
  if (!all.on) { return; }
  const std::lock_guard lock(all.mutex);
  all.sizes.insert({bytes, 2 * bytes, bytes / 2});
}

std::vector<std::vector<std::byte>> gatheredArrays(const Guest& guest) {
  endWatchingHeap();
  for (const std::span<const std::byte> block : heapBlocks()) { keep(block); }
  for (const std::span<const std::byte> variable : guest.variables()) { keep(variable); }
  for (const runtime::HostBlock& block : runtime::state().blocks) {
    if (block.use == KernelUse::None) { keep({block.data, block.bytes}); }
  }
  return std::move(gathering().arrays);
}

namespace {

/// Whether nothing seems to have been put into a block: it is filled with one value, but for what its allocator left.
bool isUnset(std::span<const std::byte> block) {
  constexpr std::size_t kMostValues = 8;
  std::set<std::uint32_t> values;
  for (std::size_t at = 0; at + sizeof(std::uint32_t) <= block.size() && values.size() <= kMostValues; at += 4) {
    std::uint32_t value = 0;
    std::memcpy(&value, &block[at], sizeof value);
    values.insert(value);
  }
  return values.size() <= kMostValues;
}

}  // namespace

void giveArray(std::size_t index, std::span<const std::byte> contents) {
  for (const std::span<std::byte> block : heapBlocks()) {
    if (block.size() != contents.size() || contents.empty() || !isUnset(block) || index-- > 0) { continue; }
    std::ranges::copy(contents, block.begin());
    return;
  }
}

}  // namespace haloscope::host
