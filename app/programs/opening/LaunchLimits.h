#pragma once

#include <string>

#include "catalogue/KernelFile.h"
#include "program/Program.h"
#include "program/SourceLocation.h"

/// The hardware's limits on a launch, reported at the place in the text that breaks them.
namespace haloscope::opening {

/// The `<<<` of the text's first launch of a kernel. Nowhere if there is none.
[[nodiscard]] SourceRange launchIn(const std::string& text, const std::string& kernel);

/// Which of the hardware's limits the grid or the block exceeds; empty: none.
[[nodiscard]] std::string launchProblem(const KernelFile& file);

/// Whether its block alone exceeds them.
[[nodiscard]] bool hasTooManyThreads(const KernelFile& file);

/// Throws SourceError if the launch exceeds a limit of the hardware: at `launched`, or at the largest shared array.
void requireValidLaunch(const KernelFile& file, const Program& program, const SourceRange& launched);

}  // namespace haloscope::opening
