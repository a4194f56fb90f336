#pragma once

#include <cstdint>
#include <set>

#include "program/KernelFile.h"
#include "program/Program.h"

namespace haloscope::opening {

/// What a proposed launch showed when the emulator tried it.
struct LaunchTrial {
  bool clean = false;        ///< it ended, and accessed nothing out of bounds
  std::int64_t covered = 0;  ///< elements of the written arrays that the kernel changed
  std::uint64_t blocks = 0;
};

/// Executes `program` on random input as `file` launches it at its defaults; `written` are the global arrays that it
/// stores to. A launch that is too large to try, or that cannot be made or executed, is not clean and covers nothing.
[[nodiscard]] LaunchTrial tryLaunch(const KernelFile& file, const Program& program, const std::set<ObjectId>& written);

}  // namespace haloscope::opening
