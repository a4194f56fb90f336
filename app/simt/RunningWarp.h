#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simt/AsyncCopies.h"
#include "simt/BlockMemory.h"
#include "simt/DecodedProgram.h"
#include "simt/Warp.h"

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
      : frames_(decoded.depth + 1) {
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
    waiting = finished = false;
    active_ = existing_;
    exited_ = gone_ = returned_ = 0;
    depth_ = 0;
    copies.clear();
  }

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
  bool finished = false;
  AsyncCopies copies;

 private:
  struct Frame {
    LaneMask entered = 0;        ///< the mask when the construct began
    LaneMask gone = 0;           ///< gone_ then
    LaneMask elseLanes = 0;      ///< of an if
    LaneMask continued = 0;      ///< of a loop: lanes waiting for its next iteration
    LaneMask returned = 0;       ///< of a call: returned_ then
    std::uint32_t loop = kNone;  ///< of a loop: index into Program::loops
    std::uint64_t iterations = 0;
  };

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

  std::vector<Frame> frames_;
  std::uint32_t depth_ = 0;
  LaneMask gone_ = 0;
  LaneMask returned_ = 0;  ///< lanes that returned from the current inlined function
  std::byte* local_ = nullptr;
};

}  // namespace haloscope::simt
