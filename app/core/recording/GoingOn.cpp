#include "recording/GoingOn.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace haloscope::recording {

namespace {

/// Steps that are looked at for what a warp does next, beyond one for each warp and each branch.
constexpr std::size_t kLookAhead = 64;

bool isCondition(StatementKind kind) {
  return kind == StatementKind::Condition || kind == StatementKind::LoopCondition;
}

/// The statement that lanes execute next if the condition holds for them, and no other lanes; kNone if the code behind
/// the condition is not as simple as that.
StatementId firstInside(const Program& program, StatementId condition) {
  const std::vector<Instruction>& code = program.code;
  std::size_t at = program.statements[condition].firstInstruction + std::size_t{1};
  std::size_t depth = 0;    // of what `&&` and `?:` open and close again
  std::size_t decides = 0;  // the If or LoopTest that is open
  bool enters = false;      // a loop that begins inside: its first turn is for all that come to it
  for (; at < code.size() && code[at].op != Opcode::Statement; ++at) {
    switch (code[at].op) {
      case Opcode::If:
        if (enters) { return kNone; }
        decides = at;
        ++depth;
        break;
      case Opcode::LoopTest:
        if (depth > 0 || enters || decides != 0) { return kNone; }
        decides = at;
        break;
      case Opcode::Loop:
        if (decides == 0) { return kNone; }
        enters = true;
        break;
      case Opcode::Else:
        break;
      case Opcode::EndIf:
        if (depth == 0) { return kNone; }
        --depth;
        decides = 0;
        break;
      case Opcode::LoopNext:
      case Opcode::LoopBack:
      case Opcode::EndLoop:
      case Opcode::Break:
      case Opcode::Continue:
      case Opcode::Return:
      case Opcode::Call:
      case Opcode::EndCall:
      case Opcode::Trap:
      case Opcode::End:
        return kNone;
      default:
        break;
    }
  }
  const bool isIf = decides != 0 && code[decides].op == Opcode::If;
  if (at == code.size() || decides == 0 || depth != (isIf ? 1U : 0U)) { return kNone; }
  return at < code[decides].target ? code[at].aux : kNone;
}

/// Of the warp's lanes that evaluated the condition those for which it held; none if that is not to be seen.
std::optional<LaneMask> lanesInside(const Recording& recording, std::size_t step, std::uint32_t warp,
                                    StatementId inside) {
  const LaneMask asked = recording.warpState(step, warp).active;
  const std::size_t end =
      std::min(recording.steps.size(), step + 1 + kLookAhead + std::size_t{2} * recording.warpCount());
  for (std::size_t next = step + 1; next < end; ++next) {
    const WarpState& state = recording.warpState(next, warp);
    if (state.active == 0) {
      if ((asked & ~state.exited) == 0) { return LaneMask{0}; }  // there was nothing left to do
      continue;
    }
    if (recording.steps[next].statement == inside) {
      // Others of the warp may have got there on their own way.
      return (state.active & ~asked) == 0 ? std::optional(state.active) : std::nullopt;
    }
    // Lanes that did not go inside are all of them, or others of the warp may still be about to.
    return (asked & ~state.active) == 0 ? std::optional(LaneMask{0}) : std::nullopt;
  }
  // The block has ended, and the warp never went inside.
  const bool ended = end == recording.steps.size() && !recording.truncated;
  return ended ? std::optional(LaneMask{0}) : std::nullopt;
}

/// Whether lanes that evaluate a loop's condition come from before the loop; false where that is not to be seen.
bool comesFromOutside(const Recording& recording, std::size_t step, std::uint32_t warp) {
  const Program& program = *recording.program;
  const std::vector<Instruction>& code = program.code;
  const std::size_t first = program.statements[recording.steps[step].statement].firstInstruction;
  std::size_t at = first + 1;
  while (at < code.size() && code[at].op != Opcode::Statement && code[at].op != Opcode::LoopTest) { ++at; }
  if (at == code.size() || code[at].op != Opcode::LoopTest) { return false; }
  const std::size_t end = code[at].target;
  const LaneMask asked = recording.warpState(step, warp).active;
  const std::size_t least = step - std::min(step, kLookAhead + std::size_t{2} * recording.warpCount());
  for (std::size_t before = step; before-- > least;) {
    if ((recording.warpState(before, warp).active & asked) == 0) { continue; }
    const StatementId statement = recording.steps[before].statement;
    if (statement == kNone) { return false; }
    const std::size_t place = program.statements[statement].firstInstruction;
    return place < first || place > end;
  }
  return least == 0;
}

}  // namespace

std::optional<GoingOn> threadsGoingOn(const Recording& recording, std::size_t step) {
  const StatementId statement = recording.steps[step].statement;
  if (statement == kNone || !isCondition(recording.program->statements[statement].kind)) { return std::nullopt; }
  const StatementId inside = firstInside(*recording.program, statement);
  if (inside == kNone) { return std::nullopt; }
  GoingOn result;
  result.loop = recording.program->statements[statement].kind == StatementKind::LoopCondition;
  result.begins = result.loop;
  for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
    const LaneMask asked = recording.warpState(step, warp).active;
    if (asked == 0) { continue; }
    const std::optional<LaneMask> lanes = lanesInside(recording, step, warp, inside);
    if (!lanes) { return std::nullopt; }
    result.threads += static_cast<std::size_t>(std::popcount(*lanes));
    result.of += static_cast<std::size_t>(std::popcount(asked));
    result.begins = result.begins && comesFromOutside(recording, step, warp);
  }
  return result.of > 0 ? std::optional(result) : std::nullopt;
}

}  // namespace haloscope::recording
