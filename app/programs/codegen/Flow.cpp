#include "codegen/Flow.h"

namespace haloscope::codegen {

Flow::Flow(const Program& program, const Constructs& constructs, const simt::Structure& structure)
    : program_(program), constructs_(constructs), structure_(structure) {
  std::uint32_t count = 0;
  for (const Instruction& instruction : program.code) {
    leaving_.push_back(count);
    count += static_cast<unsigned>(instruction.op == Opcode::Break || instruction.op == Opcode::Continue ||
                                   instruction.op == Opcode::Return);
  }
}

std::vector<std::uint32_t> Flow::successors(std::uint32_t at) const {
  const Instruction& instruction = program_.code[at];
  switch (instruction.op) {
    case Opcode::If:
      return {at + 1, instruction.target,
              program_.code[instruction.target].op == Opcode::Else ? instruction.target + 1 : instruction.target};
    case Opcode::Else:
    case Opcode::LoopBack:
      return {at + 1, instruction.target};
    case Opcode::LoopTest:
      return {at + 1, instruction.target, structure_.join(at)};
    case Opcode::EndIf:
    case Opcode::EndLoop:
    case Opcode::EndCall:
    case Opcode::LoopNext:
      // Of lanes that began a construct, some are here unless all have left it.
      if (leaving_[at] == leaving_[constructs_[constructs_.around(at)].opener]) { return {at + 1}; }
      return {at + 1, structure_.join(at)};
    case Opcode::Break:
      return {structure_.join(at), constructs_[constructs_.loopOf(at, false)].end - 1};
    case Opcode::Continue:
      return {structure_.join(at), continuesAt(constructs_.loopOf(at, true))};
    case Opcode::Return:
      if (!structure_.insideCall(at)) { return {structure_.join(at)}; }
      return {structure_.join(at), constructs_[constructs_.callOf(at)].end - 1};
    case Opcode::End:
      return {};
    default:
      return {at + 1};
  }
}

std::uint32_t Flow::continuesAt(ConstructId loop) const {
  std::uint32_t at = constructs_[loop].begin + 1;
  while (constructs_.around(at) != loop ||
         (program_.code[at].op != Opcode::LoopNext && program_.code[at].op != Opcode::LoopBack)) {
    ++at;
  }
  return at;
}

}  // namespace haloscope::codegen
