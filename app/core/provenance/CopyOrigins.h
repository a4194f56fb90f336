#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "provenance/ShuffleSources.h"
#include "recording/Recording.h"
#include "simt/Observer.h"

namespace haloscope::provenance {

/// Where a value in a register came from: by all the copying so far, and by the current statement.
struct Provenance {
  recording::Origin origin;
  recording::Change::CopiedFrom copiedFrom = recording::Change::CopiedFrom::None;
  std::uint32_t copiedId = kNone;
};

/// A shadow of every warp's registers that follows copies: an origin per register and lane. Loads and assignments pass
/// it on, arithmetic ends it. Registers that no copy ever reaches cost nothing.
class CopyOrigins {
 public:
  CopyOrigins(const Program& program, std::uint32_t warps);

  /// The instruction has this effect on the shadow: a copy of register a, a choice between b and c, or an end.
  /// `active` lanes executed it; `chosen` are the lanes in which a Select's condition holds.
  void follow(std::uint32_t warp, const Instruction& instruction, LaneMask active, LaneMask chosen);
  /// A Shuffle: each lane holds what another one held.
  void exchange(std::uint32_t warp, const Instruction& instruction, LaneMask active, const ShuffleSources& sources);
  /// A lane loaded a value from memory into a register.
  void load(std::uint32_t warp, RegisterId dst, int lane, const Provenance& from);

  /// Of a register as an operand: reading a variable is copying from it.
  [[nodiscard]] Provenance operand(std::uint32_t warp, RegisterId reg, int lane) const;
  /// Of what a register was given.
  [[nodiscard]] const Provenance& held(std::uint32_t warp, RegisterId reg, int lane) const;
  /// Whether Select needs the condition's value: its choice makes a difference to the shadow.
  [[nodiscard]] bool needsChoice(const Instruction& instruction) const;
  [[nodiscard]] VariableId variableOf(RegisterId reg) const { return variables_[reg]; }

 private:
  using Lanes = std::array<Provenance, kWarpSize>;

  [[nodiscard]] Lanes& lanes(std::uint32_t warp, RegisterId reg);
  [[nodiscard]] Provenance converted(std::uint32_t warp, const Instruction& instruction, int lane) const;

  const Program& program_;
  std::vector<std::uint32_t> slots_;   ///< per register: index into a warp's part of lanes_, kNone if not followed
  std::vector<Provenance> fixed_;      ///< per register that is not followed
  std::vector<VariableId> variables_;  ///< per register: the named variable it is, or kNone
  std::size_t slotCount_ = 0;
  std::vector<Lanes> lanes_;  ///< warp * slotCount_ + slot
};

/// Where the values in the shared memory of the blocks of a cluster came from, by copying alone. Hears what an observer
/// of instructions and accesses hears of all blocks of one cluster.
class ClusterOrigins {
 public:
  ClusterOrigins(const Program& program, const Launch& launch);

  void instruction(const simt::WarpContext& context, std::uint32_t at);
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access);
  void clusterAccess(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t rank);

  /// Of an element in the shared memory of the block with this rank.
  [[nodiscard]] recording::Origin of(std::uint32_t rank, ObjectId object, std::int64_t element) const {
    const std::vector<Origin>& cells = blocks_[rank].cells[object];
    const auto index = static_cast<std::size_t>(element);  // of bytes in an array of floats, say, there are more
    return index < cells.size() ? cells[index] : Origin{};
  }

 private:
  using Origin = recording::Origin;
  struct Block {
    CopyOrigins origins;
    std::vector<std::vector<Origin>> cells;  ///< per object: of shared arrays, and of local ones thread by thread
  };
  void accessOf(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t rank);

  const Program& program_;
  std::vector<Block> blocks_;  ///< by rank
};

}  // namespace haloscope::provenance
