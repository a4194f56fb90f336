#pragma once

#include <map>
#include <memory>
#include <string>

#include "driver/Clearance.h"
#include "driver/Device.h"
#include "driver/Kernel.h"
#include "measuring/Agreement.h"
#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::measuring {

/// One launch, executed on the GPU and on the emulator from the same data.
struct LaunchOnGpu {
  bool identical = false;  ///< bit for bit, where the GPU rounds products and sums separately
  Agreement separate;      ///< products and sums rounded separately, as on the emulator
  Agreement fused;         ///< compiled as usual: a * b + c may be rounded once

  /// What fusing changes is the program's own affair: it may turn a comparison, or the last bit of an integer.
  [[nodiscard]] bool pass() const { return separate.pass(); }
};

/// Executes launches of one program on a GPU and compares what they leave. Keeps compiled kernels for later launches of
/// the same text.
class LaunchesOnGpu {
 public:
  explicit LaunchesOnGpu(std::shared_ptr<const gpu::Device> device);
  ~LaunchesOnGpu();

  /// `before`: the launch as the kernel finds it; `emulated`: as the emulator leaves it. Throws Unavailable,
  /// NvrtcError, gpu::Error.
  [[nodiscard]] LaunchOnGpu compare(const gpu::Clearance& clearance, const gpu::KernelText& text,
                                    const Program& program, const Launch& before, const Launch& emulated);

 private:
  gpu::Kernel& kernelOf(const gpu::Clearance& clearance, const gpu::KernelText& text, const Program& program);

  std::shared_ptr<const gpu::Device> device_;
  std::map<std::string, std::unique_ptr<gpu::Kernel>> kernels_;  ///< by text, name and rounding
};

}  // namespace haloscope::measuring
