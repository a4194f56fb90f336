#include "provenance/CarriedRegisters.h"

#include "provenance/Interval.h"

namespace haloscope::provenance {

CarriedRegisters::CarriedRegisters(const Program& program)
    : slot(program.registers.size(), kNone), run(program.code.size(), 0) {
  std::vector<bool> carries(program.registers.size(), false);
  std::vector<std::uint32_t> computedIn(program.registers.size(), kNone);  // the last run that did
  std::uint32_t now = 0;
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    const Instruction& code = program.code[at];
    run[at] = now;
    for (const RegisterId reg : {code.a, code.b, code.c}) {
      if (reg != kNone && computedIn[reg] != now) { carries[reg] = true; }
    }
    if (code.dst != kNone) { computedIn[code.dst] = now; }
    if (code.op >= Opcode::If && code.op <= Opcode::EndCall) { ++now; }
  }
  for (RegisterId reg = 0; reg < program.registers.size(); ++reg) {
    const Register& one = program.registers[reg];
    const bool part = one.kind == RegisterKind::Temporary && !carries[reg];
    const bool changes = one.kind == RegisterKind::Variable || one.kind == RegisterKind::Temporary;
    if (!isInteger(one.type) || !changes || part) { continue; }
    slot[reg] = static_cast<std::uint32_t>(registers.size());
    registers.push_back(reg);
  }
}

}  // namespace haloscope::provenance
