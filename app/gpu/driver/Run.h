#pragma once

#include <memory>

#include "driver/Kernel.h"

namespace haloscope::gpu {

/// Compiles `text` and runs it once on fresh device memory. The global arrays of `launch` are copied to the device and
/// back, updated as by simt::execute; constant arrays are set.
/// Throws Unavailable, NvrtcError, Error. Waits: not for use in a frame.
KernelResources run(const Clearance& clearance, const std::shared_ptr<const Device>& device, const KernelText& text,
                    const Program& program, Launch& launch);
/// The same with a compiled kernel.
void run(Kernel& kernel, const Program& program, Launch& launch);

}  // namespace haloscope::gpu
