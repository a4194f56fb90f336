#pragma once

#include <vector>

namespace haloscope::gpu {

/// Statistics of repeated time measurements. Percentiles by linear interpolation between the sorted samples.
struct Spread {
  double medianMs = 0, p10Ms = 0, p90Ms = 0, minimumMs = 0;
  int samples = 0;  ///< 0: not measured, all else is 0 too

  /// So much in the median time: 10^9 a second. 0 if nothing was measured.
  [[nodiscard]] double perNanosecond(double amount) const { return medianMs > 0 ? amount / (medianMs * 1e6) : 0; }
};

[[nodiscard]] Spread spreadOf(std::vector<double> milliseconds);

}  // namespace haloscope::gpu
