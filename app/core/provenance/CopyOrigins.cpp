#include "provenance/CopyOrigins.h"

#include <bit>
#include <cstddef>

#include "program/ObjectSize.h"
#include "simt/Warp.h"

namespace haloscope::provenance {

ClusterOrigins::ClusterOrigins(const Program& program, const Launch& launch) : program_(program) {
  const LaunchConfiguration& configuration = launch.configuration;
  Block block{CopyOrigins(program, configuration.warpsPerBlock()), {}};
  const std::size_t threads = std::size_t{configuration.warpsPerBlock()} * kWarpSize;
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    const MemorySpace space = program.objects[object].space;
    const bool own = space == MemorySpace::Shared || space == MemorySpace::Local;
    const auto count = static_cast<std::size_t>(own ? elementCount(program, launch, object) : 0);
    block.cells.emplace_back(space == MemorySpace::Local ? count * threads : count);
  }
  const auto count = static_cast<std::size_t>(clusterOf(program, configuration).count());
  blocks_.reserve(count);
  while (blocks_.size() < count) { blocks_.push_back(block); }
}

void ClusterOrigins::instruction(const simt::WarpContext& context, std::uint32_t at) {
  const Instruction& instruction = program_.code[at];
  if (instruction.dst == kNone) { return; }
  CopyOrigins& origins = blocks_[context.cluster.rank].origins;
  if (instruction.op == Opcode::Shuffle) {
    return origins.exchange(context.warp, instruction, context.active, ShuffleSources(context, instruction));
  }
  LaneMask chosen = 0;
  for (int lane = 0; origins.needsChoice(instruction) && lane < kWarpSize; ++lane) {
    chosen |= static_cast<LaneMask>(context.state->bits(instruction.a, lane) & 1U) << lane;
  }
  origins.follow(context.warp, instruction, context.active, chosen);
}

void ClusterOrigins::access(const simt::WarpContext& context, const simt::MemoryAccess& access) {
  accessOf(context, access, context.cluster.rank);
}

void ClusterOrigins::clusterAccess(const simt::WarpContext& context, const simt::MemoryAccess& access,
                                   std::uint32_t rank) {
  accessOf(context, access, rank);
}

void ClusterOrigins::accessOf(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t rank) {
  const Instruction& instruction = program_.code[access.instruction];
  CopyOrigins& origins = blocks_[context.cluster.rank].origins;
  std::vector<Origin>& cells = blocks_[rank].cells[access.object];
  for (LaneMask lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const std::int64_t element = access.index[static_cast<std::size_t>(lane)];
    auto index = static_cast<std::size_t>(element);
    if (access.space == MemorySpace::Local) {
      const std::size_t thread = std::size_t{context.warp} * kWarpSize + static_cast<std::size_t>(lane);
      index += thread * static_cast<std::size_t>(program_.objects[access.object].elementCount());
    }
    const bool cell = index < cells.size();
    if (access.store) {
      if (!cell) { continue; }
      cells[index] = instruction.op == Opcode::Store ? origins.operand(context.warp, instruction.b, lane).origin
                                                     : Origin{Origin::Kind::Computed, kNone, 0};
      continue;
    }
    Provenance from;
    from.origin = cell                                    ? cells[index]
                  : access.space == MemorySpace::Global   ? Origin{Origin::Kind::Element, access.object, element}
                  : access.space == MemorySpace::Constant ? Origin{Origin::Kind::Constant, kNone, 0}
                                                          : Origin{};
    origins.load(context.warp, instruction.dst, lane, from);
  }
}

namespace {

using recording::Change;
using recording::Origin;

/// Whether the instruction may pass on a value as it is. A Negate may: -1.0f is a literal as well.
bool copies(const Instruction& instruction) {
  switch (instruction.op) {
    case Opcode::Assign:
    case Opcode::Convert:
    case Opcode::Select:
    case Opcode::Load:
    case Opcode::Shuffle:
    case Opcode::Negate:
      return true;
    default:
      return isAtomic(instruction.op);
  }
}

constexpr Provenance kComputed{{Origin::Kind::Computed, kNone, 0}, Change::CopiedFrom::None, kNone};
constexpr Provenance kConstant{{Origin::Kind::Constant, kNone, 0}, Change::CopiedFrom::None, kNone};

}  // namespace

CopyOrigins::CopyOrigins(const Program& program, std::uint32_t warps)
    : program_(program),
      slots_(program.registers.size(), kNone),
      fixed_(program.registers.size(), kComputed),
      variables_(program.registers.size(), kNone) {
  for (VariableId id = 0; id < program.variables.size(); ++id) {
    if (program.variables[id].reg != kNone) { variables_[program.variables[id].reg] = id; }
  }
  const auto followed = [&](RegisterId reg) {
    if (slots_[reg] == kNone) { slots_[reg] = static_cast<std::uint32_t>(slotCount_++); }
  };
  for (RegisterId reg = 0; reg < program.registers.size(); ++reg) {
    if (program.registers[reg].kind == RegisterKind::Constant) { fixed_[reg] = kConstant; }
    if (program.registers[reg].kind == RegisterKind::Variable) { followed(reg); }
  }
  for (const Instruction& instruction : program.code) {
    if (instruction.dst != kNone && copies(instruction)) { followed(instruction.dst); }
  }
  lanes_.resize(slotCount_ * warps);

  for (const Variable& variable : program.variables) {
    if (!variable.parameter || variable.reg == kNone) { continue; }
    for (std::uint32_t warp = 0; warp < warps; ++warp) { lanes(warp, variable.reg).fill(kConstant); }
  }
}

CopyOrigins::Lanes& CopyOrigins::lanes(std::uint32_t warp, RegisterId reg) {
  return lanes_[warp * slotCount_ + slots_[reg]];
}

const Provenance& CopyOrigins::held(std::uint32_t warp, RegisterId reg, int lane) const {
  if (slots_[reg] == kNone) { return fixed_[reg]; }
  return lanes_[warp * slotCount_ + slots_[reg]][static_cast<std::size_t>(lane)];
}

Provenance CopyOrigins::operand(std::uint32_t warp, RegisterId reg, int lane) const {
  Provenance provenance = held(warp, reg, lane);
  if (variables_[reg] != kNone) {
    provenance.copiedFrom = Change::CopiedFrom::Variable;
    provenance.copiedId = variables_[reg];
  }
  return provenance;
}

bool CopyOrigins::needsChoice(const Instruction& instruction) const {
  return instruction.op == Opcode::Select && instruction.dst != kNone && slots_[instruction.dst] != kNone;
}

Provenance CopyOrigins::converted(std::uint32_t warp, const Instruction& instruction, int lane) const {
  const Provenance from = operand(warp, instruction.a, lane);
  // Whatever becomes of a constant is a constant: the 0 of `float x = 0`.
  const bool literal = from.origin.kind == Origin::Kind::Constant;
  return literal || keepsValue(program_.registers[instruction.a].type, instruction.type) ? from : kComputed;
}

void CopyOrigins::follow(std::uint32_t warp, const Instruction& instruction, LaneMask active, LaneMask chosen) {
  if (instruction.dst == kNone || slots_[instruction.dst] == kNone) { return; }
  Lanes& to = lanes(warp, instruction.dst);
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    Provenance& dst = to[static_cast<std::size_t>(lane)];
    switch (instruction.op) {
      case Opcode::Assign:
        dst = operand(warp, instruction.a, lane);
        break;
      case Opcode::Convert:
        dst = converted(warp, instruction, lane);
        break;
      case Opcode::Select:
        dst = operand(warp, (chosen >> lane & 1U) != 0 ? instruction.b : instruction.c, lane);
        break;
      case Opcode::Negate: {
        const bool literal = held(warp, instruction.a, lane).origin.kind == Origin::Kind::Constant;
        dst = literal ? kConstant : kComputed;
        break;
      }
      case Opcode::Load:
        break;  // reported by load(), lane by lane
      default:
        dst = kComputed;
        break;
    }
  }
}

void CopyOrigins::exchange(std::uint32_t warp, const Instruction& instruction, LaneMask active,
                           const ShuffleSources& sources) {
  if (instruction.dst == kNone || slots_[instruction.dst] == kNone) { return; }
  Lanes& to = lanes(warp, instruction.dst);
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    to[lane] = (sources.given >> lane & 1U) != 0 ? held(warp, instruction.a, sources.from[lane]) : kComputed;
    to[lane].copiedFrom = Change::CopiedFrom::None;  // what it was copied from is another thread's
    to[lane].copiedId = kNone;
  }
}

void CopyOrigins::load(std::uint32_t warp, RegisterId dst, int lane, const Provenance& from) {
  if (dst != kNone && slots_[dst] != kNone) { lanes(warp, dst)[static_cast<std::size_t>(lane)] = from; }
}

}  // namespace haloscope::provenance
