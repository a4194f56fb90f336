#include "hardware/CacheEviction.h"

#include <algorithm>
#include <array>

#include "driver/OwnText.h"

namespace haloscope::hardware {

namespace {

constexpr std::uint32_t kReadingThreads = 256;
constexpr std::size_t kVector = 16;                          // bytes of an int4
constexpr std::size_t kLeastBytes = std::size_t{16} << 20U;  // if the driver does not report the cache size

// The store, never taken, keeps the compiler from dropping the loads: the array holds zeros.
constexpr const char* kReadAllText = R"(
__global__ void readAll(const int4* from, int* never, unsigned long long count) {
  unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  if (i >= count) { return; }
  const int4 value = from[i];
  if (value.x + value.y + value.z + value.w != 0) { *never = value.x; }
}
)";

std::size_t arrayBytes(const gpu::Device& device) {
  return std::max(kLeastBytes, 4 * static_cast<std::size_t>(device.properties().l2Bytes)) / kVector * kVector;
}

}  // namespace

CacheEviction::CacheEviction(const std::shared_ptr<const gpu::Device>& device)
    : memory_(device, arrayBytes(*device)),
      never_(device, kVector),
      kernel_(gpu::OwnText(kReadAllText).compile(device, "read_all.cu", "readAll")) {
  const gpu::Stream stream(device);
  gpu::clearAsync(stream, memory_.address(), memory_.bytes());
  stream.synchronize();
}

void CacheEviction::run(const gpu::Stream& stream) const {
  const std::uint64_t count = memory_.bytes() / kVector;
  LaunchConfiguration configuration;
  configuration.grid.x = static_cast<std::uint32_t>((count + kReadingThreads - 1) / kReadingThreads);
  configuration.block.x = kReadingThreads;
  kernel_->launch(configuration, std::array<std::uint64_t, 3>{memory_.address(), never_.address(), count}, stream);
  stream.synchronize();
}

}  // namespace haloscope::hardware
