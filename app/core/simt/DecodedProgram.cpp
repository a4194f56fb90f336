#include "simt/DecodedProgram.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "language/Text.h"
#include "simt/Structure.h"

namespace haloscope::simt {
namespace {

bool isControl(Opcode op) { return op >= Opcode::Statement; }

NodeKind nodeKind(Opcode op) {
  switch (op) {
    case Opcode::Statement:
      return NodeKind::Statement;
    case Opcode::If:
      return NodeKind::If;
    case Opcode::Else:
      return NodeKind::Else;
    case Opcode::EndIf:
      return NodeKind::EndIf;
    case Opcode::Loop:
      return NodeKind::Loop;
    case Opcode::LoopTest:
      return NodeKind::LoopTest;
    case Opcode::LoopNext:
      return NodeKind::LoopNext;
    case Opcode::LoopBack:
      return NodeKind::LoopBack;
    case Opcode::EndLoop:
      return NodeKind::EndLoop;
    case Opcode::Break:
      return NodeKind::Break;
    case Opcode::Continue:
      return NodeKind::Continue;
    case Opcode::Return:
      return NodeKind::Return;
    case Opcode::Call:
      return NodeKind::Call;
    case Opcode::EndCall:
      return NodeKind::EndCall;
    case Opcode::Barrier:
      return NodeKind::Barrier;
    case Opcode::WarpBarrier:
      return NodeKind::WarpBarrier;
    case Opcode::CopyCommit:
      return NodeKind::CopyCommit;
    case Opcode::CopyWait:
      return NodeKind::CopyWait;
    case Opcode::MemoryBarrier:
      return NodeKind::MemoryBarrier;
    case Opcode::Fence:
      return NodeKind::Fence;
    case Opcode::Trap:
      return NodeKind::Trap;
    case Opcode::End:
      return NodeKind::End;
    default:
      return NodeKind::Run;
  }
}

class Decoder {
 public:
  Decoder(const Program& program, const DecodeOptions& options)
      : program_(program), options_(options), structure_(program) {}

  DecodedProgram decode() {
    if (program_.code.empty() || program_.code.back().op != Opcode::End) {
      throw std::logic_error(tr("the program does not end with End"));
    }
    decoded_.program = &program_;
    decoded_.layout = layoutRegisters(program_, structure_, options_.reuseTemporaries);
    decoded_.condition = conditionFunction(options_.set);
    decoded_.depth = structure_.depth();
    makeNodes();
    for (Node& node : decoded_.nodes) {
      if (node.kind == NodeKind::Run) { continue; }
      const std::uint32_t target = program_.code[node.firstInstruction].target;
      node.join = nodeOf_[structure_.join(node.firstInstruction)];
      if (target != kNone) { node.target = nodeOf_[target]; }
    }
    return std::move(decoded_);
  }

 private:
  void makeNodes() {
    const std::vector<Instruction>& code = program_.code;
    std::vector<bool> isTarget(code.size(), false);
    for (const Instruction& instruction : code) {
      if (instruction.target != kNone) { isTarget.at(instruction.target) = true; }
    }
    nodeOf_.assign(code.size(), 0);
    bool inRun = false;
    for (std::uint32_t at = 0; at < code.size(); ++at) {
      const Instruction& instruction = code[at];
      const bool meets = instruction.op == Opcode::WarpBarrier || instruction.op == Opcode::Shuffle ||
                         (instruction.op == Opcode::Vote && instruction.a != kNone);
      const bool straight = !isControl(instruction.op) || (instruction.op == Opcode::Statement && !options_.statements);
      if (!straight || !inRun || meets || isTarget[at]) { beginNode(at, meets); }
      inRun = straight;
      nodeOf_[at] = static_cast<std::uint32_t>(decoded_.nodes.size() - 1);
      Node& node = decoded_.nodes.back();
      node.lastInstruction = at + 1;
      if (straight) {
        node.kind = NodeKind::Run;
        if (instruction.op != Opcode::Statement) { decoded_.steps.push_back(makeStep(at)); }
        node.lastStep = static_cast<std::uint32_t>(decoded_.steps.size());
        continue;
      }
      node.kind = nodeKind(instruction.op);
      node.condition = decoded_.layout.ofInstruction[at][1];
      node.result = decoded_.layout.ofInstruction[at][0];
      node.second = decoded_.layout.ofInstruction[at][2];
      node.third = decoded_.layout.ofInstruction[at][3];
      node.leavesKernel = instruction.op == Opcode::Return && !structure_.insideCall(at);
      node.constructsToLoop = structure_.constructsToLoop(at);
      node.maySpin = instruction.op == Opcode::LoopBack && maySpin(instruction.target, at);
    }
  }

  void beginNode(std::uint32_t at, bool meets) {
    Node node{.meets = meets, .firstInstruction = at};
    node.firstStep = node.lastStep = static_cast<std::uint32_t>(decoded_.steps.size());
    decoded_.nodes.push_back(node);
  }

  /// Whether a loop may wait for other threads: it has an atomic, or nothing in it changes but what it reads.
  [[nodiscard]] bool maySpin(std::uint32_t begin, std::uint32_t end) const {
    bool loads = false;
    bool changes = false;
    for (std::uint32_t at = begin; at < end; ++at) {
      const Instruction& instruction = program_.code[at];
      if (isAtomic(instruction.op) || instruction.op == Opcode::MemoryBarrier) { return true; }
      loads |= instruction.op == Opcode::Load;
      changes |= instruction.op == Opcode::Assign && program_.registers[instruction.dst].kind == RegisterKind::Variable;
      changes |= instruction.async;  // the loop of a bulk copy goes from part to part
    }
    return loads && !changes;
  }

  [[nodiscard]] ValueType typeOf(RegisterId reg) const { return program_.registers.at(reg).type; }

  [[nodiscard]] DecodedStep makeStep(std::uint32_t at) const {
    const Instruction& instruction = program_.code[at];
    DecodedStep step;
    step.run = functionOf(instruction, at);
    const std::array<Operand, 4>& operands = decoded_.layout.ofInstruction[at];
    step.dst = operands[0];
    step.a = operands[1];
    step.b = operands[2];
    step.c = operands[3];
    const bool mapping = instruction.op == Opcode::MapShared || instruction.op == Opcode::MappedRank;
    const auto objects = static_cast<std::uint32_t>(std::max<std::size_t>(1, program_.objects.size()));
    step.aux = mapping ? objects : instruction.aux;
    step.instruction = at;
    return step;
  }

  [[nodiscard]] StepFunction functionOf(const Instruction& instruction, std::uint32_t at) const {
    const InstructionSet set = options_.set;
    switch (instruction.op) {
      case Opcode::Equal:
      case Opcode::NotEqual:
      case Opcode::Less:
      case Opcode::LessEqual:
      case Opcode::Greater:
      case Opcode::GreaterEqual:
        return comparisonStep(instruction.op, instruction.type, set);
      case Opcode::Convert:
        return conversionStep(typeOf(instruction.a), instruction.type, set);
      case Opcode::Math:
        return mathStep(static_cast<MathFunction>(instruction.aux), instruction.type, set);
      case Opcode::Offset:
        return offsetStep(typeOf(instruction.b), instruction.aux, set);
      case Opcode::PointerDifference:
        return pointerDifferenceStep(set);
      case Opcode::MapShared:
        return mapSharedStep(set);
      case Opcode::MappedRank:
        return mappedRankStep(set);
      case Opcode::Assign:
        return assignStep(instruction.type, set);
      case Opcode::Reinterpret:
        return reinterpretStep(instruction.type, set);
      case Opcode::Shuffle:
        return shuffleStep(instruction.type, ShuffleMode::unpack(instruction.aux).kind, set);
      case Opcode::Vote:
        return voteStep(static_cast<VoteKind>(instruction.aux), set);
      case Opcode::BarrierVote:
        return barrierVoteStep(barrierKind(instruction), set);
      case Opcode::Load:
      case Opcode::Store:
      case Opcode::AtomicAdd:
      case Opcode::AtomicMin:
      case Opcode::AtomicMax:
      case Opcode::AtomicAnd:
      case Opcode::AtomicOr:
      case Opcode::AtomicXor:
      case Opcode::AtomicExchange:
      case Opcode::AtomicIncrement:
      case Opcode::AtomicDecrement:
      case Opcode::AtomicCompareAndSwap:
        return memoryStep(instruction.op, instruction.type, kindOf(instruction, at), set);
      case Opcode::Shl:
      case Opcode::Shr:
        return arithmeticStep(instruction.op, instruction.type, typeOf(instruction.b), set);
      default:
        return arithmeticStep(instruction.op, instruction.type, ValueType::U32, set);
    }
  }

  [[nodiscard]] MemoryStepKind kindOf(const Instruction& instruction, std::uint32_t at) const {
    MemoryStepKind kind{.observed = !options_.observedAccesses.empty() && options_.observedAccesses.at(at),
                        .knownObject = instruction.aux != kNone && !instruction.mapped,
                        .async = instruction.async};
    kind.local = kind.knownObject && program_.objects.at(instruction.aux).space == MemorySpace::Local;
    return kind;
  }

  const Program& program_;
  const DecodeOptions& options_;
  Structure structure_;
  DecodedProgram decoded_;
  std::vector<std::uint32_t> nodeOf_;
};

}  // namespace

DecodedProgram decode(const Program& program, const DecodeOptions& options) {
  return Decoder(program, options).decode();
}

}  // namespace haloscope::simt
