#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/HostMessages.h"
#include "running/DeviceMemory.h"
#include "running/HostProcess.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// Memory that the host and kernels use at the same address: it travels with each launch.
class SharedHostMemory {
 public:
  explicit SharedHostMemory(DeviceMemory& memory) : memory_(memory) {}

  /// As it is when a kernel begins: the rest of a message's payload. False if it does not come. Throws InputError if it
  /// is less than there is.
  bool take(HostProcess& process);

  /// What the host gets after a launch: for each allocation how the kernel uses it, and its bytes.
  struct After {
    std::vector<std::uint64_t> uses;
    std::vector<std::span<const std::byte>> parts;
  };
  [[nodiscard]] After after(const ProgramLaunch& launch);

 private:
  DeviceMemory& memory_;
};

}  // namespace haloscope::running
