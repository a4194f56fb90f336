#include "simt/Executor.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "language/Text.h"
#include "program/AccessedObjects.h"
#include "simt/BlockRunner.h"
#include "simt/DecodedProgram.h"
#include "simt/LaunchMemory.h"
#include "simt/Notifier.h"
#include "simt/WriteClaims.h"

namespace haloscope::simt {
namespace {

constexpr std::uint64_t kNoFailure = std::numeric_limits<std::uint64_t>::max();

/// The blocks to run, distributed to the workers in chunks: of a launch with clusters, by whole clusters.
class BlockQueue {
 public:
  BlockQueue(const ExecuteOptions& options, const Dim3& grid, const Dim3& cluster, unsigned workers)
      : grid_(grid), cluster_(cluster), only_(unitsOf(options.onlyBlocks)) {
    count_ = only_.empty() ? grid.count() / cluster.count() : only_.size();
    chunk_ = std::max<std::uint64_t>(1, count_ / (std::uint64_t{workers} * 16));
  }

  struct Chunk {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  /// Of blocks, or of clusters.
  [[nodiscard]] Chunk next() {
    const std::uint64_t begin = std::min(next_.fetch_add(chunk_, std::memory_order_relaxed), count_);
    return {begin, std::min(begin + chunk_, count_)};
  }
  /// The block with this place in the order in which blocks begin; those of a cluster follow one another, by rank.
  [[nodiscard]] std::uint64_t block(std::uint64_t order) const {
    const std::uint64_t blocks = cluster_.count();
    const std::uint64_t unit = only_.empty() ? order / blocks : only_[static_cast<std::size_t>(order / blocks)];
    if (blocks == 1) { return unit; }
    const Dim3 at = unlinear(unit, clusters());
    const Dim3 first{at.x * cluster_.x, at.y * cluster_.y, at.z * cluster_.z};
    return linear(blockOfRank(first, cluster_, static_cast<std::uint32_t>(order % blocks)), grid_);
  }

 private:
  [[nodiscard]] Dim3 clusters() const { return {grid_.x / cluster_.x, grid_.y / cluster_.y, grid_.z / cluster_.z}; }
  /// The clusters that the blocks belong to, each once.
  [[nodiscard]] std::vector<std::uint64_t> unitsOf(const std::vector<std::uint64_t>& blocks) const {
    if (cluster_.count() == 1) { return blocks; }
    std::vector<std::uint64_t> units;
    for (const std::uint64_t block : blocks) {
      const Dim3 at = unlinear(block, grid_);
      units.push_back(linear({at.x / cluster_.x, at.y / cluster_.y, at.z / cluster_.z}, clusters()));
    }
    std::ranges::sort(units);
    units.erase(std::ranges::unique(units).begin(), units.end());
    return units;
  }

  Dim3 grid_, cluster_;
  std::vector<std::uint64_t> only_;
  std::uint64_t count_ = 0;
  std::uint64_t chunk_ = 1;
  std::atomic<std::uint64_t> next_{0};
};

/// Of the blocks that run at once: their registers and local arrays.
constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;

/// What a block that runs takes.
std::uint64_t bytesOfBlock(const DecodedProgram& decoded, const LaunchConfiguration& configuration) {
  const std::uint64_t local = static_cast<std::uint64_t>(localBytes(*decoded.program)) * kWarpSize;
  return configuration.warpsPerBlock() * (decoded.layout.warpBytes + local) + decoded.layout.sharedBytes;
}

/// How many crews of so many bytes run the blocks, or the clusters of them.
unsigned workerCount(const Program& program, const ExecuteOptions& options, std::uint64_t blocks, std::uint64_t bytes) {
  if (needsBlockOrder(program)) { return 1; }
  const unsigned wanted = options.workers != 0 ? options.workers : std::max(1U, std::thread::hardware_concurrency());
  const std::uint64_t fitting = std::max<std::uint64_t>(1, kMostBytes / std::max<std::uint64_t>(1, bytes));
  return static_cast<unsigned>(
      std::min({std::uint64_t{wanted}, blocks, fitting, std::uint64_t{WriteClaims::kMostWorkers}}));
}

std::string tooLong(std::uint64_t budget) { return trf("the launch does not end within {} warp instructions", budget); }

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
  WriteClaims* claims = nullptr;                        ///< null: one worker runs all
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
    } catch (...) { abandon(); }
  }

  // One block, in parts.
  void begin(std::uint64_t block, std::uint64_t order) { runner_.begin(block, order); }
  [[nodiscard]] BlockRunner& running() { return runner_; }
  void end(std::uint64_t order) {
    const BlockRunner::Failure failure = runner_.end();
    if (failure.outcome != Outcome::Finished) {
      fail(order, failure);
    } else {
      ++finishedBlocks_;
    }
  }

  /// Whether blocks from this one on need to run at all.
  [[nodiscard]] bool mayBegin(std::uint64_t order) {
    if (job_.abandoned || order > job_.firstFailure || (job_.claims != nullptr && job_.claims->conflict())) {
      return false;
    }
    if (!job_.options.stop.stop_requested()) { return true; }
    fail(order, {Outcome::Stopped, "stopped", {}});
    return false;
  }
  /// Whether the launch's budget allows more after these instructions.
  [[nodiscard]] bool spend(std::uint64_t instructions, std::uint64_t order) {
    const std::uint64_t spent = job_.spent += instructions;
    if (job_.options.launchBudget == 0 || spent <= job_.options.launchBudget) { return true; }
    fail(order, {Outcome::TooLong, tooLong(job_.options.launchBudget), {}});
    return false;
  }
  void abandon() {
    thrown_ = std::current_exception();
    job_.abandoned = true;
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
    if (!mayBegin(order)) { return false; }
    const BlockRunner::Failure failure = runner_.run(job_.queue.block(order), order);
    if (failure.outcome != Outcome::Finished) {
      fail(order, failure);
      return false;
    }
    ++finishedBlocks_;
    return spend(runner_.instructions(), order);
  }

  Job& job_;
  Notifier notifier_;
  BlockRunner runner_;
  std::uint64_t finishedBlocks_ = 0;
  BlockRunner::Failure failure_;
  std::uint64_t failedOrder_ = kNoFailure;
  std::exception_ptr thrown_;
};

/// Runs all of them, each on its own thread.
template <class Crew>
void runAll(std::vector<Crew>& crews) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < crews.size(); ++i) {
    threads.emplace_back([&crew = crews[i]] { crew->work(); });
  }
  crews.front()->work();
}

/// Workers that run the blocks of one cluster after the other, each those of one rank, by turns on one thread.
class ClusterCrew {
 public:
  ClusterCrew(Job& job, std::span<const std::unique_ptr<Worker>> workers)
      : job_(job), workers_(workers), states_(workers.size()) {
    std::vector<BlockRunner*> runners;
    std::vector<Notifier*> notifiers;
    for (const auto& worker : workers_) {
      runners.push_back(&worker->running());
      notifiers.push_back(&worker->notifier());
    }
    for (std::uint32_t rank = 0; rank < runners.size(); ++rank) { runners[rank]->meetCluster(runners, rank); }
    Notifier::meetCluster(notifiers);
  }

  void work() noexcept {
    try {
      for (auto chunk = job_.queue.next(); chunk.begin < chunk.end; chunk = job_.queue.next()) {
        for (std::uint64_t cluster = chunk.begin; cluster < chunk.end; ++cluster) {
          if (!run(cluster * workers_.size())) { return; }
        }
      }
    } catch (...) { workers_.front()->abandon(); }
  }

 private:
  using State = BlockRunner::State;

  bool run(std::uint64_t order) {
    if (!workers_.front()->mayBegin(order)) { return false; }
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      workers_[rank]->begin(job_.queue.block(order + rank), order + rank);
    }
    std::ranges::fill(states_, State::Spinning);
    meeting_ = 0;
    stuck_ = {};
    while (goOn()) {}
    std::uint64_t spent = 0;
    bool failed = false;
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      spent += workers_[rank]->running().instructions();
      failed |= workers_[rank]->running().failed();
      workers_[rank]->end(order + rank);
    }
    if (stuck_.outcome != Outcome::Finished) {
      workers_.front()->fail(order, stuck_);
      return false;
    }
    for (Observer* observer : workers_.front()->notifier().all()) { observer->clusterEnds(); }
    return !failed && workers_.front()->spend(spent, order);
  }

  /// Runs each block as far as it gets. False if all have ended, or nothing can go on.
  bool goOn() {
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      BlockRunner& runner = workers_[rank]->running();
      if (states_[rank] == State::Spinning) { states_[rank] = runner.proceed(); }
      if (runner.failed()) { return false; }
    }
    if (std::ranges::find(states_, State::Spinning) != states_.end()) { return true; }
    const auto waits = std::ranges::find(states_, State::AtCluster);
    if (waits == states_.end()) { return false; }
    ++meeting_;
    const auto missing = std::ranges::find_if(
        workers_, [this](const auto& worker) { return !worker->running().arrivedAtCluster(meeting_); });
    if (missing != workers_.end()) {
      const BlockRunner& waiting = workers_[static_cast<std::size_t>(waits - states_.begin())]->running();
      const SourceRange& where = waiting.waitsAt();
      stuck_ = {Outcome::ClusterBarrier,
                trf("{} waits at the barrier of the cluster at {}:{}, at which threads of {} never arrive: they "
                    "wait at another barrier, and a GPU hangs here",
                    waiting.describeBlock(), where.line, where.column, (*missing)->running().describeBlock()),
                where};
      return false;
    }
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      workers_[rank]->running().openCluster(meeting_);
      if (states_[rank] == State::AtCluster) { states_[rank] = State::Spinning; }
    }
    return true;
  }

  Job& job_;
  std::span<const std::unique_ptr<Worker>> workers_;  ///< by rank
  std::vector<State> states_;                         ///< Spinning: it can go on
  std::uint32_t meeting_ = 0;
  BlockRunner::Failure stuck_;
};

/// The blocks of a launch that meet at barriers of the grid, each with a worker: all run by turns, on one thread.
class Together {
 public:
  Together(Job& job, std::vector<std::unique_ptr<Worker>>& workers) : job_(job), workers_(workers) {}

  void run() {
    for (std::size_t block = 0; block < workers_.size(); ++block) { workers_[block]->begin(block, block); }
    states_.assign(workers_.size(), State::Spinning);
    while (goOn()) {}
    for (std::size_t block = 0; block < workers_.size(); ++block) {
      workers_[block]->end(block);
      if (block == failedBlock_) { workers_[block]->fail(block, failure_); }
    }
  }

 private:
  using State = BlockRunner::State;

  /// Runs each block as far as it gets. False if all have ended, or nothing can go on.
  bool goOn() {
    std::uint64_t spent = 0;
    for (std::size_t block = 0; block < workers_.size(); ++block) {
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
      const auto waiting = static_cast<std::size_t>(waits - states_.begin());
      const auto gone = static_cast<std::uint64_t>(ended - states_.begin());
      const SourceRange& where = workers_[waiting]->running().waitsAt();
      const Dim3& grid = job_.launch.configuration.grid;
      return stop(waiting, {Outcome::GridBarrier,
                            trf("block {} waits at grid.sync() at {}:{}, which block {} does not reach: it has "
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

/// Runs all blocks with so many crews: of one worker, or of one for each block of a cluster.
std::vector<std::unique_ptr<Worker>> runBlocks(Job& job, unsigned crewCount, const Dim3& cluster,
                                               std::span<Observer* const> observers) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned crew = 0; crew < crewCount; ++crew) {
    for (std::uint64_t rank = 0; rank < cluster.count(); ++rank) {
      workers.push_back(std::make_unique<Worker>(job, observers));
      if (job.claims != nullptr) {
        workers.back()->running().claimWrites(*job.claims, static_cast<std::uint8_t>(crew + 1));
      }
    }
  }
  if (inClusters(*job.decoded.program, job.launch.configuration)) {
    std::vector<std::unique_ptr<ClusterCrew>> crews;
    const std::span<const std::unique_ptr<Worker>> all = workers;
    const auto ranks = static_cast<std::size_t>(cluster.count());
    for (std::size_t first = 0; first < all.size(); first += ranks) {
      crews.push_back(std::make_unique<ClusterCrew>(job, all.subspan(first, ranks)));
    }
    runAll(crews);
  } else {
    runAll(workers);
  }
  for (const auto& worker : workers) {
    if (worker->thrown()) { std::rethrow_exception(worker->thrown()); }
  }
  return workers;
}

}  // namespace

bool needsBlockOrder(const Program& program) {
  if (ordersBlocks(program)) { return true; }
  const std::vector<bool> read = readObjects(program);
  const std::vector<bool> written = writtenObjects(program);
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    if (program.objects[object].space == MemorySpace::Global && read[object] && written[object]) { return true; }
  }
  return false;
}

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
      throw InputError(trf("there is no block {} in a grid of {} blocks", block, gridBlocks));
    }
  }
  const Observer::Wants wants = Notifier::wants(observers);
  DecodeOptions decodeOptions{.statements = wants.statements || options.schedule == Schedule::Statement,
                              .observedAccesses = Notifier::observedAccesses(observers, program.code.size())};
  decodeOptions.reuseTemporaries = !decodeOptions.statements && !wants.instructions;
  decodeOptions.set = std::min(options.instructionSet, bestInstructionSet());
  const DecodedProgram decoded = decode(program, decodeOptions);
  const LaunchMemory memory(program, launch);

  ExecuteOptions running = options;
  const bool together = synchronisesGrid(program) && launch.configuration.cooperative;
  if (together) {
    if (inClusters(program, launch.configuration)) {
      throw InputError(tr("unsupported: grid.sync() in a launch with clusters of blocks"));
    }
    running.onlyBlocks.clear();
    if (gridBlocks > kMaxResidentBlocks) {
      throw InputError(
          trf("a cooperative launch of {} blocks: no GPU holds more than {} at once", gridBlocks, kMaxResidentBlocks));
    }
  }
  const std::uint64_t blocks = running.onlyBlocks.empty() ? gridBlocks : running.onlyBlocks.size();
  const Dim3 cluster = inClusters(program, launch.configuration) ? clusterOf(program, launch.configuration) : Dim3{};
  const std::uint64_t atOnce = together ? gridBlocks : cluster.count();
  const std::uint64_t bytes = bytesOfBlock(decoded, launch.configuration) * atOnce;
  if (bytes > kMostBytes) {
    throw InputError(trf("unsupported: the registers and local arrays of {} blocks that run together take {} MiB",
                         atOnce, bytes >> 20));
  }
  const unsigned count = workerCount(program, running, blocks, bytes);
  if (count > 1) {
    WriteClaims claims(program, launch);
    Job job{decoded, launch, memory, running, BlockQueue(running, launch.configuration.grid, cluster, count)};
    job.claims = &claims;
    auto workers = runBlocks(job, count, cluster, observers);
    if (!claims.conflict()) { return gatherResults(job, workers, observers); }
  }
  Job job{decoded, launch, memory, running, BlockQueue(running, launch.configuration.grid, cluster, 1)};
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
  workers = runBlocks(job, 1, cluster, observers);
  return gatherResults(job, workers, observers);
}

ExecuteResult execute(const Program& program, Launch& launch) { return execute(program, launch, {}, {}); }

}  // namespace haloscope::simt
