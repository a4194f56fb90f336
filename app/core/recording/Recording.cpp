#include "recording/Recording.h"

#include <algorithm>

namespace haloscope::recording {

namespace {

template <typename T>
std::size_t bytesOf(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

}  // namespace

bool isPoison(ValueType type, std::uint64_t bits) {
  return (type == ValueType::F16 && static_cast<std::uint16_t>(bits) == static_cast<std::uint16_t>(kPoison)) ||
         (type == ValueType::F32 && static_cast<std::uint32_t>(bits) == static_cast<std::uint32_t>(kPoison)) ||
         (type == ValueType::F64 && bits == kPoison);
}

std::span<const ClusterAccess> Recording::clusterAccessesOf(std::size_t step) const {
  const auto [begin, end] = std::ranges::equal_range(clusterAccesses, step, {}, &ClusterAccess::step);
  return {begin, end};
}

std::size_t Recording::byteCount() const {
  std::size_t bytes = sizeof(Recording) + bytesOf(extents) + bytesOf(steps) + bytesOf(activities) +
                      bytesOf(warpStates) + bytesOf(changes) + bytesOf(accesses) + bytesOf(elements) + bytesOf(values) +
                      bytesOf(clusterAccesses) + bytesOf(inFlight) + bytesOf(planes) + bytesOf(intervals) +
                      bytesOf(initialConstants) + bytesOf(initialVariables);
  for (const auto& extent : extents) { bytes += bytesOf(extent); }
  for (const auto& constants : initialConstants) { bytes += bytesOf(constants); }
  return bytes;
}

}  // namespace haloscope::recording
