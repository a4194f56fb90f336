#pragma once

#include <memory>

#include "gpu/Kernel.h"
#include "gpu/Memory.h"

namespace haloscope::gpu {

/// Empties the L2 cache of what was there: reads an array of four times its size. What was written and had stayed in
/// the cache goes to DRAM; what the cache holds afterwards can be dropped without being written.
class CacheEviction {
 public:
  /// Throws Unavailable, Error.
  explicit CacheEviction(const std::shared_ptr<const Device>& device);

  /// Waits.
  void run(const Stream& stream) const;

 private:
  DeviceMemory memory_;
  DeviceMemory never_;  ///< where the kernel's sum would go
  Kernel kernel_;
};

}  // namespace haloscope::gpu
