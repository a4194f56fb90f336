#pragma once

#include "gpu/Kernel.h"
#include "program/KernelFile.h"

namespace haloscope::measuring {

/// What the GPU's compiler is given of a variant or of an opened file: the text that the emulator executes, with its
/// headers and supplied names, without the host's code. Throws frontend::CompileError.
[[nodiscard]] gpu::KernelText gpuText(const KernelFile& file, const Bindings& bindings);

}  // namespace haloscope::measuring
