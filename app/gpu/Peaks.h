#pragma once

#include <memory>

#include "gpu/Device.h"

namespace haloscope::gpu {

/// What this GPU was seen to reach, as opposed to what a data sheet says. The ceilings of the roofline.
struct Peaks {
  double copyGBs = 0;     ///< device-to-device copy of 512 MiB, read and write counted, 10^9 bytes/s; best of several
  double fp32GFlops = 0;  ///< fused multiply-adds in float, counted as two operations each, 10^9/s
  double fp64GFlops = 0;
};

/// Measures them: about a tenth of a second, on a stream of its own. Not for use in a frame, nor beside other work on
/// the GPU. Throws Unavailable, Error.
[[nodiscard]] Peaks measurePeaks(const std::shared_ptr<const Device>& device);

}  // namespace haloscope::gpu
