#pragma once

#include <string>

#include "catalogue/KernelFile.h"
#include "program/SourceLocation.h"

namespace haloscope::figures {

/// A kernel's error as one sentence, without the kernel's name, which is in the figure's heading.
[[nodiscard]] std::string problemText(const KernelFile& file, const UserError& error);
/// ... with its line.
[[nodiscard]] std::string problemText(const KernelFile& file, const SourceRange& where, const std::string& message);

}  // namespace haloscope::figures
