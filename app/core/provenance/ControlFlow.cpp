#include "provenance/ControlFlow.h"

#include <algorithm>

namespace haloscope::provenance {
namespace {

/// A loop, `switch` or inlined call that is open at a place of the text.
struct OpenConstruct {
  Opcode op = Opcode::Loop;
  std::uint32_t begin = 0;
};

/// Where the constructs end, by the instruction that opens them.
struct Extents {
  std::vector<std::uint32_t> end;   ///< EndLoop, EndCall
  std::vector<std::uint32_t> next;  ///< LoopNext; kNone where there is none
  std::vector<std::uint32_t> back;  ///< LoopBack; kNone of what runs once
};

Extents extentsOf(const Program& program) {
  const std::size_t size = program.code.size();
  Extents extents{std::vector<std::uint32_t>(size, kNone), std::vector<std::uint32_t>(size, kNone),
                  std::vector<std::uint32_t>(size, kNone)};
  std::vector<std::uint32_t> open;
  for (std::uint32_t at = 0; at < size; ++at) {
    switch (program.code[at].op) {
      case Opcode::Loop:
      case Opcode::Call:
        open.push_back(at);
        break;
      case Opcode::LoopNext:
        extents.next[open.back()] = at;
        break;
      case Opcode::LoopBack:
        extents.back[open.back()] = at;
        break;
      case Opcode::EndLoop:
      case Opcode::EndCall:
        extents.end[open.back()] = at;
        open.pop_back();
        break;
      default:
        break;
    }
  }
  return extents;
}

/// The innermost open construct that a Break, Continue or Return leaves; kNone: the kernel.
std::uint32_t leaves(const std::vector<OpenConstruct>& open, Opcode op, const Extents& extents) {
  for (std::size_t i = open.size(); i-- > 0;) {
    const bool isCall = open[i].op == Opcode::Call;
    const bool goesBack = extents.back[open[i].begin] != kNone;
    if (op == Opcode::Return ? isCall : !isCall && (op == Opcode::Break || goesBack)) { return open[i].begin; }
  }
  return kNone;
}

}  // namespace

ControlFlow::ControlFlow(const Program& program) : program_(program), successors_(program.code.size()) {
  const Extents extents = extentsOf(program);
  const auto last = static_cast<std::uint32_t>(program.code.size() - 1);
  std::vector<OpenConstruct> open;
  for (std::uint32_t at = 0; at <= last; ++at) {
    const Instruction& instruction = program.code[at];
    std::array<std::uint32_t, 2>& next = successors_[at];
    next = {at + 1, kNone};
    switch (instruction.op) {
      case Opcode::Loop:
      case Opcode::Call:
        open.push_back({instruction.op, at});
        break;
      case Opcode::EndLoop:
      case Opcode::EndCall:
        open.pop_back();
        break;
      case Opcode::If:
        next[1] = instruction.target + (program.code[instruction.target].op == Opcode::Else ? 1 : 0);
        break;
      case Opcode::LoopTest:
        next[1] = instruction.target;
        break;
      case Opcode::Else:  // reached by the lanes that took the branch
      case Opcode::LoopBack:
        next[0] = instruction.target;
        break;
      case Opcode::Break:
      case Opcode::Return: {
        const std::uint32_t construct = leaves(open, instruction.op, extents);
        next[0] = construct == kNone ? last : extents.end[construct];
        break;
      }
      case Opcode::Continue: {
        const std::uint32_t loop = leaves(open, instruction.op, extents);
        if (loop != kNone) { next[0] = extents.next[loop] != kNone ? extents.next[loop] : extents.back[loop]; }
        break;
      }
      case Opcode::End:
        next[0] = kNone;
        break;
      default:
        break;
    }
  }
}

std::vector<std::vector<std::uint32_t>> ControlFlow::intervals() const {
  std::vector<bool> seen(program_.code.size(), false);
  std::vector<std::vector<std::uint32_t>> all{reachable(0, seen)};
  for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
    if (program_.code[at].op == Opcode::Barrier) { all.push_back(reachable(at + 1, seen)); }
  }
  return all;
}

std::vector<std::uint32_t> ControlFlow::reachable(std::uint32_t from, std::vector<bool>& seen) const {
  std::vector<std::uint32_t> found;
  std::vector<std::uint32_t> rest{from};
  while (!rest.empty()) {
    const std::uint32_t at = rest.back();
    rest.pop_back();
    if (at == kNone || at >= seen.size() || seen[at]) { continue; }
    seen[at] = true;
    found.push_back(at);
    if (program_.code[at].op == Opcode::Barrier) { continue; }
    for (const std::uint32_t next : successors_[at]) { rest.push_back(next); }
  }
  for (const std::uint32_t at : found) { seen[at] = false; }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace haloscope::provenance
