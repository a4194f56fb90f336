#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "faults/Finding.h"
#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::checking {

/// What is wrong with a result.
struct Diagnosis {
  std::vector<faults::Finding> findings{};
  bool onlyAtBorder = false;    ///< every wrong point has a neighbour outside the array
  bool roundedToFloat = false;  ///< it is in double, part of it is computed in float, and it is as little off as that
};

/// The likely mistake behind a wrong result. Each hypothesis (two weights exchanged, the filter transposed, all taps
/// shifted, the border clamped, …) is a reference of its own, which says what the points would hold. One that explains
/// every wrong point and would have left no right point alone is preferred; then one that explains the wrong points.
/// After those come small changes of the kernel with which it would be right (see findRepair). What explains the result
/// is reported as a WrongResult finding; where nothing does, one finding says how many points are wrong, and
/// gives the first of them. Points that were never written, or hold uninitialised values, are left to the analyses of
/// those. Empty where the result is right, or no reference is known. `onlyNamed`: nothing is reported where no
/// hypothesis explains the points, as where the reference itself is a guess. `before` and `after` are the launch as it
/// began and as the kernel left it; inputs that are random and weights that are all different (InputKind::Random) make
/// sure that no two mistakes look alike.
Diagnosis diagnose(const KernelFile& file, const Bindings& bindings, const Program& program, const Launch& before,
                   const Launch& after, bool onlyNamed = false, const std::stop_token& stop = {});

/// Adds to a fault that was found already its likely cause, or what would mend it, where that is clear.
void explain(faults::Finding& symptom, const KernelFile& file, const Bindings& bindings, const Program& program,
             const Launch& before, const Launch& after, const std::stop_token& stop = {});

}  // namespace haloscope::checking
