#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "program/Program.h"

namespace haloscope {

/// What a CUtensorMap says: an array of up to five dimensions, the fastest first, and the box of it that one tensor
/// copy moves.
struct TensorMap {
  static constexpr std::size_t kWords = 16;

  std::uint64_t base = 0;  ///< a packed pointer, or an address of the GPU
  std::uint32_t elementBytes = 4;
  std::vector<std::uint64_t> sizes{};
  std::vector<std::uint64_t> strides{};  ///< bytes from row to row, from plane to plane …: one less
  std::vector<std::uint32_t> box{};
  std::vector<std::uint32_t> elementStrides{};

  /// Why the driver refuses it whatever the array's sizes are; empty: it does not.
  [[nodiscard]] std::string problem() const;
  /// Whether the array's rows begin at multiples of 16 bytes, as the hardware needs it.
  [[nodiscard]] bool isAligned() const;
  /// The parameter as kernels find it on the emulator: `base`, then numbers, each as what has been added to `base`, so
  /// that a launch binds them like any table of pointers.
  [[nodiscard]] std::vector<std::byte> words() const;
  /// None if the parameter describes no array.
  [[nodiscard]] static std::optional<TensorMap> read(std::span<const std::byte> words);
};

}  // namespace haloscope
