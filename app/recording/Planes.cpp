#include "recording/Planes.h"

#include <bit>
#include <vector>

namespace haloscope::recording {

namespace {

/// A loop and where it lies in the code.
struct LoopCode {
  VariableId variable = kNone;
  StatementId turnsAt = kNone;  ///< the first statement inside: the condition, or the first one of a do loop's body
  std::uint32_t first = 0;      ///< its Loop instruction
  std::uint32_t last = 0;       ///< its EndLoop
};

LoopCode findPlaneLoop(const Program& program) {
  std::uint32_t loop = kNone;
  for (std::uint32_t i = 0; i < program.loops.size(); ++i) {
    const bool better = loop == kNone || program.loops[i].depth < program.loops[loop].depth;
    if (program.loops[i].containsBarrier && better) { loop = i; }
  }
  LoopCode code;
  if (loop == kNone) { return code; }
  code.variable = program.loops[loop].variable;

  // Loops nest: the EndLoop of ours is the one that brings the depth back to where it was.
  int depth = 0;
  for (std::uint32_t i = 0; i < program.code.size(); ++i) {
    const Instruction& instruction = program.code[i];
    if (instruction.op == Opcode::Loop && (depth > 0 || instruction.aux == loop)) {
      if (depth == 0) { code.first = i; }
      ++depth;
    } else if (instruction.op == Opcode::EndLoop && depth > 0) {
      --depth;
      if (depth > 0) { continue; }
      code.last = i;
      break;
    } else if (instruction.op == Opcode::Statement && depth > 0 && code.turnsAt == kNone) {
      code.turnsAt = instruction.aux;
    }
  }
  return code;
}

std::int64_t asInteger(ValueType type, std::uint64_t bits) {
  if (sizeInRegister(type) == 8) { return static_cast<std::int64_t>(bits); }
  return isSigned(type) ? std::int64_t{static_cast<std::int32_t>(bits)}
                        : std::int64_t{static_cast<std::uint32_t>(bits)};
}

/// The lowest thread that takes part in a step.
std::size_t firstThread(const Recording& recording, std::size_t step) {
  for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
    const LaneMask active = recording.warpState(step, warp).active;
    if (active != 0) { return std::size_t{warp} * kWarpSize + static_cast<std::size_t>(std::countr_zero(active)); }
  }
  return 0;
}

}  // namespace

void findPlanes(Recording& recording) {
  const Program& program = *recording.program;
  const LoopCode loop = findPlaneLoop(program);
  recording.planes.clear();
  if (loop.turnsAt == kNone) { return; }

  ValueType type = ValueType::I32;
  std::vector<std::uint64_t> values;  // of the loop's variable, per thread
  if (loop.variable != kNone) {
    type = program.registers[program.variables[loop.variable].reg].type;
    values.assign(recording.threadCount(), recording.initialVariables[loop.variable]);
  }

  for (std::uint32_t i = 0; i < recording.steps.size(); ++i) {
    Step& step = recording.steps[i];
    // Warps that are done with the loop may run on while others turn again; their steps belong to no plane.
    const std::uint32_t at = step.statement == kNone ? 0 : program.statements[step.statement].firstInstruction;
    const bool inside = step.statement != kNone && loop.first < at && at < loop.last;
    if (inside && step.statement == loop.turnsAt) {
      Plane plane{i, i, {}, 0};
      if (loop.variable != kNone) {
        plane.variable = program.variables[loop.variable].name;
        plane.value = asInteger(type, values[firstThread(recording, i)]);
      }
      recording.planes.push_back(plane);
    }
    if (inside && !recording.planes.empty()) {
      recording.planes.back().endStep = i + 1;
      step.plane = static_cast<std::uint32_t>(recording.planes.size() - 1);
    }
    if (values.empty()) { continue; }
    for (const Change& change : recording.changesOf(i)) {
      if (change.kind == Change::Kind::Variable && change.id == loop.variable) {
        values[static_cast<std::size_t>(change.index)] = change.after;
      }
    }
  }

  if (recording.planes.empty() || recording.truncated) { return; }
  const Plane& last = recording.planes.back();
  const bool conditionOnly =
      last.endStep == last.firstStep + 1 && program.statements[loop.turnsAt].kind == StatementKind::LoopCondition;
  if (conditionOnly) {
    recording.steps[last.firstStep].plane = kNone;
    recording.planes.pop_back();
  }
}

}  // namespace haloscope::recording
