#pragma once

#include <cstddef>
#include <cstdint>

#include "program/Program.h"

namespace haloscope::codegen {

/// Warps that machine code may execute as one, instruction by instruction: a *group*, see warpsTogether(). Masks are of
/// its lanes.
inline constexpr unsigned kMostWarps = 2;
inline constexpr int kMostLanes = kMostWarps * kWarpSize;
using GroupMask = std::uint64_t;

/// What machine code knows of the block that it executes, and calls. Its layout is part of the code.
struct BlockContext {
  std::uint32_t block[3] = {};  ///< blockIdx
  std::int32_t givesUp = 0;     ///< not 0: the emulator has to execute the launch, and say what happens
  std::int64_t budget = 0;      ///< warp instructions, see `refill`
  /// Operands of a step: result, a, b, c, kScratchBytes each, of one warp after the other. Aligned to 64.
  std::byte* scratch = nullptr;
  std::byte* const* objects = nullptr;    ///< the first byte of each; of local ones, those of all threads of a group
  std::byte* local = nullptr;             ///< of the group: see KernelCode::localOffsets
  std::uint8_t* const* claims = nullptr;  ///< null, or by object where each element was stored to
  /// The emulator's own function for an instruction, on the operands in `scratch`.
  void (*step)(BlockContext* context, std::uint32_t instruction, GroupMask active) = nullptr;
  /// Notes in `claims` where a Store, with its pointers in `scratch`, stores.
  void (*claim)(BlockContext* context, std::uint32_t instruction, GroupMask active) = nullptr;
  /// The budget is below 0. Returns not 0 if the launch is to be given up.
  std::int32_t (*refill)(BlockContext* context) = nullptr;
};

inline constexpr std::size_t kScratchBytes = kWarpSize * sizeof(std::uint64_t);
inline constexpr std::size_t kOperands = 4;

/// Executes a group from its beginning (`resume` 0) or from a barrier on, up to the next one. `frame`: what the group
/// keeps at barriers, KernelCode::frameBytes aligned to 64. `existing`: the lanes that are threads. Returns the barrier
/// at which it waits, from 1, kEnded or kGivesUp.
using GroupFunction = std::int32_t (*)(BlockContext* context, std::byte* frame, std::uint32_t group, GroupMask existing,
                                       std::int32_t resume);
inline constexpr std::int32_t kEnded = -1, kGivesUp = -2;

}  // namespace haloscope::codegen
