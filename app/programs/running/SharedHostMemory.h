#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/HostMessages.h"
#include "running/DeviceMemory.h"
#include "running/HostProcess.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// Memory that the host and kernels use at the same address: it travels with each launch, and the host must wait for
/// what works on it.
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

  /// An asynchronous copy works on memory.
  void beginCopy(const ProgramEvent& event);
  /// What host code that uses memory too early does, a sentence. `busyWith`: what is at work there; none: the last that
  /// is known here.
  [[nodiscard]] std::string earlyAccess(AllocationId id, const std::optional<std::string>& busyWith) const;

 private:
  DeviceMemory& memory_;
  std::map<AllocationId, std::string> busyWith_;
};

}  // namespace haloscope::running
