#include "codegen/BlockCode.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <span>
#include <thread>

#include "simt/BlockMemory.h"
#include "simt/LaunchMemory.h"

namespace haloscope::codegen {
namespace {

constexpr int kPoisonByte = 0xff;
constexpr std::size_t kLineBytes = 64;
/// Warp instructions granted at a time.
constexpr std::int64_t kSlice = std::int64_t{1} << 18;

/// Zeroed memory, aligned for vectors.
class Lines {
 public:
  explicit Lines(std::size_t bytes) : lines_((bytes + sizeof(Line) - 1) / sizeof(Line) + 1), bytes_(bytes) {}
  [[nodiscard]] std::byte* data() { return lines_.front().bytes; }
  [[nodiscard]] std::size_t size() const { return bytes_; }

 private:
  struct alignas(kLineBytes) Line {
    std::byte bytes[kLineBytes];
  };
  std::vector<Line> lines_;
  std::size_t bytes_;
};

/// Of all workers of a launch.
struct Shared {
  const CodeLaunch& launch;
  std::uint64_t blocks = 0, chunk = 1;
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> spent{0};
  std::atomic<CodeOutcome> outcome{CodeOutcome::Finished};
};

}  // namespace

/// Executes blocks one after the other, the groups of each from barrier to barrier.
class BlockCode::Worker final : private simt::AccessListener {
 public:
  Worker(const BlockCode& code, Shared& shared)
      : code_(code),
        shared_(shared),
        lanes_(code.code_.warps * kWarpSize),
        groups_((code.launch_.configuration.threadsPerBlock() + lanes_ - 1) / lanes_),
        scratch_(kMostWarps * kOperands * kScratchBytes),
        frames_(code.code_.frameBytes * groups_),
        local_(code.code_.localBytes * groups_),
        sharedMemory_(code.sharedBytes_) {
    const std::vector<MemoryObject>& objects = code.program_.objects;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      std::byte* const data = objects[i].space == MemorySpace::Shared ? sharedMemory_.data() + code.sharedOffsets_[i]
                                                                      : shared.launch.arrays[i];
      data_.push_back(data);
      views_.push_back({.data = data,
                        .bytes = code.launch_.objectBytes[i],
                        .pointerBits = PackedPointer::pack(static_cast<ObjectId>(i), 0),
                        .space = objects[i].space});
      if (shared.launch.claims && objects[i].space == MemorySpace::Global && code.written_[i]) {
        claimed_.emplace_back(code.launch_.objectBytes[i] / static_cast<unsigned>(sizeInMemory(objects[i].element)) +
                              1);
      } else {
        claimed_.emplace_back();
      }
    }
    for (std::vector<std::uint8_t>& one : claimed_) { claims_.push_back(one.data()); }
    context_.own = this;
    context_.scratch = scratch_.data();
    context_.objects = data_.data();
    context_.claims = shared.launch.claims ? claims_.data() : nullptr;
    context_.step = [](BlockContext* context, std::uint32_t instruction, GroupMask active) {
      static_cast<Context*>(context)->own->step(instruction, active);
    };
    context_.claim = [](BlockContext* context, std::uint32_t instruction, GroupMask active) {
      static_cast<Context*>(context)->own->claim(instruction, active);
    };
    context_.refill = [](BlockContext* context) { return static_cast<Context*>(context)->own->refill() ? 0 : 1; };
    step_.objects = views_;
    step_.listener = this;
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void work() {
    while (true) {
      const std::uint64_t first = shared_.next.fetch_add(shared_.chunk, std::memory_order_relaxed);
      if (first >= shared_.blocks) { return; }
      const std::uint64_t end = std::min(first + shared_.chunk, shared_.blocks);
      for (std::uint64_t block = first; block < end; ++block) {
        if (shared_.outcome.load(std::memory_order_relaxed) != CodeOutcome::Finished) { return; }
        if (!run(block)) { return; }
      }
    }
  }

  [[nodiscard]] const std::vector<std::vector<std::uint8_t>>& claimed() const { return claimed_; }

 private:
  struct Context : BlockContext {
    Worker* own = nullptr;
  };

  void end_(CodeOutcome outcome) {
    CodeOutcome none = CodeOutcome::Finished;
    shared_.outcome.compare_exchange_strong(none, outcome);
  }

  bool run(std::uint64_t block) {
    const LaunchConfiguration& configuration = code_.launch_.configuration;
    const Dim3 at = unlinear(block, configuration.grid);
    context_.block[0] = at.x;
    context_.block[1] = at.y;
    context_.block[2] = at.z;
    left_ = static_cast<std::int64_t>(std::min<std::uint64_t>(shared_.launch.blockBudget, std::uint64_t{1} << 62));
    granted_ = 0;
    context_.budget = 0;
    if (sharedMemory_.size() != 0) { std::memset(sharedMemory_.data(), kPoisonByte, sharedMemory_.size()); }
    if (local_.size() != 0) { std::memset(local_.data(), kPoisonByte, local_.size()); }
    const std::uint32_t threads = configuration.threadsPerBlock();
    waits_.assign(groups_, 0);
    for (bool anyWaits = true; anyWaits;) {
      anyWaits = false;
      for (std::uint32_t group = 0; group < groups_; ++group) {
        if (waits_[group] == kEnded) { continue; }
        const std::uint32_t lanes = std::min<std::uint32_t>(threads - group * lanes_, lanes_);
        const GroupMask existing = ~GroupMask{0} >> (kMostLanes - lanes);
        context_.local = local_.data() + group * code_.code_.localBytes;
        waits_[group] = code_.code_.group(&context_, frames_.data() + group * code_.code_.frameBytes, group, existing,
                                          waits_[group]);
        if (waits_[group] == kGivesUp || context_.givesUp != 0) {
          end_(CodeOutcome::GivesUp);
          return false;
        }
        anyWaits |= waits_[group] != kEnded;
      }
    }
    const auto used = static_cast<std::uint64_t>(granted_ - context_.budget);
    const std::uint64_t spent = shared_.spent.fetch_add(used, std::memory_order_relaxed) + used;
    if (shared_.launch.launchBudget != 0 && spent > shared_.launch.launchBudget) {
      end_(CodeOutcome::GivesUp);
      return false;
    }
    return true;
  }

  /// False if the block's budget is used up.
  bool refill() {
    const std::int64_t more = std::min(left_, kSlice - context_.budget);
    left_ -= more;
    granted_ += more;
    context_.budget += more;
    return context_.budget >= 0;
  }

  [[nodiscard]] std::byte* operandsOf(unsigned warp) { return scratch_.data() + warp * kOperands * kScratchBytes; }

  /// Calls `act` with each warp that has active lanes, and these.
  template <class Act>
  static void eachWarp(GroupMask active, const Act& act) {
    for (unsigned warp = 0; warp < kMostWarps; ++warp) {
      const auto own = static_cast<LaneMask>(active >> (warp * kWarpSize));
      if (own != 0) { act(warp, own); }
    }
  }

  void step(std::uint32_t instruction, GroupMask active) {
    const simt::DecodedStep& step = code_.steps_[instruction];
    eachWarp(active, [&](unsigned warp, LaneMask own) {
      step_.active = own;
      step_.registers = {operandsOf(warp), operandsOf(warp)};
      step.run(step, step_);
    });
  }

  /// Notes the elements; one that is in two, or outside, needs no more care here.
  void claim(std::uint32_t instruction, GroupMask active) {
    eachWarp(active, [&](unsigned warp, LaneMask own) { claim(instruction, warp, own); });
  }
  void claim(std::uint32_t instruction, unsigned warp, LaneMask active) {
    const Instruction& store = code_.program_.code[instruction];
    const auto* const pointers =
        static_cast<const std::uint64_t*>(static_cast<const void*>(operandsOf(warp) + kScratchBytes));
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
      const std::uint64_t pointer = pointers[std::countr_zero(rest)];
      const ObjectId object = store.aux != kNone ? store.aux : PackedPointer::object(pointer);
      if (object >= claimed_.size() || claimed_[object].empty()) { continue; }
      const auto element = static_cast<unsigned>(sizeInMemory(code_.program_.objects[object].element));
      const std::uint64_t offset = pointer - PackedPointer::pack(object, 0);
      const auto size = static_cast<unsigned>(sizeInMemory(store.type));
      if (offset >= views_[object].bytes) { continue; }
      for (std::uint64_t at = offset / element; at <= (offset + size - 1) / element; ++at) {
        if (at < claimed_[object].size()) { claimed_[object][at] = 1; }
      }
    }
  }

  void accessed(simt::MemoryAccess&) override {}
  void outOfBounds(simt::OutOfBounds&) override { context_.givesUp = 1; }
  bool takesCopy(std::uint32_t, ObjectId) override { return false; }
  void copyIssued(simt::MemoryAccess&) override {}

  const BlockCode& code_;
  Shared& shared_;
  Context context_;
  simt::StepContext step_;
  std::uint32_t lanes_, groups_;  ///< of a group; of a block
  Lines scratch_, frames_, local_, sharedMemory_;
  std::vector<std::byte*> data_;
  std::vector<simt::ObjectView> views_;
  std::vector<std::vector<std::uint8_t>> claimed_;  ///< by object, by element
  std::vector<std::uint8_t*> claims_;
  std::vector<std::int32_t> waits_;  ///< by group
  std::int64_t left_ = 0, granted_ = 0;
};

BlockCode::BlockCode(const Program& program, const machine::KernelShape& launch, simt::InstructionSet set)
    : program_(program),
      launch_(launch),
      code_(compileKernel(program, launch, set)),
      written_(writtenObjects(program)) {
  steps_.resize(program.code.size());
  constexpr auto kOperand = static_cast<simt::Operand>(kScratchBytes);
  for (const simt::DecodedStep& step : simt::decode(program, {.set = set}).steps) {
    simt::DecodedStep& own = steps_[step.instruction] = step;
    own.dst = 0;
    own.a = kOperand;
    own.b = 2 * kOperand;
    own.c = 3 * kOperand;
  }
  simt::SharedPlacement placement = simt::placeShared(program, launch.configuration.dynamicSharedBytes);
  sharedOffsets_ = std::move(placement.offsets);
  sharedBytes_ = placement.bytes;
}

CodeOutcome BlockCode::execute(const CodeLaunch& launch) const {
  Shared shared{.launch = launch, .blocks = launch_.configuration.grid.count()};
  const auto workers = static_cast<unsigned>(std::min<std::uint64_t>(launch.workers, shared.blocks));
  constexpr std::uint64_t kChunks = 16;
  shared.chunk = std::max<std::uint64_t>(1, shared.blocks / (workers * kChunks));
  std::vector<std::unique_ptr<Worker>> all;
  for (unsigned i = 0; i < workers; ++i) { all.push_back(std::make_unique<Worker>(*this, shared)); }
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < workers; ++i) {
      threads.emplace_back([&worker = *all[i]] { worker.work(); });
    }
    all.front()->work();
  }
  if (shared.outcome != CodeOutcome::Finished || !launch.claims) { return shared.outcome; }
  for (std::size_t object = 0; object < program_.objects.size(); ++object) {
    const std::size_t elements = all.front()->claimed()[object].size();
    for (std::size_t i = 0; i < elements; ++i) {
      unsigned owners = 0;
      for (const auto& worker : all) { owners += worker->claimed()[object][i]; }
      if (owners > 1) { return CodeOutcome::Conflict; }
    }
  }
  return CodeOutcome::Finished;
}

}  // namespace haloscope::codegen
