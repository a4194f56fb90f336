#include "provenance/ValueFlow.h"

namespace haloscope::provenance {

bool reads(const Instruction& instruction, RegisterId reg) {
  return instruction.a == reg || instruction.b == reg || instruction.c == reg;
}

std::vector<std::uint32_t> ValueFlow::uses(std::uint32_t instruction) const {
  std::vector<std::uint32_t> found;
  const RegisterId reg = program_.code[instruction].dst;
  if (reg == kNone) { return found; }
  const bool everywhere = program_.registers[reg].kind == RegisterKind::Variable;
  for (std::uint32_t at = everywhere ? 0 : instruction + 1; at < program_.code.size(); ++at) {
    const Instruction& reader = program_.code[at];
    if (reads(reader, reg)) { found.push_back(at); }
    // The other branch of a conditional expression assigns the same temporary; anything else begins a new value.
    if (!everywhere && reader.dst == reg && reader.op != Opcode::Assign) { break; }
  }
  return found;
}

std::vector<std::uint32_t> ValueFlow::definitions(RegisterId reg, std::uint32_t instruction) const {
  std::vector<std::uint32_t> found;
  if (program_.registers[reg].kind == RegisterKind::Variable) {
    for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
      if (program_.code[at].dst == reg) { found.push_back(at); }
    }
    return found;
  }
  for (std::uint32_t at = instruction; at-- > 0;) {
    const Instruction& writer = program_.code[at];
    if (writer.op == Opcode::Statement && !found.empty()) { break; }
    if (writer.dst != reg) { continue; }
    found.push_back(at);
    if (writer.op != Opcode::Assign) { break; }
  }
  return found;
}

const Variable* ValueFlow::variable(RegisterId reg) const {
  for (const Variable& variable : program_.variables) {
    if (variable.reg == reg) { return &variable; }
  }
  return nullptr;
}

}  // namespace haloscope::provenance
