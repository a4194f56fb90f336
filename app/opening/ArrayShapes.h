#pragma once

#include "opening/LaunchDraft.h"

namespace haloscope::opening {

/// Declares all arrays behind pointers, for a grid of this rank: as the user states, as the host allocates them, or as
/// their names suggest. Throws InputError for an invalid shape.
void shapeArrays(LaunchDraft& draft, int rank);

/// The number of elements of an array that the host allocates, with the sizes of `given`; nullopt if unknown.
[[nodiscard]] std::optional<std::int64_t> allocatedElements(const LaunchDraft& draft, const Parameter& parameter,
                                                            const HostCode::Given& given);

}  // namespace haloscope::opening
