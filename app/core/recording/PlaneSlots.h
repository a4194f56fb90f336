#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "recording/BlockState.h"
#include "recording/BlockView.h"

namespace haloscope::recording {

/// The planes that an array keeps, each in a place of its own: those of a tile, or of a ring whose index turns while
/// what it holds stays where it is.
class PlaneSlots {
 public:
  PlaneSlots() = default;
  /// Of a shared array, which its shape divides. One of a single axis, which its threads index by hand, is divided by
  /// `stride`: see planeStride().
  PlaneSlots(const Carrier& carrier, std::optional<std::int64_t> stride);

  [[nodiscard]] std::size_t count() const { return count_; }
  /// The slot of an element.
  [[nodiscard]] std::size_t of(std::int64_t element) const;

 private:
  std::int64_t size_ = 1;  ///< elements of a slot
  std::size_t count_ = 1;
};

/// Elements from one plane of the grid to the next in an array of one axis, as far as what it holds now says so.
/// `cells` are those of the array.
[[nodiscard]] std::optional<std::int64_t> planeStride(const Footprint& footprint, const Carrier& carrier,
                                                      const std::vector<Cell>& cells);

}  // namespace haloscope::recording
