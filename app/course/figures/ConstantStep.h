#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "recording/Recording.h"

/// Finds steps in which a warp reads constant memory.
namespace haloscope::figures {

[[nodiscard]] bool readsConstant(const recording::AccessGroup& access, std::uint32_t warp);

/// The step nearest to `step` (itself included) in which the warp reads constant memory, the later one of two equally
/// near. Empty if the recording has none.
[[nodiscard]] std::optional<std::size_t> nearestConstantStep(const recording::Recording& recording, std::uint32_t warp,
                                                             std::size_t step);

}  // namespace haloscope::figures
