#include "simt/BlockRunner.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "language/Text.h"

namespace haloscope::simt {
namespace {

constexpr std::uint32_t kRoundsBetweenPolls = 4096;
/// Warp instructions beyond the budget.
constexpr std::int64_t kShareToProve = 8, kLeastToProve = 32768;

std::uint64_t budgetOf(const ExecuteOptions& options) {
  const std::uint64_t budget = options.instructionBudget == 0 ? kDefaultInstructionBudget : options.instructionBudget;
  return std::min<std::uint64_t>(budget, std::numeric_limits<std::int64_t>::max());
}

/// Without the popcount instruction, which not every x86-64 machine has, std::popcount is a call into a library.
std::uint64_t laneCount(LaneMask lanes) {
  if (lanes == kAllLanes) { return kWarpSize; }
  const std::uint32_t pairs = lanes - ((lanes >> 1) & 0x55555555U);
  const std::uint32_t fours = (pairs & 0x33333333U) + ((pairs >> 2) & 0x33333333U);
  return (((fours + (fours >> 4)) & 0x0f0f0f0fU) * 0x01010101U) >> 24;
}

std::string text(const SourceRange& where) {
  return where.valid() ? fmt::format("{}:{}", where.line, where.column) : tr("an unknown position");
}

}  // namespace

BlockRunner::BlockRunner(const DecodedProgram& decoded, const Launch& launch, const LaunchMemory& launchMemory,
                         Notifier& notifier, const ExecuteOptions& options)
    : decoded_(decoded),
      launch_(launch),
      notifier_(notifier),
      options_(options),
      memory_(decoded, launch, launchMemory),
      counts_(decoded.nodes.size()) {
  for (std::uint32_t warp = 0; warp < launch.configuration.warpsPerBlock(); ++warp) {
    warps_.emplace_back(decoded, memory_, launch.configuration, warp);
  }
  sequence_.resize(warps_.size());
  context_.objects = memory_.objects();
  context_.listener = this;
}

BlockRunner::Failure BlockRunner::run(std::uint64_t blockLinear, std::uint64_t order) {
  begin(blockLinear, order);
  while (proceed() != State::Ended) {}
  return end();
}

void BlockRunner::begin(std::uint64_t blockLinear, std::uint64_t order) {
  blockLinear_ = blockLinear;
  block_ = unlinear(blockLinear, launch_.configuration.grid);
  order_ = order;
  interval_ = 0;
  votes_ = {};
  begins_ = first_ = true;
  atGrid_ = spins_ = false;
  budget_ = static_cast<std::int64_t>(budgetOf(options_));
  endless_.reset();
  dice_.seed(options_.orderSeed * 0x9e3779b97f4a7c15U + blockLinear);
  failure_ = {};
  memory_.beginBlock(block_);
  memoryBarriers_.clear();
  for (RunningWarp& warp : warps_) { warp.restart(); }
  for (Observer* observer : notifier_.all()) { observer->blockBegins(block_, blockLinear_); }
}

BlockRunner::State BlockRunner::proceed() {
  do {
    stuck_ = {};
    const std::int64_t before = budget_;
    if (!runInterval()) { return State::Ended; }
    if (spins_ && budget_ == before) {  // all that are left wait, for barriers in shared memory in vain
      if (std::ranges::any_of(warps_, &RunningWarp::atCluster)) { return State::AtCluster; }
      if (atGrid_ && launch_.configuration.cooperative) { return State::AtGrid; }
      reportStuck();
      return State::Ended;
    }
    if (spins_) { return State::Spinning; }
  } while (release(/*openGrid=*/false));
  if (std::ranges::any_of(warps_, &RunningWarp::atCluster)) { return State::AtCluster; }
  return atGrid_ ? State::AtGrid : State::Ended;
}

void BlockRunner::openGrid(std::uint32_t meeting) {
  for (Observer* observer : notifier_.all()) { observer->gridReleased(meeting); }
  release(/*openGrid=*/true);
}

BlockRunner::Failure BlockRunner::end() {
  landBulkStores();
  for (Observer* observer : notifier_.all()) { observer->blockEnds(block_, blockLinear_); }
  return failure_;
}

std::uint64_t BlockRunner::instructions() const { return budgetOf(options_) - static_cast<std::uint64_t>(budget_); }

bool BlockRunner::release(bool openGrid) {
  const bool someoneWaits = std::any_of(warps_.begin(), warps_.end(), [](const RunningWarp& w) { return w.waiting; });
  if (!someoneWaits || std::ranges::any_of(warps_, &RunningWarp::atCluster)) { return false; }
  if (atGrid_ && !openGrid) {
    if (launch_.configuration.cooperative) { return false; }
    atGrid_ = false;
    failure_ = {Outcome::GridBarrier,
                trf("grid.sync() at {} is called in a launch that is not cooperative, where a GPU stops the "
                    "kernel: launch it with cudaLaunchCooperativeKernel",
                    text(waitsAt_)),
                waitsAt_};
    return false;
  }
  atGrid_ = false;
  for (RunningWarp& warp : warps_) { warp.waiting = false; }
  ++interval_;
  begins_ = true;
  context_.votes = std::exchange(votes_, {});
  for (Observer* observer : notifier_.all()) { observer->barrierReleased(block_, interval_); }
  return true;
}

BlockRunner::Pause BlockRunner::advance(RunningWarp& warp, bool turns, bool enterStatement) {
  running_ = &warp;
  warp.goOn();
  if (enterStatement && decoded_.nodes[warp.node].kind == NodeKind::MemoryBarrier) {  // it waited there
    for (Observer* observer : notifier_.statements()) {
      observer->statement(contextOf(warp, warp.active()), statementAt(warp.node));
    }
    enterStatement = false;
  }
  context_.registers = warp.registers();
  context_.local = warp.local();
  return notifier_.wantsInstructions() ? advanceNotifying<true>(warp, turns, enterStatement)
                                       : advanceNotifying<false>(warp, turns, enterStatement);
}

template <bool kInstructions>
BlockRunner::Pause BlockRunner::advanceNotifying(RunningWarp& warp, bool turns, bool enterStatement) {
  const Node* const nodes = decoded_.nodes.data();
  // Counts a control instruction for the lanes that executed it, and notifies observers.
  const auto ran = [&](const Node& node, LaneMask lanes) {
    NodeCount& count = counts_[static_cast<std::size_t>(&node - nodes)];
    count.lanes += laneCount(lanes);
    ++count.warps;
    --budget_;
    if constexpr (kInstructions) { notifyInstruction(warp, node.firstInstruction, lanes); }
  };
  while (true) {
    const Node& node = nodes[warp.node];
    const LaneMask before = warp.active();
    switch (node.kind) {
      case NodeKind::Run:
        if (node.meets && warp.isSplit() && !warp.gather()) { break; }
        if constexpr (kInstructions) {
          runStepsNotifying(warp, node);
        } else {
          runSteps(warp, node);
        }
        ++warp.node;
        break;
      case NodeKind::Statement:
        if (turns && !enterStatement) { return Pause::Statement; }
        enterStatement = false;
        for (Observer* observer : notifier_.statements()) {
          observer->statement(contextOf(warp, before), decoded_.program->code[node.firstInstruction].aux);
        }
        ran(node, before);
        ++warp.node;
        break;
      case NodeKind::If:
        warp.pushIf(condition(warp, node));
        ran(node, before);
        warp.node = warp.active() != 0 ? warp.node + 1 : node.target;
        break;
      case NodeKind::Else:
        warp.switchToElse();
        if (warp.active() != 0) { ran(node, warp.active()); }
        warp.node = warp.active() != 0 ? warp.node + 1 : node.target;
        break;
      case NodeKind::EndIf:
        warp.popIf();
        if (warp.active() != 0) { ran(node, warp.active()); }
        warp.node = warp.active() != 0 ? warp.node + 1 : node.join;
        break;
      case NodeKind::Loop:
        warp.pushLoop(decoded_.program->code[node.firstInstruction].aux);
        ran(node, before);
        ++warp.node;
        break;
      case NodeKind::LoopTest:
        warp.leaveUnless(condition(warp, node));
        ran(node, before);
        if (warp.active() != 0) {
          ++warp.node;
        } else {
          warp.node = warp.hasContinuedLanes() ? node.join : node.target;
        }
        break;
      case NodeKind::LoopNext:
        warp.joinContinued();
        if (warp.active() != 0) { ran(node, warp.active()); }
        warp.node = warp.active() != 0 ? warp.node + 1 : node.join;
        break;
      case NodeKind::LoopBack:
        warp.joinContinued();
        if (warp.active() == 0) {
          ++warp.node;
          break;
        }
        ran(node, warp.active());
        warp.node = node.target;
        if (!mayGoRound(warp)) { return Pause::Failed; }
        if (node.maySpin && warp.spins() && yieldInLoop(warp, node) && !turns) { return Pause::Spinning; }
        break;
      case NodeKind::EndLoop:
        warp.popLoop();
        if (warp.active() != 0) { ran(node, warp.active()); }
        warp.node = warp.active() != 0 ? warp.node + 1 : node.join;
        break;
      case NodeKind::Break:
        warp.breakLoop();
        ran(node, before);
        warp.node = node.join;
        break;
      case NodeKind::Continue:
        warp.continueLoop(node.constructsToLoop);
        ran(node, before);
        warp.node = node.join;
        break;
      case NodeKind::Return:
        if (node.leavesKernel) {
          leaveKernel(warp, node);
        } else {
          warp.returnFromCall();
        }
        ran(node, before);
        warp.node = node.join;
        break;
      case NodeKind::Call:
        warp.pushCall();
        ran(node, before);
        ++warp.node;
        break;
      case NodeKind::EndCall:
        warp.popCall();
        ran(node, warp.active());
        ++warp.node;
        break;
      case NodeKind::Barrier:
        if (warp.isSplit() && !warp.gather()) { break; }
        ran(node, warp.active());
        if (arrive(warp, node) == Pause::Failed) { return Pause::Failed; }
        if (warp.waiting) { return Pause::Barrier; }
        break;
      case NodeKind::WarpBarrier:
        if (warp.isSplit() && !warp.gather()) { break; }
        passWarpBarrier(warp, node);
        ran(node, warp.active());
        ++warp.node;
        break;
      case NodeKind::Fence:
        for (Observer* observer : notifier_.all()) {
          observer->fencePassed(contextOf(warp, before),
                                static_cast<FenceScope>(decoded_.program->code[node.firstInstruction].aux));
        }
        ran(node, before);
        ++warp.node;
        break;
      case NodeKind::CopyCommit:
        commitCopies(warp, node);
        ran(node, before);
        ++warp.node;
        break;
      case NodeKind::CopyWait:
        landCopies(warp, node);
        ran(node, before);
        ++warp.node;
        break;
      case NodeKind::MemoryBarrier:
        if (useMemoryBarrier(warp, node)) {
          ran(node, before);
          ++warp.node;
          break;
        }
        if (failed()) { return Pause::Failed; }
        if (warp.yieldToLanes(node.join)) { break; }
        warp.standBy();
        warp.spinning = true;
        return Pause::Spinning;
      case NodeKind::Trap:
        ran(node, before);
        if (traps(warp, node)) { return Pause::Failed; }
        ++warp.node;
        break;
      case NodeKind::End:
        if (before != 0) {
          ran(node, before);
          leaveKernel(warp, node);
        }
        if (warp.takeUpOthers()) { break; }
        warp.finished = true;
        return Pause::Finished;
    }
  }
}

BlockRunner::Pause BlockRunner::arrive(RunningWarp& warp, const Node& node) {
  const LaneMask expected = warp.live();
  const Instruction& barrier = decoded_.program->code[node.firstInstruction];
  // Who arrives at the barrier of the cluster reaches it again where it waits.
  if (barrierKind(barrier) != BarrierKind::ClusterArrive || warp.active() != expected) {
    for (Observer* observer : notifier_.all()) {
      observer->barrierReached(contextOf(warp, warp.active()), node.firstInstruction, expected);
    }
  }
  if (warp.active() != expected) {
    const int absent = std::countr_zero(expected & ~warp.active());
    failure_.outcome = Outcome::DivergentBarrier;
    failure_.where = decoded_.program->code[node.firstInstruction].range;
    failure_.message =
        trf("the barrier at {} is reached by only {} of the {} threads of warp {} in {}; thread {} does not reach it",
            text(failure_.where), std::popcount(warp.active()), std::popcount(expected), warp.index(), describeBlock(),
            text(warp.threadIdx(absent)));
    return Pause::Failed;
  }
  if (barrierKind(barrier) == BarrierKind::Grid) {
    atGrid_ = true;
    waitsAt_ = barrier.range;
  }
  ++warp.node;
  if (passesClusterBarrier(warp, barrier)) { return Pause::Statement; }
  if (failed()) { return Pause::Failed; }
  if (barrier.a != kNone) {
    votes_.yes += static_cast<std::uint32_t>(std::popcount(condition(warp, node) & warp.active()));
    votes_.all += static_cast<std::uint32_t>(std::popcount(warp.active()));
  }
  warp.waiting = true;
  return Pause::Barrier;
}

void BlockRunner::leaveKernel(RunningWarp& warp, const Node& node) {
  for (Observer* observer : notifier_.all()) {
    observer->threadsLeave(contextOf(warp, warp.active()), node.firstInstruction);
  }
  warp.exitKernel();
}

bool BlockRunner::traps(const RunningWarp& warp, const Node& node) {
  const Instruction& trap = decoded_.program->code[node.firstInstruction];
  const LaneMask lanes = trap.a == kNone ? warp.active() : warp.active() & ~condition(warp, node);
  if (lanes == 0) { return false; }
  for (Observer* observer : notifier_.all()) { observer->threadsTrap(contextOf(warp, lanes), node.firstInstruction); }
  const std::string what =
      trap.aux == kNone ? tr("a trap") : trf("assert({}) fails", decoded_.program->assertions.at(trap.aux));
  failure_ = {Outcome::Trap,
              trf("{} at {} in thread {} of {}, which ends the launch", what, text(trap.range),
                  text(warp.threadIdx(std::countr_zero(lanes))), describeBlock()),
              trap.range};
  return true;
}

/// The lanes that run go round their loop in vain. True if other warps have to run before that can change.
bool BlockRunner::yieldInLoop(RunningWarp& warp, const Node& node) {
  const auto end = static_cast<std::uint32_t>(&node - decoded_.nodes.data()) + 1;  // LoopBack, then EndLoop
  if (warp.yieldToLanes(end)) { return false; }
  warp.standBy();
  warp.spinning = true;
  return true;
}

void BlockRunner::passWarpBarrier(const RunningWarp& warp, const Node& node) {
  const std::span<const LaneMask, kWarpSize> masks(lanesOf<LaneMask>(warp, node.condition), kWarpSize);
  for (Observer* observer : notifier_.all()) { observer->warpBarrierPassed(contextOf(warp, warp.active()), masks); }
}

bool BlockRunner::mayGoRound(RunningWarp& warp) {
  warp.countIteration();
  if (budget_ < 0 && !mayGoBeyondBudget(warp)) { return false; }
  if (++polls_ % kRoundsBetweenPolls == 0 && options_.stop.stop_requested()) {
    failure_.outcome = Outcome::Stopped;
    failure_.message = tr("stopped in ") + describeBlock();
    return false;
  }
  return true;
}

/// A few turns more, in which it may show that the loop never ends.
bool BlockRunner::mayGoBeyondBudget(const RunningWarp& warp) {
  if (!endless_) { endless_.emplace(decoded_, memory_, warps_.size()); }
  const auto budget = static_cast<std::int64_t>(budgetOf(options_));
  const bool recurs = endless_->recurs(warp, warp.innermostLoop(), warp.turns(), warps_);
  if (!recurs && budget_ >= -std::max(budget / kShareToProve, kLeastToProve)) { return true; }
  const std::uint32_t loop = recurs ? warp.innermostLoop() : warp.busiestLoop();
  if (loop < decoded_.program->loops.size()) { failure_.where = decoded_.program->loops[loop].range; }
  failure_.outcome = recurs ? Outcome::Endless : Outcome::LongLoop;
  failure_.message = recurs ? trf("the loop at {} does not end: the values that decide whether it goes round again "
                                  "repeat (warp {} of {})",
                                  text(failure_.where), warp.index(), describeBlock())
                            : trf("the loop at {} does not end within {} warp instructions (warp {} of {})",
                                  text(failure_.where), budget, warp.index(), describeBlock());
  return false;
}

LaneMask BlockRunner::condition(const RunningWarp& warp, const Node& node) const {
  return decoded_.condition(lanesOf<std::uint32_t>(warp, node.condition));
}

void BlockRunner::runSteps(RunningWarp& warp, const Node& node) {
  NodeCount& count = counts_[warp.node];
  count.lanes += laneCount(warp.active());
  ++count.warps;
  budget_ -= node.lastInstruction - node.firstInstruction;
  ranSteps_ = true;
  context_.active = warp.active();
  const DecodedStep* const end = decoded_.steps.data() + node.lastStep;
  for (const DecodedStep* step = decoded_.steps.data() + node.firstStep; step != end; ++step) {
    step->run(*step, context_);
  }
}

void BlockRunner::runStepsNotifying(RunningWarp& warp, const Node& node) {
  NodeCount& count = counts_[warp.node];
  count.lanes += laneCount(warp.active());
  ++count.warps;
  budget_ -= node.lastInstruction - node.firstInstruction;
  ranSteps_ = true;
  context_.active = warp.active();
  for (std::uint32_t at = node.firstStep; at != node.lastStep; ++at) {
    const DecodedStep& step = decoded_.steps[at];
    step.run(step, context_);
    notifyInstruction(warp, step.instruction, warp.active());
  }
}

void BlockRunner::notifyInstruction(const RunningWarp& warp, std::uint32_t instruction, LaneMask lanes) {
  const std::span<Observer* const> observers = notifier_.instructions(instruction);
  if (observers.empty()) { return; }
  const WarpContext context = contextOf(warp, lanes);
  for (Observer* observer : observers) { observer->instruction(context, instruction); }
}

WarpContext BlockRunner::contextOf(const RunningWarp& warp, LaneMask lanes) const {
  return {block_, blockLinear_,  warp.index(), interval_,
          lanes,  warp.exited(), &warp,        {rank_, warp.arrived, warp.passed}};
}

void BlockRunner::accessed(MemoryAccess& access) {
  const std::uint32_t rank = takeRank(access.object);
  access.space = context_.objects[access.object].space;
  access.element = decoded_.program->code[access.instruction].type;
  const WarpContext context = contextOf(*running_, running_->active());
  for (Observer* observer : notifier_.accesses(access.instruction)) {
    if (rank == kNone) {
      observer->access(context, access);
    } else {
      observer->clusterAccess(context, access, rank);
    }
  }
}

std::string BlockRunner::describeBlock() const { return tr("block ") + text(block_); }

void BlockRunner::addTo(Profile& profile) const {
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const Node& node = decoded_.nodes[i];
    for (std::uint32_t at = node.firstInstruction; at < node.lastInstruction; ++at) {
      profile.lanes[at] += counts_[i].lanes;
      profile.warps[at] += counts_[i].warps;
    }
  }
}

}  // namespace haloscope::simt
