#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "program/Launch.h"

/// The independent reference: the expected output in double precision, directly from the definition
///   output[p] = sum over t of weights[t] * input[p + taps[t]]
/// without tiles, threads or emulator; several time steps one after another.
namespace haloscope::experiment {

/// An element of the output with another value than the reference's.
struct WrongPoint {
  std::string array;
  std::int64_t element = 0;
  double expected = 0, computed = 0;
};
inline constexpr std::size_t kWrongPointsListed = 1024;

struct ReferenceComparison {
  /// Largest |computed − reference| / sum over t of |weights[t] * input[p + taps[t]]|: relative to the magnitude of the
  /// summands, so that cancellation is not held against a kernel. NaN counts as infinite.
  double maxRelativeError = 0;
  double tolerance = 0;  ///< see toleranceOf, times the steps
  /// Whether the expected points differ; if not, any constant would pass and agreement proves nothing. True for a
  /// single point.
  bool conclusive = false;
  std::int64_t worstElement = 0;
  std::int64_t summed = 0;             ///< points computed from taps; the others keep their value
  std::int64_t wrong = 0;              ///< elements beyond the tolerance; border points must match exactly
  std::vector<WrongPoint> firstWrong;  ///< of these, at most kWrongPointsListed
  [[nodiscard]] bool pass() const { return wrong == 0; }
};

/// The largest error explained by rounding in an output of this type with this many taps, relative to the summands.
[[nodiscard]] double toleranceOf(std::size_t taps, ValueType output);
/// For a hypothesis, which need not round like the kernel; in the same units.
inline constexpr double kLooseTolerance = 1e-5;

/// The coefficient of each tap: from the launch's array named by `file.computes`, as the product of several, or from
/// its expressions. `arrays` are Launch::arrays of `program`.
[[nodiscard]] ArrayData weightsOf(const KernelFile& file, const Bindings& bindings, const Program& program,
                                  const std::vector<ArrayData>& arrays);

/// The field from which the last time step computes the output: the input itself if there is only one. Its values are
/// doubles otherwise. Arguments as compareWithReference().
[[nodiscard]] ArrayData inputOfLastStep(const KernelFile& file, const Bindings& bindings, const Program& program,
                                        const std::vector<ArrayData>& before);

/// Points of the grid along each axis, slowest first: the extents of an array of the definition without its padding.
[[nodiscard]] std::vector<std::int64_t> gridOf(const KernelFile& file, const Bindings& bindings,
                                               const ArrayData& array);

/// Copies those elements of `input` to `output` that are padding, or points with a tap outside the grid.
void copyBorder(const std::vector<std::array<int, 3>>& taps, const std::vector<std::int64_t>& grid,
                const ArrayData& input, ArrayData& output);

/// Compares the output array of a finished launch with the reference. The arrays named by `file.computes` must exist.
/// `before` and `after` are Launch::arrays of `program`: input and weights are taken from before the launch, so that a
/// kernel cannot pass by overwriting its input; the output from after it. An integer output may be off by one, since
/// the sum is rounded or truncated when stored.
ReferenceComparison compareWithReference(const KernelFile& file, const Bindings& bindings, const Program& program,
                                         const std::vector<ArrayData>& before, const std::vector<ArrayData>& after);

}  // namespace haloscope::experiment
