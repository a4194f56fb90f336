#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/Program.h"

namespace haloscope::render {

/// Shape and element type of a field. Arrays of fewer than three axes get leading axes of extent 1.
struct FieldGrid {
  std::array<std::int64_t, 3> extents{1, 1, 1};  ///< slowest axis first
  int rank = 0;                                  ///< axes of the array itself; 0: no field
  ValueType element = ValueType::F32;

  /// Throws InputError for no axis, more than three axes or an extent below 1.
  static FieldGrid of(const std::vector<std::int64_t>& arrayExtents, ValueType element);

  [[nodiscard]] std::int64_t points() const { return extents[0] * extents[1] * extents[2]; }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(points() * sizeInMemory(element)); }
  [[nodiscard]] std::int64_t index(const std::array<std::int64_t, 3>& at) const {
    return (at[0] * extents[1] + at[1]) * extents[2] + at[2];
  }
  bool operator==(const FieldGrid&) const = default;
};

/// Which plane a slice shows: a fixed place on `axis`, and the two axes of the picture.
struct FieldPlane {
  int axis = 0;     ///< cut through this one, 0 slowest
  int rowAxis = 1;  ///< grows downwards
  int columnAxis = 2;
  std::int64_t position = 0;  ///< on `axis`

  /// `share` is 0…1 along the axis. A field of two axes has one plane, whatever is asked.
  static FieldPlane of(const FieldGrid& grid, int axis, float share);
};

/// Where a plane's picture lies in a view of this many pixels: square cells, as large as they fit, in the middle.
struct FieldFrame {
  float left = 0, top = 0;  ///< pixels
  float cell = 1;           ///< pixels a cell
  std::int64_t columns = 1, rows = 1;

  static FieldFrame of(const FieldGrid& grid, const FieldPlane& plane, int width, int height);
  /// The column and row under a pixel; false outside the picture.
  [[nodiscard]] bool cellAt(float x, float y, std::int64_t& column, std::int64_t& row) const;
};

}  // namespace haloscope::render
