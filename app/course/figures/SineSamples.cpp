#include "figures/SineSamples.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace haloscope::figures {

SineSamples sampleSine(int count, ValueType type, const std::vector<DerivativeKernel>& kernels,
                       const std::stop_token& stop) {
  SineSamples sampled;
  sampled.type = type;
  sampled.spacing = std::numbers::pi / (count - 1);
  for (int i = 0; i < count; ++i) {
    sampled.x.push_back(i * sampled.spacing);
    sampled.values.push_back(std::sin(sampled.x.back()));
  }
  sampled.curve = NaturalSpline(0, sampled.spacing, sampled.values);
  constexpr int kLooks = 2000;
  for (int look = 0; look <= kLooks; ++look) {
    const double x = std::numbers::pi * look / kLooks;
    sampled.linearError = std::max(sampled.linearError, std::abs(sampled.curve.linear(x) - std::sin(x)));
    sampled.splineError = std::max(sampled.splineError, std::abs(sampled.curve(x) - std::sin(x)));
  }
  for (const DerivativeKernel& kernel : kernels) {
    if (kernel.type() != type) { continue; }
    SampledSlopes slopes{kernel.file().id, kernel.points(), kernel.slopes(sampled.values, sampled.spacing, stop)};
    for (std::size_t i = 0; i < slopes.slopes.values.size(); ++i) {
      const double x = sampled.x[static_cast<std::size_t>(slopes.slopes.first) + i];
      slopes.largestError = std::max(slopes.largestError, std::abs(slopes.slopes.values[i] - std::cos(x)));
    }
    slopes.onlyMiddle = slopes.slopes.values.size() == 1 && 2 * slopes.slopes.first == count - 1;
    sampled.slopes.push_back(std::move(slopes));
  }
  return sampled;
}

}  // namespace haloscope::figures
