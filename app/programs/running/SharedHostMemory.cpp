#include "running/SharedHostMemory.h"

#include <algorithm>

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
    }
    all.uses.push_back(static_cast<std::uint64_t>(use));
  }
  return all;
}

}  // namespace haloscope::running
