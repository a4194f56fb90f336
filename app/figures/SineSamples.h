#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "figures/DerivativeKernel.h"
#include "figures/NaturalSpline.h"

/// A function that is known at some points only: half a wave of the sine, from 0 to π.
namespace haloscope::figures {

inline constexpr int kFewestSamples = 3;
inline constexpr int kBookSamples = 7;  ///< π/6 apart
inline constexpr int kMostSamples = 61;

/// The derivative that one kernel executed from the samples.
struct SampledSlopes {
  std::string kernel;
  int points = 0;  ///< of its formula
  Slopes slopes;
  double largestError = 0;  ///< beside the cosine; 0 where it has no points
  /// The only sample that has all its neighbours is the one in the middle: its error is 0 by symmetry, but for
  /// rounding.
  bool onlyMiddle = false;
};

struct SineSamples {
  ValueType type = ValueType::F64;
  double spacing = 1;
  std::vector<double> x, values;  ///< of the grid points; the values are those of a double
  NaturalSpline curve;
  double linearError = 0, splineError = 0;  ///< largest distances from the sine
  std::vector<SampledSlopes> slopes;        ///< of the kernels that offer the type
};

/// `count` points from 0 to π, and what the kernels make of them. Throws as DerivativeKernel::slopes.
[[nodiscard]] SineSamples sampleSine(int count, ValueType type, const std::vector<DerivativeKernel>& kernels,
                                     const std::stop_token& stop = {});

}  // namespace haloscope::figures
