#include "recording/StepWords.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "language/Text.h"
#include "program/NumberText.h"
#include "recording/Gate.h"
#include "recording/StepWrites.h"

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

/// "0", "0–2", "0, 2 and 3".
std::string numbersText(const std::vector<std::uint32_t>& numbers) {
  const bool row = numbers.back() - numbers.front() + 1 == numbers.size();
  if (row && numbers.size() > 2) { return fmt::format("{}–{}", numbers.front(), numbers.back()); }
  std::vector<std::string> texts;
  for (const std::uint32_t number : numbers) { texts.push_back(std::to_string(number)); }
  return namesText(texts);
}

/// "warp 0", "warps 0–2".
std::string warpsText(const std::vector<std::uint32_t>& warps) {
  return trn("warp {}", "warps {}", warps.size(), numbersText(warps));
}

/// The threads of a block at one step.
struct Gathering {
  std::size_t came = 0;     ///< threads that execute the step
  bool wait = false;        ///< and some of them wait from now on
  std::size_t waiting = 0;  ///< of all threads
  std::size_t all = 0;      ///< threads that have not left the kernel
  bool someLeft = false;    ///< others have
  bool whole = true;        ///< each warp waits or does not, but not in part
  std::vector<std::uint32_t> there, missing;
};

Gathering gatheringAt(const Recording& recording, std::size_t step) {
  Gathering result;
  const std::uint32_t threads = recording.threadCount();
  for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
    const WarpState& state = recording.warpState(step, warp);
    const std::uint32_t lanes = std::min<std::uint32_t>(threads - warp * kWarpSize, kWarpSize);
    const LaneMask existing = lanes == kWarpSize ? kAllLanes : (LaneMask{1} << lanes) - 1;
    const LaneMask live = existing & ~state.exited;
    const LaneMask waiting = state.waiting & live;
    result.someLeft = result.someLeft || live != existing;
    result.all += static_cast<std::size_t>(std::popcount(live));
    result.came += static_cast<std::size_t>(std::popcount(state.active & live));
    result.wait = result.wait || (state.active & waiting) != 0;
    result.waiting += static_cast<std::size_t>(std::popcount(waiting));
    if (live == 0) { continue; }
    result.whole = result.whole && (waiting == 0 || waiting == live);
    (waiting == 0 ? result.missing : result.there).push_back(warp);
  }
  return result;
}

std::string atBarrierOfBlock(const Gathering& gathering) {
  if (gathering.waiting == gathering.all) {
    return gathering.someLeft ? tr("All remaining threads wait at the barrier") : tr("All threads wait at the barrier");
  }
  if (!gathering.whole || gathering.there.empty()) {
    return trf("{} of {} threads wait at the barrier", grouped(gathering.waiting), grouped(gathering.all));
  }
  return trn("Warp {} waits at the barrier for {}", "Warps {} wait at the barrier for {}", gathering.there.size(),
             numbersText(gathering.there), warpsText(gathering.missing));
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

std::string conditionText(const Recording& recording, std::size_t step) {
  const StatementId statement = recording.steps[step].statement;
  if (statement == kNone) { return {}; }
  const StatementKind kind = recording.program->statements[statement].kind;
  if (kind == StatementKind::Switch) { return tr("A case is chosen"); }
  if (kind != StatementKind::Condition && kind != StatementKind::LoopCondition) { return {}; }
  const std::optional<GoingOn> going = threadsGoingOn(recording, step);
  if (!going) { return tr("A condition is evaluated"); }
  const std::string threads = grouped(going->threads), of = grouped(going->of);
  if (going->threads == 0) {
    return going->loop ? trn("The loop ends for {} thread", "The loop ends for all {} threads", going->of, of)
                       : trn("The condition does not hold for {} thread", "The condition holds for none of {} threads",
                             going->of, of);
  }
  if (going->begins && going->threads == going->of) {
    return trn("The loop begins for {} thread", "The loop begins for all {} threads", going->of, of);
  }
  if (going->begins) { return trf("The loop begins for {} of {} threads", threads, of); }
  if (going->threads == going->of) {
    return going->loop
               ? trn("The loop goes on for {} thread", "The loop goes on for all {} threads", going->of, of)
               : trn("The condition holds for {} thread", "The condition holds for all {} threads", going->of, of);
  }
  return going->loop ? trf("The loop goes on for {} of {} threads", threads, of)
                     : trf("The condition holds for {} of {} threads", threads, of);
}

std::string barrierText(const Recording& recording, std::size_t step) {
  const Meeting meeting = meetingOf(*recording.program, recording.steps[step].statement);
  const Gathering gathering = gatheringAt(recording, step);
  if (meeting <= Meeting::Warp || gathering.came == 0) { return {}; }
  const std::size_t here = gathering.wait ? gathering.waiting : gathering.came;
  const bool all = here == gathering.all;
  const std::string some = grouped(here), every = grouped(gathering.all);
  if (!gathering.wait) {  // no thread waits, as at an arrival without a wait
    if (meeting == Meeting::Cluster) {
      return all ? tr("All threads arrive at the barrier of the cluster")
                 : trf("{} of {} threads arrive at the barrier of the cluster", some, every);
    }
    return all ? tr("All threads reach the barrier") : trf("{} of {} threads reach the barrier", some, every);
  }
  if (meeting == Meeting::Block && comeToDifferentBarriers(recording, step)) {
    return tr("Threads wait at different barriers");
  }
  switch (meeting) {
    case Meeting::Cluster:
      return all ? tr("All threads wait at the barrier of the cluster")
                 : trf("{} of {} threads wait at the barrier of the cluster", some, every);
    case Meeting::Grid:
      return all ? tr("All threads wait at the barrier of the grid")
                 : trf("{} of {} threads wait at the barrier of the grid", some, every);
    case Meeting::Block:
    case Meeting::Warp:
    case Meeting::None:
      break;
  }
  return atBarrierOfBlock(gathering);
}

}  // namespace haloscope::recording
