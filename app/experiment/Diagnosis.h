#pragma once

#include <vector>

#include "analysis/Finding.h"
#include "program/KernelFile.h"
#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::experiment {

/// The likely mistake behind a wrong result. Each hypothesis (two weights exchanged, the filter transposed, all taps
/// shifted, …) says what the wrong points would hold; the first that explains them is told, as a finding of the kind
/// WrongResult. Where none does, one finding tells how many points are wrong, and the first of them. Points that were
/// never written, or hold what nobody wrote, are left to the analyses of those; if no others are wrong, only a macro
/// without parentheses is told. Empty where the result is right, or no reference is known.
/// `onlyNamed`: nothing is told where no hypothesis explains the points, as where the reference itself is a guess.
/// `before` and `after` are the launch as it began and as the kernel left it; inputs that are random and weights that
/// are all different (InputKind::Random) make sure that no two mistakes look alike.
std::vector<analysis::Finding> diagnose(const KernelFile& file, const Bindings& bindings, const Program& program,
                                        const Launch& before, const Launch& after, bool onlyNamed = false);

}  // namespace haloscope::experiment
