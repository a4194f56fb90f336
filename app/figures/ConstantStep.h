#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "recording/Recording.h"

/// Where a warp reads constant memory.
namespace haloscope::figures {

[[nodiscard]] bool readsConstant(const recording::AccessGroup& access, std::uint32_t warp);

/// The step nearest to `step` in which the warp reads constant memory: that one itself, or of two that are as far away
/// the later one. None if there is none in the recording.
[[nodiscard]] std::optional<std::size_t> nearestConstantStep(const recording::Recording& recording, std::uint32_t warp,
                                                             std::size_t step);

}  // namespace haloscope::figures
