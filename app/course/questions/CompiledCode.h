#pragma once

namespace haloscope::questions {

class Execution;

// What NVIDIA's compiler reports of an execution's kernel, for sm_90. Throw MissingError without that compiler, and
// InputError for what it refuses.

[[nodiscard]] double compiledRegisters(Execution& execution);  ///< of a thread
[[nodiscard]] double compiledOccupancy(Execution& execution);  ///< the share of a multiprocessor's warps
[[nodiscard]] double compiledBlocks(Execution& execution);     ///< that a multiprocessor holds at once

}  // namespace haloscope::questions
