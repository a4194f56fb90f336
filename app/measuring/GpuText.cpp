#include "measuring/GpuText.h"

#include <utility>

#include "frontend/Frontend.h"

namespace haloscope::measuring {

gpu::KernelText gpuText(const KernelFile& file, const Bindings& bindings) {
  const frontend::CompileOptions options{.defines = file.defines(bindings),
                                         .kernel = file.kernel,
                                         .prologue = file.prologue,
                                         .headers = file.headers,
                                         .instances = file.instances};
  frontend::DeviceText device = frontend::deviceText(file.path.string(), file.text, options);
  return {.file = file.path.string(),
          .text = std::move(device.text),
          .defines = options.defines,
          .prologue = std::move(device.prologue),
          .headers = std::move(device.headers),
          .kernel = std::move(device.kernel),
          .variables = std::move(device.variables)};
}

}  // namespace haloscope::measuring
