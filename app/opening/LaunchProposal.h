#pragma once

#include <string>

#include "opening/HostCode.h"
#include "opening/OpenedFile.h"
#include "program/Program.h"

namespace haloscope::opening {

/// What a proposal is based on.
struct LaunchClues {
  const HostCode& code;
  const LaunchOverrides& overrides;
  std::string functionName;                  ///< of the kernel, without template arguments
  std::string starCoefficients;              ///< the array that holds the book's c0 … c6, or empty
  const ExecutedLaunch* executed = nullptr;  ///< the program's own launch of it, if it was executed
};

/// Fills in sizes, arrays, arguments, grid and block of `kernel`, and what it computes if that is certain: first from
/// the host code, then from names, types and shared arrays. If several launches are possible the emulator tries them;
/// the one that is free of faults, writes most of the output and has the fewest blocks is proposed. `program` is the
/// kernel lowered at its defaults.
void proposeLaunch(ProposedKernel& kernel, const Program& program, const LaunchClues& clues);

}  // namespace haloscope::opening
