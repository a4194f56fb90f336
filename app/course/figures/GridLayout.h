#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "recording/BlockView.h"

/// The layout of a grid in a linear array.
namespace haloscope::figures {

/// The order of the indices in memory.
enum class IndexOrder : std::uint8_t {
  RowMajor,    ///< x is fastest, as in C's in[z][y][x]
  Transposed,  ///< the slowest axis of row-major is fastest, as in Fortran
};
inline constexpr std::array kIndexOrders = {IndexOrder::RowMajor, IndexOrder::Transposed};

class GridLayout {
 public:
  /// One to three axes, slowest first. The array is aligned to 32 bytes.
  GridLayout(std::vector<std::int64_t> extents, int elementBytes, IndexOrder order);

  [[nodiscard]] std::int64_t count() const { return extents_[0] * extents_[1] * extents_[2]; }
  [[nodiscard]] std::size_t rank() const { return rank_; }
  [[nodiscard]] int elementBytes() const { return elementBytes_; }
  [[nodiscard]] bool contains(const recording::GridPoint& at) const;
  /// Offset of a grid point in the array, in elements.
  [[nodiscard]] std::int64_t index(const recording::GridPoint& at) const;
  [[nodiscard]] recording::GridPoint point(std::int64_t index) const;
  [[nodiscard]] std::int64_t byteOffset(std::int64_t index) const { return index * elementBytes_; }
  [[nodiscard]] std::int64_t sector(std::int64_t index) const;

  /// "u[x + 5·y + 25·z]".
  [[nodiscard]] std::string formula(const std::string& array) const;
  /// "x fastest".
  [[nodiscard]] std::string name() const;

 private:
  std::size_t rank_;
  std::array<std::int64_t, 3> extents_{1, 1, 1};  ///< z, y, x
  std::array<std::int64_t, 3> strides_{};         ///< likewise, in elements
  int elementBytes_;
  IndexOrder order_;
};

/// Elements that are needed together, and the sectors that contain them.
struct NeededElements {
  std::vector<std::int64_t> elements;  ///< distinct offsets in the array, ascending
  std::vector<std::int64_t> sectors;   ///< likewise
  std::int64_t least = 0;              ///< sectors needed if the elements were contiguous
  std::int64_t outside = 0;            ///< points outside the grid, which have no element
};
/// "1 sector", "5 sectors".
[[nodiscard]] std::string sectorText(std::int64_t count);
/// "7 elements in 5 sectors of 32 bytes; contiguous, they would fit in 1".
[[nodiscard]] std::string neededText(const NeededElements& needed);
/// Describes a point with this many stencil points outside the grid: "a border point: …".
[[nodiscard]] std::string borderText(std::int64_t outside);
[[nodiscard]] NeededElements neededElements(const GridLayout& layout, const std::vector<recording::GridPoint>& points);

}  // namespace haloscope::figures
