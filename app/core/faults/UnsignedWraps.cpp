#include "faults/UnsignedWraps.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "language/Text.h"
#include "provenance/ValueFlow.h"

namespace haloscope::faults {
namespace {

/// No array has this many elements, no kernel as many threads: a 32-bit value above it has passed below zero.
constexpr std::uint32_t kBelowZero = 0x80000000U;

bool isUnsigned(ValueType type) { return type == ValueType::U32 || type == ValueType::U64; }

bool isZero(const Program& program, RegisterId reg) {
  return program.registers[reg].kind == RegisterKind::Constant && program.registers[reg].bits == 0;
}

/// What an instruction is to the question where a value comes from.
enum class Definition : std::uint8_t { Found, Further, Other };

/// Whether a value that the instruction reads comes from one that `judge` finds, through those that lead further. The
/// condition of a Select decides about the value, but does not become it.
template <typename Judge>
bool comesFrom(const Program& program, RegisterId reg, std::uint32_t instruction, const Judge& judge) {
  const provenance::ValueFlow flow(program);
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> waiting = flow.definitions(reg, instruction);
  while (!waiting.empty()) {
    const std::uint32_t at = waiting.back();
    waiting.pop_back();
    if (!seen.insert(at).second) { continue; }
    const Instruction& code = program.code[at];
    const Definition origin = judge(at, code);
    if (origin == Definition::Found) { return true; }
    if (origin == Definition::Other) { continue; }
    for (const RegisterId from : {code.a, code.b, code.c}) {
      if (from == kNone || (code.op == Opcode::Select && from == code.a)) { continue; }
      const std::vector<std::uint32_t> more = flow.definitions(from, at);
      waiting.insert(waiting.end(), more.begin(), more.end());
    }
  }
  return false;
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
  return trf("thread ({},{},{}) of block ({},{},{})", at.thread.x, at.thread.y, at.thread.z, at.block.x, at.block.y,
             at.block.z);
}

}  // namespace

UnsignedWraps::UnsignedWraps(const Program& program) : NumberObserver(program) {
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    const RegisterId reg = watched(program.code[at]);
    if (const auto [outcome, compared] = decided(program, program.code[at]); outcome >= 0) {
      suspect_[at] = mayWrap(compared, at);
    } else if (reg == kNone) {
      suspect_[at] = endsLoop(at);
    } else if (isFloating(program.code[at].type) && program.code[at].op == Opcode::Convert) {
      suspect_[at] = isDifference(reg, at);
    } else {
      suspect_[at] = sizeInRegister(program.registers[reg].type) == 8 ? isWidened(reg, at) : mayWrap(reg, at);
    }
  }
}

/// The operand that must not have passed below zero here, or kNone.
RegisterId UnsignedWraps::watched(const Instruction& code) const {
  const auto holds = [&](RegisterId reg, std::initializer_list<ValueType> types) {
    const Register& one = program_.registers[reg];
    return one.kind != RegisterKind::Constant && std::find(types.begin(), types.end(), one.type) != types.end();
  };
  if (code.op == Opcode::Offset && holds(code.b, {ValueType::U32, ValueType::U64, ValueType::I64})) { return code.b; }
  if (code.op == Opcode::Convert && holds(code.a, {ValueType::U32}) && code.type == ValueType::F32) { return code.a; }
  return kNone;
}

/// Whether the register holds a difference, as it is or moved on: what is multiplied is a hash or a random number.
bool UnsignedWraps::isDifference(RegisterId reg, std::uint32_t instruction) const {
  // A small negative number that became unsigned: `i + -1`. Those of hashes are large.
  constexpr std::uint32_t kSmallNegative = 0xffff0000;
  const auto isNegative = [&](RegisterId operand) {
    const Register& one = program_.registers[operand];
    return one.kind == RegisterKind::Constant && (one.type == ValueType::U32 || one.type == ValueType::I32) &&
           static_cast<std::uint32_t>(one.bits) >= kSmallNegative;
  };
  return comesFrom(program_, reg, instruction, [&](std::uint32_t, const Instruction& code) {
    if (code.op == Opcode::Sub || code.op == Opcode::Negate) { return Definition::Found; }
    if (code.op == Opcode::Add && (isNegative(code.a) || isNegative(code.b))) { return Definition::Found; }
    if (code.op == Opcode::Convert && isNegative(code.a)) { return Definition::Found; }
    const bool moves =
        code.op == Opcode::Assign || code.op == Opcode::Convert || code.op == Opcode::Add || code.op == Opcode::Select;
    return moves ? Definition::Further : Definition::Other;
  });
}

/// Whether an unsigned 32-bit value that may wrap became 64 bits wide on the way to the register.
bool UnsignedWraps::isWidened(RegisterId reg, std::uint32_t instruction) const {
  return comesFrom(program_, reg, instruction, [this](std::uint32_t at, const Instruction& code) {
    if (code.op == Opcode::Convert && program_.registers[code.a].type == ValueType::U32) {
      return mayWrap(code.a, at) ? Definition::Found : Definition::Other;
    }
    const bool carries = code.op == Opcode::Assign || code.op == Opcode::Convert || code.op == Opcode::Add ||
                         code.op == Opcode::Sub || code.op == Opcode::Mul || code.op == Opcode::Select;
    return carries ? Definition::Further : Definition::Other;
  });
}

/// The signed variable that an unsigned comparison has on the side that counts up, or kNone.
RegisterId UnsignedWraps::comparedSigned(std::uint32_t instruction) const {
  const Instruction& code = program_.code[instruction];
  const bool less = code.op == Opcode::Less || code.op == Opcode::LessEqual;
  const bool greater = code.op == Opcode::Greater || code.op == Opcode::GreaterEqual;
  if ((!less && !greater) || !isUnsigned(code.type)) { return kNone; }
  RegisterId reg = less ? code.a : code.b;
  const std::vector<std::uint32_t> origins = provenance::ValueFlow(program_).definitions(reg, instruction);
  if (program_.registers[reg].kind == RegisterKind::Temporary && origins.size() == 1 &&
      program_.code[origins[0]].op == Opcode::Convert) {
    reg = program_.code[origins[0]].a;
  }
  const Register& found = program_.registers[reg];
  return found.kind == RegisterKind::Variable && isSigned(found.type) ? reg : kNone;
}

/// Whether the instruction is the unsigned condition of a loop whose signed variable only counts up.
bool UnsignedWraps::endsLoop(std::uint32_t instruction) const {
  const RegisterId variable = comparedSigned(instruction);
  if (variable == kNone) { return false; }
  const provenance::ValueFlow flow(program_);
  const std::vector<std::uint32_t> users = flow.uses(instruction);
  const bool tests = std::any_of(users.begin(), users.end(),
                                 [&](std::uint32_t at) { return program_.code[at].op == Opcode::LoopTest; });
  if (!tests) { return false; }
  bool up = false;
  for (const std::uint32_t written : flow.definitions(variable, instruction)) {
    std::vector<std::uint32_t> origins{written};
    if (program_.code[written].op == Opcode::Assign) { origins = flow.definitions(program_.code[written].a, written); }
    for (const std::uint32_t at : origins) {
      const Instruction& code = program_.code[at];
      if (code.a != variable) { continue; }
      const bool constant = code.b != kNone && program_.registers[code.b].kind == RegisterKind::Constant;
      const bool positive = constant && static_cast<std::int32_t>(program_.registers[code.b].bits) > 0;
      if (code.op != Opcode::Add || !positive) { return false; }
      up = true;
    }
  }
  return up;
}

/// Whether a difference, or a sum with a signed part, may be what the register holds.
bool UnsignedWraps::mayWrap(RegisterId reg, std::uint32_t instruction) const {
  const provenance::ValueFlow flow(program_);
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
  if (const auto [outcome, compared] = decided(program_, instruction); outcome >= 0) {
    const std::uint64_t value = warp.bits(compared, lane);
    return sizeInRegister(instruction.type) == 8 ? static_cast<std::int64_t>(value) < 0
                                                 : static_cast<std::uint32_t>(value) >= kBelowZero;
  }
  const RegisterId reg = watched(instruction);
  if (reg != kNone && sizeInRegister(program_.registers[reg].type) == 8) {
    const std::uint64_t value = warp.bits(reg, lane);
    return value >= kBelowZero && static_cast<std::int64_t>(value) >= 0;
  }
  if (reg != kNone) { return static_cast<std::uint32_t>(warp.bits(reg, lane)) >= kBelowZero; }
  const auto number = [&](RegisterId operand) {
    const std::uint64_t bits = warp.bits(operand, lane);
    return sizeInRegister(instruction.type) == 8 ? static_cast<std::int64_t>(bits) : static_cast<std::int32_t>(bits);
  };
  const bool less = instruction.op == Opcode::Less || instruction.op == Opcode::LessEqual;
  const std::int64_t counted = number(less ? instruction.a : instruction.b);
  const std::int64_t bound = number(less ? instruction.b : instruction.a);
  return counted < 0 && bound >= 0;
}

std::string UnsignedWraps::loopMessage(std::uint32_t instruction, const Occurrences& sighting) const {
  const Instruction& code = program_.code[instruction];
  const bool less = code.op == Opcode::Less || code.op == Opcode::LessEqual;
  const std::uint64_t bits = less ? sighting.a : sighting.b;
  const bool wide = sizeInRegister(code.type) == 8;
  const std::int64_t value = wide ? static_cast<std::int64_t>(bits) : static_cast<std::int32_t>(bits);
  const Variable* variable = provenance::ValueFlow(program_).variable(comparedSigned(instruction));
  return trf(
      "{} is {}, but the comparison is unsigned and reads it as {}, so the loop ends before its first iteration, in {}",
      variable != nullptr ? variable->name : tr("the loop's variable"), value,
      wide ? bits : std::uint64_t{static_cast<std::uint32_t>(bits)}, place(sighting.thread));
}

std::string UnsignedWraps::wrapMessage(std::uint32_t instruction, RegisterId reg, std::uint64_t value) const {
  const provenance::ValueFlow flow(program_);
  const Instruction& code = program_.code[instruction];
  const char* use = code.op == Opcode::Offset ? tr("is used as an index") : tr("becomes a floating-point number");
  const Variable* variable = flow.variable(reg);
  const std::string name = variable != nullptr ? variable->name + ": " : "";
  if (value > std::numeric_limits<std::uint32_t>::max()) {  // of which the wrapped value is only a part
    return trf("{}unsigned arithmetic wrapped below zero, and {} {}", name, value, use);
  }
  const std::int64_t exact = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
  std::string before = std::to_string(exact);
  std::vector<std::uint32_t> origins = flow.definitions(reg, instruction);
  for (int hop = 0; hop < 4 && origins.size() == 1; ++hop) {
    const Instruction& origin = program_.code[origins[0]];
    if (origin.op != Opcode::Assign && origin.op != Opcode::Convert) { break; }
    origins = flow.definitions(origin.a, origins[0]);
  }
  if (origins.size() == 1 && program_.code[origins[0]].op == Opcode::Sub &&
      program_.registers[program_.code[origins[0]].b].kind == RegisterKind::Constant) {
    const auto taken = static_cast<std::uint32_t>(program_.registers[program_.code[origins[0]].b].bits);
    before = fmt::format("{} - {}", exact + taken, taken);
  }
  return trf("{}{} became {} because the arithmetic is unsigned, and {}", name, before, value, use);
}

bool UnsignedWraps::isSeen(std::uint32_t instruction) const {
  const auto sighting = sightings_.find(instruction);
  return sighting != sightings_.end() && sighting->second.occurrences != 0;
}

std::string UnsignedWraps::decidedMessage(std::uint32_t instruction) const {
  const auto [outcome, reg] = decided(program_, program_.code[instruction]);
  const Variable* variable = provenance::ValueFlow(program_).variable(reg);
  return trf("{} is unsigned and never below zero, so this comparison with 0 is always {}",
             variable != nullptr ? variable->name : tr("the value compared"), outcome == 1 ? tr("true") : tr("false"));
}

std::vector<std::string> UnsignedWraps::notes() const {
  std::vector<std::string> all;
  for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
    if (decided(program_, program_.code[at]).first < 0 || isSeen(at)) { continue; }
    std::string note = trf("Line {}: {}.", program_.code[at].range.line, decidedMessage(at));
    if (std::ranges::find(all, note) == all.end()) { all.push_back(std::move(note)); }
  }
  return all;
}

std::vector<Finding> UnsignedWraps::findings() const {
  std::vector<Finding> found;
  for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
    const Instruction& code = program_.code[at];
    Finding finding{.kind = FindingKind::UnsignedWrap, .where = code.range};
    if (!isSeen(at)) { continue; }
    const auto sighting = sightings_.find(at);
    const RegisterId reg = watched(code);
    if (const auto [outcome, compared] = decided(program_, code); outcome >= 0) {
      const std::uint64_t bits = compared == code.a ? sighting->second.a : sighting->second.b;
      finding.message = trf("{}: here it has wrapped below zero, to {}, in {}", decidedMessage(at),
                            sizeInRegister(code.type) == 8 ? bits : bits & 0xffffffffU, place(sighting->second.thread));
    } else if (reg == kNone) {
      finding.message = loopMessage(at, sighting->second);
    } else {
      const std::uint64_t bits = reg == code.a ? sighting->second.a : sighting->second.b;
      const bool wide = sizeInRegister(program_.registers[reg].type) == 8;
      finding.message = wrapMessage(at, reg, wide ? bits : std::uint64_t{static_cast<std::uint32_t>(bits)}) +
                        tr(", in ") + place(sighting->second.thread);
    }
    finding.threads = {sighting->second.thread};
    finding.occurrences = sighting->second.occurrences;
    found.push_back(finding);
  }
  return found;
}

}  // namespace haloscope::faults
