#include "provenance/DefiniteAssignment.h"

#include <cstdint>

#include "provenance/ControlFlow.h"

namespace haloscope::provenance {

std::vector<RegisterId> possiblyUnassigned(const Program& program) {
  std::vector<bool> isParameter(program.registers.size(), false);
  for (const Variable& variable : program.variables) {
    if (variable.parameter && variable.reg != kNone) { isParameter[variable.reg] = true; }
  }
  const ControlFlow flow(program);
  std::vector<RegisterId> found;
  std::vector<std::uint32_t> rest;
  for (RegisterId reg = 0; reg < program.registers.size(); ++reg) {
    if (program.registers[reg].kind != RegisterKind::Variable || isParameter[reg]) { continue; }
    // Walks on from the kernel's beginning as long as the variable stays without a value.
    std::vector<bool> seen(program.code.size(), false);
    rest.assign(1, 0);
    while (!rest.empty()) {
      const std::uint32_t at = rest.back();
      rest.pop_back();
      if (at == kNone || seen[at]) { continue; }
      seen[at] = true;
      const Instruction& instruction = program.code[at];
      if (instruction.a == reg || instruction.b == reg || instruction.c == reg) {
        found.push_back(reg);
        break;
      }
      if (instruction.dst == reg) { continue; }
      for (const std::uint32_t next : flow.successors(at)) { rest.push_back(next); }
    }
  }
  return found;
}

}  // namespace haloscope::provenance
