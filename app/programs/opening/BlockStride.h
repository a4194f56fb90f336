#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "program/Program.h"

namespace haloscope::opening {

/// The distance in points between the work of neighbouring blocks along x, y and z, if the text gives it as a number:
/// 30 for `blockIdx.x * OUT_TILE_DIM + threadIdx.x`. None along an axis without one, with one that the launch gives
/// (`blockDim.x`), or with several.
[[nodiscard]] std::array<std::optional<std::int64_t>, 3> blockStrides(const Program& program);

}  // namespace haloscope::opening
