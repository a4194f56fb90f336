#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gpu/Kernel.h"
#include "gpu/LaunchTimer.h"
#include "gpu/Memory.h"
#include "gpu/Spread.h"

namespace haloscope::gpu {

/// Device-to-device copies, timed: what a sweep could reach at best, since it too reads and writes each point once.
/// Which copy is fastest differs from GPU to GPU, so there are several.
class CopyTest {
 public:
  /// `bytes` are read and as many written; rounded up to whole float4. Throws Unavailable, Error.
  CopyTest(const std::shared_ptr<const Device>& device, std::size_t bytes);

  /// "cuMemcpyDtoD", "float4 kernel", "float4 kernel, 4 a thread", …: the driver's copy and kernels of other widths.
  [[nodiscard]] const std::vector<std::string>& kinds() const { return kinds_; }
  /// Queues one copy of that kind.
  void queue(std::size_t kind, const Stream& stream) const;
  /// Read and written by one copy.
  [[nodiscard]] double traffic() const { return 2.0 * static_cast<double>(from_.bytes()); }

 private:
  struct CopyKernel {
    std::unique_ptr<Kernel> kernel;
    std::size_t elementBytes = 0;
    std::uint64_t perThread = 1;
  };

  DeviceMemory from_, to_;
  std::vector<std::string> kinds_;
  std::vector<CopyKernel> kernels_;  ///< of the kinds after the driver's
};

/// The times of every kind of copy, round by round.
class CopyTimes {
 public:
  CopyTimes(std::shared_ptr<const CopyTest> test, LaunchTimer& timer);

  /// Times each kind so many times.
  void round(int launches);

  /// Of the kind whose median is lowest.
  struct Best {
    std::string kind;
    Spread spread;
    double gbs = 0;  ///< 10^9 bytes/s, read and written, at the median
  };
  [[nodiscard]] Best best() const;

 private:
  std::shared_ptr<const CopyTest> test_;
  LaunchTimer& timer_;
  std::vector<std::vector<double>> milliseconds_;  ///< by kind
};

}  // namespace haloscope::gpu
