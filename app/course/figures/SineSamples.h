#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "figures/DerivativeKernel.h"
#include "figures/NaturalSpline.h"

/// A sampled function: half a period of the sine, from 0 to π.
namespace haloscope::figures {

inline constexpr int kFewestSamples = 3;
inline constexpr int kBookSamples = 7;  ///< π/6 apart
inline constexpr int kMostSamples = 61;

/// The derivative that one kernel computed from the samples.
struct SampledSlopes {
  std::string kernel;
  int points = 0;  ///< of its formula
  Slopes slopes;
  double largestError = 0;  ///< compared with the cosine; 0 without points
  /// The middle sample is the only one with all neighbours: its error is 0 by symmetry, except for rounding.
  bool onlyMiddle = false;
};

struct SineSamples {
  ValueType type = ValueType::F64;
  double spacing = 1;
  std::vector<double> x, values;  ///< of the grid points, in double
  NaturalSpline curve;
  double linearError = 0, splineError = 0;  ///< largest distances from the sine
  std::vector<SampledSlopes> slopes;        ///< of the kernels that offer the type
};

/// `count` points from 0 to π, and the kernels' derivatives. Throws as DerivativeKernel::slopes.
[[nodiscard]] SineSamples sampleSine(int count, ValueType type, const std::vector<DerivativeKernel>& kernels,
                                     const std::stop_token& stop = {});

}  // namespace haloscope::figures
