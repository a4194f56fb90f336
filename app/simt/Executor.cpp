#include "simt/Executor.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "program/AccessedObjects.h"
#include "simt/BlockRunner.h"
#include "simt/DecodedProgram.h"
#include "simt/LaunchMemory.h"
#include "simt/Notifier.h"

namespace haloscope::simt {
namespace {

constexpr std::uint64_t kNoFailure = std::numeric_limits<std::uint64_t>::max();

/// The blocks to run, distributed to the workers in chunks.
class BlockQueue {
 public:
  BlockQueue(const ExecuteOptions& options, std::uint64_t gridBlocks, unsigned workers)
      : only_(options.onlyBlocks),
        count_(only_.empty() ? gridBlocks : only_.size()),
        chunk_(std::max<std::uint64_t>(1, count_ / (std::uint64_t{workers} * 16))) {}

  struct Chunk {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  [[nodiscard]] Chunk next() {
    const std::uint64_t begin = std::min(next_.fetch_add(chunk_, std::memory_order_relaxed), count_);
    return {begin, std::min(begin + chunk_, count_)};
  }
  [[nodiscard]] std::uint64_t block(std::uint64_t order) const { return only_.empty() ? order : only_[order]; }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  const std::vector<std::uint64_t>& only_;
  std::uint64_t count_;
  std::uint64_t chunk_;
  std::atomic<std::uint64_t> next_{0};
};

/// Where a kernel reads a global array that it also writes, results may depend on the order of the blocks; a single
/// worker keeps them reproducible.
bool needsBlockOrder(const Program& program) {
  if (ordersBlocks(program)) { return true; }
  const std::vector<bool> read = readObjects(program);
  const std::vector<bool> written = writtenObjects(program);
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    if (program.objects[object].space == MemorySpace::Global && read[object] && written[object]) { return true; }
  }
  return false;
}

unsigned workerCount(const Program& program, const ExecuteOptions& options, std::uint64_t blocks) {
  if (needsBlockOrder(program)) { return 1; }
  const unsigned wanted = options.workers != 0 ? options.workers : std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::min<std::uint64_t>(wanted, blocks));
}

std::string tooLong(std::uint64_t budget) {
  return fmt::format("the launch does not end within {} warp instructions", budget);
}

/// State shared by all workers of a launch.
struct Job {
  const DecodedProgram& decoded;
  const Launch& launch;
  const LaunchMemory& memory;
  const ExecuteOptions& options;
  BlockQueue queue;
  std::atomic<std::uint64_t> firstFailure{kNoFailure};  ///< order of the earliest failed block; later ones need not run
  std::atomic<bool> abandoned{false};                   ///< a worker threw
  std::atomic<std::uint64_t> spent{0};                  ///< warp instructions of the finished blocks
};

class Worker {
 public:
  Worker(Job& job, std::span<Observer* const> observers)
      : job_(job),
        notifier_(observers, job.decoded.program->code.size()),
        runner_(job.decoded, job.launch, job.memory, notifier_, job.options) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void work() noexcept {
    try {
      for (auto chunk = job_.queue.next(); chunk.begin < chunk.end; chunk = job_.queue.next()) {
        for (std::uint64_t order = chunk.begin; order < chunk.end; ++order) {
          if (!runBlock(order)) { return; }
        }
      }
    } catch (...) {
      thrown_ = std::current_exception();
      job_.abandoned = true;
    }
  }

  // One block, in parts.
  void begin(std::uint64_t block) { runner_.begin(block, block); }
  [[nodiscard]] BlockRunner& running() { return runner_; }
  void end(std::uint64_t block) {
    const BlockRunner::Failure failure = runner_.end();
    if (failure.outcome != Outcome::Finished) {
      fail(block, failure);
    } else {
      ++finishedBlocks_;
    }
  }

  [[nodiscard]] const BlockRunner& runner() const { return runner_; }
  [[nodiscard]] Notifier& notifier() { return notifier_; }
  [[nodiscard]] std::uint64_t finishedBlocks() const { return finishedBlocks_; }
  [[nodiscard]] const BlockRunner::Failure& failure() const { return failure_; }
  [[nodiscard]] std::uint64_t failedOrder() const { return failedOrder_; }
  [[nodiscard]] const std::exception_ptr& thrown() const { return thrown_; }

  void fail(std::uint64_t order, const BlockRunner::Failure& failure) {
    failure_ = failure;
    failedOrder_ = order;
    std::uint64_t first = job_.firstFailure;
    while (order < first && !job_.firstFailure.compare_exchange_weak(first, order)) {}
  }

 private:
  bool runBlock(std::uint64_t order) {
    if (job_.abandoned || order > job_.firstFailure) { return false; }
    if (job_.options.stop.stop_requested()) {
      fail(order, {Outcome::Stopped, "stopped", {}});
      return false;
    }
    const BlockRunner::Failure failure = runner_.run(job_.queue.block(order), order);
    if (failure.outcome != Outcome::Finished) {
      fail(order, failure);
      return false;
    }
    ++finishedBlocks_;
    const std::uint64_t spent = job_.spent += runner_.instructions();
    if (job_.options.launchBudget != 0 && spent > job_.options.launchBudget) {
      fail(order, {Outcome::TooLong, tooLong(job_.options.launchBudget), {}});
      return false;
    }
    return true;
  }

  Job& job_;
  Notifier notifier_;
  BlockRunner runner_;
  std::uint64_t finishedBlocks_ = 0;
  BlockRunner::Failure failure_;
  std::uint64_t failedOrder_ = kNoFailure;
  std::exception_ptr thrown_;
};

void runAll(std::vector<std::unique_ptr<Worker>>& workers) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < workers.size(); ++i) {
    threads.emplace_back([&worker = *workers[i]] { worker.work(); });
  }
  workers.front()->work();
}

/// The blocks of a launch that meet at barriers of the grid, each with a worker: all run by turns, on one thread.
class Together {
 public:
  Together(Job& job, std::vector<std::unique_ptr<Worker>>& workers) : job_(job), workers_(workers) {}

  void run() {
    for (std::uint64_t block = 0; block < workers_.size(); ++block) { workers_[block]->begin(block); }
    states_.assign(workers_.size(), State::Spinning);
    while (goOn()) {}
    for (std::uint64_t block = 0; block < workers_.size(); ++block) {
      workers_[block]->end(block);
      if (block == failedBlock_) { workers_[block]->fail(block, failure_); }
    }
  }

 private:
  using State = BlockRunner::State;

  /// Runs each block as far as it gets. False if all have ended, or nothing can go on.
  bool goOn() {
    std::uint64_t spent = 0;
    for (std::uint64_t block = 0; block < workers_.size(); ++block) {
      BlockRunner& runner = workers_[block]->running();
      if (states_[block] == State::Spinning) { states_[block] = runner.proceed(); }
      spent += runner.instructions();
      if (runner.failed()) { return false; }
      if (job_.options.stop.stop_requested()) { return stop(block, {Outcome::Stopped, "stopped", {}}); }
      if (job_.options.launchBudget != 0 && spent > job_.options.launchBudget) {
        return stop(block, {Outcome::TooLong, tooLong(job_.options.launchBudget), {}});
      }
    }
    if (std::ranges::find(states_, State::Spinning) != states_.end()) { return true; }
    const auto waits = std::ranges::find(states_, State::AtGrid);
    if (waits == states_.end()) { return false; }
    const auto ended = std::ranges::find(states_, State::Ended);
    if (ended != states_.end()) {
      const auto waiting = static_cast<std::uint64_t>(waits - states_.begin());
      const auto gone = static_cast<std::uint64_t>(ended - states_.begin());
      const SourceRange& where = workers_[waiting]->running().waitsAt();
      const Dim3& grid = job_.launch.configuration.grid;
      return stop(waiting,
                  {Outcome::GridBarrier,
                   fmt::format("block {} waits at grid.sync() at {}:{}, which block {} does not reach: it has "
                               "ended, and a GPU hangs here",
                               text(unlinear(waiting, grid)), where.line, where.column, text(unlinear(gone, grid))),
                   where});
    }
    ++meeting_;
    for (auto& worker : workers_) { worker->running().openGrid(meeting_); }
    std::ranges::fill(states_, State::Spinning);
    return true;
  }

  bool stop(std::uint64_t block, BlockRunner::Failure failure) {
    failedBlock_ = block;
    failure_ = std::move(failure);
    return false;
  }

  Job& job_;
  std::vector<std::unique_ptr<Worker>>& workers_;
  std::vector<State> states_;  ///< Spinning: it can go on
  std::uint32_t meeting_ = 0;
  std::uint64_t failedBlock_ = kNoFailure;
  BlockRunner::Failure failure_;
};

ExecuteResult gatherResults(const Job& job, std::vector<std::unique_ptr<Worker>>& workers,
                            std::span<Observer* const> observers) {
  ExecuteResult result;
  result.profile.lanes.assign(job.decoded.program->code.size(), 0);
  result.profile.warps.assign(job.decoded.program->code.size(), 0);
  std::uint64_t firstFailure = kNoFailure;
  BlockRunner::Fault first;
  for (const auto& worker : workers) {
    const BlockRunner& runner = worker->runner();
    worker->notifier().joinInto(observers);
    runner.addTo(result.profile);
    result.blocks += worker->finishedBlocks();
    result.outOfBounds += runner.outOfBoundsCount();
    result.unmapped += runner.unmappedCount();
    if (runner.firstFault().isBefore(first)) { first = runner.firstFault(); }
    if (worker->failedOrder() < firstFailure) {
      firstFailure = worker->failedOrder();
      result.outcome = worker->failure().outcome;
      result.message = worker->failure().message;
      result.where = worker->failure().where;
      result.block = job.queue.block(firstFailure);
    }
  }
  result.firstOutOfBounds = first.where;
  result.firstOutOfBoundsMessage = std::move(first.message);
  result.threads = result.blocks * job.launch.configuration.threadsPerBlock();
  return result;
}

}  // namespace

void Profile::add(const Profile& other) {
  lanes.resize(std::max(lanes.size(), other.lanes.size()));
  warps.resize(std::max(warps.size(), other.warps.size()));
  for (std::size_t i = 0; i < other.lanes.size(); ++i) { lanes[i] += other.lanes[i]; }
  for (std::size_t i = 0; i < other.warps.size(); ++i) { warps[i] += other.warps[i]; }
}

ExecuteResult execute(const Program& program, Launch& launch, std::span<Observer* const> observers,
                      const ExecuteOptions& options) {
  checkLaunch(program, launch);
  const std::uint64_t gridBlocks = launch.configuration.grid.count();
  for (const std::uint64_t block : options.onlyBlocks) {
    if (block >= gridBlocks) {
      throw InputError(fmt::format("there is no block {} in a grid of {} blocks", block, gridBlocks));
    }
  }
  const Observer::Wants wants = Notifier::wants(observers);
  DecodeOptions decodeOptions;
  decodeOptions.statements = wants.statements || options.schedule == Schedule::Statement;
  decodeOptions.observedAccesses = Notifier::observedAccesses(observers, program.code.size());
  decodeOptions.reuseTemporaries = !decodeOptions.statements && !wants.instructions;
  decodeOptions.set = std::min(options.instructionSet, bestInstructionSet());
  const DecodedProgram decoded = decode(program, decodeOptions);
  const LaunchMemory memory(program, launch);

  ExecuteOptions running = options;
  const bool together = synchronisesGrid(program) && launch.configuration.cooperative;
  if (together) {
    running.onlyBlocks.clear();
    if (gridBlocks > kMaxResidentBlocks) {
      throw InputError(fmt::format("a cooperative launch of {} blocks: no GPU holds more than {} at once", gridBlocks,
                                   kMaxResidentBlocks));
    }
  }
  const std::uint64_t blocks = running.onlyBlocks.empty() ? gridBlocks : running.onlyBlocks.size();
  const unsigned count = workerCount(program, running, blocks);
  Job job{decoded, launch, memory, running, BlockQueue(running, gridBlocks, count)};
  std::vector<std::unique_ptr<Worker>> workers;
  if (together) {
    for (std::uint64_t block = 0; block < gridBlocks; ++block) {
      const bool observed =
          options.onlyBlocks.empty() || std::ranges::find(options.onlyBlocks, block) != options.onlyBlocks.end();
      workers.push_back(std::make_unique<Worker>(job, observed ? observers : std::span<Observer* const>{}));
    }
    Together(job, workers).run();
    return gatherResults(job, workers, observers);
  }
  for (unsigned i = 0; i < count; ++i) { workers.push_back(std::make_unique<Worker>(job, observers)); }
  runAll(workers);
  for (const auto& worker : workers) {
    if (worker->thrown()) { std::rethrow_exception(worker->thrown()); }
  }
  return gatherResults(job, workers, observers);
}

ExecuteResult execute(const Program& program, Launch& launch) { return execute(program, launch, {}, {}); }

}  // namespace haloscope::simt
