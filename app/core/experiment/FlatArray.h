#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "program/Launch.h"

/// A flat array as the rows and planes that it may be.
namespace haloscope::experiment {

/// Whether all these points of a flat array of `count` elements lie close to its ends along an axis, so that two
/// results that differ there, and nowhere else, may only treat the border otherwise: as zero, clamped, wrapped, or left
/// alone. `sizes`: numbers that may be lengths of its rows, columns and planes; where none fits, it may be a square or
/// a cube.
[[nodiscard]] bool lieAtBorder(std::span<const std::int64_t> points, std::int64_t count,
                               const std::vector<std::int64_t>& sizes);

/// Whether each point has the value of its neighbours along some axis of such an array: then it does not matter which
/// of these a kernel reads. Of one value everywhere that is true, too.
[[nodiscard]] bool isSameAlongAnAxis(const ArrayData& array, const std::vector<std::int64_t>& sizes);

}  // namespace haloscope::experiment
