#include "running/DeviceMemory.h"

#include <algorithm>
#include <utility>

#include "program/Program.h"

namespace haloscope::running {

namespace {

/// What uninitialised memory holds: NaN in floating-point types, as in the emulator.
constexpr std::byte kUninitialised{0xff};
/// The emulator's packed pointers have 16 bits for the object.
constexpr std::size_t kMaxAllocations = 0xfff0;

}  // namespace

std::optional<std::uint64_t> DeviceMemory::allocate(std::uint64_t bytes, const host::HostPlace& at) {
  if (bytes > limit_ - used_ || allocations_.size() >= kMaxAllocations) { return std::nullopt; }
  Allocation one{.id = static_cast<AllocationId>(allocations_.size()), .allocatedAt = at};
  one.bytes.assign(bytes, kUninitialised);
  used_ += bytes;
  allocations_.push_back(std::move(one));
  return addressOf(allocations_.back().id);
}

void DeviceMemory::addHostMemory(std::uint64_t address, std::uint64_t bytes, host::HostMemory memory,
                                 const host::HostPlace& at) {
  Allocation one{.id = static_cast<AllocationId>(allocations_.size()),
                 .memory = memory,
                 .allocatedAt = at,
                 .hostAddress = address};
  one.bytes.assign(bytes, std::byte{0});
  one.written = true;
  used_ += bytes;
  allocations_.push_back(std::move(one));
}

AllocationId DeviceMemory::addVariable(std::string name, std::span<const std::byte> initial, bool constant) {
  Allocation one{.id = static_cast<AllocationId>(allocations_.size()), .name = std::move(name)};
  one.bytes.assign(initial.begin(), initial.end());
  one.constant = constant;
  one.written = true;
  allocations_.push_back(std::move(one));
  return allocations_.back().id;
}

std::optional<DevicePlace> DeviceMemory::find(std::uint64_t address) const {
  const auto inside = [&](const Allocation& one) {
    return one.hostAddress != 0 && !one.freed && address >= one.hostAddress &&
           address <= one.hostAddress + one.bytes.size();
  };
  const auto host = std::ranges::find_if(allocations_, inside);
  if (host != allocations_.end()) {
    return DevicePlace{host->id, static_cast<std::int64_t>(address - host->hostAddress)};
  }
  const ObjectId object = PackedPointer::object(address);
  // The program's own addresses have bit 47 clear.
  if (address < PackedPointer::kBias || object >= allocations_.size() || allocations_[object].hostAddress != 0) {
    return std::nullopt;
  }
  return DevicePlace{object, PackedPointer::byteOffset(address)};
}

const Allocation* DeviceMemory::variable(const std::string& name) const {
  const auto found = std::ranges::find(allocations_, name, &Allocation::name);
  return found == allocations_.end() ? nullptr : &*found;
}

std::uint64_t DeviceMemory::addressOf(AllocationId id) const {
  return id < allocations_.size() && allocations_[id].hostAddress != 0 ? allocations_[id].hostAddress
                                                                       : PackedPointer::pack(id, 0);
}

void DeviceMemory::free(AllocationId id, const host::HostPlace& at) {
  Allocation& one = allocations_.at(id);
  used_ -= std::min<std::uint64_t>(used_, one.bytes.size());
  one.bytes = {};
  one.freed = true;
  one.freedAt = at;
}

}  // namespace haloscope::running
