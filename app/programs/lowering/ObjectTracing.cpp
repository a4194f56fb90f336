#include "lowering/ObjectTracing.h"

#include <vector>

#include "language/Text.h"
#include "lowering/LoweringError.h"

namespace haloscope::lowering {

namespace {

/// The objects that a register may point into: none yet, one, or more than one.
struct Origin {
  enum class Known { Nothing, One, Many };
  Known known = Known::Nothing;
  ObjectId object = kNone;
  bool mapped = false;  ///< it may be that of another block of the cluster

  /// Joins another origin; returns whether anything changed.
  bool join(const Origin& other) {
    const bool changes = joinObject(other) || (other.mapped && !mapped);
    mapped = mapped || other.mapped;
    return changes;
  }
  bool joinObject(const Origin& other) {
    if (other.known == Known::Nothing || known == Known::Many) return false;
    if (known == Known::Nothing) {
      known = other.known;
      object = other.object;
      return true;
    }
    if (other.known == Known::One && other.object == object) return false;
    known = Known::Many;
    return true;
  }
};

constexpr Origin one(ObjectId object) { return {Origin::Known::One, object, false}; }
constexpr Origin many() { return {Origin::Known::Many, kNone, false}; }

/// The origin of the destination of an instruction.
Origin result(const Instruction& instruction, const std::vector<Origin>& origins) {
  switch (instruction.op) {
    case Opcode::Offset:
    case Opcode::Assign:
      return origins[instruction.a];
    case Opcode::MapShared: {
      Origin other = origins[instruction.a];
      other.mapped = true;
      return other;
    }
    case Opcode::Convert:
      return instruction.a == kNone ? many() : origins[instruction.a];
    case Opcode::Select: {
      Origin both = origins[instruction.b];
      both.join(origins[instruction.c]);
      return both;
    }
    default:
      return many();
  }
}

void checkMapped(const Program& program, const Instruction& map, const Origin& origin) {
  if (origin.known != Origin::Known::One) { return; }
  const MemoryObject& object = program.objects[origin.object];
  if (object.space == MemorySpace::Shared) { return; }
  throw LoweringError(map.range,
                      "'" + object.name + tr("' is not in shared memory: only that of other blocks can be mapped"));
}

}  // namespace

void traceObjects(Program& program) {
  std::vector<Origin> origins(program.registers.size());
  for (std::size_t i = 0; i < origins.size(); ++i) {
    const Register& reg = program.registers[i];
    if (reg.type != ValueType::Pointer) {
      origins[i] = many();  // an integer turned into a pointer
    } else if (reg.kind == RegisterKind::Constant) {
      const ObjectId object = PackedPointer::object(reg.bits);
      // A null pointer adds no object: its use is a fault anyway.
      if (object < program.objects.size()) origins[i] = one(object);
    }
  }
  for (const Parameter& parameter : program.parameters) {
    if (parameter.object != kNone) { origins[program.variables[parameter.variable].reg] = one(parameter.object); }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& instruction : program.code) {
      if (instruction.dst == kNone || program.registers[instruction.dst].type != ValueType::Pointer) continue;
      changed |= origins[instruction.dst].join(result(instruction, origins));
    }
  }
  const bool clusters = accessesCluster(program);
  for (Instruction& instruction : program.code) {
    if (instruction.op == Opcode::MapShared) { checkMapped(program, instruction, origins[instruction.a]); }
    if (!isAccess(instruction.op)) continue;
    const Origin& origin = origins[instruction.a];
    instruction.aux = origin.known == Origin::Known::One ? origin.object : kNone;
    instruction.mapped = origin.mapped || (clusters && instruction.aux == kNone);
  }
}

}  // namespace haloscope::lowering
