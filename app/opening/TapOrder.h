#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "program/KernelFile.h"
#include "program/Program.h"

namespace haloscope::opening {

/// Which neighbour each coefficient of a kernel multiplies, found by running it.
struct TapOrder {
  std::vector<std::array<int, 3>> taps;  ///< offsets by coefficient, slowest axis first; those of a star or a box
  Computes::Border border = Computes::Border::Keeps;
};

/// Runs the kernel once for each coefficient, with that one 1 and all others 0: each point then holds the one neighbour
/// that the coefficient multiplies. Nothing where a coefficient has no neighbour of its own, or several, where the taps
/// make neither a star nor a box, where the sum has another part, or where the border follows no rule that is known.
/// Coefficients at the end of the array that multiply nothing are not counted. What most points say counts, so that a
/// kernel with a fault at its tiles' edges has an order, too.
/// `file` says how to launch the kernel; `input`, `output` and `weights` are arrays of it.
[[nodiscard]] std::optional<TapOrder> findTapOrder(const KernelFile& file, const Program& program,
                                                   const std::string& input, const std::string& output,
                                                   const std::string& weights);

/// "c[0] at the centre, c[1] at k-1, …"
[[nodiscard]] std::string describe(const TapOrder& order, const std::string& weights, int rank);

}  // namespace haloscope::opening
