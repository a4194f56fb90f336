#include "codegen/Carried.h"

#include <algorithm>
#include <vector>

#include "program/InstructionForm.h"
#include "simt/DecodedProgram.h"
#include "simt/LiveRanges.h"
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

/// The temporaries' values, as the emulator has them in places that they share.
class Intermediates {
 public:
  explicit Intermediates(const Program& program)
      : program_(program), structure_(program), steps_(program), ofRegister_(program.registers.size()) {
    for (const simt::LiveRange& range : simt::findLiveRanges(program, structure_)) {
      ofRegister_[range.reg].push_back(values_.size());
      values_.push_back({.range = range});
    }
    for (std::uint32_t at = 0; at < program.code.size(); ++at) {
      const Instruction& code = program.code[at];
      for (const RegisterId reg : {code.a, code.b, code.c}) {
        if (Value* const value = valueOf(reg, at, false)) { value->reads.push_back(at); }
      }
      if (Value* const value = valueOf(code.dst, at, true)) { value->writes.push_back(at); }
    }
  }

  /// Whether each lane reads what it has written itself, and nothing else has been in that place since.
  [[nodiscard]] bool areOwn() const {
    return std::ranges::all_of(values_, [&](const Value& value) { return isPlain(value) || isOwn(value); });
  }

 private:
  struct Value {
    simt::LiveRange range;
    std::vector<std::uint32_t> writes{}, reads{};  ///< instructions
  };

  [[nodiscard]] Value* valueOf(RegisterId reg, std::uint32_t at, bool writes) {
    if (reg == kNone || ofRegister_[reg].empty()) { return nullptr; }
    std::size_t found = ofRegister_[reg].front();
    for (const std::size_t one : ofRegister_[reg]) {
      if (values_[one].range.firstUse < at + static_cast<unsigned>(writes)) { found = one; }
    }
    return &values_[found];
  }

  /// Written once, by all who read it.
  [[nodiscard]] bool isPlain(const Value& value) const {
    return value.writes.size() == 1 && std::ranges::all_of(value.reads, [&](std::uint32_t read) {
             return value.writes[0] < read && structure_.dominates(value.writes[0], read);
           });
  }

  [[nodiscard]] bool isOwn(const Value& value) const {
    using Loop = simt::Structure::LoopExtent;
    const auto inside = [](const Loop& loop, std::uint32_t at) { return loop.begin < at && at < loop.end; };
    if (!readsFrom(value, {0}).empty()) { return false; }
    for (const Loop& loop : structure_.loops()) {  // not from one turn to the next
      const auto isInside = [&](std::uint32_t at) { return inside(loop, at); };
      if (std::ranges::any_of(value.writes, isInside) &&
          std::ranges::any_of(readsFrom(value, {loop.begin}), isInside)) {
        return false;
      }
    }
    const auto writesAll = [&](std::uint32_t write) { return !simt::writesActiveLanesOnly(program_.code[write]); };
    // After it, what a lane has written in it: others go on in there, in the same place.
    const auto isKeptAfter = [&](const Loop& loop) {
      const bool shares = !value.range.outlivesTurn && inside(loop, value.range.firstUse);
      return !shares && std::ranges::none_of(
                            value.writes, [&](std::uint32_t write) { return inside(loop, write) && writesAll(write); });
    };
    return std::ranges::all_of(value.writes, [&](std::uint32_t write) {
      return std::ranges::all_of(readsFrom(value, steps_.after(write)), [&](std::uint32_t read) {
        return std::ranges::all_of(
                   structure_.loops(),
                   [&](const Loop& loop) { return !inside(loop, write) || read < loop.end || isKeptAfter(loop); }) &&
               std::ranges::none_of(value.writes, [&](std::uint32_t other) {  // by lanes on another side
                 return write < other && other < read && writesAll(other);
               });
      });
    });
  }

  /// The reads that a lane may come to from some instructions, past all writes.
  [[nodiscard]] std::vector<std::uint32_t> readsFrom(const Value& value, std::vector<std::uint32_t> next) const {
    std::vector<std::uint32_t> reads;
    std::vector<bool> seen(program_.code.size(), false);
    while (!next.empty()) {
      const std::uint32_t at = next.back();
      next.pop_back();
      if (seen[at]) { continue; }
      seen[at] = true;
      if (std::ranges::binary_search(value.reads, at)) { reads.push_back(at); }
      if (std::ranges::binary_search(value.writes, at)) { continue; }
      next.insert(next.end(), steps_.after(at).begin(), steps_.after(at).end());
    }
    return reads;
  }

  const Program& program_;
  simt::Structure structure_;
  LaneSteps steps_;
  std::vector<Value> values_;
  std::vector<std::vector<std::size_t>> ofRegister_;  ///< values, in order
};

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
  if (!Intermediates(program).areOwn()) { return "intermediate results that nothing has computed"; }
  for (const simt::Node& node : simt::decode(program, {}).nodes) {
    if (node.maySpin) { return "loops that may wait for other threads"; }
  }
  return {};
}

}  // namespace haloscope::codegen
