#pragma once

#include <set>

#include "program/Program.h"

namespace haloscope {

/// The program without the barriers that begin on one of these lines of the text, as if the line were deleted. Their
/// statements stay, so that the line is still reached when stepping, but no thread waits there. Lines without a barrier
/// are ignored.
[[nodiscard]] Program withoutBarriers(Program program, const std::set<int>& lines);

/// The lines of the text on which a barrier of the program begins: of a text as it was written, before any was left
/// out.
[[nodiscard]] std::set<int> barrierLines(const Program& program);

}  // namespace haloscope
