#include "running/SharedHostMemory.h"

#include <fmt/format.h>

#include <algorithm>

#include "language/Text.h"
#include "running/HostFindings.h"

namespace haloscope::running {

namespace {

bool isShared(const Allocation& one) { return one.hostAddress != 0 && !one.freed; }

}  // namespace

bool SharedHostMemory::take(HostProcess& process) {
  for (const Allocation& one : memory_.all()) {
    if (!isShared(one)) { continue; }
    std::vector<std::byte>& bytes = memory_.at(one.id).bytes;
    const bool taken = bytes.empty() ? process.takePayload(bytes, one.size) : process.takePayload(bytes);
    if (!taken) {
      bytes = {};
      return false;
    }
  }
  return true;
}

SharedHostMemory::After SharedHostMemory::after(const ProgramLaunch& launch) {
  After all;
  for (const Allocation& one : memory_.all()) {
    if (!isShared(one)) { continue; }
    all.parts.emplace_back(one.bytes);
    host::KernelUse use = host::KernelUse::None;
    for (const LaunchPointer& pointer : launch.pointers) {
      if (!launch.executed || !pointer.place || pointer.place->allocation != one.id) { continue; }
      use = std::max(use, pointer.writes  ? host::KernelUse::Writes
                          : pointer.reads ? host::KernelUse::Reads
                                          : host::KernelUse::None);
      busyWith_[one.id] = trf("the kernel {}, launched at {}", launch.kernel, placeText(launch.at));
    }
    all.uses.push_back(static_cast<std::uint64_t>(use));
  }
  return all;
}

void SharedHostMemory::beginCopy(const ProgramEvent& event) {
  for (const std::optional<DevicePlace>& place : {event.destination, event.source}) {
    if (place) { busyWith_[place->allocation] = trf("the copy at {}", placeText(event.at)); }
  }
}

std::string SharedHostMemory::earlyAccess(AllocationId id, const std::optional<std::string>& busyWith) const {
  const auto busy = busyWith_.find(id);
  const std::string& label = memory_.at(id).label;
  return trf("Host code accesses {} while {} may still be at work on it: cudaDeviceSynchronize() is missing.",
             label.empty() ? tr("this memory") : label,
             busyWith                  ? *busyWith
             : busy == busyWith_.end() ? tr("an asynchronous copy")
                                       : busy->second);
}

}  // namespace haloscope::running
