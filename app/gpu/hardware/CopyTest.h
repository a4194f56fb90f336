#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "driver/Kernel.h"
#include "driver/Memory.h"
#include "driver/Spread.h"
#include "hardware/LaunchTimer.h"

namespace haloscope::hardware {

/// Timed device-to-device copies: an upper bound for a sweep, which also reads and writes each point once. The fastest
/// kind of copy differs between GPUs, so there are several.
class CopyTest {
 public:
  /// Reads `bytes` and writes as many; rounded up to whole float4. Throws Unavailable, Error.
  CopyTest(const std::shared_ptr<const gpu::Device>& device, std::size_t bytes);

  /// "cuMemcpyDtoD", "float4 kernel", "float4 kernel, 4 per thread", …: the driver's copy, and kernels of several
  /// widths.
  [[nodiscard]] const std::vector<std::string>& kinds() const { return kinds_; }
  /// Queues one copy of that kind.
  void queue(std::size_t kind, const gpu::Stream& stream) const;
  /// Bytes read and written by one copy.
  [[nodiscard]] double traffic() const { return 2.0 * static_cast<double>(from_.bytes()); }

 private:
  struct CopyKernel {
    std::unique_ptr<gpu::Kernel> kernel;
    std::size_t elementBytes = 0;
    std::uint64_t perThread = 1;
  };

  gpu::DeviceMemory from_, to_;
  std::vector<std::string> kinds_;
  std::vector<CopyKernel> kernels_;  ///< one for each kind after the driver's
};

/// The times of every kind of copy, round by round.
class CopyTimes {
 public:
  CopyTimes(std::shared_ptr<const CopyTest> test, LaunchTimer& timer);

  /// Times each kind `count` times.
  void round(int launches);

  /// The kind with the lowest median.
  struct Best {
    std::string kind;
    gpu::Spread spread;
    double gbs = 0;  ///< 10^9 bytes/s, read and written, at the median
  };
  [[nodiscard]] Best best() const;

 private:
  std::shared_ptr<const CopyTest> test_;
  LaunchTimer& timer_;
  std::vector<std::vector<double>> milliseconds_;  ///< by kind
};

}  // namespace haloscope::hardware
