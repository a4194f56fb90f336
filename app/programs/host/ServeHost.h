#pragma once

#include "host/HostLimits.h"

namespace haloscope::host {

/// The child process's side: confines this process, then compiles the program that the parent process sends, links it
/// and executes it. Each step can do less than the one before. Returns the exit status.
int serveHost(const HostLimits& limits);

}  // namespace haloscope::host
