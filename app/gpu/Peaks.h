#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gpu/Device.h"
#include "gpu/DiskCache.h"

namespace haloscope::gpu {

/// What this GPU was seen to reach, as opposed to what a data sheet says. The ceilings of the roofline.
struct Peaks {
  double copyGBs = 0;     ///< device-to-device copy of 512 MiB, read and write counted, 10^9 bytes/s; best of several
  std::string copyKind;   ///< which of CopyTest::kinds() it was
  double fp32GFlops = 0;  ///< fused multiply-adds in float, counted as two operations each, 10^9/s
  double fp64GFlops = 0;
  std::int64_t measured = 0;  ///< seconds since 1970
  std::string disturbance;    ///< what was in the way, as Conditions tell it; empty: nothing known
};

/// Measures them: about a fifth of a second, on a stream of its own. Not for use in a frame, nor beside other work on
/// the GPU. Throws Unavailable, Error.
[[nodiscard]] Peaks measurePeaks(const std::shared_ptr<const Device>& device);

/// As measured at an earlier start on this GPU with this driver, if that is in `cache` and not older than thirty days;
/// else measured now, and kept there unless something disturbed it. Throws as measurePeaks does.
[[nodiscard]] Peaks knownPeaks(const std::shared_ptr<const Device>& device, const DiskCache& cache);
/// As above, in cacheFolder().
[[nodiscard]] Peaks knownPeaks(const std::shared_ptr<const Device>& device);

}  // namespace haloscope::gpu
