#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "opening/OpenedFile.h"
#include "opening/TextNames.h"
#include "program/Program.h"

namespace haloscope::opening {

/// What a proposal is based on.
struct LaunchClues {
  const TextNames& names;
  const std::map<std::string, std::int64_t>& constants;  ///< see frontend::TextSummary
  const LaunchOverrides& overrides;
  std::string functionName;                  ///< of the kernel, without template arguments
  std::string starCoefficients;              ///< the array that holds the book's c0 … c6, or empty
  const ExecutedLaunch* executed = nullptr;  ///< the program's own launch of it, if it was executed
  std::optional<Dim3> block{};               ///< of a launch in the text that was not executed

  /// The block for which a grid is to be found; none: that is to be found, too.
  [[nodiscard]] std::optional<Dim3> givenBlock() const { return overrides.block ? overrides.block : block; }
};

/// Fills in sizes, arrays, arguments, grid and block of `kernel`, and what it computes if that is certain: as the
/// program launched it if it was executed; otherwise from names, types and shared arrays of the kernel's own text. If
/// several launches are possible the emulator tries them; the one that is free of faults, writes most of the output and
/// has the fewest blocks is proposed. `program` is the kernel lowered at its defaults.
void proposeLaunch(ProposedKernel& kernel, const Program& program, const LaunchClues& clues);

}  // namespace haloscope::opening
