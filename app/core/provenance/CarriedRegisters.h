#pragma once

#include <cstdint>
#include <vector>

#include "program/Program.h"

namespace haloscope::provenance {

/// The integer registers that hold something across a branch or the end of a loop's turn. Most hold a part of an
/// expression from where it is computed to where it is used, or never change: for an analysis that keeps a state for
/// each branch, one value of those is enough, and its states are quickly copied and joined.
struct CarriedRegisters {
  explicit CarriedRegisters(const Program& program);

  std::vector<RegisterId> registers;  ///< by slot
  std::vector<std::uint32_t> slot;    ///< per register; kNone: it carries nothing
  std::vector<std::uint32_t> run;     ///< per instruction: which run of them, without a branch, it belongs to
};

}  // namespace haloscope::provenance
