#pragma once

#include <string>

#include "catalogue/KernelFile.h"
#include "driver/Kernel.h"

namespace haloscope::frontend {
struct CompileOptions;
struct DeviceText;
}  // namespace haloscope::frontend

namespace haloscope::measuring {

/// What the GPU's compiler is given of a variant or of an opened file: the text that the emulator executes, with its
/// headers and supplied names, without the host's code. Throws frontend::CompileError.
[[nodiscard]] gpu::KernelText gpuText(const KernelFile& file, const Bindings& bindings);
/// ... once the text without the host's code is made.
[[nodiscard]] gpu::KernelText gpuText(const std::string& file, const frontend::CompileOptions& options,
                                      frontend::DeviceText device);

}  // namespace haloscope::measuring
