#include "faults/RowBounds.h"

#include <algorithm>
#include <bit>
#include <string>

#include <fmt/format.h>

#include "analysis/ElementName.h"
#include "language/Text.h"
#include "program/ObjectSize.h"
#include "simt/Warp.h"

namespace haloscope::faults {
namespace {

bool isRowSubscript(const Instruction& code) { return code.op == Opcode::Offset && code.c != kNone; }

std::int64_t indexIn(const Program& program, const simt::Warp& warp, RegisterId reg, int lane) {
  const std::uint64_t bits = warp.bits(reg, lane);
  const ValueType type = program.registers[reg].type;
  if (sizeInRegister(type) == 8) { return static_cast<std::int64_t>(bits); }
  const auto narrow = static_cast<std::uint32_t>(bits);
  return isSigned(type) ? std::int64_t{static_cast<std::int32_t>(narrow)} : std::int64_t{narrow};
}

std::int64_t extentOf(const Program& program, const Instruction& code) {
  return static_cast<std::int64_t>(program.registers[code.c].bits);
}

/// The axis along which elements lie this far apart and which has this extent; none: the array is used as another.
std::size_t axisOf(const MemoryObject& array, std::int64_t bytes, std::int64_t extent) {
  std::int64_t stride = sizeInMemory(array.element);
  for (std::size_t axis = array.extents.size(); axis-- > 0;) {
    if (stride == bytes && array.extents[axis] == extent) { return axis; }
    stride *= array.extents[axis];
  }
  return array.extents.size();
}

/// Per register: whether it may hold an address that a row subscript made, or one that was counted on from such.
std::vector<bool> rowAddresses(const Program& program) {
  std::vector<bool> holds(program.registers.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& code : program.code) {
      const bool makes = isRowSubscript(code) || (code.op == Opcode::Offset && holds[code.a]);
      if (!makes || holds[code.dst]) { continue; }
      holds[code.dst] = changed = true;
    }
  }
  return holds;
}

}  // namespace

RowBounds::RowBounds(const Program& program, const Launch& launch)
    : program_(program), launch_(launch), needed_(std::ranges::any_of(program.code, isRowSubscript)) {
  const std::vector<bool> holds = rowAddresses(program);
  for (const Instruction& code : program.code) {
    const bool uses = isAccess(code.op) && code.a != kNone && holds[code.a];
    followed_.push_back(uses || (code.dst != kNone && holds[code.dst]));
  }
}

std::unique_ptr<simt::Observer> RowBounds::fork() const { return std::make_unique<RowBounds>(program_, launch_); }

void RowBounds::join(Observer& worker) {
  for (auto& [instruction, added] : static_cast<RowBounds&>(worker).places_) {
    Place& place = places_[instruction];
    const std::uint64_t occurrences = place.occurrences + added.occurrences;
    if (place.occurrences == 0 || added.block < place.block) { place = added; }
    place.occurrences = occurrences;
  }
}

void RowBounds::blockBegins(const Dim3& /*block*/, std::uint64_t /*blockLinear*/) { astray_.clear(); }

void RowBounds::instruction(const simt::WarpContext& context, std::uint32_t instruction) {
  const Instruction& code = program_.code[instruction];
  const bool row = isRowSubscript(code);
  if (astray_.empty() && !row) { return; }
  if (row) {
    subscript(context, instruction);
    return;
  }
  const auto from = astray_.find({context.warp, code.a});
  const bool known = code.a != kNone && from != astray_.end();
  if (known && code.op == Opcode::Offset) {
    const Astray carried = from->second;
    astray_[{context.warp, code.dst}] = carried;
    return;
  }
  if (known && isAccess(code.op)) { accessAstray(context, instruction, from->second); }
  if (code.dst != kNone) { astray_.erase({context.warp, code.dst}); }
}

void RowBounds::subscript(const simt::WarpContext& context, std::uint32_t instruction) {
  const Instruction& code = program_.code[instruction];
  const std::int64_t extent = extentOf(program_, code);
  Astray made;
  made.subscript = instruction;
  for (LaneMask rest = context.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::int64_t index = indexIn(program_, *context.state, code.b, lane);
    if (index >= 0 && index < extent) { continue; }
    made.lanes |= LaneMask{1} << lane;
    made.index[static_cast<std::size_t>(lane)] = index;
  }
  if (made.lanes != 0) {
    astray_[{context.warp, code.dst}] = made;
  } else if (!astray_.empty()) {
    const auto from = astray_.find({context.warp, code.a});
    if (from != astray_.end()) {
      const Astray carried = from->second;
      astray_[{context.warp, code.dst}] = carried;
    } else {
      astray_.erase({context.warp, code.dst});
    }
  }
}

void RowBounds::accessAstray(const simt::WarpContext& context, std::uint32_t instruction, const Astray& astray) {
  const RegisterId address = program_.code[instruction].a;
  for (LaneMask rest = astray.lanes & context.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::uint64_t pointer = context.state->bits(address, lane);
    const ObjectId object = PackedPointer::object(pointer);
    if (object >= program_.objects.size()) { continue; }
    const std::int64_t at = PackedPointer::byteOffset(pointer);
    if (at < 0 || at >= byteCount(program_, launch_, object)) { continue; }  // a finding of Bounds
    Place& place = places_[instruction];
    if (place.occurrences++ != 0 && place.block <= context.blockLinear) { continue; }
    place.block = context.blockLinear;
    place.thread = std::uint64_t{context.warp} * kWarpSize + static_cast<std::uint64_t>(lane);
    place.interval = context.interval;
    place.subscript = astray.subscript;
    place.index = astray.index[static_cast<std::size_t>(lane)];
    place.pointer = pointer;
  }
}

std::vector<Finding> RowBounds::findings() const {
  std::vector<Finding> all;
  for (const auto& [instruction, place] : places_) {
    const Instruction& subscript = program_.code[place.subscript];
    const MemoryObject& array = program_.objects[PackedPointer::object(place.pointer)];
    if (axisOf(array, subscript.aux, extentOf(program_, subscript)) == array.extents.size()) { continue; }
    all.push_back(findingOf(instruction, place));
  }
  return all;
}

Finding RowBounds::findingOf(std::uint32_t instruction, const Place& place) const {
  const Instruction& code = program_.code[instruction];
  const Instruction& subscript = program_.code[place.subscript];
  Finding finding{
      .kind = FindingKind::OutOfBounds, .where = code.range, .object = PackedPointer::object(place.pointer)};
  const MemoryObject& array = program_.objects[finding.object];
  finding.index = PackedPointer::byteOffset(place.pointer) / sizeInMemory(array.element);
  finding.interval = place.interval;
  finding.occurrences = place.occurrences;
  finding.threads = {
      {unlinear(place.block, launch_.configuration.grid), unlinear(place.thread, launch_.configuration.block)}};
  // As it is written: what the element would be called that the row begins with, and the index that left it.
  const std::int64_t extent = extentOf(program_, subscript);
  const std::size_t axis = axisOf(array, subscript.aux, extent);
  std::int64_t rest = finding.index - place.index * (subscript.aux / sizeInMemory(array.element));
  std::string written;
  for (std::size_t at = array.extents.size(); at-- > 0;) {
    const std::int64_t index = at == 0 ? rest : rest % array.extents[at];
    written.insert(0, fmt::format("[{}]", at == axis ? place.index : index));
    rest /= array.extents[at];
  }
  finding.message =
      trf("{}{} is {} by thread {} of block {}: a row has {} elements, 0 to {}, so this is {}, in another row",
          array.name, written, code.op == Opcode::Load ? tr("read") : tr("written"), text(finding.threads[0].thread),
          text(finding.threads[0].block), extent, extent - 1,
          analysis::elementName(program_, finding.object, finding.index));
  return finding;
}

}  // namespace haloscope::faults
