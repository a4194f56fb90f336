#include "program/TensorMap.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "language/Text.h"

namespace haloscope {

namespace {

constexpr std::size_t kMostDimensions = 5;
constexpr std::uint64_t kUnit = 16;  ///< bytes
constexpr int kBoxBits = 9, kStepBits = 4;

// The words, as kTensorCopies reads them.
constexpr std::size_t kFormat = 1, kSizes = 2, kStrides = 7, kLowBox = 11, kHighBox = 12, kSteps = 13;
constexpr std::size_t kInLowBox = 3;  ///< dimensions

}  // namespace

std::string TensorMap::problem() const {
  if (sizes.empty() || sizes.size() > kMostDimensions || box.size() != sizes.size()) {
    return tr("an array has one to five dimensions here, and the box as many");
  }
  for (const std::uint32_t extent : box) {
    if (extent == 0 || extent > 256) {
      return trf("the box has {} elements along one axis; a tensor copy takes 1 to 256", extent);
    }
  }
  if (box.front() * elementBytes % kUnit != 0) {
    return trf("the box has rows of {} bytes; a tensor copy takes multiples of 16", box.front() * elementBytes);
  }
  return {};
}

bool TensorMap::isAligned() const {
  return std::ranges::all_of(strides, [](std::uint64_t stride) { return stride % kUnit == 0; });
}

std::vector<std::byte> TensorMap::words() const {
  std::array<std::uint64_t, kWords> numbers{};
  numbers[kFormat] = sizes.size() | std::uint64_t{elementBytes} << 3;
  for (std::size_t axis = 0; axis < kMostDimensions; ++axis) {
    const bool has = axis < sizes.size();
    numbers[kSizes + axis] = has ? sizes[axis] : 1;
    if (axis > 0 && has) { numbers[kStrides + axis - 1] = strides[axis - 1]; }
    const std::uint64_t extent = has ? box[axis] : 1;
    const std::uint64_t step = has && axis < elementStrides.size() ? elementStrides[axis] : 1;
    numbers[axis < kInLowBox ? kLowBox : kHighBox] |= extent << (kBoxBits * static_cast<int>(axis % kInLowBox));
    numbers[kSteps] |= step << (kStepBits * static_cast<int>(axis));
  }
  for (std::uint64_t& number : numbers) { number += base; }
  std::vector<std::byte> bytes(sizeof numbers);
  std::memcpy(bytes.data(), numbers.data(), sizeof numbers);
  return bytes;
}

std::optional<TensorMap> TensorMap::read(std::span<const std::byte> words) {
  std::array<std::uint64_t, kWords> numbers{};
  if (words.size() != sizeof numbers) { return std::nullopt; }
  std::memcpy(numbers.data(), words.data(), sizeof numbers);
  TensorMap map;
  map.base = numbers[0];
  if (map.base == PackedPointer::kNull || map.base == 0) { return std::nullopt; }
  for (std::uint64_t& number : numbers) { number -= map.base; }
  const std::size_t dimensions = numbers[kFormat] & 7U;
  if (dimensions == 0 || dimensions > kMostDimensions) { return std::nullopt; }
  map.elementBytes = static_cast<std::uint32_t>(numbers[kFormat] >> 3);
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    map.sizes.push_back(numbers[kSizes + axis]);
    if (axis > 0) { map.strides.push_back(numbers[kStrides + axis - 1]); }
    const std::uint64_t extents = numbers[axis < kInLowBox ? kLowBox : kHighBox];
    const std::uint64_t extent = extents >> (kBoxBits * static_cast<int>(axis % kInLowBox));
    map.box.push_back(static_cast<std::uint32_t>(extent & ((1U << kBoxBits) - 1)));
    const std::uint64_t step = numbers[kSteps] >> (kStepBits * static_cast<int>(axis));
    map.elementStrides.push_back(static_cast<std::uint32_t>(step & ((1U << kStepBits) - 1)));
  }
  return map;
}

}  // namespace haloscope
