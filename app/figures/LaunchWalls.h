#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/KernelFile.h"

namespace haloscope::figures {

/// A limit of the launch that a tunable runs into.
struct LaunchWall {
  std::int64_t last = 0;    ///< the largest value of the tunable that is still possible; 0: not even its smallest
  std::string limit;        ///< in three words: "1,024 threads", "48 KB shared"
  std::string explanation;  ///< a sentence with the numbers
};

/// The walls in the way of `tunable` as it grows from the smallest value of its range to at most `highest`, beyond the
/// range that the header gives; all else as in `bindings`. Threads by the header's block; shared memory from the text,
/// compiled at each value that is looked at: what a block declares may be at most 48 KB, and what the GPU named `gpu`,
/// of this compute capability ("9.0"), gives a block that asks for more when it is launched. Takes a tenth of a second.
[[nodiscard]] std::vector<LaunchWall> launchWalls(const KernelFile& file, const Bindings& bindings,
                                                  const std::string& tunable, std::int64_t highest,
                                                  const std::string& gpu, const std::string& computeCapability);

}  // namespace haloscope::figures
