#include "program/AsyncCopies.h"

#include <algorithm>

namespace haloscope {

std::vector<std::uint32_t> loadsOfCopies(const Program& program) {
  constexpr std::uint32_t kMostBetween = 24;  // instructions: a copy's part may be chosen between a value and zero
  std::vector<std::uint32_t> loads(program.code.size(), kNone);
  for (std::uint32_t store = 0; store < program.code.size(); ++store) {
    if (!program.code[store].async) { continue; }
    std::vector<RegisterId> carriers{program.code[store].b};
    const std::uint32_t first = store - std::min(store, kMostBetween);
    for (std::uint32_t at = store; at-- > first;) {
      const Instruction& one = program.code[at];
      if (one.dst == kNone || std::ranges::find(carriers, one.dst) == carriers.end()) { continue; }
      if (one.op == Opcode::Assign) { carriers.push_back(one.a); }
      if (one.op != Opcode::Load) { continue; }
      loads[store] = at;
      break;
    }
  }
  return loads;
}

}  // namespace haloscope
