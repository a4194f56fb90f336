#include "running/Arrivals.h"

#include <algorithm>
#include <map>

namespace haloscope::running {

std::vector<Arrival> arrivalsIn(const ProgramRun& run) {
  std::map<AllocationId, std::set<std::string>> contributors;
  std::vector<Arrival> arrivals;
  const auto isOfHost = [&](AllocationId allocation) {
    const auto one = std::ranges::find(run.allocations, allocation, &Allocation::id);
    return one != run.allocations.end() && one->memory != host::HostMemory::Device;
  };
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const ProgramEvent& event = run.events[i];
    using Kind = ProgramEvent::Kind;
    if (event.kind == Kind::Launch) {
      const ProgramLaunch& launch = run.launches.at(event.launch);
      std::set<std::string> all{launch.symbol};
      std::vector<const LaunchPointer*> used;
      for (const auto* pointers : {&launch.pointers, &launch.variables}) {
        for (const LaunchPointer& one : *pointers) {
          if (one.place) { used.push_back(&one); }
        }
      }
      for (const LaunchPointer* one : used) {
        if (one->reads) { all.merge(std::set(contributors[one->place->allocation])); }
      }
      for (const LaunchPointer* one : used) {
        if (!one->writes) { continue; }
        const AllocationId allocation = one->place->allocation;
        contributors[allocation] = all;
        if (isOfHost(allocation)) { arrivals.push_back({.event = i, .from = allocation, .kernels = all}); }
      }
    } else if (event.source && event.error == 0 && (event.kind == Kind::Copy || event.kind == Kind::Symbol)) {
      const std::set<std::string>& from = contributors[event.source->allocation];
      if (event.destination && !isOfHost(event.destination->allocation)) {
        contributors[event.destination->allocation] = from;
      } else {
        arrivals.push_back({.event = i, .from = event.source->allocation, .kernels = from});
      }
    }
  }
  return arrivals;
}

std::optional<ValueType> elementOf(const ProgramRun& run, AllocationId allocation) {
  for (const ProgramLaunch& launch : run.launches) {
    if (launch.program == nullptr) { continue; }
    for (const LaunchPointer& pointer : launch.pointers) {
      if (!pointer.place || pointer.place->allocation != allocation) { continue; }
      const auto object = std::ranges::find(launch.program->objects, pointer.parameter, &MemoryObject::name);
      if (object != launch.program->objects.end() && object->element != ValueType::Pointer) { return object->element; }
    }
  }
  return std::nullopt;
}

}  // namespace haloscope::running
