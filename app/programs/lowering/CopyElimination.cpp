#include "lowering/CopyElimination.h"

#include <algorithm>
#include <array>
#include <vector>

namespace haloscope::lowering {

namespace {

std::array<RegisterId*, 3> sources(Instruction& instruction) {
  return {&instruction.a, &instruction.b, &instruction.c};
}

bool isStraight(Opcode op) { return op < Opcode::Statement; }

/// Has no effect besides its destination, and is not counted.
bool isFree(const Instruction& instruction) {
  const bool computes = instruction.op <= Opcode::Reinterpret || instruction.op == Opcode::Select ||
                        instruction.op == Opcode::Offset || instruction.op == Opcode::PointerDifference;
  return computes && !isFloating(instruction.type);
}

class CopyElimination {
 public:
  explicit CopyElimination(Program& program) : program_(program), code_(program.code) {}

  void run() {
    index();
    for (std::uint32_t i = 0; i < code_.size(); ++i) { forwardCopy(i); }
    index();
    for (std::uint32_t i = 0; i < code_.size(); ++i) { loadIntoVariable(i); }
    for (std::size_t i = code_.size(); i-- > 0;) {
      dropUnused(i);
      dropEmptyRest(i);
    }
    sweep();
  }

 private:
  /// Where each register is read and written, in the order of the code.
  void index() {
    reads_.assign(program_.registers.size(), {});
    writes_.assign(program_.registers.size(), {});
    for (std::uint32_t i = 0; i < code_.size(); ++i) {
      if (dead(i)) continue;
      for (const RegisterId* reg : sources(code_[i])) {
        if (*reg != kNone) reads_[*reg].push_back(i);
      }
      if (code_[i].dst != kNone) writes_[code_[i].dst].push_back(i);
    }
    loops_.clear();
    for (std::uint32_t i = 0; i < code_.size(); ++i) {
      if (code_[i].op == Opcode::LoopBack) loops_.emplace_back(code_[i].target, i);
    }
    dead_.resize(code_.size());
  }

  [[nodiscard]] bool dead(std::size_t i) const { return i < dead_.size() && dead_[i]; }
  [[nodiscard]] bool isTemporary(RegisterId reg) const {
    return program_.registers[reg].kind == RegisterKind::Temporary;
  }

  /// `t = v` where v does not change before the last read of t: read v instead.
  void forwardCopy(std::uint32_t at) {
    const Instruction& copy = code_[at];
    const bool isCopy = copy.op == Opcode::Convert && copy.type == program_.registers[copy.a].type;
    if (!isCopy || !isTemporary(copy.dst) || writes_[copy.dst].size() != 1 || reads_[copy.dst].empty()) return;
    const std::uint32_t last = reads_[copy.dst].back();
    const bool changes = std::ranges::any_of(writes_[copy.a], [&](std::uint32_t i) { return i > at && i <= last; });
    // Across the end of a loop, execution does not follow the order of the code.
    const bool crossesLoop = std::ranges::any_of(loops_, [&](const auto& loop) {
      return (at < loop.first) != (last < loop.first) || (at > loop.second) != (last > loop.second);
    });
    if (changes || crossesLoop) return;
    const RegisterId source = copy.a;
    for (const std::uint32_t reader : reads_[copy.dst]) {
      for (RegisterId* reg : sources(code_[reader])) {
        if (*reg == copy.dst) *reg = source;
      }
      reads_[source].push_back(reader);
    }
    std::ranges::sort(reads_[source]);
    dead_[at] = true;
  }

  /// `t = load; …; v = t` becomes `v = load`: both respect the active mask.
  void loadIntoVariable(std::uint32_t at) {
    const Instruction& assign = code_[at];
    if (assign.op != Opcode::Assign || !isTemporary(assign.a)) return;
    if (writes_[assign.a].size() != 1 || reads_[assign.a].size() != 1) return;
    const std::uint32_t from = writes_[assign.a].front();
    Instruction& load = code_[from];
    if (load.op != Opcode::Load || from > at || load.type != program_.registers[assign.dst].type) return;
    for (std::uint32_t i = from + 1; i < at; ++i) {
      if (dead(i)) continue;
      const bool touches = code_[i].dst == assign.dst || code_[i].a == assign.dst || code_[i].b == assign.dst ||
                           code_[i].c == assign.dst;
      if (touches || !isStraight(code_[i].op)) return;
    }
    load.dst = assign.dst;
    dead_[at] = true;
  }

  void dropUnused(std::size_t at) {
    const Instruction& instruction = code_[at];
    if (dead(at) || instruction.dst == kNone || !isFree(instruction) || !isTemporary(instruction.dst)) return;
    const bool used = std::ranges::any_of(reads_[instruction.dst], [&](std::uint32_t i) { return !dead(i); });
    if (!used) dead_[at] = true;
  }

  /// A statement that only calls a function ends with the call.
  void dropEmptyRest(std::size_t at) {
    const Instruction& statement = code_[at];
    if (statement.op != Opcode::Statement || program_.statements[statement.aux].firstInstruction == at) return;
    std::size_t next = at + 1;
    while (next < code_.size() && dead(next)) { ++next; }
    switch (code_[next].op) {
      case Opcode::Statement:
      case Opcode::Else:
      case Opcode::EndIf:
      case Opcode::LoopNext:
      case Opcode::LoopBack:
      case Opcode::EndLoop:
      case Opcode::EndCall:
      case Opcode::End:
        dead_[at] = true;
        break;
      default:
        break;
    }
  }

  void sweep() {
    std::vector<std::uint32_t> moved(code_.size() + 1);
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      moved[i] = kept;
      if (!dead_[i]) code_[kept++] = code_[i];
    }
    moved[code_.size()] = kept;
    code_.resize(kept);
    for (Instruction& instruction : code_) {
      if (instruction.target != kNone) instruction.target = moved[instruction.target];
    }
    for (Statement& statement : program_.statements) { statement.firstInstruction = moved[statement.firstInstruction]; }
  }

  Program& program_;
  std::vector<Instruction>& code_;
  std::vector<std::vector<std::uint32_t>> reads_;
  std::vector<std::vector<std::uint32_t>> writes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> loops_;
  std::vector<bool> dead_;
};

}  // namespace

void eliminateCopies(Program& program) { CopyElimination(program).run(); }

}  // namespace haloscope::lowering
