#pragma once

#include <cstdint>
#include <vector>

#include "faults/Finding.h"
#include "program/Launch.h"
#include "provenance/UndefinedArray.h"
#include "simt/Executor.h"

namespace haloscope::faults {

struct FaultOptions {
  simt::ExecuteOptions execute{};       ///< workers, order of the warps, instruction budget, stop
  std::vector<std::uint64_t> blocks{};  ///< the only ones that run, as linear indices, ascending; empty: the whole grid
  std::vector<provenance::UndefinedArray> undefined{};  ///< outputs, as a rule
  ObjectId output = kNone;                              ///< the array whose coverage is checked; kNone: none
  std::vector<bool> expected{};                         ///< its elements that ought to be written; empty: all
  /// What a closer look at a global array may take, over all workers. A larger array is looked at part by part, in as
  /// many runs.
  std::int64_t shadowBytes = std::int64_t{1} << 30;
};

struct FaultReport {
  std::vector<Finding> findings;  ///< in the order of the text, gravest kind first on a line
  simt::ExecuteResult result;     ///< of the run that leaves `launch` as the kernel does
};

/// Runs the launch under every analysis that looks for faults: races, bounds, barriers, initialisation, coverage of the
/// output, endless loops. What is found is the same for any number of workers. A kernel without faults runs once;
/// where something needs a closer look, the blocks concerned run again from the arrays as they were.
/// Where a block cannot be run to its end, it and those before it are looked at; of a launch that is too long
/// nothing is found. `launch` is left as the kernel leaves it. Throws InputError if the launch does not fit the
/// program.
[[nodiscard]] FaultReport findFaults(const Program& program, Launch& launch, const FaultOptions& options = {});

}  // namespace haloscope::faults
