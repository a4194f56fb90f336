#pragma once

#include <string>
#include <vector>

#include "program/Catalogue.h"

namespace haloscope {

/// Variants and .cu files that the command line names to stand beside `first`; the files become part of the catalogue.
/// Throws InputError for too many, or one that stands there already, and what chosenKernel throws.
[[nodiscard]] std::vector<KernelFile> kernelsBeside(Catalogue& catalogue, const KernelFile& first,
                                                    const std::vector<std::string>& targets);

}  // namespace haloscope
