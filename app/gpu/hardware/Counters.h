#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/Device.h"
#include "driver/Kernel.h"
#include "hardware/Cupti.h"

namespace haloscope::hardware {

/// Reads hardware counters over ranges of work on one device. A GPU has fewer counters than metrics, so the work is
/// repeated, pass by pass, until every metric has been counted.
///
/// One session per device at a time. Counters cover the whole GPU: nothing else should run on it meanwhile.
class CounterSession {
 public:
  /// One range of work: its name and its function. The work must have finished when the function returns.
  struct Work {
    std::string name;
    std::function<void()> run;
  };

  /// Prepares to count `metrics`, by CUPTI's names with their suffix: "dram__bytes_read.sum". `library`: CUPTI's file;
  /// empty: searched. Throws Unavailable naming what is missing or how to permit access to the counters.
  CounterSession(std::shared_ptr<const gpu::Device> device, std::vector<std::string> metrics,
                 const std::string& library = {});
  CounterSession(const CounterSession&) = delete;
  CounterSession& operator=(const CounterSession&) = delete;
  ~CounterSession();

  /// Runs the work once per pass; `prepare` runs before each and is not counted. Returns the metrics' values for each
  /// range, in the order of both lists. Throws Unavailable, and what the functions throw.
  std::vector<std::vector<double>> measure(const std::vector<Work>& work, const std::function<void()>& prepare);

  /// Number of passes of the last measure().
  [[nodiscard]] int passes() const { return passes_; }

 private:
  void makeHost();
  void makeConfig();
  [[nodiscard]] std::vector<double> valuesOf(const std::string& range, std::size_t ranges);

  std::shared_ptr<const gpu::Device> device_;
  Cupti cupti_;
  std::vector<std::string> metrics_;
  std::vector<const char*> names_;  ///< pointers into metrics_, for CUPTI
  std::vector<std::uint8_t> availability_, config_, data_;
  Cupti::Host* host_ = nullptr;
  Cupti::Range* range_ = nullptr;
  int passes_ = 0;
};

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
