#pragma once

#include <string>

#include "driver/Compiler.h"

namespace haloscope::test {

/// Why CUDA's compiler for devices (NVRTC) cannot be used here; empty: it can.
[[nodiscard]] inline std::string missingDeviceCompiler() {
  constexpr int kDriver = 13000;  // of CUDA 13
  try {
    const gpu::Compiler compiler(kDriver);
  } catch (const gpu::Unavailable& missing) { return missing.what(); }
  return {};
}

}  // namespace haloscope::test
