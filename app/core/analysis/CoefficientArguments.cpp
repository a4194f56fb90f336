#include "analysis/CoefficientArguments.h"

namespace haloscope::analysis {

namespace {

/// Whether a register is only read to be converted to a floating-point number, and never written.
bool isOnlyConverted(const Program& program, RegisterId reg) {
  bool converted = false;
  for (const Instruction& one : program.code) {
    if (one.dst == reg || one.b == reg || one.c == reg) { return false; }
    if (one.a != reg) { continue; }
    if (one.op != Opcode::Convert || !isFloating(one.type)) { return false; }
    converted = true;
  }
  return converted;
}

}  // namespace

std::vector<std::size_t> coefficientArguments(const Program& program) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (parameter.object != kNone || parameter.type == ValueType::Pointer) { continue; }
    const bool converted =
        parameter.variable != kNone && isOnlyConverted(program, program.variables[parameter.variable].reg);
    if (isFloating(parameter.type) || converted) { all.push_back(i); }
  }
  return all;
}

}  // namespace haloscope::analysis
