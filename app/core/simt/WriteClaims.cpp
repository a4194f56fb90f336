#include "simt/WriteClaims.h"

#include <algorithm>
#include <cstddef>

namespace haloscope::simt {

namespace {

constexpr std::uint64_t kEachByte = 0x0101010101010101;
constexpr std::uint64_t kPerWord = 8;

/// The bytes of a word that are not zero, as bytes of ones.
std::uint64_t usedBytes(std::uint64_t word) {
  constexpr std::uint64_t kLow = 0x7f * kEachByte;
  const std::uint64_t high = (((word & kLow) + kLow) | word) & ~kLow;  // the top bit of each byte that is not zero
  return (high >> 7) * 0xff;
}

}  // namespace

WriteClaims::WriteClaims(const Program& program, const Launch& launch) : owners_(program.objects.size()) {
  const std::vector<bool> written = writtenObjects(program);
  for (std::size_t object = 0; object < owners_.size(); ++object) {
    if (!written[object] || program.objects[object].space != MemorySpace::Global) { continue; }
    const ArrayData& array = launch.arrays[object];
    const auto elements = static_cast<std::uint64_t>(array.elementCount());
    owners_[object].elementBytes = static_cast<std::uint64_t>(sizeInMemory(array.element));
    owners_[object].words =
        std::make_unique<std::atomic<std::uint64_t>[]>(static_cast<std::size_t>(elements / kPerWord + 1));
  }
}

/// False if a byte of the mask belongs to another worker.
bool WriteClaims::take(std::atomic<std::uint64_t>& word, std::uint64_t mask, std::uint64_t mine) {
  std::uint64_t old = word.load(std::memory_order_relaxed);
  while (true) {
    if ((old & mask) == (mine & mask)) { return true; }
    const std::uint64_t others = usedBytes(old) & usedBytes(old ^ mine) & mask;
    if (others != 0) { return false; }
    const std::uint64_t wanted = (old & ~mask) | (mine & mask);
    if (word.compare_exchange_weak(old, wanted, std::memory_order_relaxed)) { return true; }
  }
}

/// Takes neighbouring elements, from `first` up to `end`.
bool WriteClaims::takeRow(const Owners& owners, std::uint64_t first, std::uint64_t end, std::uint64_t mine) {
  for (std::uint64_t at = first; at < end;) {
    const std::uint64_t begin = at % kPerWord, next = std::min(at - begin + kPerWord, end), count = next - at;
    const std::uint64_t bytes = count == kPerWord ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * count)) - 1;
    if (!take(owners.words[static_cast<std::size_t>(at / kPerWord)], bytes << (8 * begin), mine)) { return false; }
    at = next;
  }
  return true;
}

LaneMask WriteClaims::claim(ObjectId object, const std::uint64_t* index, int size, LaneMask lanes,
                            std::uint8_t worker) {
  const Owners& owners = owners_[object];
  if (owners.elementBytes == 0) { return lanes; }
  const std::uint64_t mine = kEachByte * worker;
  const auto bytes = static_cast<std::uint64_t>(size);
  for (int lane = 0; lane < kWarpSize;) {
    if ((lanes >> lane & 1U) == 0) {
      ++lane;
      continue;
    }
    std::uint64_t first = index[lane], end = first;
    while (lane < kWarpSize && (lanes >> lane & 1U) != 0 && index[lane] == end) {
      ++lane;
      ++end;
    }
    if (bytes != owners.elementBytes) {
      end = (end * bytes + owners.elementBytes - 1) / owners.elementBytes;
      first = first * bytes / owners.elementBytes;
    }
    if (!takeRow(owners, first, end, mine)) {
      conflict_.store(true, std::memory_order_relaxed);
      return 0;
    }
  }
  return lanes;
}

}  // namespace haloscope::simt
