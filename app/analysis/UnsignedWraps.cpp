#include "analysis/UnsignedWraps.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "analysis/ValueFlow.h"

namespace haloscope::analysis {
namespace {

/// No array has this many elements, no kernel as many threads: a 32-bit value above it has passed below zero.
constexpr std::uint32_t kBelowZero = 0x80000000U;

bool isUnsigned(ValueType type) { return type == ValueType::U32 || type == ValueType::U64; }

bool isZero(const Program& program, RegisterId reg) {
  return program.registers[reg].kind == RegisterKind::Constant && program.registers[reg].bits == 0;
}

/// A comparison of an unsigned value with zero: 0 never, 1 always, -1 neither; and the register of the value.
std::pair<int, RegisterId> decided(const Program& program, const Instruction& code) {
  if (!isUnsigned(code.type) || code.a == kNone || code.b == kNone) { return {-1, kNone}; }
  const bool zeroRight = isZero(program, code.b);
  const bool zeroLeft = isZero(program, code.a);
  if (zeroLeft == zeroRight) { return {-1, kNone}; }
  if (zeroRight && code.op == Opcode::GreaterEqual) { return {1, code.a}; }
  if (zeroRight && code.op == Opcode::Less) { return {0, code.a}; }
  if (zeroLeft && code.op == Opcode::LessEqual) { return {1, code.b}; }
  if (zeroLeft && code.op == Opcode::Greater) { return {0, code.b}; }
  return {-1, kNone};
}

std::string place(const ThreadPlace& at) {
  return fmt::format("thread ({},{},{}) of block ({},{},{})", at.thread.x, at.thread.y, at.thread.z, at.block.x,
                     at.block.y, at.block.z);
}

}  // namespace

UnsignedWraps::UnsignedWraps(const Program& program) : NumberObserver(program) {
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    const RegisterId reg = watched(program.code[at]);
    suspect_[at] = reg != kNone && mayWrap(reg, at);
  }
}

/// The unsigned operand that must not have passed below zero here, or kNone.
RegisterId UnsignedWraps::watched(const Instruction& code) const {
  const auto isU32 = [&](RegisterId reg) {
    return program_.registers[reg].type == ValueType::U32 && program_.registers[reg].kind != RegisterKind::Constant;
  };
  if (code.op == Opcode::Offset && isU32(code.b)) { return code.b; }
  if (code.op == Opcode::Convert && isU32(code.a) && sizeInRegister(program_.registers[code.dst].type) == 8) {
    return code.a;
  }
  if (code.op == Opcode::Convert && isU32(code.a) && code.type == ValueType::F32) { return code.a; }
  return kNone;
}

/// Whether a difference, or a sum with a signed part, may be what the register holds.
bool UnsignedWraps::mayWrap(RegisterId reg, std::uint32_t instruction) const {
  const ValueFlow flow(program_);
  std::set<std::pair<RegisterId, std::uint32_t>> seen;
  std::vector<std::pair<RegisterId, std::uint32_t>> waiting{{reg, instruction}};
  while (!waiting.empty()) {
    const auto [value, reader] = waiting.back();
    waiting.pop_back();
    if (value == kNone || !seen.emplace(value, reader).second) { continue; }
    if (isSigned(program_.registers[value].type) && program_.registers[value].kind != RegisterKind::Constant) {
      return true;
    }
    for (const std::uint32_t at : flow.definitions(value, reader)) {
      const Instruction& code = program_.code[at];
      if (code.op == Opcode::Sub || code.op == Opcode::Negate) { return true; }
      if (code.op == Opcode::Add || code.op == Opcode::Mul) {
        waiting.emplace_back(code.a, at);
        waiting.emplace_back(code.b, at);
      } else if (code.op == Opcode::Assign || code.op == Opcode::Convert) {
        waiting.emplace_back(code.a, at);
      } else if (code.op == Opcode::Select) {
        waiting.emplace_back(code.b, at);
        waiting.emplace_back(code.c, at);
      }
    }
  }
  return false;
}

bool UnsignedWraps::faulty(const simt::Warp& warp, const Instruction& instruction, int lane) const {
  return static_cast<std::uint32_t>(warp.bits(watched(instruction), lane)) >= kBelowZero;
}

std::vector<Finding> UnsignedWraps::findings() const {
  std::vector<Finding> found;
  const ValueFlow flow(program_);
  for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
    const Instruction& code = program_.code[at];
    Finding finding;
    finding.kind = FindingKind::UnsignedWrap;
    finding.where = code.range;
    if (const auto [outcome, reg] = decided(program_, code); outcome >= 0) {
      const Variable* variable = flow.variable(reg);
      finding.message =
          fmt::format("{} is unsigned and never below zero, so this comparison with 0 is always {}",
                      variable != nullptr ? variable->name : "the value compared", outcome == 1 ? "true" : "false");
      found.push_back(finding);
      continue;
    }
    const auto sighting = sightings_.find(at);
    if (sighting == sightings_.end() || sighting->second.occurrences == 0) { continue; }
    const RegisterId reg = watched(code);
    const auto value = static_cast<std::uint32_t>(reg == code.a ? sighting->second.a : sighting->second.b);
    std::int64_t exact = static_cast<std::int32_t>(value);
    std::string before = std::to_string(exact);
    std::vector<std::uint32_t> origins = flow.definitions(reg, at);
    if (origins.size() == 1 && program_.code[origins[0]].op == Opcode::Assign) {
      origins = flow.definitions(program_.code[origins[0]].a, origins[0]);
    }
    if (origins.size() == 1 && program_.code[origins[0]].op == Opcode::Sub &&
        program_.registers[program_.code[origins[0]].b].kind == RegisterKind::Constant) {
      const auto taken = static_cast<std::uint32_t>(program_.registers[program_.code[origins[0]].b].bits);
      before = fmt::format("{} - {}", exact + taken, taken);
    }
    const char* use = code.op == Opcode::Offset ? "is used as an index"
                      : isFloating(code.type)   ? "becomes a floating-point number"
                                                : "is extended to 64 bits";
    const Variable* variable = flow.variable(reg);
    finding.message = fmt::format("{}{} became {} because the arithmetic is unsigned, and {}, in {}",
                                  variable != nullptr ? variable->name + ": " : "", before, value, use,
                                  place(sighting->second.thread));
    finding.threads = {sighting->second.thread};
    finding.occurrences = sighting->second.occurrences;
    found.push_back(finding);
  }
  return found;
}

}  // namespace haloscope::analysis
