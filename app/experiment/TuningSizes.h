#pragma once

#include <cstdint>
#include <vector>

#include "experiment/TuningMap.h"

namespace haloscope::experiment {

/// The sizes at which a compiled cell is looked at, ascending, up to `largest`: close together where the GPU needs few
/// waves of blocks, so that it shows how a last wave that is not full costs as much as a full one; then further and
/// further apart. Nothing is timed yet.
[[nodiscard]] std::vector<SizePoint> planSizes(const KernelFile& file, const TuningCell& cell, std::int64_t largest,
                                               int multiprocessors);

}  // namespace haloscope::experiment
