#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "running/DeviceMemory.h"
#include "running/HostFindings.h"
#include "running/LaunchBinding.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// Constants that a kernel reads and the host has not copied to, or only to a part of what is read and changes a
/// result.
class UnsetConstants {
 public:
  UnsetConstants(const DeviceMemory& memory, HostFindings& findings) : memory_(memory), findings_(findings) {}

  /// The last one of `launches`, executed, after these events. What its kernel computes from such a constant is no
  /// mistake of its own.
  void launched(std::vector<ProgramLaunch>& launches, const BoundLaunch& bound,
                const std::vector<ProgramEvent>& events);
  /// When the program has ended: elements that it has set only after a launch may be meant to be zero before.
  void conclude(std::vector<ProgramLaunch>& launches, const std::vector<ProgramEvent>& events);

 private:
  /// An element that nothing had set when a launch read it.
  struct Unset {
    std::size_t launch = 0, events = 0;
    AllocationId variable = 0;
    std::uint64_t begin = 0, bytes = 0;
    host::HostPlace copied{};
    std::string message{};
  };
  /// Whether there is a finding.
  bool findPart(ProgramLaunch& launch, const BoundLaunch& bound, ObjectId object, const Allocation& variable);
  void findUnset(const std::vector<ProgramLaunch>& launches, const BoundLaunch& bound, ObjectId object,
                 const Allocation& variable, const std::vector<ProgramEvent>& events);

  const DeviceMemory& memory_;
  HostFindings& findings_;
  /// By kernel, variable, and the bytes that were copied: how many the kernel reads.
  std::map<std::tuple<std::string, AllocationId, std::uint64_t>, std::uint64_t> read_;
  std::set<std::tuple<std::string, AllocationId, std::int64_t>> looked_;  ///< by how many bytes are set
  std::vector<Unset> unset_;
};

}  // namespace haloscope::running
