#include "lowering/RegisterCompaction.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace haloscope::lowering {

namespace {

/// The range of code in which a temporary holds a value: [begin, end], indices of instructions.
struct Interval {
  RegisterId reg = kNone;
  std::uint32_t begin = kNone;
  std::uint32_t end = 0;
};

struct LoopSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

std::array<RegisterId*, 4> operands(Instruction& instruction) {
  return {&instruction.dst, &instruction.a, &instruction.b, &instruction.c};
}

/// The spans of all loops that jump back, inner loops before outer ones.
std::vector<LoopSpan> loopSpans(const Program& program) {
  std::vector<LoopSpan> spans;
  for (std::uint32_t i = 0; i < program.code.size(); ++i) {
    if (program.code[i].op == Opcode::LoopBack) spans.push_back({program.code[i].target, i});
  }
  return spans;
}

std::vector<Interval> intervals(Program& program) {
  std::vector<Interval> all(program.registers.size());
  for (std::uint32_t i = 0; i < program.code.size(); ++i) {
    for (const RegisterId* reg : operands(program.code[i])) {
      if (*reg == kNone || program.registers[*reg].kind != RegisterKind::Temporary) continue;
      Interval& interval = all[*reg];
      interval.reg = *reg;
      interval.begin = std::min(interval.begin, i);
      interval.end = i;
    }
  }
  std::erase_if(all, [](const Interval& interval) { return interval.reg == kNone; });
  return all;
}

/// A value that enters or leaves a loop must survive all its iterations, and every value the rest of its statement.
void widen(std::vector<Interval>& all, const Program& program) {
  const std::vector<LoopSpan> loops = loopSpans(program);
  std::vector<std::uint32_t> statementEnd(program.code.size());
  auto end = static_cast<std::uint32_t>(program.code.size());
  for (std::size_t i = program.code.size(); i-- > 0;) {
    statementEnd[i] = end - 1;
    if (program.code[i].op == Opcode::Statement) end = static_cast<std::uint32_t>(i);
  }
  for (Interval& interval : all) {
    for (const LoopSpan& loop : loops) {
      const bool apart = interval.end < loop.begin || interval.begin > loop.end;
      const bool inside = interval.begin >= loop.begin && interval.end <= loop.end;
      if (apart || inside) continue;
      interval.begin = std::min(interval.begin, loop.begin);
      interval.end = std::max(interval.end, loop.end);
    }
    interval.end = statementEnd[interval.end];
  }
}

/// For each temporary, the temporary whose register it takes over (itself: a register of its own).
std::vector<RegisterId> shareRegisters(std::vector<Interval> all, const Program& program) {
  std::vector<RegisterId> owner(program.registers.size(), kNone);
  std::ranges::sort(
      all, [](const Interval& a, const Interval& b) { return a.begin != b.begin ? a.begin < b.begin : a.reg < b.reg; });
  std::map<ValueType, std::vector<RegisterId>> free;
  std::vector<Interval> live;  // reg: the owner
  for (const Interval& interval : all) {
    std::erase_if(live, [&](const Interval& other) {
      if (other.end >= interval.begin) return false;
      free[program.registers[other.reg].type].push_back(other.reg);
      return true;
    });
    std::vector<RegisterId>& pool = free[program.registers[interval.reg].type];
    RegisterId taken = interval.reg;
    if (!pool.empty()) {
      taken = pool.back();
      pool.pop_back();
    }
    owner[interval.reg] = taken;
    live.push_back({taken, interval.begin, interval.end});
  }
  return owner;
}

}  // namespace

void compactRegisters(Program& program) {
  std::vector<Interval> all = intervals(program);
  widen(all, program);
  const std::vector<RegisterId> owner = shareRegisters(std::move(all), program);

  std::vector<bool> used(program.registers.size());
  for (Instruction& instruction : program.code) {
    for (RegisterId* reg : operands(instruction)) {
      if (*reg == kNone) continue;
      if (owner[*reg] != kNone) *reg = owner[*reg];
      used[*reg] = true;
    }
  }
  for (const Variable& variable : program.variables) { used[variable.reg] = true; }

  std::vector<RegisterId> moved(program.registers.size(), kNone);
  std::vector<Register> kept;
  for (RegisterId i = 0; i < program.registers.size(); ++i) {
    if (!used[i]) continue;
    moved[i] = static_cast<RegisterId>(kept.size());
    kept.push_back(program.registers[i]);
  }
  program.registers = std::move(kept);
  for (Instruction& instruction : program.code) {
    for (RegisterId* reg : operands(instruction)) {
      if (*reg != kNone) *reg = moved[*reg];
    }
  }
  for (Variable& variable : program.variables) { variable.reg = moved[variable.reg]; }
}

}  // namespace haloscope::lowering
