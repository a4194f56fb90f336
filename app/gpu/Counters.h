#pragma once

#include <memory>
#include <string>

#include "gpu/Kernel.h"

namespace haloscope::gpu {

/// What the hardware counted while one launch ran.
struct Counters {
  double dramReadBytes = 0;
  double dramWrittenBytes = 0;  ///< with what the launch left in L2, which goes to DRAM after it
  double l2ReadSectors = 0;     ///< of 32 bytes, that multiprocessors asked of L2
  double l2WriteSectors = 0;
  double l1LoadSectors = 0;   ///< of 32 bytes, that requests of global memory asked of L1: loads
  double l1StoreSectors = 0;  ///< ... stores
  double sharedPasses = 0;    ///< of loads and stores of shared memory, one after another, by their addresses alone
  double sharedRequests = 0;  ///< instructions of warps that made them
  double bankCycles = 0;  ///< cycles that L1 counts as bank conflicts: also those in which other traffic was in the way
  double occupancy = 0;   ///< mean of resident warps / the most a multiprocessor holds, while it was active
  int passes = 0;         ///< how often the launch ran to count all this

  [[nodiscard]] double dramBytes() const { return dramReadBytes + dramWrittenBytes; }
  [[nodiscard]] double l1Sectors() const { return l1LoadSectors + l1StoreSectors; }
  /// Passes beyond the one that a request needs; 8-byte elements of a whole warp need two.
  [[nodiscard]] double bankConflicts() const { return sharedPasses - sharedRequests; }
};

/// Runs `launch` and reads the hardware's counters, on arrays with the same content in every pass and, in every pass,
/// on an L2 cache that holds nothing of them (as Nsight Compute does by default): what DRAM moved is what the launch
/// needed, not what an earlier one left behind. The GPU's clock is left as it is; no counter here depends on it.
/// `cupti`: CUPTI's file; empty: searched. Throws Unavailable (no CUPTI, or counters are not allowed: what() says how
/// to allow them), CompileError, Error. Nothing else should run on the GPU meanwhile. Takes tenths of a second.
Counters measureCounters(const Clearance& clearance, const std::shared_ptr<const Device>& device,
                         const KernelText& text, const Program& program, const Launch& launch,
                         const std::string& cupti = {});

}  // namespace haloscope::gpu
