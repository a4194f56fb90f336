#include "running/LaunchBinding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::running {

namespace {

constexpr std::size_t kPointerBytes = sizeof(std::uint64_t);
/// The object of an address that is none of the device's memory.
constexpr ObjectId kNoObject = 0xfffe;

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
  if (at + bytes > arguments.size()) {
    throw InputError(tr("a launch has fewer argument bytes than its kernel takes"));
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, arguments.data() + at, std::min<std::size_t>(bytes, sizeof bits));
  return bits;
}

/// The variable of the device that an object of a kernel is: by its own name, or by the last part of a longer one. Of
/// variables of the same name, that of the kernel's own file.
AllocationId variableOf(const MemoryObject& object, std::uint32_t file, const DeviceMemory& memory) {
  const Allocation* found = nullptr;
  for (const Allocation& one : memory.all()) {
    if (one.name.empty() || (found != nullptr && (found->file == file || one.file != file))) { continue; }
    const std::string name = qualifiedName(one.name);
    if (name == object.name || name.ends_with("::" + object.name) || object.name.ends_with("::" + name)) {
      found = &one;
    }
  }
  if (found == nullptr) {
    throw InputError(trf("the variable {} is in no file of the program that was linked", object.name));
  }
  return found->id;
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
  Binder(const LaunchedKernel& kernel, std::span<const std::byte> arguments, DeviceMemory& memory)
      : program_(std::make_shared<Program>(*kernel.program)),
        fileIndex_(kernel.fileIndex),
        arguments_(arguments),
        memory_(memory),
        offsets_(argumentOffsets(*program_)) {}

  BoundLaunch bind(const LaunchConfiguration& configuration) {
    if (arguments_.size() != offsets_.back()) {
      throw InputError(trf("{} takes {} bytes of arguments, and the launch gives {}", program_->kernel, offsets_.back(),
                           arguments_.size()));
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
      bindTables(bound);
      noteMapped(bound);
    } catch (const InputError&) {
      unbind(bound, memory_);
      throw;
    }
    return bound;
  }

 private:
  /// Below it no process has memory: such an address is a null pointer to which something was added.
  static constexpr std::uint64_t kLowestMapped = 1 << 16;

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
                     .isNull = address < kLowestMapped,
                     .isMoved = address != 0};
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
    array.bytes = std::move(memory_.bytesOf(allocation));
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
    if (!outside || one.ofText || isParameter || !bound.launch.arrays[object].bytes.empty() || one.extentsAtLaunch) {
      return;
    }
    if (one.argument == kNone) {
      take(object, variableOf(one, fileIndex_, memory_), bound);
      return;
    }
    ArrayData& array = bound.launch.arrays[object];
    array.extents = one.extents;
    const std::size_t at = offsetOf(one.argument, one.argumentOffset);
    const auto bytes = static_cast<std::size_t>(one.byteCount());
    if (at + bytes > arguments_.size()) {
      throw InputError(tr("a launch has fewer argument bytes than its kernel takes"));
    }
    array.bytes.assign(arguments_.begin() + static_cast<std::ptrdiff_t>(at),
                       arguments_.begin() + static_cast<std::ptrdiff_t>(at + bytes));
  }

  /// A GPU maps memory in pages of 2 MiB, which small allocations share, and where these lie is its own choice: an
  /// access just outside an array finds mapped memory there, unused or of another array. One that is further away than
  /// all pages of the program together finds none. Pointers to no memory have none around them.
  void noteMapped(BoundLaunch& bound) {
    constexpr std::uint64_t kPage = std::uint64_t{2} << 20;
    std::uint64_t pages = 1;
    for (const Allocation& one : memory_.all()) { pages += one.freed ? 0 : (one.size + kPage - 1) / kPage; }
    const auto reach = static_cast<std::int64_t>(pages * kPage);
    bound.launch.mapped.resize(program_->objects.size());
    for (ObjectId object = 0; object < program_->objects.size(); ++object) {
      if (program_->objects[object].space != MemorySpace::Global) { continue; }
      const auto bytes = static_cast<std::int64_t>(bound.launch.arrays[object].bytes.size());
      const bool isThere = std::ranges::find(bound.allocations, object, &std::pair<ObjectId, AllocationId>::first) !=
                           bound.allocations.end();
      bound.launch.mapped[object] = isThere ? ByteRange{-reach, bytes + reach} : ByteRange{};
    }
  }

  /// Tables of pointers, in memory or in a struct that is passed by value: what they point to becomes objects, too.
  void bindTables(BoundLaunch& bound) {
    const std::size_t count = program_->objects.size();
    for (ObjectId object = 0; object < count; ++object) {
      const MemorySpace space = program_->objects[object].space;
      const bool outside = space == MemorySpace::Global || space == MemorySpace::Constant;
      if (!outside || program_->objects[object].element != ValueType::Pointer) { continue; }
      BoundTable table{.object = object, .given = bound.launch.arrays[object].bytes, .bound = {}};
      table.bound = table.given;
      for (std::size_t at = 0; at + kPointerBytes <= table.given.size(); at += kPointerBytes) {
        const std::uint64_t address = read(table.given, at, kPointerBytes);
        const std::uint64_t pointer = pointerTo(address, object, at / kPointerBytes, bound);
        std::memcpy(table.bound.data() + at, &pointer, kPointerBytes);
      }
      bound.launch.arrays[object].bytes = table.bound;
      bound.tables.push_back(std::move(table));
    }
  }

  /// An entry of a table as the emulator's pointer.
  std::uint64_t pointerTo(std::uint64_t address, ObjectId table, std::size_t entry, BoundLaunch& bound) {
    if (address == 0) { return PackedPointer::kNull; }
    const std::optional<DevicePlace> place = memory_.find(address);
    if (!place || memory_.at(place->allocation).freed) { return PackedPointer::pack(kNoObject, 0); }
    const auto known =
        std::ranges::find(bound.allocations, place->allocation, &std::pair<ObjectId, AllocationId>::second);
    if (known != bound.allocations.end()) { return PackedPointer::pack(known->first, place->offset); }
    const auto object = static_cast<ObjectId>(program_->objects.size());
    if (object >= kNoObject) { throw InputError(tr("tables point to more arrays than can be followed")); }
    MemoryObject row;
    const std::string& name = program_->objects[table].name;
    row.name = isTexture(table) || program_->objects[table].tensorMap ? name : fmt::format("{}[{}]", name, entry);
    row.extentsAtLaunch = true;
    row.element = elementBehindTables();
    program_->objects.push_back(std::move(row));
    bound.launch.arrays.push_back({.element = elementBehindTables(), .extents = {}, .bytes = {}});
    take(object, place->allocation, bound);
    return PackedPointer::pack(object, place->offset);
  }

  /// Whether a table is what a texture or surface object points to: its texels are the object, as far as a text goes.
  [[nodiscard]] bool isTexture(ObjectId table) const {
    return std::ranges::any_of(
        program_->code, [table](const Instruction& one) { return one.fetch == FetchPart::Begin && one.aux == table; });
  }

  /// What is loaded and stored through pointers that come from a table.
  [[nodiscard]] ValueType elementBehindTables() const {
    for (const Instruction& instruction : program_->code) {
      const bool unknown = isAccess(instruction.op) && instruction.aux == kNone;
      if (unknown && instruction.type != ValueType::Pointer) { return instruction.type; }
    }
    return ValueType::U8;
  }

  std::shared_ptr<Program> program_;
  std::uint32_t fileIndex_;
  std::span<const std::byte> arguments_;
  DeviceMemory& memory_;
  std::vector<std::size_t> offsets_;
};

/// Tables of pointers as the program has them, with the pointers that the kernel has stored.
void restorePointers(BoundLaunch& bound, const DeviceMemory& memory) {
  for (const BoundTable& table : bound.tables) {
    std::vector<std::byte>& bytes = bound.launch.arrays[table.object].bytes;
    for (std::size_t at = 0; at + kPointerBytes <= bytes.size(); at += kPointerBytes) {
      const std::uint64_t pointer = read(bytes, at, kPointerBytes);
      std::uint64_t address = read(table.given, at, kPointerBytes);
      if (pointer != read(table.bound, at, kPointerBytes)) {
        const auto known = std::ranges::find(bound.allocations, PackedPointer::object(pointer),
                                             &std::pair<ObjectId, AllocationId>::first);
        address = known == bound.allocations.end() ? 0
                                                   : memory.addressOf(known->second) +
                                                         static_cast<std::uint64_t>(PackedPointer::byteOffset(pointer));
      }
      std::memcpy(bytes.data() + at, &address, kPointerBytes);
    }
  }
  bound.tables.clear();
}

}  // namespace

std::vector<std::uint64_t> argumentSizes(const Program& program) {
  return {program.argumentBytes.begin(), program.argumentBytes.end()};
}

BoundLaunch bind(const LaunchedKernel& kernel, const LaunchConfiguration& configuration,
                 std::span<const std::byte> arguments, DeviceMemory& memory) {
  return Binder(kernel, arguments, memory).bind(configuration);
}

void unbind(BoundLaunch& bound, DeviceMemory& memory) {
  restorePointers(bound, memory);
  for (const auto& [object, allocation] : bound.allocations) {
    memory.at(allocation).bytes = std::move(bound.launch.arrays[object].bytes);
  }
  bound.allocations.clear();
}

}  // namespace haloscope::running
