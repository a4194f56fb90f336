#pragma once

#include <string>

#include "program/KernelFile.h"
#include "program/SourceLocation.h"

namespace haloscope::figures {

/// What went wrong with a kernel as one sentence, without the kernel's name, which stands above the figure.
[[nodiscard]] std::string problemText(const KernelFile& file, const InputError& error);
/// ... with the line that it is about.
[[nodiscard]] std::string problemText(const KernelFile& file, const SourceError& error);
[[nodiscard]] std::string problemText(const KernelFile& file, const SourceRange& where, const std::string& message);

}  // namespace haloscope::figures
