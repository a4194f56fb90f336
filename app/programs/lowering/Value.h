#pragma once

#include <vector>

#include "program/Program.h"

namespace haloscope::lowering {

/// A scalar in a register. `type` may differ from the register's if the 32 or 64 bits have the same meaning: an int
/// used as unsigned costs no instruction.
struct Scalar {
  RegisterId reg = kNone;
  ValueType type = ValueType::I32;

  [[nodiscard]] bool valid() const { return reg != kNone; }
};

/// The scalars of a struct, in the order of its fields, nested ones flattened; a scalar is one part, void is none.
using Parts = std::vector<Scalar>;

}  // namespace haloscope::lowering
