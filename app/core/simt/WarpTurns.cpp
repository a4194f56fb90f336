#include <algorithm>
#include <numeric>
#include <utility>

#include "simt/BlockRunner.h"

// The order in which the warps of a block run between two barriers.

namespace haloscope::simt {

bool BlockRunner::runInterval() {
  if (std::exchange(begins_, false)) {
    if (turns()) {
      if (!advanceToStatements()) { return false; }
      // The barrier was inside a call, and the statement around the call has continued: that is a turn too.
      if (!first_ && ranSteps_) { endTurn(); }
    }
    first_ = false;
    arrangeWarps();
  }
  spins_ = false;
  if (!turns()) { return runToBarriers(); }
  return options_.order == WarpOrder::SideBySide ? runTurns() : runTurnsOneByOne();
}

void BlockRunner::arrangeWarps() {
  std::iota(sequence_.begin(), sequence_.end(), 0U);
  const bool reversed =
      options_.order == WarpOrder::Reversed || (options_.order == WarpOrder::Adversarial && interval_ % 2 == 0);
  if (reversed) { std::ranges::reverse(sequence_); }
  if (options_.order == WarpOrder::Random) {
    // Unlike std::shuffle, this gives the same order with every standard library.
    for (std::size_t last = sequence_.size(); last > 1; --last) {
      std::swap(sequence_[last - 1], sequence_[dice_() % last]);
    }
  }
}

bool BlockRunner::runToBarriers() {
  for (const std::uint32_t index : sequence_) {
    RunningWarp& warp = warps_[index];
    if (warp.finished || warp.waiting) { continue; }
    const Pause pause = advance(warp, false, true);
    if (pause == Pause::Failed) { return false; }
    spins_ |= pause == Pause::Spinning;
  }
  return true;
}

bool BlockRunner::advanceToStatements() {
  ranSteps_ = false;
  return std::ranges::all_of(warps_, [this](RunningWarp& warp) {
    return warp.finished || warp.waiting || advance(warp, true, false) != Pause::Failed;
  });
}

bool BlockRunner::runTurns() {
  while (true) {
    std::uint32_t earliest = kNone;
    bool spinning = false;
    for (const RunningWarp& warp : warps_) {
      if (warp.waiting || warp.finished) { continue; }
      spinning |= warp.spinning;
      if (!warp.spinning) { earliest = std::min(earliest, warp.node); }
    }
    if (earliest == kNone) {
      for (RunningWarp& warp : warps_) { warp.spinning = false; }
      spins_ = spinning;
      return true;
    }
    if (!runTurn(earliest)) { return false; }
  }
}

bool BlockRunner::runTurnsOneByOne() {
  std::vector<std::uint32_t> ready = sequence_;
  const auto mayRun = [this](std::uint32_t index) {
    return !warps_[index].waiting && !warps_[index].finished && !warps_[index].spinning;
  };
  std::erase_if(ready, [&](std::uint32_t index) { return !mayRun(index); });
  while (!ready.empty()) {
    const std::size_t drawn = options_.order == WarpOrder::Random ? dice_() % ready.size() : 0;
    if (!runTurnOf(warps_[ready[drawn]])) { return false; }
    if (!mayRun(ready[drawn])) { ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(drawn)); }
  }
  for (RunningWarp& warp : warps_) { spins_ |= std::exchange(warp.spinning, false); }
  return true;
}

bool BlockRunner::runTurnOf(RunningWarp& warp) {
  turn_ = statementAt(warp.node);
  if (advance(warp, true, true) == Pause::Failed) { return false; }
  endTurn();
  return true;
}

bool BlockRunner::runTurn(std::uint32_t node) {
  for (RunningWarp& warp : warps_) {
    const bool ready = !warp.waiting && !warp.finished && warp.node == node;
    if (ready && advance(warp, true, true) == Pause::Failed) { return false; }
  }
  turn_ = statementAt(node);
  endTurn();
  return true;
}

/// A warp is at a statement, or waits within one.
StatementId BlockRunner::statementAt(std::uint32_t node) const {
  const std::vector<Instruction>& code = decoded_.program->code;
  for (std::uint32_t at = decoded_.nodes[node].firstInstruction + 1; at-- > 0;) {
    if (code[at].op == Opcode::Statement) { return code[at].aux; }
  }
  return kNone;
}

void BlockRunner::endTurn() {
  for (Observer* observer : notifier_.all()) { observer->turnEnds(block_, turn_); }
}

}  // namespace haloscope::simt
