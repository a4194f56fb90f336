#include "program/SameCode.h"

#include <algorithm>

namespace haloscope {

namespace {

/// Without its place, and without the number of the array that it accesses.
Instruction placeless(Instruction code) {
  code.range = {};
  if (isAccess(code.op)) { code.aux = kNone; }
  return code;
}

bool sameStatement(const Statement& one, const Statement& other) {
  return one.kind == other.kind && one.function == other.function && one.firstInstruction == other.firstInstruction;
}

bool sameObject(const MemoryObject& one, const MemoryObject& other) {
  return one.space == other.space && one.element == other.element && one.extents == other.extents &&
         one.extentsAtLaunch == other.extentsAtLaunch;
}

bool sameVariable(const Variable& one, const Variable& other) {
  return one.reg == other.reg && one.function == other.function;
}

}  // namespace

bool sameCode(const Program& one, const Program& other) {
  return std::ranges::equal(one.code, other.code, {}, placeless, placeless) && one.registers == other.registers &&
         std::ranges::equal(one.statements, other.statements, sameStatement) &&
         std::ranges::equal(one.objects, other.objects, sameObject) &&
         std::ranges::equal(one.variables, other.variables, sameVariable) &&
         one.functions.size() == other.functions.size();
}

}  // namespace haloscope
