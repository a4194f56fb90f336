#include "program/CodeForm.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "language/Text.h"
#include "program/InstructionForm.h"
#include "program/WellFormed.h"

namespace haloscope {

namespace {

bool isValidPart(const Instruction& code) {
  const auto [index, bytes] = code.part;
  if (bytes == 0) { return index == 0; }
  const bool isVector = bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
  return isVector && (index + 1) * sizeInMemory(code.type) <= bytes;
}

/// Whether all its marks are of instructions like it.
bool hasValidMarks(const Program& program, const Instruction& code) {
  const bool copies = code.op == Opcode::Load || code.op == Opcode::Store;
  if (!isValidPart(code) || (!copies && (code.part.bytes != 0 || code.isVolatile))) { return false; }
  if ((code.async && code.op != Opcode::Store) || (code.ofCopy && code.op != Opcode::Load)) { return false; }
  if (!code.mapped) { return true; }
  return isAccess(code.op) && (code.aux == kNone || program.objects[code.aux].space == MemorySpace::Shared);
}

bool isWritten(RegisterKind kind) { return kind == RegisterKind::Temporary || kind == RegisterKind::Variable; }

bool hasTarget(Opcode op) {
  return op == Opcode::If || op == Opcode::Else || op == Opcode::LoopTest || op == Opcode::LoopBack;
}

/// The instructions one by one.
void checkInstruction(const Program& program, const Instruction& code, std::size_t at) {
  const auto require = [at](bool holds, const char* why) {
    if (!holds) { refusePart(trMark("instruction"), at, why); }
  };
  // The operands of some depend on their aux, which therefore comes first.
  const AuxForm aux = formOf({.op = code.op}).aux;
  require(hasValidAux(program, code, aux), trMark("has a number that means nothing there"));
  const InstructionForm form = formOf(code);
  require(hasValidType(code, form.types), trMark("is not defined for its type"));
  require(isOperand(program, code.dst, form.dst, code.type) && isOperand(program, code.a, form.a, code.type) &&
              isOperand(program, code.b, form.b, code.type) && isOperand(program, code.c, form.c, code.type),
          trMark("has an operand that it cannot have"));
  require(code.dst == kNone || isWritten(program.registers[code.dst].kind), trMark("writes a constant"));
  require(hasValidMarks(program, code), trMark("has a mark that it cannot have"));
  require(hasTarget(code.op) || code.target == kNone, trMark("has a target that it cannot have"));
}

/// How the control instructions nest.
class Nesting {
 public:
  explicit Nesting(const Program& program) : program_(program), loopSeen_(program.loops.size(), false) {
    open_.push_back({.op = Opcode::End});  // the kernel
  }

  void check() {
    for (at_ = 0; at_ < program_.code.size(); ++at_) { instruction(program_.code[at_]); }
    for (std::size_t loop = 0; loop < loopSeen_.size(); ++loop) {
      if (!loopSeen_[loop]) { refusePart(trMark("loop"), loop, trMark("is nowhere in the code")); }
    }
    if (open_.size() > 1) { refusePart(trMark("instruction"), open_.back().at, trMark("begins what never ends")); }
  }

 private:
  /// A construct that has begun.
  struct Construct {
    Opcode op = Opcode::If;
    std::uint32_t at = 0;
    std::uint32_t target = kNone;   ///< where an If, an Else or the tests of a loop say that it goes on or ends
    std::uint32_t next = kNone;     ///< its LoopNext
    std::uint32_t back = kNone;     ///< its LoopBack
    std::uint32_t function = 0;     ///< whose code this is
    std::uint32_t broken = 0;       ///< loops around, within the function, that a Break could leave
    std::uint32_t repeated = 0;     ///< those of them that go back
    std::uint32_t repeatedAll = 0;  ///< loops around that go back, in all functions
    bool otherwise = false;         ///< its Else has been
    bool meets = false;             ///< it contains a barrier
  };

  void require(bool holds, const char* why) const {
    if (!holds) { refusePart(trMark("instruction"), at_, why); }
  }
  [[nodiscard]] Construct& top() { return open_.back(); }
  void requireIn(Opcode op) { require(top().op == op, trMark("is outside its construct")); }

  void begin(Construct inner) {
    require(open_.size() < ProgramLimits::kDepth, trMark("is nested too deeply"));
    inner.at = at_;
    open_.push_back(inner);
  }
  void end() {
    const bool meets = top().meets;
    open_.pop_back();
    top().meets = top().meets || meets;
  }

  void instruction(const Instruction& code) {
    Construct inner = top();
    inner.op = code.op;
    inner.target = inner.next = inner.back = kNone;
    inner.otherwise = inner.meets = false;
    switch (code.op) {
      case Opcode::If:
        inner.target = code.target;
        begin(inner);
        break;
      case Opcode::Else:
        requireIn(Opcode::If);
        require(!top().otherwise && top().target == at_, trMark("is not where its construct goes on"));
        top().otherwise = true;
        top().target = code.target;
        break;
      case Opcode::EndIf:
        requireIn(Opcode::If);
        require(top().target == at_, trMark("is not where its construct goes on"));
        end();
        break;
      case Opcode::Loop:
        ++inner.broken;
        if (code.aux != kNone) { beginLoop(inner, code.aux); }
        begin(inner);
        break;
      case Opcode::LoopTest:
        requireInRepeated();
        require(top().target == kNone || top().target == code.target, trMark("is not where its construct goes on"));
        require(code.target != kNone, trMark("is not where its construct goes on"));
        top().target = code.target;
        break;
      case Opcode::LoopNext:
        requireInRepeated();
        require(top().next == kNone, trMark("is there twice"));
        top().next = at_;
        break;
      case Opcode::LoopBack:
        requireInRepeated();
        require(top().next != kNone && top().back == kNone, trMark("is outside its construct"));
        require(code.target == top().at + 1, trMark("does not lead to the beginning of its loop"));
        top().back = at_;
        break;
      case Opcode::EndLoop:
        endLoop();
        break;
      case Opcode::Break:
        require(top().broken > 0, trMark("is outside its construct"));
        break;
      case Opcode::Continue:
        require(top().repeated > 0, trMark("is outside its construct"));
        break;
      case Opcode::Call:
        inner.function = code.aux;
        inner.broken = inner.repeated = 0;
        begin(inner);
        break;
      case Opcode::EndCall:
        requireIn(Opcode::Call);
        end();
        break;
      case Opcode::Barrier:
        top().meets = true;
        break;
      case Opcode::Statement:
        require(program_.statements[code.aux].function == top().function, trMark("is of another function"));
        break;
      case Opcode::End:
        require(at_ + 1 == program_.code.size(), trMark("is not the last"));
        break;
      default:
        break;
    }
  }

  void beginLoop(Construct& inner, std::uint32_t loop) {
    require(!loopSeen_[loop], trMark("is there twice"));
    loopSeen_[loop] = true;
    require(program_.loops[loop].depth == inner.repeatedAll, trMark("is at another depth than its loop"));
    ++inner.repeated;
    ++inner.repeatedAll;
  }
  void endLoop() {
    requireIn(Opcode::Loop);
    const std::uint32_t loop = program_.code[top().at].aux;
    const bool repeats = loop != kNone;
    require(!repeats || top().back + 1 == at_, trMark("does not follow what goes back"));
    require(top().target == kNone || top().target == at_, trMark("is not where its construct goes on"));
    require(!repeats || program_.loops[loop].containsBarrier == top().meets,
            trMark("ends a loop of which it is not true whether it has a barrier"));
    end();
  }
  void requireInRepeated() {
    requireIn(Opcode::Loop);
    require(program_.code[top().at].aux != kNone, trMark("is outside its construct"));
  }

  const Program& program_;
  std::vector<Construct> open_;
  std::vector<bool> loopSeen_;
  std::uint32_t at_ = 0;
};

}  // namespace

void checkCode(const Program& program) {
  for (std::size_t at = 0; at < program.code.size(); ++at) { checkInstruction(program, program.code[at], at); }
  Nesting(program).check();
  if (program.code.empty() || program.code.back().op != Opcode::End) {
    refusePart(trMark("instruction"), program.code.size(), trMark("is missing: the code does not end"));
  }
  for (std::size_t id = 0; id < program.statements.size(); ++id) {
    const std::uint32_t first = program.statements[id].firstInstruction;
    const bool begins =
        first < program.code.size() && program.code[first].op == Opcode::Statement && program.code[first].aux == id;
    if (!begins) { refusePart(trMark("statement"), id, trMark("does not begin where it says")); }
  }
}

}  // namespace haloscope
