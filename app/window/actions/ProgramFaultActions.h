#pragma once

#include <vector>

#include "running/ProgramRun.h"
#include "state/ProgramFaults.h"

/// What is wrong with the program on screen, and the way there.
namespace haloscope {

struct AppState;

/// Those of the program on screen that are not among the findings of the kernel on screen.
[[nodiscard]] std::vector<ProgramFault> programFaults(const AppState& state);
/// Selects the launch that shows it, or the host's call at its place, and goes to that line of the source.
void chooseProgramFault(AppState& state, const ProgramFault& fault);
/// The same for a place of host code.
void chooseHostPlace(AppState& state, const host::HostPlace& at);

}  // namespace haloscope
