#include "codegen/Carried.h"

#include <algorithm>
#include <vector>

#include "program/InstructionForm.h"
#include "simt/DecodedProgram.h"
#include "simt/Structure.h"

namespace haloscope::codegen {
namespace {

/// Of an access: what only the interpreter does.
std::string notCarriedOf(const Program& program, const Instruction& access, bool hasLocal) {
  if (access.async || access.ofCopy) { return "asynchronous copies"; }
  if (access.mapped) { return "the memory of other blocks of a cluster"; }
  if (access.aux == kNone) { return hasLocal ? "pointers that may be to a local array or to another one" : ""; }
  const MemoryObject& object = program.objects[access.aux];
  if (object.space != MemorySpace::Local) { return {}; }
  if (isAtomic(access.op)) { return "atomics on local arrays"; }
  const bool same = sizeInMemory(object.element) == sizeInMemory(access.type) && access.type != ValueType::F16;
  return same ? "" : "local arrays accessed as another type";
}

/// What a vector's elements are.
enum class Lane : std::uint8_t { Condition, Word, Long, Real };

Lane laneOf(ValueType type) {
  if (type == ValueType::Bool) { return Lane::Condition; }
  if (isFloating(type)) { return Lane::Real; }
  return sizeInRegister(type) == 8 ? Lane::Long : Lane::Word;
}

/// Whether registers hold what the instruction computes with: they may hold other bits of the same size. Conditions are
/// taken for numbers where they are computed with.
bool fitsRegisters(const Program& program, const Instruction& instruction) {
  const InstructionForm form = formOf(instruction);
  const Lane lane = laneOf(instruction.type);
  const auto fits = [&](RegisterId reg, OperandForm operand, bool counted) {
    if (reg == kNone || operand != OperandForm::Typed) { return true; }
    const Lane own = laneOf(program.registers[reg].type);
    return own == lane || (counted && own == Lane::Condition && lane == Lane::Word);
  };
  if (instruction.dst != kNone && form.dst == OperandForm::Word && instruction.op != Opcode::Vote &&
      program.registers[instruction.dst].type != ValueType::Bool) {
    return false;
  }
  // The emulator computes a result while it reads the operands: they are in different places.
  for (const RegisterId reg : {instruction.a, instruction.b, instruction.c}) {
    if (reg != kNone && reg == instruction.dst && program.registers[reg].kind == RegisterKind::Temporary) {
      return false;
    }
  }
  const bool counts = !isAccess(instruction.op);
  return fits(instruction.dst, form.dst, false) && fits(instruction.a, form.a, counts) &&
         fits(instruction.b, form.b, counts) && fits(instruction.c, form.c, counts);
}

bool parametersFit(const Program& program) {
  return std::ranges::all_of(program.parameters, [&](const Parameter& parameter) {
    if (parameter.variable == kNone) { return true; }
    const RegisterId reg = program.variables[parameter.variable].reg;
    return reg == kNone || laneOf(program.registers[reg].type) == laneOf(parameter.type);
  });
}

/// Where a lane goes on after an instruction.
class LaneSteps {
 public:
  explicit LaneSteps(const Program& program) : next_(program.code.size()) {
    struct Open {
      Opcode op;
      std::vector<std::uint32_t> breaks{}, continues{}, returns{};
    };
    std::vector<Open> open{{.op = Opcode::End}};
    const auto take = [&](std::vector<std::uint32_t>& from, std::uint32_t to) {
      for (const std::uint32_t at : from) { next_[at].push_back(to); }
      from.clear();
    };
    const auto innermost = [&](Opcode op) -> Open& {
      auto at = open.end() - 1;
      while (at != open.begin() && at->op != op) { --at; }
      return *at;
    };
    for (std::uint32_t at = 0; at < program.code.size(); ++at) {
      const Instruction& code = program.code[at];
      switch (code.op) {
        case Opcode::If:
          next_[at] = {at + 1, program.code[code.target].op == Opcode::Else ? code.target + 1 : code.target};
          break;
        case Opcode::Else:
          next_[at] = {code.target};
          break;
        case Opcode::LoopTest:
          next_[at] = {at + 1, code.target};
          break;
        case Opcode::LoopBack:
          next_[at] = {code.target};
          break;
        case Opcode::Loop:
        case Opcode::Call:
          open.push_back({.op = code.op});
          next_[at] = {at + 1};
          break;
        case Opcode::LoopNext:
          take(open.back().continues, at);
          next_[at] = {at + 1};
          break;
        case Opcode::EndLoop: {
          take(open.back().breaks, at);
          const std::vector<std::uint32_t> outer = std::move(open.back().continues);
          open.pop_back();
          auto& more = innermost(Opcode::Loop).continues;
          more.insert(more.end(), outer.begin(), outer.end());
          next_[at] = {at + 1};
          break;
        }
        case Opcode::EndCall:
          take(open.back().returns, at);
          open.pop_back();
          next_[at] = {at + 1};
          break;
        case Opcode::Break:
          innermost(Opcode::Loop).breaks.push_back(at);
          break;
        case Opcode::Continue:
          innermost(Opcode::Loop).continues.push_back(at);
          break;
        case Opcode::Return:
          innermost(Opcode::Call).returns.push_back(at);
          break;
        case Opcode::End:
          break;
        default:
          next_[at] = {at + 1};
          break;
      }
    }
  }
  [[nodiscard]] const std::vector<std::uint32_t>& after(std::uint32_t at) const { return next_[at]; }

 private:
  std::vector<std::vector<std::uint32_t>> next_;
};

/// Whether a lane may read a temporary that it has not written: it finds what another temporary has left there.
bool readsLeftovers(const Program& program) {
  const std::size_t count = program.code.size();
  std::vector<std::vector<std::uint32_t>> writes(program.registers.size());
  std::vector<RegisterId> unsure;
  const simt::Structure structure(program);
  const auto reads = [&](const Instruction& code, RegisterId reg) {
    return code.a == reg || code.b == reg || code.c == reg;
  };
  for (std::uint32_t at = 0; at < count; ++at) {
    const Instruction& code = program.code[at];
    for (const RegisterId reg : {code.a, code.b, code.c}) {
      if (reg == kNone || program.registers[reg].kind != RegisterKind::Temporary) { continue; }
      const bool isSet =
          std::ranges::any_of(writes[reg], [&](std::uint32_t write) { return structure.dominates(write, at); });
      if (!isSet && (unsure.empty() || unsure.back() != reg)) { unsure.push_back(reg); }
    }
    if (code.dst != kNone) { writes[code.dst].push_back(at); }
  }
  if (unsure.empty()) { return false; }
  std::ranges::sort(unsure);
  unsure.erase(std::ranges::unique(unsure).begin(), unsure.end());
  const LaneSteps steps(program);
  return std::ranges::any_of(unsure, [&](RegisterId reg) {  // a way from the beginning to a read, past all writes
    std::vector<bool> seen(count, false);
    std::vector<std::uint32_t> next{0};
    while (!next.empty()) {
      const std::uint32_t at = next.back();
      next.pop_back();
      if (seen[at]) { continue; }
      seen[at] = true;
      if (reads(program.code[at], reg)) { return true; }
      if (program.code[at].dst == reg) { continue; }
      next.insert(next.end(), steps.after(at).begin(), steps.after(at).end());
    }
    return false;
  });
}

}  // namespace

std::string notCarried(const Program& program, const machine::KernelShape& launch) {
  if (inClusters(program, launch.configuration)) { return "clusters of blocks"; }
  bool hasLocal = false;
  for (const MemoryObject& object : program.objects) {
    hasLocal |= object.space == MemorySpace::Local;
    if (object.tensorMap) { return "tensor maps"; }
  }
  for (const Instruction& instruction : program.code) {
    switch (instruction.op) {
      case Opcode::CopyCommit:
      case Opcode::CopyWait:
        return "asynchronous copies";
      case Opcode::MemoryBarrier:
        return "barriers in shared memory";
      case Opcode::MapShared:
      case Opcode::MappedRank:
        return "the memory of other blocks of a cluster";
      case Opcode::BarrierVote:
        return "votes of a block";
      case Opcode::Barrier:
        if (barrierKind(instruction) != BarrierKind::Block || instruction.a != kNone) {
          return "barriers of a grid, or with a vote";
        }
        break;
      default:
        break;
    }
    if (!isAccess(instruction.op)) { continue; }
    if (std::string why = notCarriedOf(program, instruction, hasLocal); !why.empty()) { return why; }
  }
  for (const Instruction& instruction : program.code) {
    if (!fitsRegisters(program, instruction)) { return "registers of another type than what is computed"; }
  }
  if (!parametersFit(program)) { return "parameters of another type than their variables"; }
  if (readsLeftovers(program)) { return "intermediate results that nothing has computed"; }
  for (const simt::Node& node : simt::decode(program, {}).nodes) {
    if (node.maySpin) { return "loops that may wait for other threads"; }
  }
  return {};
}

}  // namespace haloscope::codegen
