#pragma once

#include <cstddef>
#include <cstdint>

#include "program/Program.h"

namespace haloscope::codegen {

/// What machine code knows of the block that it executes, and calls. Its layout is part of the code.
struct BlockContext {
  std::uint32_t block[3] = {};            ///< blockIdx
  std::int32_t givesUp = 0;               ///< not 0: the emulator has to execute the launch, and say what happens
  std::int64_t budget = 0;                ///< warp instructions, see `refill`
  std::byte* scratch = nullptr;           ///< operands of a step: result, a, b, c, kScratchBytes each, aligned to 64
  std::byte* const* objects = nullptr;    ///< the first byte of each; of local ones, those of all threads of a warp
  std::byte* local = nullptr;             ///< of the warp: see KernelCode::localOffsets
  std::uint8_t* const* claims = nullptr;  ///< null, or by object where each element was stored to
  /// The emulator's own function for an instruction, on the operands in `scratch`.
  void (*step)(BlockContext* context, std::uint32_t instruction, LaneMask active) = nullptr;
  /// Notes in `claims` where a Store, with its pointers in `scratch`, stores.
  void (*claim)(BlockContext* context, std::uint32_t instruction, LaneMask active) = nullptr;
  /// The budget is below 0. Returns not 0 if the launch is to be given up.
  std::int32_t (*refill)(BlockContext* context) = nullptr;
};

inline constexpr std::size_t kScratchBytes = kWarpSize * sizeof(std::uint64_t);

/// Executes a warp from its beginning (`resume` 0) or from a barrier on, up to the next one. `frame`: what the warp
/// keeps at barriers, KernelCode::frameBytes aligned to 64. `existing`: the lanes that are threads. Returns the barrier
/// at which it waits, from 1, kEnded or kGivesUp.
using WarpFunction = std::int32_t (*)(BlockContext* context, std::byte* frame, std::uint32_t warp, LaneMask existing,
                                      std::int32_t resume);
inline constexpr std::int32_t kEnded = -1, kGivesUp = -2;

}  // namespace haloscope::codegen
