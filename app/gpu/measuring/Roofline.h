#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "experiment/Experiment.h"
#include "measuring/GpuSpecs.h"

namespace haloscope::measuring {

/// A bandwidth and a peak: what bounds a kernel from above. A peak of 0 is not known.
struct Roof {
  double bandwidthGBs = 0;
  double peakGFlops = 0;
  /// The bound at this many operations per byte, in 10^9 operations per second.
  [[nodiscard]] double at(double opPerByte) const {
    const double slope = bandwidthGBs * opPerByte;
    return peakGFlops > 0 ? std::min(slope, peakGFlops) : slope;
  }
  /// OP/B from which on the peak is the bound.
  [[nodiscard]] double ridge() const { return peakGFlops / bandwidthGBs; }
};

/// F16, F32 or F64, in which the kernel stores what it computes: the element type of the array it writes most, which
/// represents the type of its operations. F32 where that is none of these.
[[nodiscard]] ValueType computedType(const experiment::Experiment& experiment);

/// The peak for a type, of those for single and double precision. 0, not known, for half: it depends on whether two
/// operations are executed at once, and neither data sheets nor the measurement say so.
[[nodiscard]] double peakFor(ValueType type, double fp32, double fp64);
/// The roof of a GPU's data sheet for operations of a type.
[[nodiscard]] Roof roofOf(const GpuSpec& gpu, ValueType type);

/// 10^9 operations a second of a launch that was timed: those of the experiment, scaled to the timed field's size where
/// that differs.
struct Achieved {
  double gflops = 0;
  bool scaled = false;
};

/// Of a sweep over a field with these extents that took this many milliseconds; nothing if it was not timed.
[[nodiscard]] std::optional<Achieved> achieved(const experiment::Experiment& experiment,
                                               const std::vector<std::int64_t>& fieldExtents, double milliseconds);

}  // namespace haloscope::measuring
