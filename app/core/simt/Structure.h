#pragma once

#include <cstdint>
#include <vector>

#include "program/Program.h"

namespace haloscope::simt {

/// The nesting of a program's constructs, which its flat control instructions leave implicit.
///
/// A Loop without a LoopBack runs once; Break leaves it, Continue applies to an outer loop (the lowering of `switch`).
class Structure {
 public:
  /// Throws std::logic_error if constructs do not nest.
  explicit Structure(const Program& program);

  /// The instruction at which lanes that leave the enclosing construct reconverge: the next one if the mask becomes
  /// empty here.
  [[nodiscard]] std::uint32_t join(std::uint32_t instruction) const { return joins_[instruction]; }
  /// Of a Continue: constructs that are open between it and its loop and have a mask on the stack.
  [[nodiscard]] std::uint32_t constructsToLoop(std::uint32_t instruction) const { return toLoop_[instruction]; }
  /// Whether the instruction is inside an inlined call.
  [[nodiscard]] bool insideCall(std::uint32_t instruction) const { return insideCall_[instruction]; }
  /// Whether every lane that executes instruction `later` has executed `earlier` before; for two instructions in
  /// program order. Takes into account lanes that skip the rest of a construct.
  [[nodiscard]] bool dominates(std::uint32_t earlier, std::uint32_t later) const {
    return encloses(region_[earlier], region_[later]);
  }
  /// A region in which all lanes that execute an instruction also execute the later ones, unless they leave the region.
  /// Regions nest.
  [[nodiscard]] std::uint32_t region(std::uint32_t instruction) const { return region_[instruction]; }
  [[nodiscard]] bool encloses(std::uint32_t outer, std::uint32_t inner) const;
  /// The smallest region that contains both.
  [[nodiscard]] std::uint32_t commonRegion(std::uint32_t a, std::uint32_t b) const;
  /// Loop and EndLoop of all loops with a LoopBack, inner before outer.
  struct LoopExtent {
    std::uint32_t begin;
    std::uint32_t end;
  };
  [[nodiscard]] const std::vector<LoopExtent>& loops() const { return loops_; }
  /// Maximum nesting depth.
  [[nodiscard]] std::uint32_t depth() const { return depth_; }

 private:
  void findEnds(const Program& program);
  void findJoins(const Program& program);
  void findRegions(const Program& program);

  // Per Loop, Call: where lanes that leave its body early reconverge; for a loop also its LoopBack.
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
