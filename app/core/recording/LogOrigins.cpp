#include "recording/LogOrigins.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace haloscope::recording {

namespace {

constexpr int kLongestWay = 16;  ///< instructions that a value is followed through

}  // namespace

LogOrigins::LogOrigins(const Program& program, const BlockState& state, std::uint32_t threads)
    : program_(program), state_(state), variableOf_(program.registers.size(), kNone), recent_(threads) {
  for (VariableId id = 0; id < program.variables.size(); ++id) {
    if (program.variables[id].reg != kNone) { variableOf_[program.variables[id].reg] = id; }
  }
}

void LogOrigins::beginStep(std::uint32_t thread, std::uint32_t instruction) {
  Recent& recent = recent_[thread];
  const bool afterCall = instruction > 0 && program_.code[instruction - 1].op == Opcode::EndCall;
  if (!afterCall) {
    recent.units.clear();
    recent.loaded.clear();
    recent.taken.clear();
  }
  recent.units.push_back(instruction);
}

void LogOrigins::load(std::uint32_t thread, std::uint32_t instruction, ObjectId object, const Origin& origin,
                      std::uint64_t bits) {
  recent_[thread].loaded.push_back({instruction, from(object, origin), bits});
}

void LogOrigins::shuffle(std::uint32_t thread, std::uint32_t instruction, std::uint32_t from) {
  recent_[thread].taken.push_back({instruction, from});
}

LogOrigins::Provenance LogOrigins::from(ObjectId object, const Origin& origin) const {
  switch (program_.objects[object].space) {
    case MemorySpace::Global:
      return {origin, Change::CopiedFrom::Global, object};
    case MemorySpace::Constant:
      return {origin, Change::CopiedFrom::Constant, object};
    case MemorySpace::Shared:
      return {origin, Change::CopiedFrom::Shared, object};
    case MemorySpace::Local:
      return {origin, Change::CopiedFrom::Local, object};
  }
  return {};
}

LogOrigins::Provenance LogOrigins::written(const Value& value, std::uint32_t index, int way) const {
  const Instruction& instruction = program_.code[index];
  if (way > kLongestWay) { return {}; }
  switch (instruction.op) {
    case Opcode::Load: {
      const auto& loads = recent_[value.thread].loaded;
      const auto found = std::ranges::find(loads, index, &Loaded::instruction);
      return found == loads.end() ? Provenance{} : found->from;
    }
    case Opcode::Assign:
      return source(value, instruction.a, index, way + 1);
    case Opcode::Shuffle: {
      const std::optional<std::uint32_t> thread = takenFrom(value.thread, index);
      if (!thread) { return {}; }
      const Value given{*thread, value.bits};
      // What it was copied from there is another thread's.
      return {source(given, instruction.a, index, way + 1).origin};
    }
    case Opcode::Convert: {
      const Provenance before = source(value, instruction.a, index, way + 1);
      const bool literal = before.origin.kind == Origin::Kind::Constant;
      return literal || keepsValue(program_.registers[instruction.a].type, instruction.type) ? before : Provenance{};
    }
    case Opcode::Negate: {
      const Provenance before = source(value, instruction.a, index, way + 1);
      return before.origin.kind == Origin::Kind::Constant
                 ? Provenance{{Origin::Kind::Constant, kNone, 0}, Change::CopiedFrom::None, kNone}
                 : Provenance{};
    }
    case Opcode::Select: {
      const auto first = holds(value, instruction.b, index), second = holds(value, instruction.c, index);
      const bool other = first != true && (second == true || first == false);
      return source(value, other ? instruction.c : instruction.b, index, way + 1);
    }
    default:
      return {};
  }
}

std::uint32_t LogOrigins::unitOf(std::uint32_t instruction) const {
  while (instruction > 0 && program_.code[instruction - 1].op != Opcode::Statement) { --instruction; }
  return instruction;
}

template <typename Visit>
void LogOrigins::eachWriter(std::uint32_t thread, RegisterId reg, std::uint32_t before, Visit visit) const {
  const std::vector<std::uint32_t>& units = recent_[thread].units;
  auto unit = std::ranges::find(units, unitOf(before) - 1);
  bool found = false;
  for (std::uint32_t end = before;; --unit) {
    for (std::uint32_t i = end; i-- > 0 && program_.code[i].op != Opcode::Statement;) {
      if (program_.code[i].dst != reg) { continue; }
      found = true;
      if (visit(i)) { return; }
    }
    if (found || unit == units.begin() || unit == units.end()) { return; }
    end = *std::prev(unit) + 1;
    while (end < program_.code.size() && program_.code[end].op != Opcode::Statement) { ++end; }
  }
}

std::optional<bool> LogOrigins::holds(const Value& value, RegisterId reg, std::uint32_t before) const {
  const Register& one = program_.registers[reg];
  if (one.kind == RegisterKind::Constant) { return one.bits == value.bits; }
  if (const VariableId variable = variableOf_[reg]; variable != kNone) {
    return state_.variable(variable)[value.thread].bits == value.bits;
  }
  std::optional<bool> held;
  eachWriter(value.thread, reg, before, [&](std::uint32_t i) {
    if (program_.code[i].op == Opcode::Load) { held = loads(value, i); }
    return true;
  });
  return held;
}

bool LogOrigins::loads(const Value& value, std::uint32_t instruction) const {
  return std::ranges::any_of(recent_[value.thread].loaded, [&](const Loaded& one) {
    return one.instruction == instruction && one.bits == value.bits;
  });
}

std::optional<std::uint32_t> LogOrigins::takenFrom(std::uint32_t thread, std::uint32_t instruction) const {
  const auto& taken = recent_[thread].taken;
  const auto found = std::ranges::find(taken, instruction, &Taken::instruction);
  return found == taken.end() ? std::nullopt : std::optional(found->from);
}

LogOrigins::Provenance LogOrigins::source(const Value& value, RegisterId reg, std::uint32_t before, int way) const {
  const Register& one = program_.registers[reg];
  if (one.kind == RegisterKind::Constant) {
    return {{Origin::Kind::Constant, kNone, 0}, Change::CopiedFrom::None, kNone};
  }
  if (const VariableId variable = variableOf_[reg]; variable != kNone) {
    Provenance held;
    held.origin = state_.variable(variable)[value.thread].origin;
    // A variable that this statement itself loaded into has no past yet.
    for (std::uint32_t i = before, first = unitOf(before); i-- > first;) {
      if (program_.code[i].dst == reg) {
        held.origin = written(value, i, way + 1).origin;
        break;
      }
    }
    held.copiedFrom = Change::CopiedFrom::Variable;
    held.copiedId = variable;
    return held;
  }
  if (one.kind != RegisterKind::Temporary) { return {}; }
  // The branches of `condition ? in[i] : 0.0f` end in one register. Only a lane that took a branch loaded there; of the
  // others the lane took one whose value it has.
  std::optional<Provenance> certain, held, other;
  eachWriter(value.thread, reg, before, [&](std::uint32_t i) {
    const Instruction& writer = program_.code[i];
    const bool reported = writer.op == Opcode::Load || writer.op == Opcode::Shuffle;
    if (reported) {
      const bool here = writer.op == Opcode::Load ? loads(value, i) : takenFrom(value.thread, i).has_value();
      if (here) { certain = written(value, i, way + 1); }
    } else if (writer.op != Opcode::Assign) {
      if (!other) { other = written(value, i, way + 1); }
    } else {
      const auto may = holds(value, writer.a, i);
      const Provenance from = written(value, i, way + 1);
      const bool temporary = variableOf_[writer.a] == kNone;
      if (may == true && from.copiedFrom != Change::CopiedFrom::None && temporary) { certain = from; }
      if (may == true && !held) { held = from; }
      if (may != false && !other) { other = from; }
    }
    return certain.has_value();
  });
  if (certain) { return *certain; }
  if (held) { return *held; }
  return other && other->origin.kind == Origin::Kind::Element ? Provenance{} : other.value_or(Provenance{});
}

}  // namespace haloscope::recording
