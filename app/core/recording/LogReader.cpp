#include "recording/LogReader.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "language/Text.h"
#include "recording/LogCopies.h"
#include "recording/LogOrigins.h"
#include "recording/LogPlaces.h"
#include "recording/LogStream.h"
#include "recording/LogWarp.h"
#include "recording/RecordingBuilder.h"

namespace haloscope::recording {

namespace {

/// Calls `work` with 0 … count - 1, on several threads: a big block wrote some millions of words. Throws LogError if
/// one of them does.
void inParallel(std::uint32_t count, const std::function<void(std::uint32_t)>& work) {
  const std::uint32_t workers = std::min(count, std::clamp(std::thread::hardware_concurrency(), 1U, 16U));
  std::vector<std::string> errors(workers);
  std::atomic<std::uint32_t> next = 0;
  {
    std::vector<std::jthread> running;
    for (std::uint32_t worker = 0; worker < workers; ++worker) {
      running.emplace_back([&, worker] {
        try {
          for (std::uint32_t one = next++; one < count; one = next++) { work(one); }
        } catch (const std::exception& error) { errors[worker] = error.what(); }
      });
    }
  }
  for (const std::string& error : errors) {
    if (!error.empty()) { throw LogError(error); }
  }
}

/// Reads each thread, then each warp, and merges the steps of the warps into one order.
class Reader {
 public:
  Reader(const LoggedBlock& block, LogOrder order, LogIndex& index)
      : block_(block),
        program_(*block.program),
        order_(order),
        index_(index),
        places_(*block.placed),
        threads_(block.launch->configuration.threadsPerBlock()),
        builder_(block.program, *block.launch, block.block, Recording::Source::Gpu),
        warps_(block.launch->configuration.warpsPerBlock()),
        arithmetic_(program_.code.size()),
        origins_(program_, builder_.state(), threads_),
        copies_(program_, builder_, block.launch->configuration.warpsPerBlock()) {
    for (std::size_t i = 0; i < arithmetic_.size(); ++i) { arithmetic_[i] = floatingOperations(program_.code[i]) > 0; }
  }

  std::shared_ptr<const Recording> read() {
    std::string message;
    try {
      readWarps();
      merge();
      if (full_) { message = tr("The GPU's recording did not fit into the memory reserved for it."); }
    } catch (const LogError& error) {
      message = std::string(tr("The GPU's recording does not match the program: ")) + error.what();
    }
    indexSteps();
    return builder_.finish(full_, std::move(message));
  }

 private:
  struct Warp {
    LogWarp log;
    std::size_t next = 0;              ///< of its steps
    std::vector<std::uint32_t> steps;  ///< of its steps, those of the recording
    WarpState lanes;                   ///< while it does not run
    std::uint32_t waitsAt = kNone;     ///< instruction of its step, for a barrier in shared memory; kNone: it does not
    bool standsBy = false;             ///< until the others have gone on

    [[nodiscard]] const WarpStep& step() const { return log.steps[next]; }
    /// The instruction with which it goes on.
    [[nodiscard]] std::uint32_t position() const { return waitsAt != kNone ? waitsAt : step().instruction; }
    [[nodiscard]] const WarpStep* before() const { return next > 0 ? &log.steps[next - 1] : nullptr; }
    [[nodiscard]] bool ended() const { return next == log.steps.size(); }
  };

  void readWarps() {
    const BlockLog& log = *block_.log;
    if (log.counts.size() < threads_ || log.words.size() < std::size_t{threads_} * log.capacity) {
      throw LogError(tr("the log is not that of this block"));
    }
    for (const std::uint32_t count : log.counts) { full_ = full_ || count > log.capacity; }
    std::vector<LogStream> streams(threads_);
    const std::span<const std::uint32_t> words(log.words);
    inParallel(static_cast<std::uint32_t>(warps_.size()), [&](std::uint32_t warp) {
      const std::uint32_t end = std::min(threads_, (warp + 1) * kWarpSize);
      for (std::uint32_t thread = warp * kWarpSize; thread < end; ++thread) {
        const auto own = words.subspan(std::size_t{thread} * log.capacity, written(thread));
        streams[thread] = LogStream(own, *block_.sites, places_);
      }
    });
    const auto empty = [](const LogStream& stream) { return stream.units.empty(); };
    if (!program_.statements.empty() && std::ranges::all_of(streams, empty)) {
      throw LogError(tr("no thread of the block logged anything"));
    }
    const LaunchConfiguration& configuration = block_.launch->configuration;
    locations_.emplace(*block_.placed, *block_.sites, *block_.launch, log, streams,
                       rankInCluster(block_.block, clusterOf(program_, configuration)));
    index_.places = locations_->shared();
    const WarpSources sources{program_, *block_.placed, *block_.sites, places_, *locations_, streams};
    inParallel(static_cast<std::uint32_t>(warps_.size()),
               [&](std::uint32_t warp) { warps_[warp].log = readWarp(sources, warp); });
    std::size_t accesses = 0, writes = 0;
    for (Warp& warp : warps_) {
      accesses += warp.log.elements.size();
      writes += warp.log.writes.size();
      warp.lanes.exited = warp.log.exitedAtFirst;
      warp.steps.reserve(warp.log.steps.size());
    }
    builder_.reserve(accesses, writes);
  }

  /// Words of a thread's whole entries: the one that found no room was not written.
  [[nodiscard]] std::size_t written(std::uint32_t thread) const {
    const BlockLog& log = *block_.log;
    if (log.counts[thread] <= log.capacity) { return log.counts[thread]; }
    const std::span<const std::uint32_t> all =
        std::span(log.words).subspan(std::size_t{thread} * log.capacity, log.capacity);
    std::size_t at = 0;
    while (at < all.size()) {
      const std::size_t length = 1 + (all[at] >> kLogPayloadShift & kLogPayloadMask);
      if (all[at] == 0 || at + length > all.size()) { break; }
      at += length;
    }
    return at;
  }

  void merge() {
    std::vector<std::uint32_t> together;
    while (true) {
      const std::optional<std::uint32_t> first = earliest();
      if (!first) {
        if (!retry() && !release()) { break; }
        continue;
      }
      together.clear();
      if (order_ == LogOrder::Clock) {
        together.push_back(*first);
      } else {
        for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
          if (runs(warps_[warp]) && warps_[warp].position() == warps_[*first].position()) { together.push_back(warp); }
        }
      }
      step(together);
    }
    if (!copies_.storesInBulk()) { return; }
    builder_.beginStep(kNone, interval_);
    copies_.landBulkStores();
    builder_.endStep();
  }

  /// Those that wait for a barrier in shared memory look again. False if there are none.
  bool retry() {
    bool any = false;
    for (Warp& warp : warps_) { any = std::exchange(warp.standsBy, false) || any; }
    if (any && !std::exchange(wentOn_, false)) {
      throw LogError(tr("warps wait for a barrier in shared memory at which too few threads or bytes arrive"));
    }
    return any;
  }

  /// It goes on within this barrier interval.
  [[nodiscard]] bool runs(const Warp& warp) const {
    return !warp.ended() && !warp.standsBy && warp.step().interval == interval_;
  }

  /// The warp whose next step comes first; none in this interval.
  [[nodiscard]] std::optional<std::uint32_t> earliest() const {
    std::optional<std::uint32_t> first;
    for (std::uint32_t index = 0; index < warps_.size(); ++index) {
      const Warp& warp = warps_[index];
      if (warp.ended() && !warp.log.problem.empty()) { throw LogError(warp.log.problem); }
      if (!runs(warp)) { continue; }
      const bool earlier =
          !first ||
          (order_ == LogOrder::Clock ? static_cast<std::int32_t>(warp.step().clock - warps_[*first].step().clock) < 0
                                     : warp.position() < warps_[*first].position());
      if (earlier) { first = index; }
    }
    return first;
  }

  bool release() {
    ++interval_;
    for (Warp& warp : warps_) { warp.lanes.waiting = 0; }
    return std::ranges::any_of(warps_, [](const Warp& warp) { return !warp.ended(); });
  }

  void step(const std::vector<std::uint32_t>& together) {
    const std::uint32_t instruction = warps_[together.front()].step().instruction;
    builder_.beginStep(program_.code[instruction].aux, interval_);
    for (std::uint32_t i = instruction; i < places_.end(instruction); ++i) {
      if (arithmetic_[i]) { builder_.noteArithmetic(); }
    }
    std::vector<bool> finished;
    for (const std::uint32_t index : together) { finished.push_back(report(index)); }
    std::size_t next = 0;
    for (std::uint32_t index = 0; index < warps_.size(); ++index) {
      Warp& warp = warps_[index];
      if (next == together.size() || together[next] != index) {
        builder_.addLanes(index, warp.lanes);
        continue;
      }
      const WarpStep& now = warp.step();
      builder_.addLanes(index, {now.active, now.waiting, now.exited});
      if (warp.steps.size() == warp.next) { warp.steps.push_back(stepCount_); }
      if (!finished[next++]) { continue; }
      warp.lanes = {0, now.waitingAfter, now.exitedAfter};
      ++warp.next;
    }
    builder_.endStep();
    ++stepCount_;
  }

  /// What a warp did in its next step. False if it has to wait within it, for a barrier in shared memory.
  bool report(std::uint32_t index) {
    Warp& warp = warps_[index];
    const std::uint32_t from = std::exchange(warp.waitsAt, kNone);
    if (from == kNone) { beginStep(index); }
    const bool finished = carryOut(index, from);
    warp.standsBy = !finished;
    wentOn_ = wentOn_ || finished || from == kNone;
    write(index, from, finished ? kNone : warp.waitsAt);
    return finished;
  }

  void beginStep(std::uint32_t index) {
    const Warp& warp = warps_[index];
    const LogWarp& log = warp.log;
    const std::uint32_t first = index * kWarpSize;
    const WarpStep *before = warp.before(), &now = warp.step();
    for (LaneMask lanes = now.active; lanes != 0; lanes &= lanes - 1) {
      origins_.beginStep(first + static_cast<std::uint32_t>(std::countr_zero(lanes)), now.instruction);
    }
    for (std::uint32_t i = before != nullptr ? before->clusterEnd : 0; i < now.clusterEnd; ++i) {
      ClusterAccess access = log.clusterAccesses[i];
      access.origin.kind = Origin::Kind::Computed;
      builder_.clusterAccess(access);
    }
    for (std::uint32_t i = before != nullptr ? before->shufflesEnd : 0; i < now.shufflesEnd; ++i) {
      const WarpShuffle& one = log.shuffles[i];
      origins_.shuffle(first + one.lane, one.instruction, first + one.from);
    }
  }

  /// The accesses of a step, its asynchronous copies and barriers in shared memory, in the order of the instructions,
  /// from one on or, kNone, from the first. False if it has to wait at one, Warp::waitsAt.
  bool carryOut(std::uint32_t index, std::uint32_t from) {
    Warp& warp = warps_[index];
    const LogWarp& log = warp.log;
    const WarpStep *before = warp.before(), &now = warp.step();
    std::uint32_t access = before != nullptr ? before->accessesEnd : 0;
    std::uint32_t action = before != nullptr ? before->actionsEnd : 0;
    const auto done = [from](std::uint32_t instruction) { return from != kNone && instruction < from; };
    while (access < now.accessesEnd && done(log.accesses[access].group.instruction)) { ++access; }
    while (action < now.actionsEnd && done(log.actions[action].instruction)) { ++action; }
    while (access < now.accessesEnd || action < now.actionsEnd) {
      const bool acts =
          action < now.actionsEnd &&
          (access == now.accessesEnd || log.actions[action].instruction < log.accesses[access].group.instruction);
      if (!acts) {
        report(log, log.accesses[access++]);
        continue;
      }
      const std::uint32_t instruction = log.actions[action].instruction;
      std::uint32_t end = action;
      while (end < now.actionsEnd && log.actions[end].instruction == instruction) { ++end; }
      if (!copies_.act(index, std::span(log.actions).subspan(action, end - action), *locations_)) {
        warp.waitsAt = instruction;
        return false;
      }
      action = end;
    }
    return true;
  }

  void report(const LogWarp& log, const WarpAccess& access) {
    const auto count = static_cast<std::size_t>(std::popcount(access.group.lanes));
    const std::span elements = std::span(log.elements).subspan(access.first, count);
    const std::span values = std::span(log.values).subspan(access.first, count);
    if (access.firstSource != kNone) {
      return issue(access, elements, values, std::span(log.sources).subspan(access.firstSource, count));
    }
    if (!access.group.store) { noteLoads(access.group, elements, values); }
    builder_.access(access.group, elements, values);
  }

  void issue(const WarpAccess& access, std::span<const std::int64_t> elements, std::span<const std::uint64_t> values,
             std::span<const CopySource> sources) {
    IssuedCopy copy{.lanes = access.group.lanes, .access = access.group};
    std::size_t i = 0;
    for (LaneMask lanes = access.group.lanes; lanes != 0; lanes &= lanes - 1, ++i) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
      copy.element[lane] = elements[i];
      copy.value[lane] = values[i];
      const CopySource& source = sources[i];
      if (source.object == kNone) {
        copy.from[lane] = {{Origin::Kind::Constant, kNone, 0}};
        continue;
      }
      const std::uint32_t thread = access.group.warp * kWarpSize + static_cast<std::uint32_t>(lane);
      const ValueType type = program_.code[access.group.instruction].type;
      copy.from[lane] = origins_.from(source.object, builder_.originOf(source.object, type, source.element, thread));
    }
    copies_.issue(std::move(copy));
  }

  /// What a warp writes in its step, with the instructions from one to another; kNone: from the first, or to the last.
  void write(std::uint32_t index, std::uint32_t from, std::uint32_t to) {
    const Warp& warp = warps_[index];
    // All origins before the first write: `x = __shfl_up_sync(mask, x, 1)` takes what other lanes held before.
    writes_.clear();
    for (std::uint32_t i = warp.before() != nullptr ? warp.before()->writesEnd : 0; i < warp.step().writesEnd; ++i) {
      const WarpWrite& made = warp.log.writes[i];
      if ((from != kNone && made.instruction < from) || made.instruction >= to) { continue; }
      RecordingBuilder::Write& write = writes_.emplace_back(made.write, made.instruction).first;
      setOrigin(write, made);
      const bool wide = made.write.kind == Change::Kind::Variable &&
                        program_.registers[program_.variables[made.write.id].reg].type == ValueType::U64;
      if (wide && made.source == WarpWrite::Source::Instruction) {
        write.bits = copies_.written(made.write.thread, made.instruction, made.write.bits);
      }
    }
    for (const auto& [write, instruction] : writes_) {
      if (write.kind == Change::Kind::Variable) {
        builder_.write(write);
      } else {
        builder_.store(write, program_.code[instruction].type);
      }
    }
  }

  void noteLoads(const AccessGroup& group, std::span<const std::int64_t> elements,
                 std::span<const std::uint64_t> values) {
    const ValueType type = program_.code[group.instruction].type;
    std::size_t i = 0;
    for (LaneMask lanes = group.lanes; lanes != 0; lanes &= lanes - 1, ++i) {
      const std::uint32_t thread = group.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes));
      const Origin origin = builder_.originOf(group.object, type, elements[i], thread);
      origins_.load(thread, group.instruction, group.object, origin, values[i]);
    }
  }

  void setOrigin(RecordingBuilder::Write& write, const WarpWrite& made) const {
    const LogOrigins::Value value{write.thread, write.bits};
    LogOrigins::Provenance from;
    if (made.source == WarpWrite::Source::Stored) {
      from = origins_.source(value, program_.code[made.instruction].b, made.instruction);
    } else if (made.source == WarpWrite::Source::Instruction) {
      from = origins_.written(value, made.instruction);
    }
    write.origin = from.origin;
    write.copiedFrom = from.copiedFrom;
    write.copiedId = from.copiedId;
  }

  /// Of each thread's statements the steps of the recording, from the steps of its warp.
  void indexSteps() {
    index_.steps.assign(threads_, {});
    for (std::uint32_t index = 0; index < warps_.size(); ++index) {
      Warp& warp = warps_[index];
      for (std::size_t lane = 0; lane < warp.log.stepsOf.size(); ++lane) {
        std::vector<std::uint32_t>& steps = index_.steps[index * kWarpSize + lane];
        steps = std::move(warp.log.stepsOf[lane]);
        for (std::uint32_t& step : steps) { step = step < warp.steps.size() ? warp.steps[step] : kNone; }
      }
    }
  }

  const LoggedBlock& block_;
  const Program& program_;
  LogOrder order_;
  LogIndex& index_;
  ProgramPlaces places_;
  std::uint32_t threads_;
  RecordingBuilder builder_;
  std::vector<Warp> warps_;
  std::vector<bool> arithmetic_;
  LogOrigins origins_;
  LogCopies copies_;
  std::optional<LogPlaces> locations_;
  std::vector<std::pair<RecordingBuilder::Write, std::uint32_t>> writes_;  ///< of a warp's step, with the instructions
  std::uint32_t interval_ = 0;
  std::uint32_t stepCount_ = 0;
  bool full_ = false;
  bool wentOn_ = false;  ///< a warp did, since those that wait looked last
};

}  // namespace

std::shared_ptr<const Recording> readLog(const LoggedBlock& block, LogOrder order, LogIndex& index) {
  return Reader(block, order, index).read();
}

std::shared_ptr<const Recording> readLog(const LoggedBlock& block, LogOrder order) {
  LogIndex index;
  return readLog(block, order, index);
}

}  // namespace haloscope::recording
