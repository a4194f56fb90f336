#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

/// IEEE 754 binary16, CUDA's __half: 1 sign bit, 5 of exponent, 10 of fraction. The emulator computes with such values
/// as floats or doubles, and rounds each result.
namespace haloscope {

/// The nearest value representable as a half, ties to even; infinity from 65520 on. Branch-free, so that it vectorises.
template <class T>
[[nodiscard]] constexpr T roundedToHalf(T value) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  constexpr int kDigits = std::numeric_limits<T>::digits;
  constexpr int kDropped = kDigits - 11;
  constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
  constexpr Bits kInfinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  constexpr Bits kSmallestNormal = std::bit_cast<Bits>(T{0x1p-14});
  constexpr Bits kTooLarge = std::bit_cast<Bits>(T{65536});
  // At this magnitude the last bit of a T has the weight of that of the smallest halves: 2^-24.
  constexpr T kSubnormalRounder = sizeof(T) == 8 ? T{0x1p28} : T{0.5};
  const Bits bits = std::bit_cast<Bits>(value);
  const Bits magnitude = bits & ~kSign;
  const Bits subnormal = std::bit_cast<Bits>((std::bit_cast<T>(magnitude) + kSubnormalRounder) - kSubnormalRounder);
  const Bits half = (Bits{1} << (kDropped - 1)) - 1 + (magnitude >> kDropped & 1U);
  const Bits normal = (magnitude + half) & ~((Bits{1} << kDropped) - 1);
  const Bits finite = magnitude < kSmallestNormal ? subnormal : (normal >= kTooLarge ? kInfinity : normal);
  const Bits rounded = magnitude > kInfinity ? magnitude : finite;  // a NaN stays one
  return std::bit_cast<T>(static_cast<Bits>(rounded | (bits & kSign)));
}

/// The value encoded by 16 bits.
[[nodiscard]] constexpr float halfValue(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t magnitude = bits & 0x7fffU;
  if (magnitude >= 0x7c00U) { return std::bit_cast<float>(sign | 0x7f800000U | (magnitude & 0x3ffU) << 13); }
  if (magnitude < 0x400U) {
    const float value = static_cast<float>(magnitude) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
  }
  return std::bit_cast<float>(sign | ((magnitude << 13) + (112U << 23)));
}

/// The 16 bits of the nearest half. A NaN keeps the upper bits of its fraction: all ones stay all ones.
[[nodiscard]] constexpr std::uint16_t halfBits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(roundedToHalf(value));
  const std::uint32_t sign = bits >> 16 & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  if (magnitude > 0x7f800000U) { return static_cast<std::uint16_t>(sign | 0x7c00U | (magnitude >> 13 & 0x3ffU) | 1U); }
  if (magnitude == 0x7f800000U) { return static_cast<std::uint16_t>(sign | 0x7c00U); }
  if (magnitude < 0x38800000U) {
    const auto steps = static_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p24F);
    return static_cast<std::uint16_t>(sign | steps);
  }
  return static_cast<std::uint16_t>(sign | (magnitude - (112U << 23)) >> 13);
}

}  // namespace haloscope
