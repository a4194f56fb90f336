#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "measuring/TuningMap.h"

namespace haloscope::measuring {

/// The sizes at which a compiled cell is looked at, ascending, up to `largest`: close together where the GPU needs few
/// waves of blocks, so that it shows how a last wave that is not full costs as much as a full one; then further and
/// further apart. Nothing is timed yet.
[[nodiscard]] std::vector<SizePoint> planSizes(const KernelFile& file, const TuningCell& cell, std::int64_t largest,
                                               int multiprocessors);

/// The size, between two of these, at which the blocks fill this many waves; none if no size gives that number.
[[nodiscard]] std::optional<double> sizeOfWaves(const std::vector<SizePoint>& points, double waves);

}  // namespace haloscope::measuring
