#include "simt/WriteClaims.h"

#include <bit>
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
    owners_[object].words = std::make_unique<std::atomic<std::uint64_t>[]>(elements / kPerWord + 1);
  }
}

/// False if a byte of the mask belongs to another worker.
bool WriteClaims::take(std::atomic<std::uint64_t>& word, std::uint64_t mask, std::uint64_t mine) {
  std::uint64_t old = word.load(std::memory_order_relaxed);
  while (true) {
    const std::uint64_t others = usedBytes(old) & usedBytes(old ^ mine) & mask;
    if (others != 0) { return false; }
    const std::uint64_t wanted = (old & ~mask) | (mine & mask);
    if (wanted == old || word.compare_exchange_weak(old, wanted, std::memory_order_relaxed)) { return true; }
  }
}

LaneMask WriteClaims::claim(ObjectId object, const std::uint64_t* index, int size, LaneMask lanes,
                            std::uint8_t worker) {
  const Owners& owners = owners_[object];
  if (owners.elementBytes == 0) { return lanes; }
  const std::uint64_t mine = kEachByte * worker;
  const auto bytes = static_cast<std::uint64_t>(size);
  std::uint64_t word = 0, mask = 0;
  const auto flush = [&] { return mask == 0 || take(owners.words[word], mask, mine); };
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t begin = index[std::countr_zero(rest)] * bytes;
    const std::uint64_t last = (begin + bytes - 1) / owners.elementBytes;
    for (std::uint64_t element = begin / owners.elementBytes; element <= last; ++element) {
      if (element / kPerWord != word) {
        if (!flush()) {
          conflict_.store(true, std::memory_order_relaxed);
          return 0;
        }
        word = element / kPerWord;
        mask = 0;
      }
      mask |= std::uint64_t{0xff} << (8 * (element % kPerWord));
    }
  }
  if (flush()) { return lanes; }
  conflict_.store(true, std::memory_order_relaxed);
  return 0;
}

}  // namespace haloscope::simt
