#include "running/ResultsLeftBehind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "program/AccessedObjects.h"
#include "running/LaunchSequence.h"

namespace haloscope::running {

void ResultsLeftBehind::launched(std::size_t index, const BoundLaunch& bound) {
  const std::vector<bool> reads = readObjects(*bound.program);
  const std::vector<bool> writes = writtenObjects(*bound.program);
  // What a pointer from memory is to is not known here.
  const bool unknown = std::ranges::any_of(bound.program->code,
                                           [](const Instruction& one) { return isAccess(one.op) && one.aux == kNone; });
  for (const auto& [object, allocation] : bound.allocations) {
    State& state = states_[allocation];
    if (reads[object] || unknown) { state.used = true; }
    if (writes[object]) {
      state.written = true;
      state.writer = index;
    }
  }
}

void ResultsLeftBehind::find(const std::vector<ProgramLaunch>& launches, const DeviceMemory& memory,
                             HostFindings& findings) const {
  // What a launch reads that was not executed whole is not known.
  if (!std::ranges::all_of(launches, isWhole)) { return; }
  std::map<std::size_t, std::vector<std::string>> arrays;  // by the launch that writes them
  for (const auto& [id, state] : states_) {
    const Allocation& one = memory.at(id);
    if (!state.written || state.used || one.memory != host::HostMemory::Device || !one.name.empty()) { continue; }
    arrays[state.writer].push_back(
        fmt::format("{} (allocated in {})", one.label.empty() ? "the memory" : one.label, placeText(one.allocatedAt)));
  }
  for (const auto& [writer, names] : arrays) {
    const ProgramLaunch& launch = launches.at(writer);
    findings.add(HostFindingKind::NeverCopiedBack, launch.at,
                 fmt::format("{} {} written by {} ({}) and never copied to the host.", fmt::join(names, " and "),
                             names.size() == 1 ? "is" : "are", launch.kernel, placeText(launch.at)));
  }
}

}  // namespace haloscope::running
