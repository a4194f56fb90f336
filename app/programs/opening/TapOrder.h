#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "program/Program.h"

namespace haloscope::opening {

/// The neighbour that each coefficient of a kernel multiplies, found by running the kernel.
struct TapOrder {
  std::vector<std::array<int, 3>> taps;  ///< offsets by coefficient, slowest axis first, forming a star or a box
  Computes::Border border = Computes::Border::Keeps;
};

/// Runs the kernel once for each coefficient, with that one 1 and all others 0: each point then holds the neighbour
/// that the coefficient multiplies. Nullopt if a coefficient multiplies no neighbour of its own, or several, if the
/// taps form neither a star nor a box, if the sum has other terms, or if the border follows no known rule. Coefficients
/// at the end of the array that multiply nothing are not counted. The majority of the points decides, so that a kernel
/// with a fault at the edges of its tiles has an order as well. `file` describes the launch of the kernel; `input`,
/// `output` and `weights` are arrays of it.
[[nodiscard]] std::optional<TapOrder> findTapOrder(const KernelFile& file, const Program& program,
                                                   const std::string& input, const std::string& output,
                                                   const std::string& weights);

/// "c[0] at the centre, c[1] at k-1, …"
[[nodiscard]] std::string describe(const TapOrder& order, const std::string& weights, int rank);

}  // namespace haloscope::opening
