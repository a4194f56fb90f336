#pragma once

#include <optional>
#include <string_view>

#include "program/Program.h"

namespace haloscope::lowering {

/// The math function for a name used in kernels: sqrtf, sqrt, __fsqrt_rn and __builtin_sqrtf are all Sqrt.
[[nodiscard]] std::optional<MathFunction> mathFunctionNamed(std::string_view name);

/// Whether a name is fmaf, fma or an equivalent intrinsic.
[[nodiscard]] bool isFusedMultiplyAdd(std::string_view name);

}  // namespace haloscope::lowering
