#include "hardware/DeviceFields.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "catalogue/Precision.h"
#include "driver/OwnText.h"
#include "program/Half.h"

namespace haloscope::hardware {

namespace {

constexpr std::uint32_t kFieldThreads = 256;
constexpr std::uint64_t kComparingBlocks = 4096;

constexpr const char* kFieldsText = R"(
#ifdef HALF
#include <cuda_fp16.h>
#endif
__global__ void fill(REAL* array, unsigned long long count) {
  unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  if (i >= count) { return; }
  unsigned bits = (unsigned)i * 2654435761u;
  bits ^= bits >> 15;
  bits *= 2246822519u;
  bits ^= bits >> 13;
  array[i] = (REAL)((int)bits * (1.0f / 2147483648.0f));
}
// found[0]: the bits of the largest difference, which order like the numbers, NaN last; found[1]: elements beyond.
__global__ void compare(const REAL* one, const REAL* other, unsigned long long count, double tolerance,
                        unsigned long long* found) {
  unsigned long long largest = 0;
  unsigned long long beyond = 0;
  unsigned long long stride = gridDim.x * (unsigned long long)blockDim.x;
  for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count; i += stride) {
    double difference = fabs((double)one[i] - (double)other[i]);
    largest = max(largest, (unsigned long long)__double_as_longlong(difference));
    if (!(difference <= tolerance)) { ++beyond; }
  }
  atomicMax(found, largest);
  if (beyond > 0) { atomicAdd(found + 1, beyond); }
}
__global__ void pick(const REAL* array, const unsigned long long* indices, double* picked, unsigned long long count) {
  unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  if (i < count) { picked[i] = (double)array[indices[i]]; }
}
)";

}  // namespace

DeviceFields::DeviceFields(std::shared_ptr<const gpu::Device> device) : device_(std::move(device)) {}

DeviceFields::Kernels& DeviceFields::kernelsFor(ValueType element) {
  Kernels& kernels = kernels_[element];
  if (!kernels.fill) {
    std::map<std::string, std::string> defines{{"REAL", realTypeName(element)}};
    if (element == ValueType::F16) { defines["HALF"] = "1"; }
    const gpu::OwnText text(kFieldsText);
    kernels.compare = text.compile(device_, "fields.cu", "compare", defines);
    kernels.pick = text.compile(device_, "fields.cu", "pick", defines);
    kernels.fill = text.compile(device_, "fields.cu", "fill", std::move(defines));
  }
  return kernels;
}

void DeviceFields::fill(const gpu::DeviceMemory& memory, ValueType element, const gpu::Stream& stream) {
  if (realTypeName(element).empty()) {
    gpu::clearAsync(stream, memory.address(), memory.bytes());
    return;
  }
  const std::uint64_t count = memory.bytes() / static_cast<std::size_t>(sizeInMemory(element));
  LaunchConfiguration configuration;
  configuration.block.x = kFieldThreads;
  configuration.grid.x = static_cast<std::uint32_t>((count + kFieldThreads - 1) / kFieldThreads);
  kernelsFor(element).fill->launch(configuration, std::array<std::uint64_t, 2>{memory.address(), count}, stream);
}

double DeviceFields::filledValue(std::uint64_t index, ValueType element) {
  auto bits = static_cast<std::uint32_t>(index) * 2654435761U;
  bits ^= bits >> 15U;
  bits *= 2246822519U;
  bits ^= bits >> 13U;
  const float value = static_cast<float>(static_cast<std::int32_t>(bits)) * (1.0F / 2147483648.0F);
  return element == ValueType::F16 ? halfValue(halfBits(value)) : value;
}

std::vector<double> DeviceFields::pick(const gpu::DeviceMemory& memory, ValueType element,
                                       const std::vector<std::uint64_t>& indices, const gpu::Stream& stream) {
  std::vector<double> values(indices.size());
  if (indices.empty()) { return values; }
  gpu::DeviceMemory from(device_, std::span(indices).size_bytes());
  const gpu::DeviceMemory to(device_, std::span(values).size_bytes());
  from.upload(std::as_bytes(std::span(indices)));
  LaunchConfiguration configuration;
  configuration.block.x = kFieldThreads;
  configuration.grid.x = static_cast<std::uint32_t>((indices.size() + kFieldThreads - 1) / kFieldThreads);
  kernelsFor(element).pick->launch(
      configuration, std::array<std::uint64_t, 4>{memory.address(), from.address(), to.address(), indices.size()},
      stream);
  stream.synchronize();
  to.download(std::as_writable_bytes(std::span(values)));
  return values;
}

DeviceFields::Difference DeviceFields::compare(const gpu::DeviceMemory& one, const gpu::DeviceMemory& other,
                                               ValueType element, double tolerance, const gpu::Stream& stream) {
  const std::uint64_t count = one.bytes() / static_cast<std::size_t>(sizeInMemory(element));
  std::array<std::uint64_t, 2> found{};
  const gpu::DeviceMemory result(device_, sizeof found);
  gpu::clearAsync(stream, result.address(), result.bytes());
  LaunchConfiguration configuration;
  configuration.block.x = kFieldThreads;
  configuration.grid.x =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(count / kFieldThreads, 1, kComparingBlocks));
  kernelsFor(element).compare->launch(
      configuration,
      std::array<std::uint64_t, 5>{one.address(), other.address(), count, std::bit_cast<std::uint64_t>(tolerance),
                                   result.address()},
      stream);
  stream.synchronize();
  result.download(std::as_writable_bytes(std::span(found)));
  return {std::bit_cast<double>(found[0]), found[1]};
}

}  // namespace haloscope::hardware
