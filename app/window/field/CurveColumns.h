#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "program/Program.h"
#include "state/FieldStatus.h"

namespace haloscope::field {

/// The values of a 1D field gathered in `columns` columns, at least 1 and at most one a value; see FieldCurve.
[[nodiscard]] std::vector<FieldCurve::Column> curveColumns(std::span<const std::byte> values, ValueType element,
                                                           std::size_t columns);

}  // namespace haloscope::field
