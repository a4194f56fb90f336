#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "program/Half.h"
#include "program/Program.h"
#include "program/Shuffle.h"

// The listing: what surrounds the code (parameters, objects, variables, loops, functions), then one instruction a line,
// indented by its nesting. What follows a semicolon is its place in the text and, of control flow, its target.

namespace haloscope {

namespace {

const char* name(StatementKind kind) {
  switch (kind) {
    case StatementKind::Declaration:
      return "Declaration";
    case StatementKind::Expression:
      return "Expression";
    case StatementKind::Condition:
      return "Condition";
    case StatementKind::LoopInit:
      return "LoopInit";
    case StatementKind::LoopCondition:
      return "LoopCondition";
    case StatementKind::LoopIncrement:
      return "LoopIncrement";
    case StatementKind::Return:
      return "Return";
    case StatementKind::Break:
      return "Break";
    case StatementKind::Continue:
      return "Continue";
    case StatementKind::Barrier:
      return "Barrier";
    case StatementKind::Switch:
      return "Switch";
  }
  return "?";
}

std::string text(const SourceRange& range) {
  if (!range.valid()) return "-";
  return fmt::format("{}:{}-{}:{}", range.line, range.column, range.endLine, range.endColumn);
}

/// A floating-point literal that reads back as the same value: 1 becomes 1.0.
template <typename Float>
std::string literal(Float value) {
  std::string digits = fmt::format("{}", value);
  if (std::isfinite(value) && digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits;
}

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) { nameRegisters(); }

  std::string print() {
    printSurroundings();
    line("code");
    for (std::size_t i = 0; i < program_.code.size(); ++i) { printInstruction(i); }
    return std::move(out_);
  }

 private:
  /// Variables by their name (a second `x` is `x.2`), temporaries `%0`, `%1`, … in the order of their registers.
  void nameRegisters() {
    names_.resize(program_.registers.size());
    std::map<std::string, int> uses;
    for (const Variable& variable : program_.variables) {
      const int use = ++uses[variable.name];
      if (variable.reg >= names_.size()) continue;
      names_[variable.reg] = use == 1 ? variable.name : fmt::format("{}.{}", variable.name, use);
    }
    int temporaries = 0;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const Register& reg = program_.registers[i];
      switch (reg.kind) {
        case RegisterKind::Temporary:
          names_[i] = fmt::format("%{}", temporaries++);
          break;
        case RegisterKind::Constant:
          names_[i] = constant(reg);
          break;
        case RegisterKind::Builtin:
          names_[i] = haloscope::name(reg.builtin);
          break;
        case RegisterKind::Variable:
          if (names_[i].empty()) names_[i] = fmt::format("v{}", i);
          break;
      }
    }
  }

  std::string constant(const Register& reg) const {
    const auto low = static_cast<std::uint32_t>(reg.bits);
    switch (reg.type) {
      case ValueType::Bool:
        return reg.bits != 0 ? "true" : "false";
      case ValueType::I8:
      case ValueType::I16:
      case ValueType::I32:
        return fmt::format("{}", static_cast<std::int32_t>(low));
      case ValueType::U8:
      case ValueType::U16:
      case ValueType::U32:
        return fmt::format("{}u", low);
      case ValueType::I64:
        return fmt::format("{}l", static_cast<std::int64_t>(reg.bits));
      case ValueType::U64:
        return fmt::format("{}ul", reg.bits);
      case ValueType::F16:
        return literal(halfValue(static_cast<std::uint16_t>(low))) + "h";
      case ValueType::F32:
        return literal(std::bit_cast<float>(low)) + "f";
      case ValueType::F64:
        return literal(std::bit_cast<double>(reg.bits));
      case ValueType::Pointer:
        return pointer(reg.bits);
    }
    return "?";
  }

  std::string pointer(std::uint64_t bits) const {
    const ObjectId object = PackedPointer::object(bits);
    if (object >= program_.objects.size()) return "null";
    const std::int64_t offset = PackedPointer::byteOffset(bits);
    const std::string& base = program_.objects[object].name;
    return offset == 0 ? "&" + base : fmt::format("&{}{:+}", base, offset);
  }

  std::string operand(RegisterId reg) const { return reg < names_.size() ? names_[reg] : "?"; }
  std::string object(ObjectId id) const { return id < program_.objects.size() ? program_.objects[id].name : "unknown"; }

  void line(const std::string& content) { out_ += content + "\n"; }

  void printSurroundings() {
    line(fmt::format("kernel {}  ; {}", program_.kernel, text(program_.kernelRange)));
    for (const Parameter& parameter : program_.parameters) {
      line(fmt::format("parameter {} {}  ; {}", parameter.name, haloscope::name(parameter.type),
                       text(parameter.declared)));
    }
    for (const MemoryObject& memory : program_.objects) { printObject(memory); }
    for (const Variable& variable : program_.variables) {
      line(fmt::format("variable {} {}{}  ; {} visible {}", operand(variable.reg),
                       haloscope::name(program_.registers[variable.reg].type),
                       variable.function == 0 ? "" : " of " + program_.functions[variable.function].name,
                       text(variable.declared), text(variable.scope)));
    }
    for (std::size_t i = 0; i < program_.loops.size(); ++i) {
      const LoopInfo& loop = program_.loops[i];
      line(fmt::format("loop {} depth {} over {}{}  ; {}", i, loop.depth,
                       loop.variable == kNone ? "-" : operand(program_.variables[loop.variable].reg),
                       loop.containsBarrier ? " with a barrier" : "", text(loop.range)));
    }
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      const FunctionFrame& function = program_.functions[i];
      line(fmt::format("function {} {}  ; {} called at {}", i, function.name, text(function.range),
                       text(function.calledAt)));
    }
    line(fmt::format("registers {}", program_.registers.size()));
  }

  void printObject(const MemoryObject& memory) {
    std::string extents;
    for (const std::int64_t extent : memory.extents) { extents += fmt::format("[{}]", extent); }
    if (memory.extentsAtLaunch) extents += "[at launch]";
    std::string initial;
    for (const std::uint64_t bits : memory.initial) {
      initial += initial.empty() ? " = " : ", ";
      initial += constant({.type = memory.element, .kind = RegisterKind::Constant, .bits = bits});
    }
    line(fmt::format("object {}{} {} {}{}{}  ; {}", memory.name, extents, haloscope::name(memory.element),
                     haloscope::name(memory.space), memory.readOnly ? " read-only" : "", initial,
                     text(memory.declared)));
  }

  void printInstruction(std::size_t index) {
    const Instruction& instruction = program_.code[index];
    if (closesNesting(instruction.op) && depth_ > 0) --depth_;
    const std::string content(static_cast<std::size_t>(2 * depth_), ' ');
    std::string place = text(instruction.range);
    if (instruction.target != kNone) place += fmt::format(" -> {}", instruction.target);
    line(fmt::format("{:5}  {}{}  ; {}", index, content, describe(instruction), place));
    if (opensNesting(instruction.op)) ++depth_;
  }

  static bool opensNesting(Opcode op) {
    return op == Opcode::If || op == Opcode::Else || op == Opcode::Loop || op == Opcode::Call;
  }
  static bool closesNesting(Opcode op) {
    return op == Opcode::Else || op == Opcode::EndIf || op == Opcode::EndLoop || op == Opcode::EndCall;
  }

  std::string describe(const Instruction& i) const {
    const char* type = haloscope::name(i.type);
    switch (i.op) {
      case Opcode::Statement: {
        if (i.aux >= program_.statements.size()) return "Statement ?";
        return fmt::format("Statement {} {}", i.aux, name(program_.statements[i.aux].kind));
      }
      case Opcode::Math:
        return fmt::format("{} = {}.{} {}", operand(i.dst), haloscope::name(static_cast<MathFunction>(i.aux)), type,
                           operands(i));
      case Opcode::Offset:
        return fmt::format("{} = Offset {}, {}, {}", operand(i.dst), operand(i.a), operand(i.b), i.aux);
      case Opcode::PointerDifference:
        return fmt::format("{} = {} {}, {}", operand(i.dst), haloscope::name(i.op), operands(i), i.aux);
      case Opcode::Load:
        return fmt::format("{} = Load.{} [{}] {}{}", operand(i.dst), type, operand(i.a), object(i.aux), part(i));
      case Opcode::Store:
        return fmt::format("Store{}.{} [{}], {} {}{}", i.async ? "Async" : "", type, operand(i.a), operand(i.b),
                           object(i.aux), part(i));
      case Opcode::Shuffle: {
        const ShuffleMode mode = ShuffleMode::unpack(i.aux);
        const std::string width = mode.width == ShuffleMode::kInOperand ? "of the lane" : fmt::format("{}", mode.width);
        return fmt::format("{} = Shuffle{}.{} {}, width {}", operand(i.dst), haloscope::name(mode.kind), type,
                           operands(i), width);
      }
      case Opcode::Vote: {
        const char* kind = haloscope::name(static_cast<VoteKind>(i.aux));
        return i.a == kNone ? fmt::format("{} = {}", operand(i.dst), kind)
                            : fmt::format("{} = Vote{} {}", operand(i.dst), kind, operands(i));
      }
      case Opcode::Barrier: {
        const BarrierKind kind = barrierKind(i);
        if (kind == BarrierKind::Block) return "Barrier";
        return fmt::format("Barrier {}{}{}", haloscope::name(kind), i.a == kNone ? "" : " ", operands(i));
      }
      case Opcode::Fence:
        return static_cast<FenceScope>(i.aux) == FenceScope::Block    ? "Fence block"
               : static_cast<FenceScope>(i.aux) == FenceScope::Device ? "Fence device"
                                                                      : "Fence async proxy";
      case Opcode::MemoryBarrier: {
        const char* action = haloscope::name(memoryBarrierAction(i));
        return i.dst == kNone ? fmt::format("{} {}", action, operands(i))
                              : fmt::format("{} = {} {}", operand(i.dst), action, operands(i));
      }
      case Opcode::Trap:
        return i.aux == kNone ? "Trap" : fmt::format("Trap unless {}", operands(i));
      case Opcode::BarrierVote:
        return fmt::format("{} = BarrierVote{}", operand(i.dst), haloscope::name(barrierKind(i)));
      case Opcode::Loop:
        return i.aux == kNone ? "Loop once" : fmt::format("Loop {}", i.aux);
      case Opcode::Call:
        return fmt::format("Call {}", i.aux < program_.functions.size() ? program_.functions[i.aux].name : "?");
      default:
        break;
    }
    if (isAtomic(i.op)) {
      const std::string swap = i.c == kNone ? "" : ", " + operand(i.c);
      return fmt::format("{} = {}.{} [{}], {}{} {}", operand(i.dst), haloscope::name(i.op), type, operand(i.a),
                         operand(i.b), swap, object(i.aux));
    }
    if (i.dst != kNone) return fmt::format("{} = {}.{} {}", operand(i.dst), haloscope::name(i.op), type, operands(i));
    return i.a == kNone ? haloscope::name(i.op) : fmt::format("{} {}", haloscope::name(i.op), operands(i));
  }

  static std::string part(const Instruction& i) {
    const char* bulk = i.bulk ? " bulk" : "";
    return i.part.bytes == 0 ? bulk : fmt::format(" part {} of {} bytes{}", i.part.index, i.part.bytes, bulk);
  }

  std::string operands(const Instruction& i) const {
    std::string list;
    for (const RegisterId reg : {i.a, i.b, i.c}) {
      if (reg == kNone) continue;
      if (!list.empty()) list += ", ";
      list += operand(reg);
    }
    return list;
  }

  const Program& program_;
  std::vector<std::string> names_;
  std::string out_;
  int depth_ = 0;
};

}  // namespace

std::string print(const Program& program) { return Printer(program).print(); }

}  // namespace haloscope
