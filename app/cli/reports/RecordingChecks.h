#pragma once

#include <vector>

#include "catalogue/KernelFile.h"
#include "options/ExitCode.h"

namespace haloscope {

/// `haloscope verify --recording`: records blocks of each file, at its entry of `bindings`, on the emulator and on the
/// GPU, and compares them. Throws MissingError without a GPU.
ExitCode verifyRecordings(const std::vector<KernelFile>& files, const std::vector<Bindings>& bindings, bool json);

}  // namespace haloscope
