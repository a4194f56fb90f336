#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "running/DeviceMemory.h"
#include "running/HostFindings.h"
#include "running/LaunchBinding.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// Constants that a kernel reads and the host has not copied to, or only to a part of what is read.
class UnsetConstants {
 public:
  UnsetConstants(const DeviceMemory& memory, HostFindings& findings) : memory_(memory), findings_(findings) {}

  /// An executed launch. What its kernel computes from such a constant is no mistake of its own.
  void launched(ProgramLaunch& launch, const BoundLaunch& bound);

 private:
  void findPart(ProgramLaunch& launch, const BoundLaunch& bound, ObjectId object, const Allocation& variable);

  const DeviceMemory& memory_;
  HostFindings& findings_;
  /// By kernel, variable, and the bytes that were copied: how many the kernel reads.
  std::map<std::tuple<std::string, AllocationId, std::uint64_t>, std::uint64_t> read_;
};

}  // namespace haloscope::running
