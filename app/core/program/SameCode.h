#pragma once

#include "program/Program.h"

namespace haloscope {

/// Whether two programs are one kernel at places of their own: the same instructions, registers and statements, and
/// arrays of the same kind. The arrays that they access may have other numbers.
[[nodiscard]] bool sameCode(const Program& one, const Program& other);

}  // namespace haloscope
