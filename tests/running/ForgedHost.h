#pragma once

#include <string>

namespace haloscope::running {

/// Acts as a host process that a hostile program has taken over: sends messages that no honest one would send. `how`:
/// a word of ForgedHostTest. Returns the exit status.
int forgeHost(const std::string& how);

}  // namespace haloscope::running
