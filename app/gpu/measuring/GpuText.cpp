#include "measuring/GpuText.h"

#include <utility>

#include "frontend/Frontend.h"

namespace haloscope::measuring {

gpu::KernelText gpuText(const KernelFile& file, const Bindings& bindings) {
  const frontend::CompileOptions options = frontend::optionsOf(file, bindings);
  gpu::KernelText text =
      gpuText(file.path.string(), options, frontend::deviceText(file.path.string(), file.text, options));
  text.leastCapability = file.leastCapability;
  return text;
}

gpu::KernelText gpuText(const std::string& file, const frontend::CompileOptions& options, frontend::DeviceText device) {
  return {.file = file,
          .text = std::move(device.text),
          .defines = options.defines,
          .prologue = std::move(device.prologue),
          .headers = std::move(device.headers),
          .kernel = std::move(device.kernel),
          .variables = std::move(device.variables)};
}

}  // namespace haloscope::measuring
