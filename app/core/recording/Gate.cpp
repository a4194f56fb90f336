#include "recording/Gate.h"

#include <algorithm>
#include <bit>

#include "recording/StepWrites.h"

namespace haloscope::recording {

namespace {

/// The lanes of a warp that exist and have not left the kernel.
LaneMask liveLanes(const Recording& recording, std::size_t step, std::uint32_t warp) {
  const std::uint32_t lanes = std::min<std::uint32_t>(recording.threadCount() - warp * kWarpSize, kWarpSize);
  const LaneMask existing = lanes == kWarpSize ? kAllLanes : (LaneMask{1} << lanes) - 1;
  return existing & ~recording.warpState(step, warp).exited;
}

bool anyWaits(const Recording& recording, std::size_t step) {
  for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
    if ((recording.warpState(step, warp).waiting & liveLanes(recording, step, warp)) != 0) { return true; }
  }
  return false;
}

/// The step, this one or an earlier one of its interval, in which threads last came to a barrier.
std::optional<std::size_t> lastArrival(const Recording& recording, std::size_t step) {
  const std::uint32_t interval = recording.steps[step].interval;
  for (std::size_t i = step + 1; i-- > 0 && recording.steps[i].interval == interval;) {
    if (meetingOf(*recording.program, recording.steps[i].statement) >= Meeting::Block) { return i; }
  }
  return std::nullopt;
}

}  // namespace

Meeting meetingOf(const Program& program, StatementId statement) {
  Meeting meeting = Meeting::None;
  for (const Instruction& instruction : codeOf(program, statement)) {
    if (instruction.op == Opcode::WarpBarrier) { meeting = std::max(meeting, Meeting::Warp); }
    if (instruction.op != Opcode::Barrier) { continue; }
    switch (barrierKind(instruction)) {
      case BarrierKind::Grid:
        return Meeting::Grid;
      case BarrierKind::ClusterArrive:
      case BarrierKind::ClusterWait:
        meeting = Meeting::Cluster;
        break;
      case BarrierKind::Block:
      case BarrierKind::Count:
      case BarrierKind::And:
      case BarrierKind::Or:
        meeting = std::max(meeting, Meeting::Block);
        break;
    }
  }
  return meeting;
}

bool comeToDifferentBarriers(const Recording& recording, std::size_t step) {
  const Step& here = recording.steps[step];
  for (std::size_t i = step; i-- > 0 && recording.steps[i].interval == here.interval;) {
    const StatementId statement = recording.steps[i].statement;
    if (statement != here.statement && meetingOf(*recording.program, statement) == Meeting::Block) { return true; }
  }
  return false;
}

std::optional<Gate> gateAt(const Recording& recording, std::size_t step) {
  const Program& program = *recording.program;
  std::size_t at = step;
  Gate gate;
  gate.meeting = meetingOf(program, recording.steps[step].statement);
  if (gate.meeting <= Meeting::Warp && anyWaits(recording, step)) {
    const auto arrival = lastArrival(recording, step);
    if (!arrival) { return std::nullopt; }
    at = *arrival;
    gate.meeting = meetingOf(program, recording.steps[at].statement);
  }
  if (gate.meeting == Meeting::None) { return std::nullopt; }
  if (gate.meeting == Meeting::Block && comeToDifferentBarriers(recording, at)) { return std::nullopt; }
  const bool ofWarps = gate.meeting == Meeting::Warp;
  for (const Instruction& instruction : codeOf(program, recording.steps[at].statement)) {
    if (instruction.op == (ofWarps ? Opcode::WarpBarrier : Opcode::Barrier)) { gate.range = instruction.range; }
  }
  // An arrival without a wait leaves no thread waiting: those that execute it have come.
  const bool waits = !ofWarps && anyWaits(recording, step);
  const bool comes = at == step;
  gate.threads.assign(recording.threadCount(), AtGate::Absent);
  for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
    const WarpState& state = recording.warpState(step, warp);
    const LaneMask live = liveLanes(recording, step, warp);
    const LaneMask arriving = comes ? state.active & live & (waits ? state.waiting : kAllLanes) : 0;
    const LaneMask here = (waits ? state.waiting & live : 0) | arriving;
    gate.here += static_cast<std::size_t>(std::popcount(here));
    // A __syncwarp() executes once every lane that can reach it has arrived: none is waited for, whatever the mask
    // names.
    if (!ofWarps) { gate.awaited += static_cast<std::size_t>(std::popcount(live & ~here)); }
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((live >> lane & 1U) == 0) { continue; }
      AtGate& thread = gate.threads[warp * kWarpSize + lane];
      if ((arriving >> lane & 1U) != 0) {
        thread = AtGate::Arriving;
      } else if ((here >> lane & 1U) != 0) {
        thread = AtGate::Waiting;
      } else if (!ofWarps) {
        thread = AtGate::Awaited;
      }
    }
  }
  if (gate.here == 0) { return std::nullopt; }
  gate.opens = ofWarps || (gate.meeting == Meeting::Block && waits && gate.awaited == 0);
  return gate;
}

}  // namespace haloscope::recording
