#pragma once

#include <cstdint>

/// Which lane a warp shuffle takes its value from, as CUDA's __shfl_sync and its kin define it.
namespace haloscope {

enum class ShuffleKind : std::uint8_t { Index, Up, Down, Xor };

/// A shuffle and the width of the groups of lanes that it stays in: 1, 2, 4, 8, 16 or 32.
struct ShuffleMode {
  ShuffleKind kind = ShuffleKind::Index;
  int width = 32;

  [[nodiscard]] constexpr std::uint32_t pack() const {
    return static_cast<std::uint32_t>(kind) | static_cast<std::uint32_t>(width) << 8;
  }
  [[nodiscard]] static constexpr ShuffleMode unpack(std::uint32_t packed) {
    return {static_cast<ShuffleKind>(packed & 0xff), static_cast<int>(packed >> 8)};
  }
};

/// The lane whose value `lane` takes; `operand` is the lane, distance or lane mask that it asks for. A lane that asks
/// beyond its group takes its own value.
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
  // A group may look back at those before it, not ahead at those behind it.
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
