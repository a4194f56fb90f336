#include "running/LaunchBinding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "program/SourceLocation.h"
#include "running/KernelTexts.h"

namespace haloscope::running {

namespace {

/// Where each parameter's bytes begin among the arguments.
std::vector<std::size_t> argumentOffsets(const Program& program) {
  std::vector<std::size_t> offsets;
  std::size_t at = 0;
  for (const std::int64_t bytes : program.argumentBytes) {
    offsets.push_back(at);
    at += static_cast<std::size_t>(bytes);
  }
  offsets.push_back(at);
  return offsets;
}

std::uint64_t read(std::span<const std::byte> arguments, std::size_t at, std::size_t bytes) {
  if (at + bytes > arguments.size()) { throw InputError("a launch has fewer argument bytes than its kernel takes"); }
  std::uint64_t bits = 0;
  std::memcpy(&bits, arguments.data() + at, std::min<std::size_t>(bytes, sizeof bits));
  return bits;
}

/// The variable of the device that an object of the kernel is: by its own name, or by the last part of a longer one.
AllocationId variableOf(const MemoryObject& object, const DeviceMemory& memory) {
  for (const Allocation& one : memory.all()) {
    if (one.name.empty()) { continue; }
    const std::string name = qualifiedName(one.name);
    if (name == object.name || name.ends_with("::" + object.name) || object.name.ends_with("::" + name)) {
      return one.id;
    }
  }
  throw InputError(fmt::format("the variable {} is in no file of the program that was linked", object.name));
}

/// Replaces an object by another one wherever the code names it.
void replaceObject(Program& program, ObjectId from, ObjectId to) {
  for (Instruction& instruction : program.code) {
    if (isAccess(instruction.op) && instruction.aux == from) { instruction.aux = to; }
  }
  for (Parameter& parameter : program.parameters) {
    if (parameter.object == from) { parameter.object = to; }
  }
  program.objects[to].readOnly = program.objects[to].readOnly && program.objects[from].readOnly;
}

class Binder {
 public:
  Binder(const Program& program, std::span<const std::byte> arguments, DeviceMemory& memory)
      : program_(std::make_shared<Program>(program)),
        arguments_(arguments),
        memory_(memory),
        offsets_(argumentOffsets(program)) {}

  BoundLaunch bind(const LaunchConfiguration& configuration) {
    if (arguments_.size() != offsets_.back()) {
      throw InputError(fmt::format("{} takes {} bytes of arguments, and the launch gives {}", program_->kernel,
                                   offsets_.back(), arguments_.size()));
    }
    BoundLaunch bound;
    Launch& launch = bound.launch;
    launch.configuration = configuration;
    launch.arrays.resize(program_->objects.size());
    for (std::size_t i = 0; i < program_->objects.size(); ++i) {
      launch.arrays[i].element = program_->objects[i].element;
    }
    bound.program = program_;
    try {
      for (const Parameter& parameter : std::vector(program_->parameters)) { bindParameter(parameter, bound); }
      for (ObjectId object = 0; object < program_->objects.size(); ++object) { bindOther(object, bound); }
    } catch (const InputError&) {
      unbind(bound, memory_, false);
      throw;
    }
    return bound;
  }

 private:
  [[nodiscard]] std::size_t offsetOf(std::uint32_t argument, std::int64_t inside) const {
    return offsets_.at(argument) + static_cast<std::size_t>(inside);
  }

  void bindParameter(const Parameter& parameter, BoundLaunch& bound) {
    const bool pointer = parameter.object != kNone && program_->objects[parameter.object].space == MemorySpace::Global;
    const std::size_t at = offsetOf(parameter.argument, parameter.argumentOffset);
    if (!pointer) {
      const bool scalar = parameter.object == kNone;
      bound.launch.arguments.push_back(
          scalar ? read(arguments_, at, static_cast<std::size_t>(sizeInMemory(parameter.type))) : 0);
      bound.launch.offsets.emplace_back(0);
      return;
    }
    const std::uint64_t address = read(arguments_, at, sizeof(std::uint64_t));
    BoundPointer one{.parameter = parameter.name,
                     .object = parameter.object,
                     .place = memory_.find(address),
                     .isNull = address == 0};
    bound.launch.arguments.push_back(0);
    if (!one.place || memory_.at(one.place->allocation).freed) {
      // Any access is out of bounds.
      bound.launch.offsets.emplace_back(std::nullopt);
    } else {
      bound.launch.offsets.emplace_back(one.place->offset);
      one.object = objectFor(one.place->allocation, parameter.object, bound);
    }
    bound.pointers.push_back(std::move(one));
  }

  /// The object of an allocation: the one that another parameter already has, or `own`.
  ObjectId objectFor(AllocationId allocation, ObjectId own, BoundLaunch& bound) {
    const auto known = std::ranges::find(bound.allocations, allocation, &std::pair<ObjectId, AllocationId>::second);
    if (known != bound.allocations.end()) {
      replaceObject(*program_, own, known->first);
      return known->first;
    }
    take(own, allocation, bound);
    return own;
  }

  void take(ObjectId object, AllocationId allocation, BoundLaunch& bound) {
    ArrayData& array = bound.launch.arrays[object];
    array.bytes = std::move(memory_.at(allocation).bytes);
    array.extents = program_->objects[object].extentsAtLaunch
                        ? std::vector{static_cast<std::int64_t>(array.bytes.size()) / sizeInMemory(array.element)}
                        : program_->objects[object].extents;
    bound.allocations.emplace_back(object, allocation);
  }

  /// Variables of the device, and arrays in structs that are passed by value.
  void bindOther(ObjectId object, BoundLaunch& bound) {
    const MemoryObject& one = program_->objects[object];
    const bool outside = one.space == MemorySpace::Global || one.space == MemorySpace::Constant;
    const bool isParameter =
        std::ranges::any_of(bound.pointers, [&](const BoundPointer& pointer) { return pointer.object == object; });
    if (!outside || isParameter || !bound.launch.arrays[object].bytes.empty() || one.extentsAtLaunch) { return; }
    if (one.argument == kNone) {
      take(object, variableOf(one, memory_), bound);
      return;
    }
    ArrayData& array = bound.launch.arrays[object];
    array.extents = one.extents;
    const std::size_t at = offsetOf(one.argument, one.argumentOffset);
    const auto bytes = static_cast<std::size_t>(one.byteCount());
    if (at + bytes > arguments_.size()) { throw InputError("a launch has fewer argument bytes than its kernel takes"); }
    array.bytes.assign(arguments_.begin() + static_cast<std::ptrdiff_t>(at),
                       arguments_.begin() + static_cast<std::ptrdiff_t>(at + bytes));
  }

  std::shared_ptr<Program> program_;
  std::span<const std::byte> arguments_;
  DeviceMemory& memory_;
  std::vector<std::size_t> offsets_;
};

}  // namespace

std::vector<std::uint64_t> argumentSizes(const Program& program) {
  return {program.argumentBytes.begin(), program.argumentBytes.end()};
}

BoundLaunch bind(const std::shared_ptr<const Program>& program, const LaunchConfiguration& configuration,
                 std::span<const std::byte> arguments, DeviceMemory& memory) {
  return Binder(*program, arguments, memory).bind(configuration);
}

void unbind(BoundLaunch& bound, DeviceMemory& memory, bool written) {
  std::vector<bool> stores(bound.program->objects.size(), false);
  for (const Instruction& instruction : bound.program->code) {
    if (!writesMemory(instruction.op)) { continue; }
    if (instruction.aux == kNone) { stores.assign(stores.size(), true); }
    if (instruction.aux != kNone) { stores[instruction.aux] = true; }
  }
  for (const auto& [object, allocation] : bound.allocations) {
    Allocation& one = memory.at(allocation);
    one.bytes = std::move(bound.launch.arrays[object].bytes);
    one.written = one.written || (written && stores[object]);
  }
  bound.allocations.clear();
}

}  // namespace haloscope::running
