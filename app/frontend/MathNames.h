#pragma once

#include <optional>
#include <string_view>

#include "program/Program.h"

namespace haloscope::frontend {

/// The function behind a name as kernels write it: sqrtf, sqrt, __fsqrt_rn and __builtin_sqrtf are all Sqrt.
[[nodiscard]] std::optional<MathFunction> mathFunctionNamed(std::string_view name);

/// fmaf, fma and the intrinsics that mean the same.
[[nodiscard]] bool isFusedMultiplyAdd(std::string_view name);

}  // namespace haloscope::frontend
