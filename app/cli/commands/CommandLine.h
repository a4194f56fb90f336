#pragma once

#include "options/ExitCode.h"

namespace haloscope {

class Screen;

/// Parses the arguments and runs the command they name; without one, opens the window. Messages go to standard error,
/// results to standard output. Throws SourceError, InputError and MissingError.
ExitCode runCommandLine(int argc, char** argv, Screen& screen);

}  // namespace haloscope
