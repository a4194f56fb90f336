#include "running/ExchangedArrays.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "language/Text.h"
#include "running/HostFindings.h"
#include "running/UnsetArrays.h"

namespace haloscope::running {

namespace {

bool isOfHost(const ProgramRun& run, const std::optional<DevicePlace>& place) {
  return !place || run.allocations.at(place->allocation).memory != host::HostMemory::Device;
}

/// The last copy from the host, or fill, that has written an array before an event; null: something else has, too.
const ProgramEvent* onlyWriter(const ProgramRun& run, AllocationId array, std::size_t before) {
  const ProgramEvent* writer = nullptr;
  for (std::size_t i = 0; i < before; ++i) {
    const ProgramEvent& event = run.events[i];
    if (event.kind == ProgramEvent::Kind::Launch && writtenBy(run.launches.at(event.launch)).contains(array)) {
      return nullptr;
    }
    const bool writes = (event.kind == ProgramEvent::Kind::Copy || event.kind == ProgramEvent::Kind::Fill ||
                         event.kind == ProgramEvent::Kind::Symbol) &&
                        event.destination && event.destination->allocation == array && event.error == 0;
    if (!writes) { continue; }
    const bool copiedFromHost = event.kind == ProgramEvent::Kind::Copy && isOfHost(run, event.source);
    if (!copiedFromHost && event.kind != ProgramEvent::Kind::Fill) { return nullptr; }
    writer = &event;
  }
  return writer;
}

std::string labelOf(const ProgramRun& run, AllocationId array) {
  const std::string& label = run.allocations.at(array).label;
  return label.empty() ? tr("the memory") : label;
}

/// The arrays that a launch reads and does not write.
std::set<AllocationId> readBy(const ProgramLaunch& launch) {
  std::set<AllocationId> read;
  for (const LaunchPointer& one : launch.pointers) {
    if (one.reads && !one.writes && one.place) { read.insert(one.place->allocation); }
  }
  return read;
}

}  // namespace

void findExchangedArrays(ProgramRun& run) {
  for (HostFinding& finding : run.findings) {
    if (finding.kind != HostFindingKind::NeverCopiedBack) { continue; }
    const ProgramLaunch* launch = nullptr;
    for (std::size_t i = 0; i < run.events.size(); ++i) {
      const ProgramEvent& event = run.events[i];
      if (event.kind == ProgramEvent::Kind::Launch && event.at == finding.at) {
        launch = &run.launches.at(event.launch);
      }
      const bool toHost = event.kind == ProgramEvent::Kind::Copy && event.source && event.error == 0 &&
                          isOfHost(run, event.destination);
      if (launch == nullptr || !toHost || !readBy(*launch).contains(event.source->allocation)) { continue; }
      const std::set<AllocationId> written = writtenBy(*launch);
      const ProgramEvent* const writer = onlyWriter(run, event.source->allocation, i);
      const std::uint64_t size = run.allocations.at(event.source->allocation).size;
      // The two could stand for one another.
      const auto output =
          std::ranges::find_if(written, [&](AllocationId one) { return run.allocations.at(one).size == size; });
      if (writer == nullptr || writer->bytes < event.bytes || output == written.end()) { continue; }
      const std::string input = labelOf(run, event.source->allocation);
      finding.kind = HostFindingKind::ResultMissing;
      const std::string holds = writer->kind == ProgramEvent::Kind::Fill
                                    ? trf("which still holds what it was filled with in {}", placeText(writer->at))
                                    : trf("which still holds what the host copied to it in {}", placeText(writer->at));
      // Of several launches it is said already that each reads the same.
      if (std::ranges::count(run.launches, launch->symbol, &ProgramLaunch::symbol) > 1) {
        finding.message += trf(" The host copies {} instead ({}), {}.", input, placeText(event.at), holds);
        break;
      }
      finding.message =
          trf("Copies {} to the host, {}: {} (launch in {}) only reads it, and writes {}, which is never copied to the "
              "host. "
              "Are the two exchanged?",
              input, holds, launch->kernel, placeText(launch->at), labelOf(run, *output));
      finding.at = event.at;
      break;
    }
  }
}

}  // namespace haloscope::running
