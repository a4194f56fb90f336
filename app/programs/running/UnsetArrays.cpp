#include "running/UnsetArrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "language/Text.h"

namespace haloscope::running {

std::optional<AllocationId> allocationOf(const ProgramLaunch& launch, ObjectId object) {
  if (launch.program == nullptr || object >= launch.program->objects.size()) { return std::nullopt; }
  const std::string& name = launch.program->objects[object].name;
  for (const auto* const all : {&launch.pointers, &launch.variables}) {
    const auto one = std::ranges::find(*all, name, &LaunchPointer::parameter);
    if (one != all->end() && one->place) { return one->place->allocation; }
  }
  return std::nullopt;
}

std::set<AllocationId> writtenBy(const ProgramLaunch& launch) {
  std::set<AllocationId> written;
  for (const auto* const all : {&launch.pointers, &launch.variables}) {
    for (const LaunchPointer& one : *all) {
      if (one.writes && one.place) { written.insert(one.place->allocation); }
    }
  }
  return written;
}

void foldUnsetArrays(ProgramRun& run) {
  std::map<AllocationId, HostFinding*> unset;
  std::set<std::pair<const HostFinding*, std::string>> told;  // which kernel reads what a copy has left out
  const auto copyFindingAt = [&](const host::HostPlace& at) -> HostFinding* {
    const auto found = std::ranges::find_if(run.findings, [&](const HostFinding& one) {
      return one.at == at && (one.kind == HostFindingKind::CopySize || one.kind == HostFindingKind::CopyDirection ||
                              one.kind == HostFindingKind::ElementsAsBytes);
    });
    return found == run.findings.end() ? nullptr : &*found;
  };
  for (const ProgramEvent& event : run.events) {
    using Kind = ProgramEvent::Kind;
    if (event.destination && (event.kind == Kind::Copy || event.kind == Kind::Fill || event.kind == Kind::Symbol)) {
      HostFinding* const finding = copyFindingAt(event.at);
      if (finding != nullptr) {
        unset[event.destination->allocation] = finding;
      } else {
        unset.erase(event.destination->allocation);
      }
    }
    if (event.kind != Kind::Launch || unset.empty()) { continue; }
    ProgramLaunch& launch = run.launches.at(event.launch);
    HostFinding* cause = nullptr;
    std::erase_if(launch.findings, [&](const faults::Finding& one) {
      const auto allocation = allocationOf(launch, one.object);
      if (one.kind != faults::FindingKind::Uninitialized || !allocation || !unset.contains(*allocation)) {
        return false;
      }
      cause = unset[*allocation];
      if (told.emplace(cause, launch.kernel).second) {
        cause->message +=
            trf("{} what was not copied (line {}).", trf(" {} then reads", launch.kernel), one.where.line);
      }
      return true;
    });
    if (cause == nullptr) { continue; }
    for (const AllocationId one : writtenBy(launch)) { unset.try_emplace(one, cause); }  // it has no values either
  }
}

}  // namespace haloscope::running
