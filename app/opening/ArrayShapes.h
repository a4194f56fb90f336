#pragma once

#include "opening/LaunchDraft.h"

namespace haloscope::opening {

/// Declares all arrays behind pointers, for a grid of this rank: as a person says, as the host allocates them, or as
/// their names suggest. Throws InputError for a shape that is none.
void shapeArrays(LaunchDraft& draft, int rank);

/// Elements of an array that the host allocates, where its sizes are those of `given`; nothing where that is not known.
[[nodiscard]] std::optional<std::int64_t> allocatedElements(const LaunchDraft& draft, const Parameter& parameter,
                                                            const HostCode::Given& given);

}  // namespace haloscope::opening
