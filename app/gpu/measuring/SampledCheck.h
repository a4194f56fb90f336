#pragma once

#include <cstdint>
#include <vector>

#include "catalogue/KernelFile.h"
#include "program/Launch.h"

/// A field that is too large to be computed on the host is checked at some of its points.
namespace haloscope::measuring {

/// How the result of one time step agrees with its definition at those points.
struct SampledCheck {
  std::int64_t points = 0, wrong = 0;  ///< of `points`, those beyond the tolerance; a kept border must match exactly
  double maxRelativeError = 0;         ///< see experiment::ReferenceComparison
  double tolerance = 0;

  [[nodiscard]] bool pass() const { return points > 0 && wrong == 0; }
};

/// Elements of an array with these extents: corners, edges, faces and what is next to them, and `random` others.
[[nodiscard]] std::vector<std::uint64_t> sampledElements(const std::vector<std::int64_t>& extents, std::size_t random);

/// Sums the definition of `file` (`computes` must be set) on the host at `elements`, and compares it with `results` of
/// type `type`. `weights`: one per tap; `inputAt`: an element of the input.
[[nodiscard]] SampledCheck checkSamples(const KernelFile& file, const Bindings& bindings, const ArrayData& weights,
                                        const std::vector<std::int64_t>& extents, ValueType type,
                                        const std::vector<std::uint64_t>& elements, const std::vector<double>& results,
                                        double (*inputAt)(std::uint64_t element, ValueType type));

}  // namespace haloscope::measuring
