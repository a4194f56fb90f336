#include "recording/Planes.h"

#include <algorithm>
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

/// Counts this step's turn for the warps in it; returns the turn of the one furthest ahead, from 1.
std::size_t furthestTurn(const Recording& recording, std::size_t step, bool turning, std::vector<std::size_t>& turns) {
  std::size_t furthest = 0;
  for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
    if (recording.warpState(step, warp).active == 0) { continue; }
    turns[warp] += turning ? 1 : 0;
    furthest = std::max(furthest, turns[warp]);
  }
  return furthest;
}

/// The newest plane is nothing but the condition that ended the loop; what warps that lag behind did in the meantime
/// belongs to the plane before.
void dropLastPlane(Recording& recording, StatementId condition) {
  const Plane last = recording.planes.back();
  recording.planes.pop_back();
  const auto before = recording.planes.empty() ? kNone : static_cast<std::uint32_t>(recording.planes.size() - 1);
  for (std::uint32_t i = last.firstStep; i < last.endStep; ++i) {
    Step& step = recording.steps[i];
    if (step.plane == kNone) { continue; }
    step.plane = step.statement == condition ? kNone : before;
    if (step.plane != kNone) { recording.planes.back().endStep = i + 1; }
  }
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

  // Warps need not turn together: a plane begins when the first of them does, and its others follow within it.
  std::vector<std::size_t> turns(recording.warpCount());
  bool planeHasBody = false;  // a warp in the newest plane has gone past the loop's condition
  for (std::uint32_t i = 0; i < recording.steps.size(); ++i) {
    Step& step = recording.steps[i];
    // Warps that are done with the loop may run on while others turn again; their steps belong to no plane.
    const std::uint32_t at = step.statement == kNone ? 0 : program.statements[step.statement].firstInstruction;
    const bool inside = step.statement != kNone && loop.first < at && at < loop.last;
    if (inside) {
      const bool turning = step.statement == loop.turnsAt;
      const std::size_t furthest = furthestTurn(recording, i, turning, turns);
      if (turning && furthest > recording.planes.size()) {
        Plane plane{i, i, {}, 0};
        if (loop.variable != kNone) {
          plane.variable = program.variables[loop.variable].name;
          plane.value = asInteger(type, values[firstThread(recording, i)]);
        }
        recording.planes.push_back(plane);
        planeHasBody = false;
      } else if (!turning && furthest == recording.planes.size()) {
        planeHasBody = true;
      }
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

  if (recording.planes.empty() || recording.truncated || planeHasBody) { return; }
  if (program.statements[loop.turnsAt].kind != StatementKind::LoopCondition) { return; }
  dropLastPlane(recording, loop.turnsAt);
}

}  // namespace haloscope::recording
