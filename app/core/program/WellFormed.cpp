#include "program/WellFormed.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "language/Text.h"
#include "program/InstructionForm.h"
#include "program/Program.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw InputError(trf("the stored program is refused: {}", why)); }

/// Throws the InputError about part `number` of a program's list of `what`: English texts, which trMark() marks.
[[noreturn]] void refusePart(const char* what, std::size_t number, const char* why) {
  refuse(fmt::format("{} {} {}", tr(what), number, tr(why)));
}

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

/// The part of checkWellFormed() that is about the code: its instructions, how they nest, and what the tables of
/// statements and loops say of it. All else of the program must be well formed.
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

bool isName(const std::string& name) {
  return name.size() <= ProgramLimits::kNameBytes &&
         std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

/// Nowhere, or from a place to one that is not before it.
bool isRange(const SourceRange& range) {
  if (range == SourceRange{}) { return true; }
  return range.line > 0 && range.column > 0 &&
         std::pair(range.line, range.column) <= std::pair(range.endLine, range.endColumn);
}

/// The bytes of an array whose extents are known; `most` + 1 if they are more than that.
std::int64_t bytesWithin(const MemoryObject& object, std::int64_t most) {
  std::int64_t bytes = sizeInMemory(object.element);
  for (const std::int64_t extent : object.extents) {
    if (extent < 1 || bytes > most / extent) { return most + 1; }
    bytes *= extent;
  }
  return bytes;
}

std::int64_t mostBytes(MemorySpace space) {
  switch (space) {
    case MemorySpace::Global:
    case MemorySpace::Shared:
      return ProgramLimits::kStaticBytes;
    case MemorySpace::Constant:
      return ProgramLimits::kConstantBytes;
    case MemorySpace::Local:
      break;
  }
  return ProgramLimits::kLocalBytes;
}

class Declarations {
 public:
  explicit Declarations(const Program& program) : program_(program) {}

  void check() {
    counts();
    if (!isName(program_.kernel) || program_.kernel.empty()) { refuse(tr("its kernel has no name")); }
    if (!isRange(program_.kernelRange)) { refuse(tr("its kernel is at no place of a text")); }
    const auto& dims = program_.clusterDims;
    const bool clusters =
        std::ranges::all_of(dims, [](std::uint32_t blocks) { return blocks >= 1 && blocks <= 65'536; });
    if (!clusters && dims != std::array<std::uint32_t, 3>{}) { refuse(tr("its clusters have no size")); }
    arguments();
    each(trMark("register"), program_.registers, [this](const Register& one) { checkRegister(one); });
    each(trMark("array"), program_.objects, [this](const MemoryObject& one) { checkObject(one); });
    each(trMark("variable"), program_.variables, [this](const Variable& one) { checkVariable(one); });
    each(trMark("parameter"), program_.parameters, [this](const Parameter& one) { checkParameter(one); });
    each(trMark("function"), program_.functions, [this](const FunctionFrame& one) {
      require(isName(one.name), trMark("has no name"));
      requirePlace(one.range);
      requirePlace(one.calledAt);
    });
    each(trMark("loop"), program_.loops, [this](const LoopInfo& one) {
      require(one.variable == kNone || one.variable < program_.variables.size(), trMark("has a variable that is none"));
      requirePlace(one.range);
    });
    each(trMark("statement"), program_.statements, [this](const Statement& one) {
      require(one.function < program_.functions.size(), trMark("is of no function"));
      requirePlace(one.range);
    });
    each(trMark("assertion"), program_.assertions,
         [this](const std::string& one) { require(one.size() <= ProgramLimits::kTextBytes, trMark("is too long")); });
    each(trMark("instruction"), program_.code, [this](const Instruction& one) { requirePlace(one.range); });
  }

 private:
  void counts() const {
    const auto most = [](std::size_t count, std::size_t limit, const char* what) {
      if (count > limit) { refuse(trf("it has {} {}, and may have {}", count, tr(what), limit)); }
    };
    most(program_.code.size(), ProgramLimits::kInstructions, trMark("instructions"));
    most(program_.registers.size(), ProgramLimits::kRegisters, trMark("registers"));
    most(program_.variables.size(), ProgramLimits::kVariables, trMark("variables"));
    most(program_.objects.size(), ProgramLimits::kObjects, trMark("arrays"));
    most(program_.parameters.size(), ProgramLimits::kParameters, trMark("parameters"));
    most(program_.argumentBytes.size(), ProgramLimits::kParameters, trMark("parameters"));
    most(program_.loops.size(), ProgramLimits::kLoops, trMark("loops"));
    most(program_.statements.size(), program_.code.size(), trMark("statements"));
    most(program_.functions.size(), program_.code.size(), trMark("functions"));
    most(program_.assertions.size(), program_.code.size(), trMark("assertions"));
    if (program_.functions.empty()) { refuse(tr("it has no kernel")); }
  }

  void arguments() const {
    std::int64_t all = 0;
    for (const std::int64_t bytes : program_.argumentBytes) {
      if (bytes < 0 || bytes > ProgramLimits::kArgumentBytes - all) { refuse(tr("its arguments have too many bytes")); }
      all += bytes;
    }
  }

  template <typename Part, typename Check>
  void each(const char* what, const std::vector<Part>& parts, const Check& check) {
    what_ = what;
    for (number_ = 0; number_ < parts.size(); ++number_) { check(parts[number_]); }
  }
  void require(bool holds, const char* why) const {
    if (!holds) { refusePart(what_, number_, why); }
  }
  void requirePlace(const SourceRange& range) const { require(isRange(range), trMark("is at no place of a text")); }

  /// Whether so many bytes at this place are within an argument.
  [[nodiscard]] bool isInArgument(std::uint32_t argument, std::int64_t offset, std::int64_t bytes) const {
    return argument < program_.argumentBytes.size() && offset >= 0 && bytes <= program_.argumentBytes[argument] &&
           offset <= program_.argumentBytes[argument] - bytes;
  }

  void checkRegister(const Register& one) const {
    require(one.kind != RegisterKind::Builtin || one.type == ValueType::U32,
            trMark("has another type than its builtin"));
  }

  void checkObject(const MemoryObject& one) {
    require(isName(one.name), trMark("has no name"));
    requirePlace(one.declared);
    require(one.extents.size() <= ProgramLimits::kExtents, trMark("has too many extents"));
    if (one.extentsAtLaunch) {
      const bool isShared = one.space == MemorySpace::Shared;
      require(one.extents.empty() && one.space != MemorySpace::Local, trMark("cannot have its size from a launch"));
      require(!isShared || !dynamicShared_, trMark("is a second one whose size is that of the dynamic shared memory"));
      dynamicShared_ = dynamicShared_ || isShared;
    }
    std::int64_t& left = left_[static_cast<std::size_t>(one.space)];
    const std::int64_t bytes = one.extentsAtLaunch ? 0 : bytesWithin(one, left);
    require(bytes <= left, trMark("does not fit into its memory with those before it"));
    left -= bytes;
    const bool initialised = one.space == MemorySpace::Constant || one.space == MemorySpace::Global;
    const auto elements = static_cast<std::uint64_t>(bytes / sizeInMemory(one.element));
    require(one.initial.empty() || (initialised && one.initial.size() == elements),
            trMark("has another number of values than elements"));
    const bool inArgument = one.space == MemorySpace::Constant && isInArgument(one.argument, one.argumentOffset, bytes);
    require(one.argument == kNone ? one.argumentOffset == 0 : inArgument, trMark("is not within its argument"));
    const std::int64_t words = kTensorMapBytes / sizeInMemory(ValueType::Pointer);
    require(
        !one.tensorMap || (one.argument != kNone && one.element == ValueType::Pointer && one.elementCount() == words),
        trMark("does not describe an array to tensor copies"));
    checkMembers(one, bytes);
  }

  void checkMembers(const MemoryObject& one, std::int64_t bytes) const {
    if (one.members.empty()) { return require(one.structBytes == 0, trMark("has members that are none")); }
    const std::int64_t size = sizeInMemory(one.element);
    require(one.members.size() <= ProgramLimits::kMembers && one.structBytes > 0 &&
                one.structBytes <= ProgramLimits::kStaticBytes && one.structBytes % size == 0 &&
                bytes % one.structBytes == 0,
            trMark("has members that are none"));
    for (const StructMember& member : one.members) {
      const std::int64_t last = one.structBytes - sizeInMemory(member.type);
      require(isName(member.name) && member.byteOffset >= 0 && member.byteOffset <= last,
              trMark("has members that are none"));
    }
  }

  void checkVariable(const Variable& one) const {
    require(isName(one.name), trMark("has no name"));
    requirePlace(one.declared);
    requirePlace(one.scope);
    require(one.function < program_.functions.size(), trMark("is of no function"));
    require(one.reg < program_.registers.size() && program_.registers[one.reg].kind == RegisterKind::Variable,
            trMark("has a register that is not one of variables"));
  }

  void checkParameter(const Parameter& one) const {
    require(isName(one.name), trMark("has no name"));
    requirePlace(one.declared);
    require(one.variable < program_.variables.size() && program_.variables[one.variable].parameter,
            trMark("has a variable that is none"));
    require(program_.registers[program_.variables[one.variable].reg].type == one.type,
            trMark("has another type than its variable"));
    require(isInArgument(one.argument, one.argumentOffset, sizeInMemory(one.type)),
            trMark("is not within its argument"));
    const bool pointsTo = one.type == ValueType::Pointer && one.object < program_.objects.size() &&
                          program_.objects[one.object].space == MemorySpace::Global &&
                          program_.objects[one.object].extentsAtLaunch;
    require(one.object == kNone || pointsTo, trMark("points to an array that is none of a launch"));
  }

  static constexpr std::int64_t kTensorMapBytes = 128;

  const Program& program_;
  const char* what_ = "";
  std::size_t number_ = 0;
  bool dynamicShared_ = false;
  /// Bytes that arrays may still take, by MemorySpace.
  std::array<std::int64_t, 4> left_{mostBytes(MemorySpace::Global), mostBytes(MemorySpace::Shared),
                                    mostBytes(MemorySpace::Constant), mostBytes(MemorySpace::Local)};
};

}  // namespace

void checkWellFormed(const Program& program) {
  Declarations(program).check();
  checkCode(program);
}

}  // namespace haloscope
