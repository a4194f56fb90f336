#include "hardware/CopyTest.h"

#include <fmt/format.h>

#include <array>

#include "driver/OwnText.h"

namespace haloscope::hardware {

namespace {

constexpr std::size_t kWidest = 16;  // bytes of a float4
constexpr std::uint32_t kCopyingThreads = 256;

constexpr const char* kCopyText = R"(
__global__ void copy(const VECTOR* from, VECTOR* to, unsigned long long count) {
  unsigned long long first = blockIdx.x * (unsigned long long)(blockDim.x * PER_THREAD) + threadIdx.x;
  VECTOR kept[PER_THREAD];
#pragma unroll
  for (int n = 0; n < PER_THREAD; ++n) {
    unsigned long long i = first + n * blockDim.x;
    if (i < count) { kept[n] = from[i]; }
  }
#pragma unroll
  for (int n = 0; n < PER_THREAD; ++n) {
    unsigned long long i = first + n * blockDim.x;
    if (i < count) { to[i] = kept[n]; }
  }
}
)";

struct Shape {
  const char* vector;
  std::size_t bytes;
  std::uint64_t perThread;
};
constexpr std::array kShapes = {Shape{"float", 4, 4}, Shape{"float2", 8, 2}, Shape{"float4", 16, 1},
                                Shape{"float4", 16, 2}, Shape{"float4", 16, 4}};

std::size_t wholeVectors(std::size_t bytes) { return (bytes + kWidest - 1) / kWidest * kWidest; }

}  // namespace

CopyTest::CopyTest(const std::shared_ptr<const gpu::Device>& device, std::size_t bytes)
    : from_(device, wholeVectors(bytes)), to_(device, wholeVectors(bytes)), kinds_{"cuMemcpyDtoD"} {
  for (const Shape& shape : kShapes) {
    kernels_.push_back(
        {gpu::OwnText(kCopyText).compile(device, "copy.cu", "copy",
                                         {{"VECTOR", shape.vector}, {"PER_THREAD", std::to_string(shape.perThread)}}),
         shape.bytes, shape.perThread});
    kinds_.push_back(fmt::format("{} kernel{}", shape.vector,
                                 shape.perThread == 1 ? "" : fmt::format(", {} per thread", shape.perThread)));
  }
}

void CopyTest::queue(std::size_t kind, const gpu::Stream& stream) const {
  if (kind == 0) {
    gpu::copyAsync(stream, to_.address(), from_.address(), from_.bytes());
    return;
  }
  const CopyKernel& copy = kernels_.at(kind - 1);
  const std::uint64_t count = from_.bytes() / copy.elementBytes;
  const std::uint64_t perBlock = kCopyingThreads * copy.perThread;
  LaunchConfiguration configuration;
  configuration.grid.x = static_cast<std::uint32_t>((count + perBlock - 1) / perBlock);
  configuration.block.x = kCopyingThreads;
  copy.kernel->launch(configuration, std::array<std::uint64_t, 3>{from_.address(), to_.address(), count}, stream);
}

CopyTimes::CopyTimes(std::shared_ptr<const CopyTest> test, LaunchTimer& timer)
    : test_(std::move(test)), timer_(timer), milliseconds_(test_->kinds().size()) {}

void CopyTimes::round(int launches) {
  for (std::size_t kind = 0; kind < milliseconds_.size(); ++kind) {
    const auto times = timer_.time([&](const gpu::Stream& stream) { test_->queue(kind, stream); }, launches);
    milliseconds_[kind].insert(milliseconds_[kind].end(), times.begin(), times.end());
  }
}

CopyTimes::Best CopyTimes::best() const {
  Best best;
  for (std::size_t kind = 0; kind < milliseconds_.size(); ++kind) {
    const gpu::Spread spread = gpu::spreadOf(milliseconds_[kind]);
    if (spread.medianMs <= 0 || (best.gbs > 0 && spread.medianMs >= best.spread.medianMs)) { continue; }
    best = {test_->kinds()[kind], spread, spread.perNanosecond(test_->traffic())};
  }
  return best;
}

}  // namespace haloscope::hardware
