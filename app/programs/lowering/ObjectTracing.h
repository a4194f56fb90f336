#pragma once

#include "program/Program.h"

namespace haloscope::lowering {

/// Determines the object of every Load, Store and atomic whose pointer can only point into one. Flow-insensitive: a
/// pointer variable has an object if all values assigned to it are derived from that object.
void traceObjects(Program& program);

}  // namespace haloscope::lowering
