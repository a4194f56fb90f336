#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "program/Program.h"

namespace haloscope::opening {

/// By how many points the work of neighbouring blocks lies apart along x, y and z, where the text says it with a
/// number: 30 for `blockIdx.x * OUT_TILE_DIM + threadIdx.x`. None along an axis where it says nothing, something that
/// the launch gives (`blockDim.x`), or several numbers.
[[nodiscard]] std::array<std::optional<std::int64_t>, 3> blockStrides(const Program& program);

}  // namespace haloscope::opening
