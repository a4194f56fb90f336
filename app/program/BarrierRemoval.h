#pragma once

#include <set>

#include "program/Program.h"

namespace haloscope {

/// The program without the barriers that begin on one of these lines of the text: what would happen if the line were
/// deleted. Their statements stay, so that a person walking through still meets the line, but nobody waits there.
/// Lines without a barrier are ignored.
[[nodiscard]] Program withoutBarriers(Program program, const std::set<int>& lines);

/// The lines on which a barrier of the program begins.
[[nodiscard]] std::set<int> barrierLines(const Program& program);

}  // namespace haloscope
