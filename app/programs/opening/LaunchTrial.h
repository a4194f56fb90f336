#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "catalogue/KernelFile.h"
#include "program/Program.h"

namespace haloscope::opening {

/// The result of a proposed launch on the emulator.
struct LaunchTrial {
  bool clean = false;        ///< it finished without an access out of bounds
  std::int64_t covered = 0;  ///< elements of the written arrays that the kernel changed
  std::uint64_t blocks = 0;
  std::uint64_t instructions = 0;  ///< warp instructions that it took
  /// For each array with an access beyond its end: the elements that it would need.
  std::map<ObjectId, std::int64_t> needed{};
};

/// Executes `program` on random input as `file` launches it at its defaults; `written` are the global arrays that it
/// stores to. A launch that is too large, beyond the kernel's __launch_bounds__, or cannot be executed, is not clean
/// and covers nothing.
[[nodiscard]] LaunchTrial tryLaunch(const KernelFile& file, const Program& program, const std::set<ObjectId>& written);

}  // namespace haloscope::opening
