#include "gpu/LaunchArrays.h"

#include <fmt/format.h>

namespace haloscope::gpu {

LaunchArrays::LaunchArrays(Kernel& kernel, const Program& program, const Launch& launch,
                           const std::set<ObjectId>& elsewhere)
    : arguments_(program) {
  if (launch.arguments.size() != program.parameters.size() || launch.arrays.size() != program.objects.size()) {
    throw InputError(fmt::format("the launch has {} arguments and {} arrays, the kernel {} has {} and {}",
                                 launch.arguments.size(), launch.arrays.size(), program.kernel,
                                 program.parameters.size(), program.objects.size()));
  }
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    const std::vector<std::byte>& bytes = launch.arrays[id].bytes;
    if (object.argument != kNone) {
      arguments_.set(object, bytes);
    } else if (object.space == MemorySpace::Constant || kernel.hasVariable(object.name)) {
      // Without data, the source's initialiser applies.
      if (!bytes.empty() && kernel.hasVariable(object.name)) { kernel.setVariable(object.name, bytes); }
    } else if (object.space == MemorySpace::Global && !elsewhere.contains(id)) {
      if (bytes.empty()) { throw InputError(fmt::format("the launch has no data for \"{}\"", object.name)); }
      auto memory = std::make_unique<DeviceMemory>(kernel.device(), bytes.size());
      memory->upload(bytes);
      memory_[id] = std::move(memory);
    }
  }
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (parameter.type != ValueType::Pointer) {
      arguments_.set(i, launch.arguments[i]);
    } else {
      const auto found = memory_.find(parameter.object);
      arguments_.set(i, found == memory_.end() ? 0 : found->second->address());
    }
  }
}

void LaunchArrays::restore(Kernel& kernel, const Program& program, const Launch& launch) {
  for (const auto& [id, memory] : memory_) { memory->upload(launch.arrays[id].bytes); }
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    const std::vector<std::byte>& bytes = launch.arrays[id].bytes;
    if (object.argument == kNone && !bytes.empty() && kernel.hasVariable(object.name)) {
      kernel.setVariable(object.name, bytes);
    }
  }
}

DeviceAddress LaunchArrays::address(ObjectId object) const {
  const auto found = memory_.find(object);
  return found == memory_.end() ? 0 : found->second->address();
}

std::size_t LaunchArrays::bytes() const {
  std::size_t all = 0;
  for (const auto& [id, memory] : memory_) { all += memory->bytes(); }
  return all;
}

void LaunchArrays::download(const Kernel& kernel, const Program& program, Launch& launch) const {
  for (const auto& [id, memory] : memory_) { memory->download(launch.arrays[id].bytes); }
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    if (object.space != MemorySpace::Global || memory_.contains(id) || !kernel.hasVariable(object.name)) { continue; }
    kernel.readVariable(object.name, launch.arrays[id].bytes);
  }
}

}  // namespace haloscope::gpu
