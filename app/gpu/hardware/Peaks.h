#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "driver/Device.h"
#include "driver/DiskCache.h"

namespace haloscope::hardware {

/// Measured peaks of this GPU, as opposed to data sheet values. The ceilings of the roofline.
struct Peaks {
  double copyGBs = 0;     ///< device-to-device copy of 512 MiB, read and write counted, 10^9 bytes/s; best of several
  std::string copyKind;   ///< which of CopyTest::kinds() it was
  double fp32GFlops = 0;  ///< fused multiply-adds in float, counted as two operations each, 10^9/s
  double fp64GFlops = 0;
  std::int64_t measured = 0;  ///< seconds since 1970
  std::string disturbance;    ///< see Conditions::disturbance; empty if none is known
};

/// Measures them in about a fifth of a second, on its own stream. Not for use in a frame, nor alongside other work on
/// the GPU. Throws Unavailable, Error.
[[nodiscard]] Peaks measurePeaks(const std::shared_ptr<const gpu::Device>& device);

/// The cached measurement of this GPU and driver, if `cache` has one not older than thirty days; else measures now and
/// caches the result unless it was disturbed. Throws as measurePeaks.
[[nodiscard]] Peaks knownPeaks(const std::shared_ptr<const gpu::Device>& device, const gpu::DiskCache& cache);
/// As above, in cacheFolder().
[[nodiscard]] Peaks knownPeaks(const std::shared_ptr<const gpu::Device>& device);

}  // namespace haloscope::hardware
