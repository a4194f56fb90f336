#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "simt/BlockMemory.h"
#include "simt/DecodedProgram.h"
#include "simt/RunningWarp.h"

namespace haloscope::simt {

/// What decides whether a loop goes round again.
struct LoopControl {
  std::vector<RegisterId> variables;  ///< that the loop writes
  bool memory = false;                ///< and what is in memory that the program writes
  bool shared = false;                ///< that other threads can write, too
  bool known = true;                  ///< false: also something that is no state of the block, as a vote at a barrier
};

/// Of the loop with this index into Program::loops: what its tests and jumps depend on, by data and by control.
[[nodiscard]] LoopControl controlOf(const Program& program, std::uint32_t loop);

/// Proves that loops never end. A loop that takes long may still end; one of which all that decides about another turn
/// is what it was some turns before, with the same lanes, does not. That shows only while nothing else changes what it
/// depends on: a loop that reads memory has to find all of it, and all variables of the warp, as they were, and so do
/// all the warps that could write it.
class EndlessLoops {
 public:
  EndlessLoops(const DecodedProgram& decoded, BlockMemory& memory, std::size_t warps);

  /// After a turn, the `turn`-th since the loop was entered. Whether this shows that the loop never ends.
  [[nodiscard]] bool recurs(const RunningWarp& warp, std::uint32_t loop, std::uint64_t turn,
                            std::span<const RunningWarp> warps);

 private:
  /// Brent's search for a cycle: compared with every later turn, and replaced after twice as many.
  struct Seen {
    std::uint64_t turn = 0, compared = 0, most = 1;
    std::uint32_t moment = 0;
    LaneMask active = 0;
    std::vector<std::byte> registers;
  };

  [[nodiscard]] std::vector<std::byte> registersOf(const RunningWarp& warp, const LoopControl& control) const;
  [[nodiscard]] std::size_t memoryBytes() const;
  [[nodiscard]] bool memoryIsAsItWas() const;
  void keepMemory();

  const DecodedProgram& decoded_;
  BlockMemory& memory_;
  std::map<std::uint32_t, LoopControl> controls_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Seen> seen_;  ///< by warp and loop
  // Of loops that read memory: what is there at a moment, and which warps were found as they were since.
  std::uint32_t moment_ = 0;
  std::uint64_t looks_ = 0;
  std::vector<std::byte> kept_;
  std::vector<bool> recurring_;
};

}  // namespace haloscope::simt
