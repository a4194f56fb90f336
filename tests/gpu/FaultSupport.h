#pragma once

#include <cstdlib>
#include <filesystem>

#include "GpuSupport.h"
#include "gpu/Compiler.h"
#include "gpu/KernelProcess.h"
#include "process/ChildProcess.h"

/// A fake driver that gives the errors which a real one gives when something goes wrong on a GPU.
namespace haloscope::gpu {

/// HALOSCOPE_FAKE for as long as this lives; see FakeDriver.cpp.
class FakeTrouble {
 public:
  explicit FakeTrouble(const char* what) { setenv("HALOSCOPE_FAKE", what, 1); }
  FakeTrouble(const FakeTrouble&) = delete;
  FakeTrouble& operator=(const FakeTrouble&) = delete;
  ~FakeTrouble() { unsetenv("HALOSCOPE_FAKE"); }
};

inline std::filesystem::path theProgram() {
  const std::filesystem::path nextToTest = process::thisProgram().parent_path() / "haloscope";
  return std::filesystem::exists(nextToTest) ? nextToTest : std::filesystem::path(HALOSCOPE_BINARY);
}

inline DeviceOptions fakeDevice(int ordinal = 0) {
#ifdef HALOSCOPE_FAKE_DRIVER
  return {.ordinal = ordinal, .driver = HALOSCOPE_FAKE_DRIVER};
#else
  return {.ordinal = ordinal, .driver = "no fake driver"};
#endif
}

inline bool hasFakeDriver() { return std::filesystem::exists(fakeDevice().driver); }

inline bool hasCompiler() {
  try {
    (void)Compiler(13000);
    return true;
  } catch (const Unavailable&) { return false; }
}

/// A kernel without a fault, `addOne(in, out, N)`.
inline constexpr const char* kAddOne =
    "__global__ void addOne(const float* in, float* out, int N) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < N * N) { out[i] = in[i] + 1.0f; }\n"
    "}\n";

}  // namespace haloscope::gpu
