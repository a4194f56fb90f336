#include "faults/NumberChecks.h"

#include <fmt/format.h>

#include "language/Text.h"
#include "provenance/ValueFlow.h"

namespace haloscope::faults {

ZeroDivisions::ZeroDivisions(const Program& program) : NumberObserver(program) {
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    const Instruction& code = program.code[at];
    const bool divides = (code.op == Opcode::Div || code.op == Opcode::Rem) && !isFloating(code.type);
    suspect_[at] =
        divides && (program.registers[code.b].kind != RegisterKind::Constant || program.registers[code.b].bits == 0);
  }
}

bool ZeroDivisions::faulty(const simt::Warp& warp, const Instruction& instruction, int lane) const {
  const std::uint64_t divisor = warp.bits(instruction.b, lane);
  return sizeInRegister(instruction.type) == 8 ? divisor == 0 : static_cast<std::uint32_t>(divisor) == 0;
}

std::vector<Finding> ZeroDivisions::findings() const {
  std::vector<Finding> found;
  const provenance::ValueFlow flow(program_);
  for (const auto& [at, sighting] : sightings_) {
    if (sighting.occurrences == 0) { continue; }
    const Instruction& code = program_.code[at];
    const Variable* variable = flow.variable(code.b);
    const ThreadPlace& who = sighting.thread;
    Finding finding{.kind = FindingKind::DivisionByZero,
                    .where = code.range,
                    .threads = {who},
                    .occurrences = sighting.occurrences};
    finding.message =
        trf("an integer is {} {}, which is zero in thread ({},{},{}) of block ({},{},{}): the {} is undefined",
            code.op == Opcode::Div ? tr("divided by") : tr("taken modulo"),
            variable != nullptr ? variable->name : tr("a value"), who.thread.x, who.thread.y, who.thread.z, who.block.x,
            who.block.y, who.block.z, code.op == Opcode::Div ? tr("quotient") : tr("remainder"));
    found.push_back(finding);
  }
  return found;
}

}  // namespace haloscope::faults
