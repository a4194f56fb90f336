#pragma once

#include "catalogue/KernelFile.h"

namespace haloscope::checking {

/// Whether the text is, byte for byte, that of a variant in kernels/ as it was when Haloscope was built: what the tests
/// have checked under every analysis. False for an opened file, whose launch the tests do not know.
[[nodiscard]] bool isShippedVariant(const KernelFile& file);

}  // namespace haloscope::checking
