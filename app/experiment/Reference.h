#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "program/KernelFile.h"
#include "program/Launch.h"

/// The independent check: what a kernel should have computed, in double precision, straight from the definition
///   output[p] = sum over t of weights[t] * input[p + taps[t]]
/// with no tiles, no threads and no emulator.
namespace haloscope::experiment {

struct ReferenceComparison {
  /// Largest |computed − reference| / sum over t of |weights[t] * input[p + taps[t]]|: the error in units of what the
  /// sum is made of, so that cancellation does not count against a kernel. NaN counts as infinite.
  double maxRelativeError = 0;
  double tolerance = 0;  ///< see toleranceOf
  /// Whether the expected points differ at all; if not, any constant would pass and agreement says nothing. A single
  /// point tells.
  bool tells = false;
  std::int64_t worstElement = 0;
  std::int64_t summed = 0;  ///< points that the taps are summed at; the others keep their value
  std::int64_t wrong = 0;   ///< elements beyond the tolerance; border points must match exactly
  [[nodiscard]] bool pass() const { return wrong == 0; }
};

/// The error that rounding explains in an output of this type, in units of what a sum of so many taps is made of.
[[nodiscard]] double toleranceOf(std::size_t taps, ValueType output);
/// For a hypothesis, which need not round as the kernel does: in the same units.
inline constexpr double kLooseTolerance = 1e-5;

/// What each tap is multiplied by: the array of the launch that `file.computes` names, or what its expressions give.
/// `arrays` are Launch::arrays of `program`.
[[nodiscard]] ArrayData weightsOf(const KernelFile& file, const Bindings& bindings, const Program& program,
                                  const std::vector<ArrayData>& arrays);

/// Copies those points of `input` to `output` that have a tap outside the array.
void copyBorder(const std::vector<std::array<int, 3>>& taps, const ArrayData& input, ArrayData& output);

/// Compares the output array of a finished launch with the reference. Arrays by the names of `file.computes`, which
/// must be there. `before` and `after` are Launch::arrays of `program`: input and weights are taken from before the
/// launch, so that a kernel which writes to its input cannot pass by it; the output from after it. An output of whole
/// numbers may be one off: the sum is rounded or cut when it is stored.
ReferenceComparison compareWithReference(const KernelFile& file, const Bindings& bindings, const Program& program,
                                         const std::vector<ArrayData>& before, const std::vector<ArrayData>& after);

}  // namespace haloscope::experiment
