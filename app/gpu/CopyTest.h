#pragma once

#include <cstddef>
#include <memory>

#include "gpu/Event.h"
#include "gpu/Kernel.h"
#include "gpu/Memory.h"

namespace haloscope::gpu {

/// Device-to-device copies, timed: what a sweep could reach at best, since it too reads and writes each point once.
class CopyTest {
 public:
  /// `bytes` are read and as many written; rounded up to whole float4. Throws Unavailable, Error.
  CopyTest(const std::shared_ptr<const Device>& device, std::size_t bytes);

  /// Milliseconds of one copy by the driver. Waits.
  [[nodiscard]] double driverCopy(const Stream& stream);
  /// Milliseconds of one copy by a kernel, a float4 a thread. Waits.
  [[nodiscard]] double kernelCopy(const Stream& stream);
  /// Read and written by one copy.
  [[nodiscard]] double traffic() const { return 2.0 * static_cast<double>(from_.bytes()); }

 private:
  DeviceMemory from_, to_;
  Kernel kernel_;
  EventPair events_;
};

}  // namespace haloscope::gpu
