#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "opening/LaunchDraft.h"

namespace haloscope::opening {

/// Grid, block, shared memory and arrays as the program itself launched the kernel. Where the grid follows from a size,
/// it is an expression of that size.
void useExecutedLaunch(LaunchDraft& draft);

/// How many points a block covers along an axis, if the executed grid covers `extent` points in that way.
[[nodiscard]] std::optional<std::int64_t> executedGrid(const LaunchDraft& draft, std::size_t axis, std::int64_t extent);

/// Whether the executed grid covers many more points along an axis than any size along it has, as where one index
/// counts the points of a whole picture: it cannot follow a size.
[[nodiscard]] bool coversOtherPoints(const LaunchDraft& draft, std::size_t axis);

}  // namespace haloscope::opening
