#include "measuring/LaunchOnGpu.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "driver/Run.h"

namespace haloscope::measuring {

namespace {

/// Constants that the source initialises: the program may have given them other values.
std::vector<std::string> initialisedVariables(const gpu::KernelText& text, const Program& program) {
  std::vector<std::string> names;
  for (const MemoryObject& object : program.objects) {
    if (object.space == MemorySpace::Constant && !object.initial.empty() && text.variables.contains(object.name)) {
      names.push_back(object.name);
    }
  }
  return names;
}

}  // namespace

LaunchesOnGpu::LaunchesOnGpu(std::shared_ptr<const gpu::Device> device) : device_(std::move(device)) {}
LaunchesOnGpu::~LaunchesOnGpu() = default;

gpu::Kernel& LaunchesOnGpu::kernelOf(const gpu::Clearance& clearance, const gpu::KernelText& text,
                                     const Program& program) {
  std::unique_ptr<gpu::Kernel>& kernel =
      kernels_[fmt::format("{} {} {} {}", text.contract, text.file, text.kernel, text.text)];
  if (!kernel) {
    kernel = std::make_unique<gpu::Kernel>(clearance, device_, text, program, initialisedVariables(text, program));
  }
  return *kernel;
}

LaunchOnGpu LaunchesOnGpu::compare(const gpu::Clearance& clearance, const gpu::KernelText& text, const Program& program,
                                   const Launch& before, const Launch& emulated) {
  const auto onGpu = [&](bool contract) {
    gpu::KernelText compiled = text;
    compiled.contract = contract;
    Launch launch = before;
    gpu::run(kernelOf(clearance, compiled, program), program, launch);
    return launch;
  };
  LaunchOnGpu result;
  const Launch separate = onGpu(false);
  result.identical = sameBits(program, emulated, separate);
  result.separate = agreementOf(program, emulated, separate);
  result.fused = agreementOf(program, emulated, onGpu(true));
  return result;
}

}  // namespace haloscope::measuring
