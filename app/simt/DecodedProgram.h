#pragma once

#include <cstdint>
#include <vector>

#include "program/Program.h"
#include "simt/LaneOperations.h"
#include "simt/RegisterLayout.h"
#include "simt/Step.h"

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
  End,
};

/// A stretch of straight code, or one control instruction.
struct Node {
  NodeKind kind = NodeKind::End;
  bool leavesKernel = false;           ///< of a Return: outside any Call
  Operand condition = 0;               ///< of If and LoopTest; of a WarpBarrier its mask
  std::uint32_t target = 0;            ///< node that the instruction's target became
  std::uint32_t constructsToLoop = 0;  ///< of a Continue: constructs open between it and its loop
  std::uint32_t join = 0;              ///< node to go on with when no lane is left: the end of the construct around
  std::uint32_t firstStep = 0;         ///< of a Run
  std::uint32_t lastStep = 0;          ///< one past its last
  std::uint32_t firstInstruction = 0;  ///< index into Program::code
  std::uint32_t lastInstruction = 0;   ///< one past the last
};

struct DecodeOptions {
  bool statements = false;  ///< statements are nodes of their own, because somebody wants to hear or stop at them
  std::vector<bool> observedAccesses{};  ///< per instruction: somebody wants to hear of its accesses; empty: nobody
  bool reuseTemporaries = false;         ///< see layoutRegisters
  InstructionSet set = InstructionSet::Baseline;
};

/// A program made ready to run: once for each launch, shared by all workers.
struct DecodedProgram {
  const Program* program = nullptr;
  RegisterLayout layout;
  std::vector<Node> nodes;
  std::vector<Step> steps;
  ConditionFunction condition = nullptr;
  std::uint32_t depth = 0;  ///< masks that can be on a warp's stack
};

/// Throws std::logic_error for a program whose structure or types the IR does not define.
[[nodiscard]] DecodedProgram decode(const Program& program, const DecodeOptions& options);

}  // namespace haloscope::simt
