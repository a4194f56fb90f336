#pragma once

#include "program/Program.h"

namespace haloscope::frontend {

/// Removes instructions that only move a value about: copies kept in case a variable changed when it did not, loads
/// into a temporary that one assignment empties, addresses that nobody uses, the rest of a statement that a call was
/// all of. Expects each temporary to be computed by one instruction, or assigned in several branches: call it before
/// registers are shared.
void eliminateCopies(Program& program);

}  // namespace haloscope::frontend
