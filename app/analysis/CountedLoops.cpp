#include "analysis/CountedLoops.h"

#include <optional>
#include <vector>

#include "provenance/ValueFlow.h"

namespace haloscope::analysis {
namespace {

/// A loop's instructions, from its Loop to its EndLoop.
struct Span {
  std::uint32_t begin = 0, end = 0;
  std::optional<std::uint32_t> test;  ///< its own LoopTest
  bool goesBack = false;
};

std::vector<Span> loopsOf(const Program& program) {
  std::vector<Span> all;
  std::vector<std::size_t> open;
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    switch (program.code[at].op) {
      case Opcode::Loop:
        open.push_back(all.size());
        all.push_back({at, at, std::nullopt, false});
        break;
      case Opcode::LoopTest:
        all[open.back()].test = at;
        break;
      case Opcode::LoopBack:
        all[open.back()].goesBack = true;
        break;
      case Opcode::EndLoop:
        all[open.back()].end = at;
        open.pop_back();
        break;
      default:
        break;
    }
  }
  return all;
}

std::vector<std::uint32_t> writesTo(const Program& program, RegisterId reg, const Span& loop) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t at = loop.begin; at < loop.end; ++at) {
    if (program.code[at].dst == reg) { found.push_back(at); }
  }
  return found;
}

bool isVariable(const Program& program, RegisterId reg) {
  return reg != kNone && program.registers[reg].kind == RegisterKind::Variable;
}

/// Whether nothing in the loop's body decides about the instruction.
bool isOnEveryRound(const Program& program, std::uint32_t instruction, const Span& loop) {
  int depth = 0;
  for (std::uint32_t at = loop.begin + 1; at < instruction; ++at) {
    const Opcode op = program.code[at].op;
    if (op == Opcode::If || op == Opcode::Loop) { ++depth; }
    if (op == Opcode::EndIf || op == Opcode::EndLoop) { --depth; }
    if (op == Opcode::Continue && depth > 0) {
      return false;
    }  // of this loop or of an inner one: not worth distinguishing
  }
  return depth == 0;
}

/// By how much the one assignment to a variable in a loop moves it; 0: there is none such.
std::int64_t stepOf(const Program& program, RegisterId variable, const Span& loop) {
  const std::vector<std::uint32_t> writes = writesTo(program, variable, loop);
  if (writes.size() != 1 || !isOnEveryRound(program, writes[0], loop)) { return 0; }
  std::uint32_t at = writes[0];
  if (program.code[at].op == Opcode::Assign) {
    const std::vector<std::uint32_t> origins = provenance::ValueFlow(program).definitions(program.code[at].a, at);
    if (origins.size() != 1) { return 0; }
    at = origins[0];
  }
  const Instruction& code = program.code[at];
  const bool sums = (code.op == Opcode::Add || code.op == Opcode::Sub) && code.a == variable && code.b != kNone &&
                    program.registers[code.b].kind == RegisterKind::Constant;
  if (!sums) { return 0; }
  const auto step = static_cast<std::int64_t>(static_cast<std::int32_t>(program.registers[code.b].bits));
  return code.op == Opcode::Add ? step : -step;
}

bool ends(const Program& program, const Span& loop) {
  if (!loop.goesBack) { return true; }  // a switch
  if (!loop.test) { return false; }
  const std::vector<std::uint32_t> conditions =
      provenance::ValueFlow(program).definitions(program.code[*loop.test].a, *loop.test);
  if (conditions.size() != 1) { return false; }
  const Instruction& condition = program.code[conditions[0]];
  const bool up = condition.op == Opcode::Less || condition.op == Opcode::LessEqual;
  const bool down = condition.op == Opcode::Greater || condition.op == Opcode::GreaterEqual;
  if (!up && !down) { return false; }
  for (const bool left : {true, false}) {
    const RegisterId moving = left ? condition.a : condition.b;
    const RegisterId bound = left ? condition.b : condition.a;
    if (!isVariable(program, moving) || !writesTo(program, bound, loop).empty()) { continue; }
    if (sizeInMemory(program.registers[moving].type) < 4) { continue; }
    // An unsigned variable cannot fall below a bound of 0.
    if (up != left && !isSigned(program.registers[moving].type)) { continue; }
    const std::int64_t step = stepOf(program, moving, loop);
    if (up == left ? step > 0 : step < 0) { return true; }
  }
  return false;
}

}  // namespace

bool everyLoopEnds(const Program& program) {
  for (const Span& loop : loopsOf(program)) {
    if (!ends(program, loop)) { return false; }
  }
  return true;
}

}  // namespace haloscope::analysis
