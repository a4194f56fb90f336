#pragma once

#include <vector>

#include "process/Confinement.h"

namespace haloscope::process {

/// What the filter must know of the process.
struct FilteredProcess {
  std::vector<int> kept;    ///< the files that it may use
  bool threads = false;     ///< whether it may start threads
  bool namedFiles = false;  ///< see ConfinementLimits
};

/// Confines all threads of this process to the system calls of a stage, for good. Needs no_new_privs. Throws
/// ConfinementError.
void filterSystemCalls(Confinement::Stage stage, const FilteredProcess& process);

}  // namespace haloscope::process
