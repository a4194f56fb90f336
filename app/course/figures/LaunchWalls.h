#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"

namespace haloscope::figures {

/// A launch limit reached by a tunable.
struct LaunchWall {
  std::int64_t last = 0;    ///< the largest possible value of the tunable; 0 if none is
  std::string limit;        ///< short: "1,024 threads", "48 KB shared"
  std::string explanation;  ///< a sentence with the numbers
};

/// The limits that `tunable` reaches between the smallest value of its range and `highest`, which may exceed the
/// header's range; all else as in `bindings`. Threads follow from the header's block, shared memory from compiling the
/// source at each value examined: at most 48 KB statically, and at most the opt-in maximum of the GPU named `gpu` with
/// this compute capability ("9.0") dynamically. Takes a tenth of a second.
[[nodiscard]] std::vector<LaunchWall> launchWalls(const KernelFile& file, const Bindings& bindings,
                                                  const std::string& tunable, std::int64_t highest,
                                                  const std::string& gpu, const std::string& computeCapability);

}  // namespace haloscope::figures
