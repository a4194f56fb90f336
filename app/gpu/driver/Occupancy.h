#pragma once

#include <optional>
#include <string>

#include "program/Launch.h"

namespace haloscope::gpu {

/// What one multiprocessor holds, by compute capability: the table "Technical Specifications per Compute Capability" of
/// the CUDA Programming Guide.
struct MultiprocessorLimits {
  int threads = 0, blocks = 0;
  int registers = 0;            ///< of 32 bits
  int sharedBytes = 0;          ///< for all resident blocks
  int reservedSharedBytes = 0;  ///< that the system takes of it for each block
  int sharedUnit = 128;         ///< bytes: a block's shared memory is a multiple of this

  /// Registers a thread may have so that all threads fit, rounded down to what is given out: 32, 40 or 64.
  [[nodiscard]] int registersAtFullOccupancy() const;
};
/// `computeCapability` as "9.0". Of a later minor version that is not known, as of the one before; nothing where the
/// major version is not known.
[[nodiscard]] std::optional<MultiprocessorLimits> limitsOf(const std::string& computeCapability);

/// How much of a multiprocessor the blocks of a launch fill.
struct Occupancy {
  int residentBlocks = 0;  ///< at once on one multiprocessor; 0: it cannot hold a single one
  double share = 0;        ///< resident warps / the most it holds
  std::string limitedBy;   ///< "threads", "blocks", "registers", "shared memory": what there would have to be more of
};
/// `registersPerThread` 0: not known, then they limit nothing. `sharedBytes` of a block, static and dynamic.
[[nodiscard]] Occupancy occupancyOf(const MultiprocessorLimits& limits, int threadsPerBlock, int registersPerThread,
                                    std::int64_t sharedBytes);

}  // namespace haloscope::gpu
