#include "analysis/Recorder.h"

#include <array>
#include <bit>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "provenance/CopyOrigins.h"
#include "recording/RecordingBuilder.h"
#include "simt/LaunchMemory.h"
#include "simt/Warp.h"

namespace haloscope::analysis {

namespace {

using recording::AccessGroup;
using recording::Change;
using recording::Origin;
using recording::Recording;
using recording::RecordingBuilder;
using simt::MemoryAccess;
using simt::WarpContext;

Change::CopiedFrom copiedFrom(MemorySpace space) {
  switch (space) {
    case MemorySpace::Global:
      return Change::CopiedFrom::Global;
    case MemorySpace::Shared:
      return Change::CopiedFrom::Shared;
    case MemorySpace::Constant:
      return Change::CopiedFrom::Constant;
    case MemorySpace::Local:
      return Change::CopiedFrom::Local;
  }
  return Change::CopiedFrom::None;
}

/// The recording in the making. It outlives the observers that the executor forks.
class Session {
 public:
  Session(const std::shared_ptr<const Program>& program, const Launch& launch, const Dim3& block, std::size_t budget)
      : program_(*program),
        budget_(budget),
        block_(block),
        focus_(linear(block, launch.configuration.grid)),
        builder_(program, launch, block, Recording::Source::Emulator),
        rank_(rankInCluster(block, clusterOf(*program, launch.configuration))),
        origins_(*program, launch.configuration.warpsPerBlock()),
        warps_(launch.configuration.warpsPerBlock()),
        arithmetic_(program->code.size()) {
    for (std::size_t i = 0; i < arithmetic_.size(); ++i) { arithmetic_[i] = floatingOperations(program->code[i]) > 0; }
    // A last warp that is not full: lanes that never existed count as gone.
    const std::uint32_t rest = launch.configuration.threadsPerBlock() % kWarpSize;
    if (rest != 0) { warps_.back().exited = kAllLanes << rest; }
    if (accessesCluster(*program)) { cluster_.emplace(*program, launch); }
  }

  /// The memory budget is used up: nothing more is recorded, and the executor is asked to stop.
  [[nodiscard]] bool full() const { return full_; }
  [[nodiscard]] std::stop_source& stop() { return stop_; }

  /// Whether it is the recorded block: those of its cluster are heard of as well.
  [[nodiscard]] bool records(const Dim3& block) const { return block == block_; }

  void statement(const WarpContext& context, StatementId statement) {
    if (!hears(context)) { return; }
    if (!builder_.inStep()) { beginStep(statement, context.interval); }
    warps_[context.warp].active |= context.active;
    warps_[context.warp].exited |= context.exited;
  }

  void instruction(const WarpContext& context, std::uint32_t index) {
    if (cluster_) { cluster_->instruction(context, index); }
    if (!hears(context)) { return; }
    const Instruction& instruction = program_.code[index];
    if (arithmetic_[index]) { builder_.noteArithmetic(); }
    if (instruction.op == Opcode::Return || instruction.op == Opcode::End) {
      warps_[context.warp].exitedAfter |= context.exited | (instruction.op == Opcode::End ? context.active : 0);
    }
    if (instruction.dst == kNone) { return; }

    LaneMask chosen = 0;
    if (origins_.needsChoice(instruction)) {
      for (int lane = 0; lane < kWarpSize; ++lane) {
        chosen |= static_cast<LaneMask>(context.state->bits(instruction.a, lane) & 1U) << lane;
      }
    }
    if (instruction.op == Opcode::Shuffle) {
      origins_.exchange(context.warp, instruction, context.active, provenance::ShuffleSources(context, instruction));
    } else {
      origins_.follow(context.warp, instruction, context.active, chosen);
    }

    const VariableId variable = origins_.variableOf(instruction.dst);
    if (variable != kNone) { writeVariable(context, instruction.dst, variable); }
  }

  void access(const WarpContext& context, const MemoryAccess& access) {
    if (cluster_) { cluster_->access(context, access); }
    if (!hears(context)) { return; }
    const Instruction& instruction = program_.code[access.instruction];
    if (instruction.async && access.space == MemorySpace::Shared) { return; }  // it arrives later
    const bool ofObject = instruction.fetch == FetchPart::Begin || instruction.fetch == FetchPart::Inside;
    if (ofObject && !access.store) { return forget(context, instruction.dst, access.lanes); }
    accessInStep(context, access);
    for (LaneMask lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      if (!access.store) {
        origins_.load(context.warp, instruction.dst, lane, loaded(context, access, lane));
      } else if (instruction.op == Opcode::Store) {
        writeMemory(context, access, lane, origins_.operand(context.warp, instruction.b, lane));
      } else {
        writeMemory(context, access, lane, kComputed);
      }
    }
  }

  /// An access to the shared memory of the block with this rank in the cluster.
  void clusterAccess(const WarpContext& context, const MemoryAccess& access, std::uint32_t rank) {
    writtenByOthers_ = writtenByOthers_ || (access.store && rank == rank_);
    cluster_->clusterAccess(context, access, rank);
    if (!hears(context)) { return; }
    if (!builder_.inStep()) { beginStep(kNone, context.interval); }
    const Instruction& instruction = program_.code[access.instruction];
    for (LaneMask lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      const std::int64_t element = access.index[static_cast<std::size_t>(lane)];
      const Origin origin = cluster_->of(rank, access.object, element);
      builder_.clusterAccess({0, access.instruction, thread(context, lane), rank, access.object, element,
                              access.value[static_cast<std::size_t>(lane)], origin});
      if (!access.store) {
        origins_.load(context.warp, instruction.dst, lane, {origin, Change::CopiedFrom::None, kNone});
      }
    }
  }

  void copyIssued(const WarpContext& context, const MemoryAccess& access, std::uint32_t copy) {
    if (!hears(context)) { return; }
    if (!builder_.inStep()) { beginStep(kNone, context.interval); }
    Copy& issued = copies_[{context.warp, copy}];
    for (LaneMask lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      const auto at = static_cast<std::size_t>(lane);
      issued.origins[at] = origins_.operand(context.warp, program_.code[access.instruction].b, lane);
      if (access.space != MemorySpace::Shared) { continue; }
      issued.inFlight[at] = builder_.issue(access.object, access.element, access.index[at], thread(context, lane));
    }
  }

  void copyArrived(const WarpContext& context, const MemoryAccess& access, std::uint32_t copy) {
    if (!hears(context)) { return; }
    accessInStep(context, access);
    const Copy& issued = copies_.at({context.warp, copy});
    for (LaneMask lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      const auto at = static_cast<std::size_t>(lane);
      writeMemory(context, access, lane, issued.origins[at]);
      if (access.space != MemorySpace::Shared) { continue; }
      builder_.arrive(issued.inFlight[at]);
      arrived_.push_back(issued.inFlight[at]);
    }
  }

  void memoryBarrierTold(const WarpContext& context, std::uint64_t barrier, bool copies) {
    if (!hears(context) || !copies) { return; }
    const ObjectId object = PackedPointer::object(barrier);
    const std::int64_t index = PackedPointer::byteOffset(barrier) / sizeInMemory(program_.objects[object].element);
    for (const std::size_t number : std::exchange(arrived_, {})) { builder_.setBarrier(number, object, index); }
  }

  void outOfBounds(const WarpContext& context, const simt::OutOfBounds& fault) {
    if (!hears(context) || fault.store) { return; }
    forget(context, program_.code[fault.instruction].dst, fault.lanes);  // the load yields a zero
  }

  void barrierReached(const WarpContext& context) {
    if (hears(context)) { warps_[context.warp].waiting |= context.active; }
  }

  void barrierReleased() {
    if (!builder_.inStep()) {
      for (Warp& warp : warps_) { warp.waiting = 0; }
    } else {
      released_ = true;  // at this step they still wait
    }
  }

  void turnEnds() {
    if (!builder_.inStep()) { return; }
    for (std::uint32_t index = 0; index < warps_.size(); ++index) {
      Warp& warp = warps_[index];
      builder_.addLanes(index, {warp.active, warp.waiting, warp.exited});
      warp.active = 0;
      warp.exited |= warp.exitedAfter;
      if (released_) { warp.waiting = 0; }
    }
    released_ = false;
    arrived_.clear();
    builder_.endStep();
    if (builder_.byteCount() > budget_) {
      full_ = true;
      stop_.request_stop();
    }
  }

  std::shared_ptr<const Recording> finish(std::string message) {
    turnEnds();
    if (writtenByOthers_ && message.empty()) {
      message = tr("Other blocks of the cluster write to this block's shared memory, which is not shown here.");
    }
    if (full_) { message = trf("The recording is full: {} MiB.", budget_ >> 20); }
    return builder_.finish(full_, std::move(message));
  }

 private:
  struct Warp {
    LaneMask active = 0;
    LaneMask waiting = 0;
    LaneMask exited = 0;
    LaneMask exitedAfter = 0;  ///< left the kernel in the current step
  };

  using Provenance = provenance::Provenance;
  static constexpr Provenance kComputed{{Origin::Kind::Computed, kNone, 0}, Change::CopiedFrom::None, kNone};

  [[nodiscard]] bool hears(const WarpContext& context) const { return !full_ && context.blockLinear == focus_; }

  void beginStep(StatementId statement, std::uint32_t interval) { builder_.beginStep(statement, interval); }

  /// A value that comes from nowhere.
  void forget(const WarpContext& context, RegisterId reg, LaneMask lanes) {
    for (; lanes != 0; lanes &= lanes - 1) { origins_.load(context.warp, reg, std::countr_zero(lanes), kComputed); }
  }

  void accessInStep(const WarpContext& context, const MemoryAccess& access) {
    if (!builder_.inStep()) { beginStep(kNone, context.interval); }
    AccessGroup group{.instruction = access.instruction,
                      .warp = context.warp,
                      .lanes = access.lanes,
                      .object = access.object,
                      .space = access.space,
                      .store = access.store};
    builder_.access(group, access.index, access.value);
  }

  [[nodiscard]] static std::uint32_t thread(const WarpContext& context, int lane) {
    return context.warp * kWarpSize + static_cast<std::uint32_t>(lane);
  }

  [[nodiscard]] provenance::Provenance loaded(const WarpContext& context, const MemoryAccess& access, int lane) const {
    const Origin origin = builder_.originOf(access.object, access.element, access.index[static_cast<std::size_t>(lane)],
                                            thread(context, lane));
    return {origin, copiedFrom(access.space), access.object};
  }

  void writeMemory(const WarpContext& context, const MemoryAccess& access, int lane, const Provenance& from) {
    RecordingBuilder::Write write;
    write.id = access.object;
    write.index = access.index[static_cast<std::size_t>(lane)];
    write.bits = access.value[static_cast<std::size_t>(lane)];
    write.thread = thread(context, lane);
    setProvenance(write, from);
    builder_.store(write, access.element);
  }

  void writeVariable(const WarpContext& context, RegisterId reg, VariableId variable) {
    if (!builder_.inStep()) { beginStep(kNone, context.interval); }
    RecordingBuilder::Write write;
    write.kind = Change::Kind::Variable;
    write.id = variable;
    for (LaneMask lanes = context.active; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      write.thread = thread(context, lane);
      write.index = write.thread;
      write.bits = context.state->bits(reg, lane);
      setProvenance(write, origins_.held(context.warp, reg, lane));
      builder_.write(write);
    }
  }

  static void setProvenance(RecordingBuilder::Write& write, const provenance::Provenance& provenance) {
    write.origin = provenance.origin;
    write.copiedFrom = provenance.copiedFrom;
    write.copiedId = provenance.copiedId;
  }

  const Program& program_;
  std::size_t budget_;
  Dim3 block_;
  std::uint64_t focus_;  ///< linear index of the recorded block
  RecordingBuilder builder_;
  std::uint32_t rank_;  ///< of the recorded block in its cluster
  provenance::CopyOrigins origins_;
  std::vector<Warp> warps_;
  /// An asynchronous copy: where what it writes comes from, and its numbers in the recording.
  struct Copy {
    std::array<Provenance, kWarpSize> origins;
    std::array<std::size_t, kWarpSize> inFlight;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Copy> copies_;  ///< by warp and number
  std::vector<std::size_t> arrived_;                                ///< in this step
  std::optional<provenance::ClusterOrigins> cluster_;               ///< where blocks access each other's shared memory
  bool writtenByOthers_ = false;
  std::vector<bool> arithmetic_;  ///< per instruction: computes in floating point
  std::stop_source stop_;
  bool released_ = false;  ///< the block's barrier opened during the current step
  bool full_ = false;
};

/// Hands what it hears to the session. Only one worker ever meets the focused block.
class Recorder final : public simt::Observer {
 public:
  explicit Recorder(Session& session) : session_(session) {}

  [[nodiscard]] Wants wants() const override { return {true, true, true}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<Recorder>(session_); }
  void join(Observer&) override {}

  void statement(const WarpContext& context, StatementId id) override { session_.statement(context, id); }
  void instruction(const WarpContext& context, std::uint32_t index) override { session_.instruction(context, index); }
  void access(const WarpContext& context, const MemoryAccess& access) override { session_.access(context, access); }
  void clusterAccess(const WarpContext& context, const MemoryAccess& access, std::uint32_t rank) override {
    session_.clusterAccess(context, access, rank);
  }
  void outOfBounds(const WarpContext& context, const simt::OutOfBounds& fault) override {
    session_.outOfBounds(context, fault);
  }
  void copyIssued(const WarpContext& context, const MemoryAccess& access, std::uint32_t copy) override {
    session_.copyIssued(context, access, copy);
  }
  void copyArrived(const WarpContext& context, const MemoryAccess& access, std::uint32_t copy) override {
    session_.copyArrived(context, access, copy);
  }
  void memoryBarrierTold(const WarpContext& context, std::uint64_t barrier, bool copies) override {
    session_.memoryBarrierTold(context, barrier, copies);
  }
  void barrierReached(const WarpContext& context, std::uint32_t, LaneMask) override {
    session_.barrierReached(context);
  }
  void barrierReleased(const Dim3& block, std::uint32_t) override {
    if (session_.records(block)) { session_.barrierReleased(); }
  }
  void turnEnds(const Dim3& block, StatementId) override {
    if (session_.records(block)) { session_.turnEnds(); }
  }

 private:
  Session& session_;
};

}  // namespace

std::shared_ptr<const Recording> record(const std::shared_ptr<const Program>& program, const Launch& launch,
                                        const Dim3& block, const RecordOptions& options) {
  const Dim3& grid = launch.configuration.grid;
  if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z) {
    throw InputError(tr("The grid has no such block."));
  }
  simt::checkLaunch(*program, launch);
  Session session(program, launch, block, options.memoryBudget);
  Recorder recorder(session);
  const std::stop_callback forward(options.stop, [&] { session.stop().request_stop(); });

  simt::ExecuteOptions execution{.schedule = simt::Schedule::Statement,
                                 .order = options.order,
                                 .orderSeed = options.orderSeed,
                                 .workers = 1,
                                 .onlyBlocks = {linear(block, grid)},
                                 .stop = session.stop().get_token()};

  Launch scratch = launch;  // the block's global writes end here
  const std::array<simt::Observer*, 1> observers{&recorder};
  const simt::ExecuteResult result = simt::execute(*program, scratch, observers, execution);
  return session.finish(result.outcome == simt::Outcome::Finished ? std::string() : result.message);
}

}  // namespace haloscope::analysis
