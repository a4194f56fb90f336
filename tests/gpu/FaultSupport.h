#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "GpuSupport.h"
#include "driver/Compiler.h"
#include "driver/KernelProcess.h"

/// A fake driver that gives the errors which a real one gives when something goes wrong on a GPU.
namespace haloscope::gpu {

/// HALOSCOPE_FAKE for as long as this lives; see FakeDriver.cpp.
class FakeTrouble {
 public:
  explicit FakeTrouble(const char* what) {
    if (const char* before = std::getenv("HALOSCOPE_FAKE")) { before_ = before; }
    setenv("HALOSCOPE_FAKE", what, 1);
  }
  FakeTrouble(const FakeTrouble&) = delete;
  FakeTrouble& operator=(const FakeTrouble&) = delete;
  ~FakeTrouble() { before_ ? setenv("HALOSCOPE_FAKE", before_->c_str(), 1) : unsetenv("HALOSCOPE_FAKE"); }

 private:
  std::optional<std::string> before_;
};

inline std::filesystem::path theProgram() {
  const std::filesystem::path nextToTest = folderOfTheTests() / "haloscope";
  return std::filesystem::exists(nextToTest) ? nextToTest : std::filesystem::path(HALOSCOPE_BINARY);
}

/// A library that fake/ makes, which lies next to this test program: "cuda", "nvml" or "cupti".
inline std::string fakeLibrary(const std::string& name) { return folderOfTheTests() / ("libfake_" + name + ".so"); }

inline DeviceOptions fakeDevice(int ordinal = 0) { return {.ordinal = ordinal, .driver = fakeLibrary("cuda")}; }

inline bool hasCompiler() {
  try {
    (void)Compiler(13000);
    return true;
  } catch (const Unavailable&) { return false; }
}

/// Runs on the fake driver or on this machine's GPU. Skipped without a GPU, and without NVRTC.
class OnDevice {
 protected:
  void open(const DeviceOptions& options) {
    const DeviceSearch search = findDevice(options);
    ASSERT_TRUE(search.device || options.driver.empty()) << search.missing;
    if (!search.device) { GTEST_SKIP() << "needs a GPU: " << search.missing; }
    try {
      (void)search.device->compiler();
    } catch (const Unavailable& missing) { GTEST_SKIP() << missing.what(); }
    device_ = search.device;
  }

  std::shared_ptr<Device> device_;
};

/// A kernel without a fault, `addOne(in, out, N)`.
inline constexpr const char* kAddOne =
    "__global__ void addOne(const float* in, float* out, int N) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < N * N) { out[i] = in[i] + 1.0f; }\n"
    "}\n";

}  // namespace haloscope::gpu
