#include "driver/LaunchArrays.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <optional>

#include "driver/Driver.h"
#include "language/Text.h"

namespace haloscope::gpu {

namespace {

/// The bytes of an array; if it holds pointers, each as `translate` has it.
template <typename Translate>
std::vector<std::byte> translated(const ArrayData& array, Translate translate) {
  std::vector<std::byte> bytes = array.bytes;
  if (array.element != ValueType::Pointer) { return bytes; }
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t pointer = 0;
    std::memcpy(&pointer, bytes.data() + at, sizeof pointer);
    pointer = translate(pointer);
    std::memcpy(bytes.data() + at, &pointer, sizeof pointer);
  }
  return bytes;
}

}  // namespace

LaunchArrays::LaunchArrays(Kernel& kernel, const Program& program, const Launch& launch,
                           const std::set<ObjectId>& elsewhere)
    : device_(kernel.device()), arguments_(program) {
  if (launch.arguments.size() != program.parameters.size() || launch.arrays.size() != program.objects.size()) {
    throw InputError(trf("the launch has {} arguments and {} arrays, the kernel {} has {} and {}",
                         launch.arguments.size(), launch.arrays.size(), program.kernel, program.parameters.size(),
                         program.objects.size()));
  }
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    if (object.argument != kNone || object.space != MemorySpace::Global || kernel.hasVariable(object.name) ||
        elsewhere.contains(id)) {
      continue;
    }
    const std::size_t bytes = launch.arrays[id].bytes.size();
    if (bytes == 0 && !launch.offsets.empty()) { continue; }
    if (bytes == 0) { throw InputError(trf("the launch has no data for \"{}\"", object.name)); }
    memory_[id] = std::make_unique<DeviceMemory>(kernel.device(), bytes);
  }
  restore(kernel, program, launch);
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    if (object.argument == kNone) { continue; }
    if (const auto map = object.tensorMap ? TensorMap::read(launch.arrays[id].bytes) : std::nullopt) {
      maps_.emplace(id, *map);
    } else if (!object.tensorMap) {
      arguments_.set(object, forDevice(launch.arrays[id]));
    }
  }
  setMaps(program, arguments_, {});
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (parameter.type != ValueType::Pointer) {
      arguments_.set(i, launch.arguments[i]);
    } else {
      const std::optional<std::int64_t> offset = launch.offsets.empty() ? 0 : launch.offsets[i];
      arguments_.set(i, offset ? address(parameter.object, *offset) : 0);
    }
  }
}

Arguments LaunchArrays::argumentsWith(const Program& program,
                                      const std::map<ObjectId, DeviceAddress>& elsewhere) const {
  Arguments arguments = arguments_;
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (parameter.type != ValueType::Pointer) { continue; }
    if (const auto found = elsewhere.find(parameter.object); found != elsewhere.end()) {
      arguments.set(i, found->second);
    }
  }
  setMaps(program, arguments, elsewhere);
  return arguments;
}

void LaunchArrays::setMaps(const Program& program, Arguments& arguments,
                           const std::map<ObjectId, DeviceAddress>& elsewhere) const {
  for (const auto& [id, map] : maps_) {
    const ObjectId array = PackedPointer::object(map.base);
    const auto found = elsewhere.find(array);
    const DeviceAddress begin = found != elsewhere.end() ? found->second : address(array);
    if (begin == 0) { continue; }  // its address is not known yet
    const std::int64_t offset = PackedPointer::byteOffset(map.base);
    arguments.set(program.objects[id], encoded(map, begin + static_cast<DeviceAddress>(offset)));
  }
}

std::vector<std::byte> LaunchArrays::encoded(const TensorMap& map, DeviceAddress array) const {
  struct alignas(128) Encoded {
    std::array<std::byte, 128> bytes;
  };
  const Driver& driver = device_->driver();
  if (driver.tensorMapEncodeTiled == nullptr) {
    throw Unavailable(tr("the NVIDIA driver makes no tensor maps: it is older than CUDA 12"));
  }
  // The data types of 1, 2, 4 and 8 bytes: only whether an element is one matters to copies that fill with zeros.
  constexpr std::array<int, 9> kUnsigned{-1, 0, 1, -1, 2, -1, -1, -1, 4};
  constexpr int kNotInterleaved = 0, kNotSwizzled = 0, kPromote128 = 2, kFillWithZeros = 0;
  Encoded result{};
  const int type = map.elementBytes < kUnsigned.size() ? kUnsigned[map.elementBytes] : -1;
  driver.check(driver.tensorMapEncodeTiled(&result, type, static_cast<unsigned>(map.sizes.size()),
                                           reinterpret_cast<void*>(array), map.sizes.data(), map.strides.data(),
                                           map.box.data(), map.elementStrides.data(), kNotInterleaved, kNotSwizzled,
                                           kPromote128, kFillWithZeros),
               "cuTensorMapEncodeTiled");
  return {result.bytes.begin(), result.bytes.end()};
}

void LaunchArrays::restore(Kernel& kernel, const Program& program, const Launch& launch) {
  for (const auto& [id, memory] : memory_) { memory->upload(forDevice(launch.arrays[id])); }
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    // Without data, the source's initialiser applies.
    if (object.argument == kNone && !launch.arrays[id].bytes.empty() && kernel.hasVariable(object.name)) {
      kernel.setVariable(object.name, forDevice(launch.arrays[id]));
    }
  }
}

std::vector<std::byte> LaunchArrays::forDevice(const ArrayData& array) const {
  return translated(array, [&](std::uint64_t pointer) {
    return pointer == PackedPointer::kNull
               ? 0
               : address(PackedPointer::object(pointer), PackedPointer::byteOffset(pointer));
  });
}

std::vector<std::byte> LaunchArrays::fromDevice(const ArrayData& array) const {
  return translated(array, [&](std::uint64_t pointer) {
    // The end of one array may be the beginning of another.
    for (const DeviceAddress end : {DeviceAddress{0}, DeviceAddress{1}}) {
      for (const auto& [id, memory] : memory_) {
        if (pointer >= memory->address() && pointer < memory->address() + memory->bytes() + end) {
          return PackedPointer::pack(id, static_cast<std::int64_t>(pointer - memory->address()));
        }
      }
    }
    return pointer == 0 ? PackedPointer::kNull : pointer;
  });
}

DeviceAddress LaunchArrays::address(ObjectId object, std::int64_t offset) const {
  const auto found = memory_.find(object);
  return found == memory_.end() ? 0 : found->second->address() + static_cast<DeviceAddress>(offset);
}

std::size_t LaunchArrays::bytes() const {
  std::size_t all = 0;
  for (const auto& [id, memory] : memory_) { all += memory->bytes(); }
  return all;
}

void LaunchArrays::download(const Kernel& kernel, const Program& program, Launch& launch) const {
  for (const auto& [id, memory] : memory_) {
    memory->download(launch.arrays[id].bytes);
    launch.arrays[id].bytes = fromDevice(launch.arrays[id]);
  }
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    if (object.space != MemorySpace::Global || memory_.contains(id) || !kernel.hasVariable(object.name)) { continue; }
    kernel.readVariable(object.name, launch.arrays[id].bytes);
    launch.arrays[id].bytes = fromDevice(launch.arrays[id]);
  }
}

}  // namespace haloscope::gpu
