#pragma once

#include <optional>
#include <set>

#include "running/ProgramRun.h"

namespace haloscope::running {

/// The array of the program that an object of a launch's kernel is in; none if it is not one of its parameters or
/// variables.
[[nodiscard]] std::optional<AllocationId> allocationOf(const ProgramLaunch& launch, ObjectId object);

/// The arrays that a launch may write.
[[nodiscard]] std::set<AllocationId> writtenBy(const ProgramLaunch& launch);

/// Kernels that read what a wrong copy has not written: that belongs to the finding of the copy, whose sentence says
/// so.
void foldUnsetArrays(ProgramRun& run);

}  // namespace haloscope::running
