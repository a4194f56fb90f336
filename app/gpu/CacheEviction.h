#pragma once

#include <memory>

#include "gpu/Kernel.h"
#include "gpu/Memory.h"

namespace haloscope::gpu {

/// Evicts the contents of the L2 cache by reading an array of four times its size. Dirty lines are written to DRAM;
/// afterwards the cache holds only clean lines.
class CacheEviction {
 public:
  /// Throws Unavailable, Error.
  explicit CacheEviction(const std::shared_ptr<const Device>& device);

  /// Waits.
  void run(const Stream& stream) const;

 private:
  DeviceMemory memory_;
  DeviceMemory never_;  ///< target of the kernel's sum, never written
  Kernel kernel_;
};

}  // namespace haloscope::gpu
