#pragma once

#include <vector>

#include "host/HostMessages.h"
#include "host/HostProgram.h"
#include "running/DeviceMemory.h"
#include "running/ProgramRun.h"

/// Memory of the device that nothing has written, and that the host copies.
namespace haloscope::running {

/// Adds what a copy to the host has of it, if it has any: once for a place and an allocation, up to a limit.
void addUnwritten(std::vector<UnwrittenCopy>& known, const host::Copy& call, const ProgramEvent& event,
                  DeviceMemory& memory);

/// A finding for each such copy of a program that is otherwise without a fault, if what it prints or returns depends on
/// what that memory holds: it is executed again with other values there. Where they change nothing, the host does not
/// look at them, and there is no finding; where that cannot be told, there is a note.
void addUnwrittenCopies(ProgramRun& run, const host::HostProgram& program, const RunOptions& options);

}  // namespace haloscope::running
