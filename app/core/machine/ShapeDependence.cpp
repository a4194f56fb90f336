#include "machine/ShapeDependence.h"

#include <vector>

namespace haloscope::machine {

ShapeDependence dependenceOf(const Program& program) {
  std::vector<bool> loaded(program.registers.size(), false);
  const auto readsLoaded = [&](const Instruction& one) {
    for (const RegisterId reg : {one.a, one.b, one.c}) {
      if (reg != kNone && loaded[reg]) { return true; }
    }
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& one : program.code) {
      if (one.dst == kNone || loaded[one.dst] || (!readsMemory(one.op) && !readsLoaded(one))) { continue; }
      loaded[one.dst] = changed = true;
    }
  }
  ShapeDependence dependence{.control = true, .stores = true};
  for (const Instruction& one : program.code) {
    const bool decides = one.op == Opcode::If || one.op == Opcode::LoopTest || one.op == Opcode::Trap;
    if (decides && one.a != kNone && loaded[one.a]) { dependence.control = false; }
    if (writesMemory(one.op) && (one.aux == kNone || loaded[one.a])) { dependence.stores = false; }
  }
  dependence.stores = dependence.stores && dependence.control;
  return dependence;
}

}  // namespace haloscope::machine
