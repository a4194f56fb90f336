#pragma once

#include <cstdint>

#include "host/HostMessages.h"
#include "running/AllocationNames.h"
#include "running/DeviceMemory.h"
#include "running/HostFindings.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// What the program allocates and frees. Each call is a ProgramEvent, as of Transfers.
class AllocationCalls {
 public:
  AllocationCalls(DeviceMemory& memory, HostFindings& findings, const host::HostProgram& program,
                  const RunOptions& options)
      : memory_(memory), findings_(findings), places_(program), options_(options) {}

  /// Returns the address of memory of the device. `excess` is set where only the budget lacks it, not the GPU.
  std::uint64_t allocate(const host::Allocate& call, ProgramEvent& event, Excess& excess);
  void free(const host::Free& call, ProgramEvent& event);
  /// cudaDeviceReset().
  void freeAll(const host::HostPlace& at);
  /// What is left when the program ends.
  void findNeverFreed();

 private:
  [[nodiscard]] bool isOnDevice(std::uint64_t bytes) const;
  void takeHostMemory(const host::Allocate& call, ProgramEvent& event, Excess& excess);

  DeviceMemory& memory_;
  HostFindings& findings_;
  AllocatingPlaces places_;
  const RunOptions& options_;
};

}  // namespace haloscope::running
