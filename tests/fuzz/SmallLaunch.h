#pragma once

#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::fuzz {

/// The block of a small launch that is looked at closely.
inline constexpr Dim3 kFirstBlock{0, 0, 0};

/// Two blocks of one and a half warps, or a cluster; arrays of ascending bytes, small numbers. Throws InputError where
/// an array of the program's own is large.
[[nodiscard]] Launch smallLaunch(const Program& program);

}  // namespace haloscope::fuzz
