#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program/Program.h"
#include "simt/Step.h"
#include "simt/Structure.h"

namespace haloscope::simt {

/// Where each register of a program lives while it runs. A register is 32 lanes of 4 or 8 bytes, 64-byte aligned.
///
/// What is the same for all warps of a worker (constants, blockIdx, parameters that nobody writes) exists once. So do,
/// if asked for, the temporaries: warps take turns at barriers only, so a temporary that no barrier outlives can share
/// its place with all others, and those of a whole kernel stay in the first-level cache.
struct RegisterLayout {
  /// Per register. Of a temporary whose place is shared: meaningless, see `ofInstruction`.
  std::vector<Operand> operands;
  /// dst, a, b, c of each instruction.
  std::vector<std::array<Operand, 4>> ofInstruction;
  std::vector<bool> written;         ///< per register: whether an instruction writes it
  std::uint32_t sharedBytes = 0;     ///< of the registers that all warps of a worker share
  std::uint32_t warpBytes = 0;       ///< of one warp's own registers
  std::uint32_t variablesBegin = 0;  ///< bytes of a warp's own that are poisoned when it starts: its variables
  std::uint32_t variablesEnd = 0;

  [[nodiscard]] bool isShared(RegisterId reg) const { return (operands[reg] & kSharedOperand) != 0; }
};

/// With `reuseTemporaries` a temporary's value is lost after its last use, and nobody may look at it later.
[[nodiscard]] RegisterLayout layoutRegisters(const Program& program, const Structure& structure, bool reuseTemporaries);

}  // namespace haloscope::simt
