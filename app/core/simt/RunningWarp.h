#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "program/AsyncCopies.h"
#include "simt/BlockMemory.h"
#include "simt/DecodedProgram.h"
#include "simt/Warp.h"
#include "simt/WarpStrands.h"

namespace haloscope::simt {

/// A warp that can be stopped and resumed: its position in the program, its mask, and the stack of masks to restore.
///
/// Lanes leave the mask for four reasons: a branch not taken, break or continue, return from an inlined function, and
/// the end of the kernel. `gone_` holds lanes of the last three kinds, which stay out until the construct they left
/// ends, so that an EndIf does not restore them.
class RunningWarp final : public Warp {
 public:
  RunningWarp(const DecodedProgram& decoded, BlockMemory& memory, const LaunchConfiguration& configuration,
              std::uint32_t index)
      : memory_(memory), frames_(decoded.depth + 1) {
    program_ = decoded.program;
    layout_ = &decoded.layout;
    blockDim_ = &configuration.block;
    registers_ = {memory.warpRegisters(index), memory.sharedRegisters()};
    local_ = memory.local(index);
    index_ = index;
    const std::uint32_t before = index * kWarpSize;
    const std::uint32_t threads = std::min<std::uint32_t>(configuration.threadsPerBlock() - before, kWarpSize);
    existing_ = threads == kWarpSize ? kAllLanes : (LaneMask{1} << threads) - 1;
  }

  void restart() {
    node = 0;
    waiting = finished = spinning = atCluster = false;
    arrived = passed = 0;
    active_ = lanes_ = existing_;
    exited_ = gone_ = returned_ = 0;
    depth_ = 0;
    copies.clear();
    bulkStores.clear();
    strands_.clear();
    common_.clear();
  }

  // Lanes that go on independently of others of their warp.

  [[nodiscard]] bool isSplit() const { return !strands_.empty(); }
  /// At the end of an iteration: whether the loop waits for what others do. Nothing but memory has changed since the
  /// iteration before, or very many have passed.
  [[nodiscard]] bool spins();
  /// The lanes that spin stand by, so that other lanes can run: those that have left the loop, which `end` ends, or are
  /// in another branch. False if all lanes of the warp spin or wait.
  [[nodiscard]] bool yieldToLanes(std::uint32_t end);
  /// The running lanes have come to a place where they wait for the other ones of their warp. True if these are here
  /// too, or cannot come; else others run.
  [[nodiscard]] bool gather();
  /// The running lanes have ended: others run. False if there are none.
  [[nodiscard]] bool takeUpOthers();
  /// Keeps the registers that it shares with other warps, before these run, and puts them back.
  void standBy();
  void goOn();

  [[nodiscard]] const std::array<std::byte*, 2>& registers() const { return registers_; }
  [[nodiscard]] std::byte* local() const { return local_; }

  // The effects of the control instructions on the masks. Those that may leave no active lane return the mask.

  void pushIf(LaneMask condition) {
    push().elseLanes = active_ & ~condition;
    active_ &= condition;
  }
  void switchToElse() { active_ = top().elseLanes; }
  void popIf() { active_ = pop().entered & ~gone_; }

  void pushLoop(std::uint32_t loop) { push().loop = loop; }
  void leaveUnless(LaneMask condition) {
    gone_ |= active_ & ~condition;
    active_ &= condition;
  }
  [[nodiscard]] bool hasContinuedLanes() { return top().continued != 0; }
  void joinContinued() {
    Frame& frame = top();
    active_ |= frame.continued;
    gone_ &= ~frame.continued;
    frame.continued = 0;
  }
  void countIteration() { ++top().iterations; }
  void popLoop() {
    const Frame& frame = pop();
    gone_ = frame.gone | returned_ | exited_;
    active_ = frame.entered & ~gone_;
  }
  void breakLoop() {
    gone_ |= active_;
    active_ = 0;
  }
  /// `constructs` are open between here and the loop; none of them may restore the lanes when it ends.
  void continueLoop(std::uint32_t constructs) {
    const std::uint32_t loop = depth_ - 1 - constructs;
    for (std::uint32_t at = loop + 1; at < depth_; ++at) { frames_[at].gone |= active_; }
    frames_[loop].continued |= active_;
    breakLoop();
  }

  void pushCall() {
    Frame& frame = push();
    frame.returned = returned_;
    returned_ = 0;
  }
  void popCall() {
    const Frame& frame = pop();
    returned_ = frame.returned;
    gone_ = frame.gone;
    active_ = frame.entered;
  }
  void returnFromCall() {
    returned_ |= active_;
    breakLoop();
  }
  void exitKernel() {
    exited_ |= active_;
    breakLoop();
  }

  /// Of a warp at the end of a loop's turn: that loop, and its turns so far.
  [[nodiscard]] std::uint32_t innermostLoop() const { return frames_[depth_ - 1].loop; }
  [[nodiscard]] std::uint64_t turns() const { return frames_[depth_ - 1].iterations; }

  /// The enclosing loop with most iterations so far; kNone outside any.
  [[nodiscard]] std::uint32_t busiestLoop() const {
    std::uint32_t loop = kNone;
    std::uint64_t most = 0;
    for (std::uint32_t at = 0; at < depth_; ++at) {
      if (frames_[at].loop != kNone && frames_[at].iterations >= most) {
        loop = frames_[at].loop;
        most = frames_[at].iterations;
      }
    }
    return loop;
  }

  std::uint32_t node = 0;  ///< index into DecodedProgram::nodes of what runs next
  bool waiting = false;    ///< at a barrier
  bool spinning = false;   ///< in a loop, for what other warps do
  bool finished = false;
  // At the barrier of the cluster.
  bool atCluster = false;     ///< waits there
  std::uint32_t arrived = 0;  ///< see ClusterTime
  std::uint32_t passed = 0;
  AsyncCopies<MemoryAccess> copies;
  AsyncCopies<MemoryAccess> bulkStores{kBulkStores};  ///< bulk copies to global memory

 private:
  using Frame = MaskFrame;

  Frame& push() {
    Frame& frame = frames_[depth_++];
    frame.entered = active_;
    frame.gone = gone_;
    frame.continued = 0;
    frame.loop = kNone;
    frame.iterations = 0;
    return frame;
  }
  const Frame& pop() { return frames_[--depth_]; }
  Frame& top() { return frames_[depth_ - 1]; }

  [[nodiscard]] LanePosition position() const { return {node, lanes_, active_, gone_, returned_, depth_, frames_}; }
  void setPosition(const LanePosition& position);
  void push(LanePosition position, bool waits, bool spun);
  void take(std::size_t strand);

  BlockMemory& memory_;
  std::vector<Frame> frames_;
  std::uint32_t depth_ = 0;
  LaneMask lanes_ = 0;  ///< that go the way of the active ones; all of them, unless the warp is split
  LaneMask gone_ = 0;
  LaneMask returned_ = 0;  ///< lanes that returned from the current inlined function
  std::byte* local_ = nullptr;
  std::vector<Strand> strands_;       ///< the other ways
  std::vector<std::byte> common_;     ///< kept by standBy()
  std::vector<std::byte> variables_;  ///< in the iteration before, see spins()
  std::uint32_t variablesOf_ = 0;     ///< the depth of its loop
};

}  // namespace haloscope::simt
