#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// The arrays of a block as the memory panel shows them: slices of rows and columns of cells.
namespace haloscope::ui {

/// The range of values that shades represent.
struct ValueRange {
  double low = 0, high = 1;
  [[nodiscard]] float shade(double value) const;  ///< 0…1
};

/// A value of any arithmetic type as a number.
[[nodiscard]] double numberOf(ValueType type, std::uint64_t bits);

struct BlockArray {
  enum class Kind : std::uint8_t { Shared, Register, Constant };

  Kind kind = Kind::Shared;
  std::string name;
  ImU32 hue = 0;  ///< of its interior points, and of its name
  ValueType type = ValueType::F32;
  std::vector<std::int64_t> extents;  ///< slowest first
  std::vector<recording::CarrierCell> cells;
  std::vector<bool> readByThread;  ///< per cell: the selected thread reads it in the current step
  ValueRange range;
  int columns = 1, rows = 1, slices = 1;

  [[nodiscard]] std::size_t firstOf(int slice) const { return static_cast<std::size_t>(slice) * columns * rows; }
  [[nodiscard]] std::size_t endOf(int slice) const { return std::min(cells.size(), firstOf(slice + 1)); }
  /// The current step reads or writes the slice.
  [[nodiscard]] bool isActive(int slice) const;
  [[nodiscard]] const char* kindText() const;  ///< "shared", "register, one per thread", "constant"
};

/// Carriers in the order of the text, then other shared arrays, then constant memory.
[[nodiscard]] std::vector<BlockArray> blockArrays(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
