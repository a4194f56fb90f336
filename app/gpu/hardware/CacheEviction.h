#pragma once

#include <memory>

#include "driver/Kernel.h"
#include "driver/Memory.h"

namespace haloscope::hardware {

/// Evicts the contents of the L2 cache by reading an array of four times its size. Dirty lines are written to DRAM;
/// afterwards the cache holds only clean lines.
class CacheEviction {
 public:
  /// Throws Unavailable, Error.
  explicit CacheEviction(const std::shared_ptr<const gpu::Device>& device);

  /// Waits.
  void run(const gpu::Stream& stream) const;

 private:
  gpu::DeviceMemory memory_;
  gpu::DeviceMemory never_;  ///< target of the kernel's sum, never written
  std::unique_ptr<gpu::Kernel> kernel_;
};

}  // namespace haloscope::hardware
