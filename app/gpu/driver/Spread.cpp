#include "driver/Spread.h"

#include <algorithm>
#include <cmath>

namespace haloscope::gpu {

Spread spreadOf(std::vector<double> milliseconds) {
  Spread spread;
  if (milliseconds.empty()) { return spread; }
  std::sort(milliseconds.begin(), milliseconds.end());
  const auto percentile = [&](double share) {
    const double at = share * static_cast<double>(milliseconds.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(at));
    const std::size_t above = std::min(below + 1, milliseconds.size() - 1);
    return std::lerp(milliseconds[below], milliseconds[above], at - static_cast<double>(below));
  };
  spread.medianMs = percentile(0.5);
  spread.p10Ms = percentile(0.1);
  spread.p90Ms = percentile(0.9);
  spread.minimumMs = milliseconds.front();
  spread.samples = static_cast<int>(milliseconds.size());
  return spread;
}

}  // namespace haloscope::gpu
