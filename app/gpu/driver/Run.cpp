#include "driver/Run.h"

#include "driver/LaunchArrays.h"

namespace haloscope::gpu {

KernelResources run(const Clearance& clearance, const std::shared_ptr<const Device>& device, const KernelText& text,
                    const Program& program, Launch& launch) {
  Kernel kernel(clearance, device, text, program);
  run(kernel, program, launch);
  return kernel.resources();
}

void run(Kernel& kernel, const Program& program, Launch& launch) {
  const LaunchArrays arrays(kernel, program, launch);
  const Stream stream(kernel.device());
  kernel.launch(launch.configuration, arrays.arguments(), stream);
  stream.synchronize();
  arrays.download(kernel, program, launch);
}

}  // namespace haloscope::gpu
