#pragma once

#include <string>

#include "program/KernelFile.h"
#include "program/Program.h"
#include "program/SourceLocation.h"

/// What the hardware allows a launch, told where the text breaks it.
namespace haloscope::opening {

/// Where the text launches a kernel first: at `<<<`. Nowhere if it does not.
[[nodiscard]] SourceRange launchIn(const std::string& text, const std::string& kernel);

/// Which limit of the hardware grid and block break; empty: none.
[[nodiscard]] std::string launchProblem(const KernelFile& file);

/// Throws SourceError where the launch breaks a limit of the hardware: at `launched`, or at the largest shared array.
void expectPossible(const KernelFile& file, const Program& program, const SourceRange& launched);

}  // namespace haloscope::opening
