#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "recording/BlockView.h"

namespace haloscope::recording {

inline GridPoint operator+(const GridPoint& a, const GridPoint& b) { return {a.z + b.z, a.y + b.y, a.x + b.x}; }
inline GridPoint operator-(const GridPoint& a, const GridPoint& b) { return {a.z - b.z, a.y - b.y, a.x - b.x}; }
inline GridPoint operator*(const GridPoint& a, std::int64_t n) { return {a.z * n, a.y * n, a.x * n}; }

/// The extents of an array as planes, rows and columns. Axes beyond three are folded into the planes.
class GridShape {
 public:
  GridShape() = default;
  explicit GridShape(const std::vector<std::int64_t>& extents) {
    const std::size_t axes = extents.size();
    if (axes >= 1) { columns_ = extents[axes - 1]; }
    if (axes >= 2) { rows_ = extents[axes - 2]; }
    for (std::size_t axis = 2; axis < axes; ++axis) { planes_ *= extents[axes - 1 - axis]; }
  }

  bool operator==(const GridShape&) const = default;

  [[nodiscard]] std::int64_t planes() const { return planes_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t columns() const { return columns_; }

  [[nodiscard]] GridPoint point(std::int64_t element) const {
    if (columns_ <= 0 || rows_ <= 0) { return {0, 0, element}; }
    const std::int64_t row = element / columns_;
    const std::int64_t plane = row / rows_;
    return {plane, row - plane * rows_, element - row * columns_};
  }
  /// The element at a point, or -1 outside the array.
  [[nodiscard]] std::int64_t element(const GridPoint& at) const {
    return contains(at) ? (at.z * rows_ + at.y) * columns_ + at.x : -1;
  }
  [[nodiscard]] bool contains(const GridPoint& at) const {
    return at.z >= 0 && at.z < planes_ && at.y >= 0 && at.y < rows_ && at.x >= 0 && at.x < columns_;
  }

 private:
  std::int64_t planes_ = 1;
  std::int64_t rows_ = 1;
  std::int64_t columns_ = 1;
};

}  // namespace haloscope::recording
