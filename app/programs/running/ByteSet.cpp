#include "running/ByteSet.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace haloscope::running {

namespace {

constexpr std::uint64_t kWordBits = 64;

/// The first bit from there on that is set, or is not; the number of bits if there is none.
std::uint64_t firstBit(const std::vector<std::uint64_t>& bits, std::uint64_t from, bool set) {
  const std::uint64_t count = bits.size() * kWordBits;
  for (std::uint64_t at = from; at < count;) {
    const std::uint64_t word = set ? bits[at / kWordBits] : ~bits[at / kWordBits];
    const std::uint64_t rest = word >> (at % kWordBits);
    if (rest != 0) { return at + static_cast<std::uint64_t>(std::countr_zero(rest)); }
    at = (at / kWordBits + 1) * kWordBits;
  }
  return count;
}

}  // namespace

ByteSet ByteSet::rows(std::uint64_t begin, std::uint64_t pitch, std::uint64_t width, std::uint64_t height) {
  ByteSet set;
  if (width == 0 || height == 0) { return set; }
  if (pitch == width || height == 1) {
    width *= height;
    pitch = width;
    height = 1;
  }
  set.begin_ = begin;
  set.end_ = begin + (height - 1) * pitch + width;
  set.pitch_ = pitch;
  set.width_ = width;
  return set;
}

ByteSet ByteSet::units(std::uint64_t unitBytes, std::vector<std::uint64_t> bits) {
  const std::uint64_t first = firstBit(bits, 0, true);
  if (first == bits.size() * kWordBits) { return {}; }
  const auto last = std::ranges::find_if(bits.rbegin(), bits.rend(), [](std::uint64_t one) { return one != 0; });
  const auto words = static_cast<std::uint64_t>(bits.rend() - last);
  const std::uint64_t end = words * kWordBits - static_cast<std::uint64_t>(std::countl_zero(*last));
  if (firstBit(bits, first, false) >= end) {
    return rows(first * unitBytes, (end - first) * unitBytes, (end - first) * unitBytes, 1);
  }
  ByteSet set;
  set.begin_ = first * unitBytes;
  set.end_ = end * unitBytes;
  set.unit_ = unitBytes;
  set.base_ = first / kWordBits * kWordBits;
  set.bits_.assign(bits.begin() + static_cast<std::ptrdiff_t>(first / kWordBits),
                   bits.begin() + static_cast<std::ptrdiff_t>(words));
  return set;
}

std::optional<ByteRun> ByteSet::next(std::uint64_t from) const {
  from = std::max(from, begin_);
  if (from >= end_) { return std::nullopt; }
  if (unit_ == 0) {
    const std::uint64_t row = (from - begin_) / pitch_;
    const std::uint64_t begin = begin_ + row * pitch_;
    // Between two rows.
    if (from >= begin + width_) { return ByteRun{begin + pitch_, begin + pitch_ + width_}; }
    return ByteRun{from, begin + width_};
  }
  const std::uint64_t first = firstBit(bits_, from / unit_ - base_, true);
  return ByteRun{std::max(from, (base_ + first) * unit_), (base_ + firstBit(bits_, first, false)) * unit_};
}

std::optional<ByteRun> firstCommon(const ByteSet& one, const ByteSet& other, std::uint64_t from) {
  std::optional<ByteRun> a = one.next(from), b = other.next(from);
  while (a && b) {
    if (a->end <= b->begin) {
      a = one.next(b->begin);
    } else if (b->end <= a->begin) {
      b = other.next(a->begin);
    } else {
      return ByteRun{std::max(a->begin, b->begin), std::min(a->end, b->end)};
    }
  }
  return std::nullopt;
}

}  // namespace haloscope::running
