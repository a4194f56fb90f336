#include "running/ElementsAsBytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace haloscope::running {

namespace {

constexpr std::array<std::uint64_t, 2> kElements{4, 8};

}  // namespace

bool comesFromSmallArrays(const analysis::Finding& finding) {
  using analysis::FindingKind;
  return finding.kind == FindingKind::OutOfBounds || finding.kind == FindingKind::Uninitialized ||
         finding.kind == FindingKind::UnwrittenOutput || finding.kind == FindingKind::WrongResult;
}

bool ElementsAsBytes::isTooSmall(const Allocation& one, const DevicePlace& place, std::uint64_t extent) {
  if (place.offset != 0 || !one.name.empty() || one.bytes.empty()) { return false; }
  for (const std::uint64_t element : kElements) {
    if (extent != element * one.bytes.size()) { continue; }
    findings_.add(HostFindingKind::ElementsAsBytes, one.allocatedAt,
                  fmt::format("Allocates {} of memory for what has {}: the size is in bytes, and this is the number of "
                              "elements of {} bytes; multiply it by the size of one.",
                              bytesText(one.bytes.size()), bytesText(extent), element));
    tooSmall_.insert(one.id);
    return true;
  }
  return false;
}

void ElementsAsBytes::checkCopy(const Allocation& one, const DevicePlace& place, std::uint64_t bytes,
                                const host::HostPlace& at) {
  if (place.offset != 0 || bytes == 0) { return; }
  for (const std::uint64_t element : kElements) {
    if (bytes * element == one.bytes.size() && bytes > element) {
      findings_.add(HostFindingKind::ElementsAsBytes, at,
                    fmt::format("Copies {} of memory that has {}: the size is in bytes, and this is the number of "
                                "elements of {} bytes; multiply it by the size of one.",
                                bytesText(bytes), bytesText(one.bytes.size()), element));
    }
  }
}

void ElementsAsBytes::excuse(std::vector<ProgramLaunch>& launches) const {
  for (ProgramLaunch& launch : launches) {
    launch.lacksMemory = std::ranges::any_of(launch.pointers, [&](const LaunchPointer& pointer) {
      return pointer.place && tooSmall_.contains(pointer.place->allocation);
    });
    if (!launch.lacksMemory) { continue; }
    std::erase_if(launch.findings, comesFromSmallArrays);
  }
}

}  // namespace haloscope::running
