#pragma once

#include "program/SourceLocation.h"

namespace haloscope {

/// What the program's exit status says to a script.
enum class ExitCode : int {
  Good = 0,
  Mismatch = 1,  ///< a check did not pass
  BadInput = 2,  ///< an unknown id, a value out of range, a text that cannot be read
  Missing = 3,   ///< this machine lacks what is needed: a GPU, OpenGL, a display
};

}  // namespace haloscope
