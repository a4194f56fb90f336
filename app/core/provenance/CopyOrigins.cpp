#include "provenance/CopyOrigins.h"

#include <bit>
#include <cstddef>

namespace haloscope::provenance {

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
