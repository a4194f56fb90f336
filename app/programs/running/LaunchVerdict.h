#pragma once

#include <string>

#include "running/ProgramRun.h"

namespace haloscope::running {

/// What became of a launch.
struct LaunchVerdict {
  bool good = true;
  std::string text;  ///< "no fault, result: agrees with heat_tiled", "2 out-of-bounds"
};
[[nodiscard]] LaunchVerdict launchVerdict(const ProgramLaunch& launch);

/// Whether a finding says already why a launch was not executed, or not to its end.
[[nodiscard]] bool isProblemFound(const ProgramRun& run, const ProgramLaunch& launch);

}  // namespace haloscope::running
