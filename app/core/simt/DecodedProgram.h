#pragma once

#include <cstdint>
#include <vector>

#include "program/Program.h"
#include "simt/DecodedStep.h"
#include "simt/LaneOperations.h"
#include "simt/RegisterLayout.h"

namespace haloscope::simt {

enum class NodeKind : std::uint8_t {
  Run,  ///< steps without control flow
  Statement,
  If,
  Else,
  EndIf,
  Loop,
  LoopTest,
  LoopNext,
  LoopBack,
  EndLoop,
  Break,
  Continue,
  Return,
  Call,
  EndCall,
  Barrier,
  WarpBarrier,
  CopyCommit,
  CopyWait,
  MemoryBarrier,
  Fence,
  Trap,
  End,
};

/// A run of straight-line code, or one control instruction.
struct Node {
  NodeKind kind = NodeKind::End;
  bool leavesKernel = false;      ///< of a Return: outside any Call
  bool meets = false;             ///< begins with a Shuffle or Vote, or is a WarpBarrier: lanes wait for others
  bool maySpin = false;           ///< of a LoopBack: the loop may wait for what other threads do
  Operand condition = 0;          ///< operand a: of If and LoopTest, of a WarpBarrier its mask, of a Barrier its vote,
                                  ///< of a Trap what it asserts
  Operand result = 0;             ///< of a MemoryBarrier
  Operand second = 0, third = 0;  ///< operands b and c
  std::uint32_t target = 0;       ///< node of the instruction's target
  std::uint32_t constructsToLoop = 0;  ///< of a Continue: constructs open between it and its loop
  std::uint32_t join = 0;              ///< next node if no lane is left: the end of the enclosing construct
  std::uint32_t firstStep = 0;         ///< of a Run
  std::uint32_t lastStep = 0;          ///< one past its last
  std::uint32_t firstInstruction = 0;  ///< index into Program::code
  std::uint32_t lastInstruction = 0;   ///< one past the last
};

struct DecodeOptions {
  bool statements = false;               ///< each statement is a node, so that it can be observed or stopped at
  std::vector<bool> observedAccesses{};  ///< per instruction: its accesses are observed; empty if none are
  bool reuseTemporaries = false;         ///< see layoutRegisters
  InstructionSet set = InstructionSet::Baseline;
};

/// A program prepared for execution, once per launch; shared by all workers.
struct DecodedProgram {
  const Program* program = nullptr;
  RegisterLayout layout;
  std::vector<Node> nodes;
  std::vector<DecodedStep> steps;
  ConditionFunction condition = nullptr;
  std::uint32_t depth = 0;  ///< maximum depth of a warp's mask stack
};

/// Throws std::logic_error if the program's structure or types are invalid.
[[nodiscard]] DecodedProgram decode(const Program& program, const DecodeOptions& options);

}  // namespace haloscope::simt
