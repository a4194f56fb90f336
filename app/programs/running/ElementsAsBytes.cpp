#include "running/ElementsAsBytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "language/Text.h"

namespace haloscope::running {

namespace {

constexpr std::array<std::uint64_t, 2> kElements{4, 8};

}  // namespace

bool comesFromSmallArrays(const faults::Finding& finding) {
  using faults::FindingKind;
  return finding.kind == FindingKind::OutOfBounds || finding.kind == FindingKind::Uninitialized ||
         finding.kind == FindingKind::UnwrittenOutput || finding.kind == FindingKind::WrongResult;
}

bool ElementsAsBytes::isTooSmall(const Allocation& one, const DevicePlace& place, std::uint64_t extent) {
  if (place.offset != 0 || !one.name.empty() || one.freed || one.size == 0) { return false; }
  for (const std::uint64_t element : kElements) {
    if (extent != element * one.size) { continue; }
    findings_.add(HostFindingKind::ElementsAsBytes, one.allocatedAt,
                  trf("Allocates {} of memory for what has {}: the size is in bytes, and this is the number of "
                      "elements of {} bytes; multiply it by the size of one.",
                      bytesText(one.size), bytesText(extent), element));
    tooSmall_.insert(one.id);
    return true;
  }
  return false;
}

void ElementsAsBytes::checkCopy(const Allocation& one, const DevicePlace& place, std::uint64_t bytes, bool writes,
                                const host::HostPlace& at) {
  const auto fits = [&](std::uint64_t element) { return bytes * element == one.size && bytes > element; };
  if (place.offset != 0 || std::ranges::none_of(kElements, fits)) { return; }
  add({.allocation = one.id, .writes = writes, .bytes = bytes, .part = bytes, .whole = one.size, .rows = 1, .at = at});
}

void ElementsAsBytes::checkRows(const Allocation& one, const DevicePlace& place, const host::Copy& call, bool writes,
                                const host::HostPlace& at) {
  const std::uint64_t row = writes ? call.sourcePitch : call.destinationPitch;  // of the host
  const std::uint64_t pitch = writes ? call.destinationPitch : call.sourcePitch;
  const auto fits = [&](std::uint64_t element) { return call.width * element == row && call.width > element; };
  if (place.offset != 0 || std::ranges::none_of(kElements, fits)) { return; }
  add({.allocation = one.id,
       .writes = writes,
       .bytes = (call.height - 1) * pitch + call.width,
       .part = call.width,
       .whole = row,
       .rows = call.height,
       .at = at});
}

void ElementsAsBytes::add(ShortCopy copy) {
  constexpr std::size_t kMost = 1000;
  const auto same = [&](const ShortCopy& other) {
    return other.allocation == copy.allocation && other.writes == copy.writes && other.bytes == copy.bytes &&
           other.at == copy.at;
  };
  if (shortCopies_.size() < kMost && std::ranges::none_of(shortCopies_, same)) {
    shortCopies_.push_back(std::move(copy));
  }
}

void ElementsAsBytes::touched(const DevicePlace& place, std::uint64_t extent, bool writes) {
  std::erase_if(shortCopies_, [&](const ShortCopy& one) {
    return one.allocation == place.allocation && one.writes == writes &&
           static_cast<std::uint64_t>(place.offset) + extent > one.bytes;
  });
}

void ElementsAsBytes::conclude(std::vector<ProgramLaunch>& launches) {
  for (const ShortCopy& one : shortCopies_) {
    if (one.rows > 1) {
      findings_.add(HostFindingKind::ElementsAsBytes, one.at,
                    trf("Copies {} of each row, which has {}: the width is in bytes, and this is the number of "
                        "elements of {} bytes; multiply it by the size of one.",
                        bytesText(one.part), bytesText(one.whole), one.whole / one.part));
      continue;
    }
    findings_.add(HostFindingKind::ElementsAsBytes, one.at,
                  trf("Copies {} of memory that has {}: the size is in bytes, and this is the number of "
                      "elements of {} bytes; multiply it by the size of one.",
                      bytesText(one.bytes), bytesText(one.whole), one.whole / one.bytes));
  }
  for (ProgramLaunch& launch : launches) {
    launch.lacksMemory = std::ranges::any_of(launch.pointers, [&](const LaunchPointer& pointer) {
      return pointer.place && tooSmall_.contains(pointer.place->allocation);
    });
    if (!launch.lacksMemory) { continue; }
    std::erase_if(launch.findings, comesFromSmallArrays);
  }
}

}  // namespace haloscope::running
