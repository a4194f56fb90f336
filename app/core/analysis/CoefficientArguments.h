#pragma once

#include <cstddef>
#include <vector>

#include "program/Program.h"

namespace haloscope::analysis {

/// Indices of the scalar parameters that are coefficients: floating-point numbers, and integers that are only used
/// converted to one, as `c0` is in `c0 * in[i]`. Another value for one of them changes no index and no condition on
/// one.
[[nodiscard]] std::vector<std::size_t> coefficientArguments(const Program& program);

}  // namespace haloscope::analysis
