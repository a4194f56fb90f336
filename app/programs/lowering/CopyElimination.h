#pragma once

#include "program/Program.h"

namespace haloscope::lowering {

/// Removes instructions that only move values: copies of variables that do not change, loads into a temporary that is
/// only assigned to a variable, unused addresses, and the continuation of statements that only call a function. Expects
/// each temporary to be computed by one instruction, or assigned in several branches: call it before registers are
/// shared.
void eliminateCopies(Program& program);

}  // namespace haloscope::lowering
