#include "running/RepeatedRun.h"

#include <algorithm>
#include <utility>

#include "running/CudaErrors.h"

namespace haloscope::running {

DeviceRows RepeatedRun::rowsOf(DeviceRows rows, const std::vector<ProgramEvent>& events) {
  if (!how_) { return rows; }
  const ProgramEvent& event = events.back();
  if (rows.bytes() > 0 && how_->toHost) {
    bytes_ = bytesOf(std::move(rows));
    tellOfOthers(events.size() - 1, event.source->allocation);
    how_->toHost(events.size() - 1, event.source->allocation, bytes_);
    return {bytes_.data(), bytes_.size(), bytes_.size(), 1};
  }
  if (how_->toDevice && event.destination && !event.source && event.error == kSuccess) {
    const std::span<std::byte> all = memory_.bytesOf(event.destination->allocation);
    const auto offset = static_cast<std::uint64_t>(std::max<std::int64_t>(0, event.destination->offset));
    if (offset <= all.size() && event.bytes <= all.size() - offset) {
      how_->toDevice(all.subspan(offset, event.bytes));
    }
  }
  return rows;
}

void RepeatedRun::tellOfOthers(std::size_t event, AllocationId copied) const {
  const std::uint64_t size = memory_.at(copied).size;
  if (!how_->beside || bytes_.size() != size) { return; }
  for (const Allocation& one : memory_.all()) {
    if (one.id == copied || one.freed || one.size != size || one.memory != host::HostMemory::Device) { continue; }
    how_->beside(event, one.id, memory_.bytesOf(one.id));
  }
}

void RepeatedRun::launched(const ProgramLaunch& launch, std::size_t events) {
  if (!how_ || !how_->toHost) { return; }
  for (const LaunchPointer& one : launch.pointers) {
    if (!one.place || !one.writes || memory_.at(one.place->allocation).memory == host::HostMemory::Device) { continue; }
    how_->toHost(events - 1, one.place->allocation, memory_.bytesOf(one.place->allocation));
  }
}

const GivenArray* RepeatedRun::given(std::size_t events) {
  if (!how_ || !how_->given || how_->given->event + 1 != events) { return nullptr; }
  bytes_ = memory_.bytesOf(how_->given->from);
  how_->given->change(bytes_);
  return &*how_->given;
}

}  // namespace haloscope::running
