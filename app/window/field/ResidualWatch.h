#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "field/FieldPreparation.h"
#include "state/FieldStatus.h"

namespace haloscope::field {

/// What is left to be solved of a field: the root mean square of the header's residual over some of its points, spread
/// evenly.
[[nodiscard]] FieldStatus::Residual residualOf(
    const PreparedField& field, std::uint64_t sweeps,
    const std::function<std::span<const std::byte>(std::size_t place)>& valuesOf);

}  // namespace haloscope::field
