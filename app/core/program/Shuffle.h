#pragma once

#include <cstdint>

/// Which lane a warp shuffle takes its value from, as defined for CUDA's __shfl_sync and its variants.
namespace haloscope {

enum class ShuffleKind : std::uint8_t { Index, Up, Down, Xor };

/// A shuffle, and the width of the groups of lanes within which it works: 1, 2, 4, 8, 16 or 32.
struct ShuffleMode {
  static constexpr int kInOperand = 0;  ///< the width is not the same in all lanes: see ShuffleOperand
  ShuffleKind kind = ShuffleKind::Index;
  int width = 32;

  [[nodiscard]] constexpr std::uint32_t pack() const {
    return static_cast<std::uint32_t>(kind) | static_cast<std::uint32_t>(width) << 8;
  }
  [[nodiscard]] static constexpr ShuffleMode unpack(std::uint32_t packed) {
    return {static_cast<ShuffleKind>(packed & 0xff), static_cast<int>(packed >> 8)};
  }
};

/// What a lane passes to a shuffle of a width that the text does not settle: the width above the 8 bits of the lane.
struct ShuffleOperand {
  static constexpr int kWidthShift = 8;

  [[nodiscard]] static constexpr int width(ShuffleMode mode, std::uint32_t operand) {
    return mode.width == ShuffleMode::kInOperand ? static_cast<int>(operand >> kWidthShift) : mode.width;
  }
  /// Of any other width the result is undefined.
  [[nodiscard]] static constexpr bool isWidth(int width) {
    return width > 0 && width <= 32 && (width & (width - 1)) == 0;
  }
};

/// The lane whose value `lane` takes; `operand` is the lane, distance or lane mask that it passes. A lane that
/// addresses a lane beyond its group takes its own value.
[[nodiscard]] constexpr int shuffleSource(ShuffleKind kind, int width, int lane, std::uint32_t operand) {
  const int first = lane & ~(width - 1);
  const int asked = static_cast<int>(operand & 31U);
  switch (kind) {
    case ShuffleKind::Index:
      return first + (asked & (width - 1));
    case ShuffleKind::Up:
      return lane - asked < first ? lane : lane - asked;
    case ShuffleKind::Down:
      return lane + asked >= first + width ? lane : lane + asked;
    case ShuffleKind::Xor:
      break;
  }
  // A group may read from lower groups, not from higher ones.
  return (lane ^ asked) >= first + width ? lane : lane ^ asked;
}

[[nodiscard]] constexpr const char* name(ShuffleKind kind) {
  switch (kind) {
    case ShuffleKind::Index:
      return "Index";
    case ShuffleKind::Up:
      return "Up";
    case ShuffleKind::Down:
      return "Down";
    case ShuffleKind::Xor:
      break;
  }
  return "Xor";
}

}  // namespace haloscope
