#include "running/ResultsLeftBehind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

#include "language/Text.h"
#include "program/AccessedObjects.h"
#include "running/LaunchSequence.h"

namespace haloscope::running {

void ResultsLeftBehind::launched(std::size_t index, const BoundLaunch& bound) {
  const std::vector<bool> reads = readObjects(*bound.program);
  const std::vector<bool> writes = writtenObjects(*bound.program);
  // What a pointer from memory is to is not known here.
  const bool unknown = std::ranges::any_of(bound.program->code,
                                           [](const Instruction& one) { return isAccess(one.op) && one.aux == kNone; });
  std::set<AllocationId> sources;
  bool writesAny = false;
  for (const auto& [object, allocation] : bound.allocations) {
    if (reads[object] || unknown) { sources.insert(allocation); }
    writesAny = writesAny || writes[object];
  }
  for (const auto& [object, allocation] : bound.allocations) {
    State& state = states_[allocation];
    // What a kernel computes without writing it is printed, or goes where it cannot be followed.
    if (sources.contains(allocation) && (unknown || !writesAny)) { state.used = true; }
    if (!writes[object]) { continue; }
    state.written = true;
    state.writer = index;
    state.computedFrom.insert(sources.begin(), sources.end());
  }
}

std::set<AllocationId> ResultsLeftBehind::reachingTheHost(const DeviceMemory& memory) const {
  std::set<AllocationId> reaching;
  std::vector<AllocationId> next;
  const auto add = [&](AllocationId id) {
    if (reaching.insert(id).second) { next.push_back(id); }
  };
  for (const auto& [id, state] : states_) {
    const Allocation& one = memory.at(id);
    if (state.used || one.memory != host::HostMemory::Device || !one.name.empty()) { add(id); }
  }
  while (!next.empty()) {
    const State& state = states_.at(next.back());
    next.pop_back();
    std::ranges::for_each(state.computedFrom, add);
  }
  return reaching;
}

/// The parameter for which all launches of a kernel, at least two, read an array that no kernel writes, if they are all
/// given the same arrays; or empty.
std::string ResultsLeftBehind::inputOfAll(const std::vector<ProgramLaunch>& launches, const ProgramLaunch& last) const {
  const auto isSame = [&](const ProgramLaunch& one) {
    return std::ranges::equal(one.pointers, last.pointers, [](const LaunchPointer& a, const LaunchPointer& b) {
      return a.place && b.place && a.place->allocation == b.place->allocation && a.place->offset == b.place->offset;
    });
  };
  std::size_t count = 0;
  for (const ProgramLaunch& one : launches) {
    if (one.symbol != last.symbol) { continue; }
    if (!isSame(one)) { return {}; }
    ++count;
  }
  for (const LaunchPointer& pointer : last.pointers) {
    const auto state = pointer.place ? states_.find(pointer.place->allocation) : states_.end();
    if (count > 1 && pointer.reads && !pointer.writes && state != states_.end() && state->second.used &&
        !state->second.written) {
      return pointer.parameter;
    }
  }
  return {};
}

void ResultsLeftBehind::find(const std::vector<ProgramLaunch>& launches, const DeviceMemory& memory,
                             HostFindings& findings) const {
  // What a launch reads that was not executed whole is not known.
  if (!std::ranges::all_of(launches, isWhole)) { return; }
  const std::set<AllocationId> reaching = reachingTheHost(memory);
  struct Left {
    std::size_t writer = 0;
    std::vector<std::string> arrays{};
  };
  std::map<std::pair<std::string, int>, Left> all;  // by the place of the launches that write them
  for (const auto& [id, state] : states_) {
    const Allocation& one = memory.at(id);
    if (!state.written || reaching.contains(id)) { continue; }
    const host::HostPlace& at = launches.at(state.writer).at;
    Left& left = all[{at.file, at.line}];
    left.writer = state.writer;
    left.arrays.push_back(
        trf("{} (allocated in {})", one.label.empty() ? tr("the memory") : one.label, placeText(one.allocatedAt)));
  }
  for (const auto& [place, left] : all) {
    const ProgramLaunch& launch = launches.at(left.writer);
    const bool several = left.arrays.size() > 1;
    if (const std::string input = inputOfAll(launches, launch); !input.empty() && !several) {
      const auto times = std::ranges::count(launches, launch.symbol, &ProgramLaunch::symbol);
      findings.add(HostFindingKind::NeverCopiedBack, launch.at,
                   trf("All {} launches of {} read the same array for {} and write {}, which never reaches the "
                       "host: are the two pointers not exchanged after each launch?",
                       times, launch.kernel, input, left.arrays.front()));
      continue;
    }
    findings.add(HostFindingKind::NeverCopiedBack, launch.at,
                 trf("{} {} written by {} ({}), and neither {} nor anything computed from {} is copied to the "
                     "host: is a cudaMemcpy from the device missing?",
                     fmt::join(left.arrays, tr(" and ")), several ? tr("are") : tr("is"), launch.kernel,
                     placeText(launch.at), several ? tr("they") : tr("it"), several ? tr("them") : tr("it")));
  }
}

}  // namespace haloscope::running
