#pragma once

#include <stop_token>

#include "catalogue/KernelFile.h"
#include "checking/Check.h"

/// What can be said of a kernel without a reference: a stencil computes every point alike.
namespace haloscope::checking {

/// Executes a kernel on random data, and again on the same data moved by one point along each axis of at least 12
/// points: away from the borders of the grid its result must move along. Where it does, sets `uniform`, and `compared`
/// to what was tried at how many points. A kernel with tiles whose result does not at some points, in most blocks of
/// the middle of the grid, gets a WrongResult finding: the points of a stencil do not depend on the tile that they are
/// in; so does one whose blocks compute several points along an axis one after the other, if its result moves along
/// that axis only by as many points at once: a plane that is not rotated. Says nothing where most points differ, as a
/// kernel may use their position; where they differ in a few places alone, as with a source or a layer at the border;
/// where most values are NaN or infinite; and where the shape of the arrays is not known.
void checkUniformity(const KernelFile& file, const Bindings& bindings, CheckReport& report,
                     const std::stop_token& stop = {});

}  // namespace haloscope::checking
