#pragma once

#include <cstdint>
#include <vector>

#include "program/Program.h"
#include "simt/Structure.h"

namespace haloscope::simt {

/// The range of code in which one value of a temporary register is live. A register that holds several values in turn
/// has several disjoint ranges.
struct LiveRange {
  RegisterId reg = kNone;
  std::uint32_t firstUse = 0;  ///< first instruction that uses the register
  std::uint32_t lastUse = 0;   ///< last instruction that uses it
  std::uint32_t end = 0;       ///< end of the range in which the value is needed, loops included
  std::uint32_t writes = 0;    ///< instructions that write it
  bool outlivesTurn = false;   ///< live across a barrier, when other warps run in between
};

/// Whether the lanes that are not active keep what they have; all others, too, are written otherwise.
[[nodiscard]] bool writesActiveLanesOnly(const Instruction& instruction);

/// Live ranges of all temporaries, ordered by their first use.
///
/// Arithmetic writes all lanes and so begins a new value. Assign and Load write active lanes only: they begin a new
/// value if all later readers were active then, and otherwise modify the existing value.
[[nodiscard]] std::vector<LiveRange> findLiveRanges(const Program& program, const Structure& structure);

}  // namespace haloscope::simt
