#pragma once

#include <cstdint>
#include <vector>

#include "program/Program.h"

namespace haloscope::simt {

/// How the constructs of a program nest: what the control instructions of a flat program leave to the reader.
///
/// A Loop without a LoopBack runs once; Break leaves it, Continue passes it by (it is what a `switch` becomes).
class Structure {
 public:
  /// Throws std::logic_error if constructs do not nest.
  explicit Structure(const Program& program);

  /// The instruction where lanes meet again that leave the construct around this one: where to go on when the mask
  /// becomes empty here.
  [[nodiscard]] std::uint32_t join(std::uint32_t instruction) const { return joins_[instruction]; }
  /// Of a Continue: constructs that are open between it and its loop and have a mask on the stack.
  [[nodiscard]] std::uint32_t constructsToLoop(std::uint32_t instruction) const { return toLoop_[instruction]; }
  /// Whether the instruction is inside an inlined call.
  [[nodiscard]] bool insideCall(std::uint32_t instruction) const { return insideCall_[instruction]; }
  /// Whether every lane that executes instruction `later` has, on its way there, executed `earlier` before; for two
  /// instructions in the order of the text. (What lanes do that skip a construct's rest is part of the answer.)
  [[nodiscard]] bool dominates(std::uint32_t earlier, std::uint32_t later) const {
    return encloses(region_[earlier], region_[later]);
  }
  /// A region in which all lanes that execute one of the instructions execute the later ones, too, unless they leave
  /// it; regions nest.
  [[nodiscard]] std::uint32_t region(std::uint32_t instruction) const { return region_[instruction]; }
  [[nodiscard]] bool encloses(std::uint32_t outer, std::uint32_t inner) const;
  /// The smallest region around both.
  [[nodiscard]] std::uint32_t commonRegion(std::uint32_t a, std::uint32_t b) const;
  /// Loop and EndLoop of all loops that go back, inner ones before those around them.
  struct LoopExtent {
    std::uint32_t begin;
    std::uint32_t end;
  };
  [[nodiscard]] const std::vector<LoopExtent>& loops() const { return loops_; }
  /// Constructs that can be open at a time.
  [[nodiscard]] std::uint32_t depth() const { return depth_; }

 private:
  void findEnds(const Program& program);
  void findJoins(const Program& program);
  void findRegions(const Program& program);

  // Per Loop, Call: where lanes that leave its body early meet again, and, later in a loop, its LoopBack.
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> back_;
  std::vector<std::uint32_t> joins_;
  std::vector<std::uint32_t> toLoop_;
  std::vector<bool> insideCall_;
  std::vector<std::uint32_t> region_;        ///< per instruction
  std::vector<std::uint32_t> regionAround_;  ///< per region; kNone for the kernel's
  std::vector<LoopExtent> loops_;
  std::uint32_t depth_ = 0;
};

}  // namespace haloscope::simt
