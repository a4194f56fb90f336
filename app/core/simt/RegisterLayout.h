#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program/Program.h"
#include "simt/DecodedStep.h"
#include "simt/Structure.h"

namespace haloscope::simt {

/// The storage location of each register. A register is 32 lanes of 4 or 8 bytes, 64-byte aligned.
///
/// Values that all warps of a worker share (constants, blockIdx, unmodified parameters) exist once. On request, so do
/// the temporaries: warps are switched at barriers only, so temporaries that are not live across a barrier can share
/// storage between warps, and a whole kernel's temporaries stay in the L1 cache.
struct RegisterLayout {
  /// Per register. Undefined for temporaries with shared storage; see `ofInstruction`.
  std::vector<Operand> operands;
  /// dst, a, b, c of each instruction.
  std::vector<std::array<Operand, 4>> ofInstruction;
  /// Each place of the warp's and of the shared registers, with the bytes of one lane in it.
  struct Slot {
    Operand operand = 0;
    std::uint32_t laneBytes = 0;
  };
  std::vector<Slot> slots;
  std::vector<bool> written;         ///< per register: whether an instruction writes it
  std::uint32_t sharedBytes = 0;     ///< size of the registers that all warps of a worker share
  std::uint32_t warpBytes = 0;       ///< size of one warp's registers
  std::uint32_t variablesBegin = 0;  ///< start of the warp's variables, which are poisoned when it starts
  std::uint32_t variablesEnd = 0;

  [[nodiscard]] bool isShared(RegisterId reg) const { return (operands[reg] & kSharedOperand) != 0; }
};

/// With `reuseTemporaries` a temporary's value is lost after its last use and must not be read later.
[[nodiscard]] RegisterLayout layoutRegisters(const Program& program, const Structure& structure, bool reuseTemporaries);

}  // namespace haloscope::simt
