#pragma once

#include <string>

#include "catalogue/KernelFile.h"

namespace haloscope {

/// `bindings` with the largest sizes at which the grid has the number of blocks that "X[,Y[,Z]]" names for its first
/// axes: no block is cut off that need not be. Throws InputError where no size makes this grid.
[[nodiscard]] Bindings sizesOfGrid(const KernelFile& file, Bindings bindings, const std::string& blocks);

}  // namespace haloscope
