#pragma once

#include <optional>
#include <string>

#include "checking/Check.h"
#include "program/KernelFile.h"

namespace haloscope::checking {

/// The GPU is only given a kernel that the emulator found free of faults. Of a file that the person brought: the first
/// finding that speaks against it, because a second run may give other results, or harm others; none of a variant.
/// Throws as check().
[[nodiscard]] std::optional<std::string> whyNotOnGpu(const KernelFile& file, const Bindings& bindings,
                                                     const CheckOptions& options = {});

}  // namespace haloscope::checking
