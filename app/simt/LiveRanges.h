#pragma once

#include <cstdint>
#include <vector>

#include "program/Program.h"
#include "simt/Structure.h"

namespace haloscope::simt {

/// A stretch of the code in which one value of a temporary register matters. A register that holds one value after
/// another has several, apart from each other.
struct LiveRange {
  RegisterId reg = kNone;
  std::uint32_t firstUse = 0;  ///< instructions that name the register: from this one …
  std::uint32_t lastUse = 0;   ///< … to this one
  std::uint32_t end = 0;       ///< the last instruction before which the value is still needed: loops may come back
  std::uint32_t writes = 0;    ///< instructions that write it
  bool outlivesTurn = false;   ///< needed after a barrier, when other warps have run in between
};

/// Live ranges of all temporaries, ordered by their first use.
///
/// Arithmetic writes all lanes and so begins a new value. Assign and Load write active lanes only: they begin a new
/// value if everybody who reads it later was active then, and otherwise add to the value that the other lanes keep.
[[nodiscard]] std::vector<LiveRange> findLiveRanges(const Program& program, const Structure& structure);

}  // namespace haloscope::simt
