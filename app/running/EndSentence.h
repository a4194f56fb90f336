#pragma once

#include <string>

#include "host/HostMessages.h"

namespace haloscope::running {

/// What ended a program, for the user: a signal, or an exception that nothing caught.
[[nodiscard]] std::string sentence(const host::Crashed& crash);
[[nodiscard]] std::string sentence(const host::Uncaught& exception);

}  // namespace haloscope::running
