#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "running/DeviceMemory.h"
#include "running/HostFindings.h"
#include "running/LaunchBinding.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// Arrays that a kernel writes and that never reach the host: they are never copied, nor is anything that a kernel
/// computes from them.
class ResultsLeftBehind {
 public:
  /// `launch` was executed, `index` among ProgramRun::launches.
  void launched(std::size_t index, const BoundLaunch& bound);
  /// Something was copied from an allocation.
  void copied(AllocationId from) { states_[from].used = true; }

  /// When the program has ended: a finding for each launch that leaves results behind, if all were executed whole.
  void find(const std::vector<ProgramLaunch>& launches, const DeviceMemory& memory, HostFindings& findings) const;

 private:
  struct State {
    bool written = false, used = false;
    std::size_t writer = 0;  ///< the last launch that writes it
    std::set<AllocationId> computedFrom{};
  };
  [[nodiscard]] std::set<AllocationId> reachingTheHost(const DeviceMemory& memory) const;

  [[nodiscard]] std::string inputOfAll(const std::vector<ProgramLaunch>& launches, const ProgramLaunch& last) const;

  std::map<AllocationId, State> states_;
};

}  // namespace haloscope::running
