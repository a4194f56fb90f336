#include "program/BarrierRemoval.h"

#include <algorithm>

namespace haloscope {
namespace {

/// One that only waits: without the votes of another, its program would not go on.
bool removable(const Instruction& instruction) {
  return instruction.op == Opcode::Barrier && barrierKind(instruction) == BarrierKind::Block;
}

}  // namespace

Program withoutBarriers(Program program, const std::set<int>& lines) {
  const auto goes = [&](const Instruction& instruction) {
    return removable(instruction) && lines.contains(instruction.range.line);
  };
  if (std::ranges::none_of(program.code, goes)) { return program; }

  // newIndex[i]: the new index of instruction i; for a removed one, that of its successor.
  std::vector<std::uint32_t> newIndex;
  std::vector<Instruction> kept;
  for (const Instruction& instruction : program.code) {
    newIndex.push_back(static_cast<std::uint32_t>(kept.size()));
    if (!goes(instruction)) { kept.push_back(instruction); }
  }
  for (Instruction& instruction : kept) {
    if (instruction.target != kNone) { instruction.target = newIndex[instruction.target]; }
  }
  program.code = std::move(kept);
  for (Statement& statement : program.statements) {
    const bool removed = statement.kind == StatementKind::Barrier && lines.contains(statement.range.line);
    if (removed) { statement.kind = StatementKind::Expression; }
    statement.firstInstruction = newIndex[statement.firstInstruction];
  }
  return program;
}

std::set<int> barrierLines(const Program& program) {
  std::set<int> lines;
  for (const Instruction& instruction : program.code) {
    if (removable(instruction) && instruction.range.valid()) { lines.insert(instruction.range.line); }
  }
  return lines;
}

}  // namespace haloscope
