#include "opening/ProgramFacts.h"

namespace haloscope::opening {

ProgramFacts factsOf(const Program& program) {
  ProgramFacts facts;
  for (const Instruction& one : program.code) {
    if (one.op == Opcode::Load && one.aux != kNone) { facts.read.insert(one.aux); }
    if (writesMemory(one.op) && one.aux != kNone) { facts.written.insert(one.aux); }
    if (one.op == Opcode::Math && !isFloating(one.type)) { facts.clamps = true; }
    for (const RegisterId reg : {one.a, one.b, one.c}) {
      if (reg == kNone || program.registers[reg].kind != RegisterKind::Builtin) { continue; }
      switch (program.registers[reg].builtin) {
        case Builtin::ThreadIdxX:
          facts.threads[0] = true;
          [[fallthrough]];
        case Builtin::BlockIdxX:
          facts.axes[0] = true;
          break;
        case Builtin::ThreadIdxY:
          facts.threads[1] = true;
          [[fallthrough]];
        case Builtin::BlockIdxY:
          facts.axes[1] = true;
          break;
        case Builtin::ThreadIdxZ:
          facts.threads[2] = true;
          [[fallthrough]];
        case Builtin::BlockIdxZ:
          facts.axes[2] = true;
          break;
        default:
          break;
      }
    }
  }
  return facts;
}

}  // namespace haloscope::opening
