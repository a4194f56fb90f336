#include "running/AllocationCalls.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"
#include "running/CudaErrors.h"

namespace haloscope::running {

namespace {

/// Of what a process may claim that it has.
constexpr std::size_t kMostHostBlocks = 10'000;

}  // namespace

/// Whether the GPU that the program sees would have this much memory left.
bool AllocationCalls::isOnDevice(std::uint64_t bytes) const {
  const auto known = options_.device.properties.find("totalGlobalMem");
  if (known == options_.device.properties.end()) { return false; }
  const auto all = static_cast<std::uint64_t>(std::max<std::int64_t>(0, known->second));
  return memory_.used() <= all && bytes <= all - memory_.used();
}

void AllocationCalls::takeHostMemory(const host::Allocate& call, ProgramEvent& event, Excess& excess) {
  const bool possible = call.address != 0 && call.address >> 47 == 0 && memory_.all().size() < kMostHostBlocks;
  Allocation* const one = possible ? memory_.addHostMemory(call.address, call.bytes, call.memory, event.at) : nullptr;
  if (one == nullptr) {
    event.error = kMemoryAllocation;
    if (possible && !leavesOut(excess)) { excess = Excess::DeviceMemory; }
    return;
  }
  one->name = call.symbol;
  one->file = call.file;
  one->label = places_.next(event.at);
  event.destination = DevicePlace{one->id, 0};
}

std::uint64_t AllocationCalls::allocate(const host::Allocate& call, ProgramEvent& event, Excess& excess) {
  event.bytes = call.bytes;
  if (call.memory != host::HostMemory::Device) {
    takeHostMemory(call, event, excess);
    return event.destination ? memory_.unwrittenWord(event.destination->allocation) : 0;
  }
  if (call.bytes == 0) { return 0; }
  const std::optional<std::uint64_t> address = memory_.allocate(call.bytes, event.at);
  if (!address) {
    event.error = kMemoryAllocation;
    if (isOnDevice(call.bytes) && !leavesOut(excess)) { excess = Excess::DeviceMemory; }
    return 0;
  }
  event.destination = memory_.find(*address);
  memory_.at(event.destination->allocation).label = places_.next(event.at);
  return *address;
}

void AllocationCalls::free(const host::Free& call, ProgramEvent& event) {
  const char* const function = call.host ? "cudaFreeHost" : "cudaFree";
  const std::optional<DevicePlace> place = memory_.find(call.address);
  event.source = place;
  event.error = kInvalidValue;
  const auto refuse = [&](HostFindingKind kind, std::string message) {
    findings_.add(kind, event.at, std::move(message));
  };
  if (!place) {
    return refuse(HostFindingKind::InvalidFree,
                  trf("{} is given an address that no allocation of the device returned: memory of the host or a "
                      "__constant__ array, which it does not free, or a pointer that was never set.",
                      function));
  }
  if (place->offset != 0) {
    return refuse(HostFindingKind::InvalidFree,
                  trf("{} is given an address {} past the start of its memory.", function,
                      bytesText(static_cast<std::uint64_t>(std::max<std::int64_t>(0, place->offset)))));
  }
  const Allocation& one = memory_.at(place->allocation);
  if (one.freed) {
    return refuse(HostFindingKind::FreedTwice, trf("This memory was freed at {} already.", placeText(one.freedAt)));
  }
  if (!one.name.empty() || call.host != (one.memory == host::HostMemory::PageLocked)) {
    return refuse(HostFindingKind::InvalidFree, trf("{} is given memory that {} did not allocate.", function,
                                                    call.host ? "cudaMallocHost" : "cudaMalloc"));
  }
  event.error = kSuccess;
  memory_.free(place->allocation, event.at);
}

void AllocationCalls::freeAll(const host::HostPlace& at) {
  for (const Allocation& one : memory_.all()) {
    if (!one.freed && one.name.empty()) { memory_.free(one.id, at); }
  }
}

void AllocationCalls::findNeverFreed() {
  for (const Allocation& one : memory_.all()) {
    if (one.freed || !one.name.empty()) { continue; }
    findings_.add(
        HostFindingKind::NeverFreed, one.allocatedAt,
        trf("The {}{} are never freed.", bytesText(one.size), one.label.empty() ? "" : trf(" of {}", one.label)));
  }
}

}  // namespace haloscope::running
