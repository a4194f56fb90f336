#include "running/DeviceMemory.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "program/Program.h"

namespace haloscope::running {

namespace {

/// A device address is a packed pointer. Those of object 0 may be addresses of a host process.
constexpr ObjectId kFirstObject = 1;
/// The emulator's packed pointers have 16 bits for the object.
constexpr std::size_t kMaxAllocations = 0xfff0;

}  // namespace

std::shared_ptr<const std::vector<bool>> unwrittenWords(std::span<const std::byte> bytes) {
  std::shared_ptr<std::vector<bool>> words;
  const std::size_t count = bytes.size() / sizeof kUnwrittenWord;
  for (std::size_t i = 0; i < count; ++i) {
    if (std::memcmp(bytes.data() + i * sizeof kUnwrittenWord, &kUnwrittenWord, sizeof kUnwrittenWord) != 0) {
      continue;
    }
    if (!words) { words = std::make_shared<std::vector<bool>>(count); }
    (*words)[i] = true;
  }
  return words;
}

std::optional<std::uint64_t> DeviceMemory::allocate(std::uint64_t bytes, const host::HostPlace& at) {
  if (bytes > left() || allocations_.size() >= kMaxAllocations) { return std::nullopt; }
  used_ += bytes;
  allocations_.push_back({.id = static_cast<AllocationId>(allocations_.size()), .allocatedAt = at, .size = bytes});
  return addressOf(allocations_.back().id);
}

Allocation* DeviceMemory::addHostMemory(std::uint64_t address, std::uint64_t bytes, host::HostMemory memory,
                                        const host::HostPlace& at) {
  if (bytes > left()) { return nullptr; }
  Allocation one{.id = static_cast<AllocationId>(allocations_.size()),
                 .memory = memory,
                 .allocatedAt = at,
                 .hostAddress = address,
                 .size = bytes};
  used_ += bytes;
  return &allocations_.emplace_back(std::move(one));
}

std::vector<std::byte>& DeviceMemory::bytesOf(AllocationId id) {
  Allocation& one = allocations_.at(id);
  if (!one.bytes.empty() || one.freed) { return one.bytes; }
  if (one.hostAddress != 0 || !one.name.empty()) {
    one.bytes.resize(one.size);
    return one.bytes;
  }
  const std::uint32_t word = unwrittenWord(id);
  one.bytes.reserve(one.size);
  // Part by part, so that each is still in the cache when it gets its pattern.
  constexpr std::size_t kPart = std::size_t{1} << 18;
  while (one.bytes.size() < one.size) {
    const std::size_t begin = one.bytes.size();
    one.bytes.resize(std::min<std::uint64_t>(one.size, begin + kPart));
    for (std::size_t byte = begin; byte < one.bytes.size(); byte += sizeof word) {
      std::memcpy(one.bytes.data() + byte, &word, std::min(sizeof word, one.bytes.size() - byte));
    }
  }
  return one.bytes;
}

std::uint32_t DeviceMemory::unwrittenWord(AllocationId id) const {
  const auto other = unwritten_.find(id);
  return other == unwritten_.end() ? kUnwrittenWord : other->second;
}

AllocationId DeviceMemory::addVariable(std::string name, std::uint32_t file, std::vector<std::byte> initial,
                                       bool constant) {
  Allocation one{.id = static_cast<AllocationId>(allocations_.size()),
                 .name = std::move(name),
                 .file = file,
                 .size = initial.size()};
  one.bytes = std::move(initial);
  one.constant = constant;
  used_ += one.size;
  allocations_.push_back(std::move(one));
  return allocations_.back().id;
}

std::optional<DevicePlace> DeviceMemory::find(std::uint64_t address) const {
  // The end of one allocation may be the beginning of another.
  std::optional<DevicePlace> end;
  for (const Allocation& one : allocations_) {
    if (one.hostAddress == 0 || one.freed || address < one.hostAddress) { continue; }
    const std::uint64_t offset = address - one.hostAddress;
    if (offset < one.size) { return DevicePlace{one.id, static_cast<std::int64_t>(offset)}; }
    if (offset == one.size) { end = DevicePlace{one.id, static_cast<std::int64_t>(offset)}; }
  }
  if (end) { return end; }
  const ObjectId object = PackedPointer::object(address);
  const AllocationId id = object - kFirstObject;
  if (object < kFirstObject || id >= allocations_.size() || allocations_[id].hostAddress != 0) { return std::nullopt; }
  return DevicePlace{id, PackedPointer::byteOffset(address)};
}

const Allocation* DeviceMemory::variable(const std::string& name, std::uint32_t file) const {
  const auto found =
      std::ranges::find_if(allocations_, [&](const Allocation& one) { return one.name == name && one.file == file; });
  return name.empty() || found == allocations_.end() ? nullptr : &*found;
}

std::uint64_t DeviceMemory::addressOf(AllocationId id) const {
  return id < allocations_.size() && allocations_[id].hostAddress != 0 ? allocations_[id].hostAddress
                                                                       : PackedPointer::pack(kFirstObject + id, 0);
}

void DeviceMemory::free(AllocationId id, const host::HostPlace& at) {
  Allocation& one = allocations_.at(id);
  if (!one.freed) { used_ -= std::min(used_, one.size); }
  one.bytes = {};
  one.freed = true;
  one.freedAt = at;
}

std::vector<Allocation> DeviceMemory::takeNames() {
  for (Allocation& one : allocations_) { one.bytes = {}; }
  return std::move(allocations_);
}

}  // namespace haloscope::running
