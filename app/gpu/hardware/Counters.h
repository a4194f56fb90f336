#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/Kernel.h"

namespace haloscope::hardware {

/// Why warps wait.
struct Stall {
  std::string reason;  ///< in words: "data from global memory"
  std::string metric;  ///< "long_scoreboard"
  double cycles = 0;   ///< that a warp waits for it between two of its instructions, on average
};

/// Hardware counter values of one launch.
struct Counters {
  double dramReadBytes = 0;
  double dramWrittenBytes = 0;  ///< including the launch's dirty lines in L2, evicted after it
  double l2ReadSectors = 0;     ///< of 32 bytes, read from L2 by multiprocessors
  double l2WriteSectors = 0;
  double l1LoadSectors = 0;   ///< of 32 bytes, requested from L1 for global memory: loads
  double l1StoreSectors = 0;  ///< ... stores
  double sharedPasses = 0;    ///< serialised passes of shared memory accesses, from their addresses alone
  double sharedRequests = 0;  ///< warp instructions that caused them
  double bankCycles = 0;      ///< cycles counted by L1 as bank conflicts, including those blocked by other traffic
  double occupancy = 0;       ///< mean of resident warps / maximum of a multiprocessor, while active
  std::vector<Stall> stalls;  ///< largest first, without reasons that never occurred
  std::string stallsMissing;  ///< why there are none, a sentence
  int passes = 0;             ///< launches needed to count everything

  [[nodiscard]] double dramBytes() const { return dramReadBytes + dramWrittenBytes; }
  /// Cycles that a warp waits between two of its instructions; 0: not known.
  [[nodiscard]] double stallCycles() const;
  /// Passes beyond the minimum of one per request; a whole warp's 8-byte elements need two.
  [[nodiscard]] double bankConflicts() const { return sharedPasses - sharedRequests; }
};

/// Runs `launch` and reads the hardware counters. Every pass starts with the same array contents and an L2 cache that
/// holds none of them (the default of Nsight Compute), so that the DRAM traffic is the launch's own. The GPU's clock is
/// not fixed; no counter here depends on it. `cupti`: CUPTI's file; empty: searched. Throws Unavailable (no CUPTI, or
/// access to counters is denied: what() says how to permit it), NvrtcError, Error. Nothing else should run on the GPU
/// meanwhile. Takes tenths of a second.
Counters measureCounters(const gpu::Clearance& clearance, const std::shared_ptr<const gpu::Device>& device,
                         const gpu::KernelText& text, const Program& program, const Launch& launch,
                         const std::string& cupti = {});

/// The same of work that `launch` does; it must have ended when the function returns. `restore` runs before each pass.
Counters countersOf(const std::shared_ptr<const gpu::Device>& device, const std::function<void()>& launch,
                    const std::function<void()>& restore, const std::string& cupti = {});

}  // namespace haloscope::hardware
