#include "gpu/CopyTest.h"

#include <array>

namespace haloscope::gpu {

namespace {

constexpr std::size_t kVector = 16;  // bytes of a float4
constexpr std::uint32_t kThreads = 256;

constexpr const char* kText = R"(
__global__ void copy(const float4* from, float4* to, unsigned long long count) {
  unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  if (i < count) { to[i] = from[i]; }
}
)";

std::size_t wholeVectors(std::size_t bytes) { return (bytes + kVector - 1) / kVector * kVector; }

}  // namespace

CopyTest::CopyTest(const std::shared_ptr<const Device>& device, std::size_t bytes)
    : from_(device, wholeVectors(bytes)),
      to_(device, wholeVectors(bytes)),
      kernel_(device, {"copy.cu", kText, {}}, "copy"),
      events_(device) {}

double CopyTest::driverCopy(const Stream& stream) {
  events_.begin.record(stream);
  copyAsync(stream, to_.address(), from_.address(), from_.bytes());
  events_.end.record(stream);
  stream.synchronize();
  return events_.milliseconds();
}

double CopyTest::kernelCopy(const Stream& stream) {
  const std::uint64_t count = from_.bytes() / kVector;
  LaunchConfiguration configuration;
  configuration.grid.x = static_cast<std::uint32_t>((count + kThreads - 1) / kThreads);
  configuration.block.x = kThreads;
  events_.begin.record(stream);
  kernel_.launch(configuration, std::array<std::uint64_t, 3>{from_.address(), to_.address(), count}, stream);
  events_.end.record(stream);
  stream.synchronize();
  return events_.milliseconds();
}

}  // namespace haloscope::gpu
