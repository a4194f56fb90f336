#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <vector>

#include "faults/Finding.h"
#include "program/Program.h"
#include "simt/Observer.h"
#include "simt/Warp.h"

namespace haloscope::faults {

/// How often something happened at one instruction, and the values of its operands the first time: that of the lowest
/// block, and there of the first thread to come.
struct Occurrences {
  std::uint64_t occurrences = 0;
  std::uint64_t block = 0;  ///< linear
  std::uint64_t a = 0, b = 0;
  ThreadPlace thread;

  /// Counts the lanes of `seen` and keeps the registers' bits of the first of them. `b` may be kNone.
  void add(const simt::WarpContext& context, LaneMask seen, RegisterId regA, RegisterId regB) {
    if (seen == 0) { return; }
    if (occurrences == 0 || context.blockLinear < block) {
      const int lane = std::countr_zero(seen);
      block = context.blockLinear;
      a = context.state->bits(regA, lane);
      b = regB == kNone ? 0 : context.state->bits(regB, lane);
      thread = {context.block, context.state->threadIdx(lane)};
    }
    occurrences += static_cast<std::uint64_t>(std::popcount(seen));
  }
  void add(const Occurrences& other) {
    if (other.occurrences == 0) { return; }
    const std::uint64_t sum = occurrences + other.occurrences;
    if (occurrences == 0 || other.block < block) { *this = other; }
    occurrences = sum;
  }
};

/// Watches the values at a few instructions that the text made suspect.
class NumberObserver : public simt::Observer {
 public:
  [[nodiscard]] Wants wants() const final { return {.instructions = true}; }
  [[nodiscard]] bool follows(std::uint32_t instruction) const final { return suspect_[instruction]; }
  void instruction(const simt::WarpContext& context, std::uint32_t instruction) final {
    if (!suspect_[instruction]) { return; }
    LaneMask seen = 0;
    for (LaneMask rest = context.active; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (faulty(*context.state, program_.code[instruction], lane)) { seen |= LaneMask{1} << lane; }
    }
    const Instruction& code = program_.code[instruction];
    sightings_[instruction].add(context, seen, code.a, code.b);
  }
  void join(simt::Observer& worker) final {
    for (const auto& [instruction, sighting] : static_cast<NumberObserver&>(worker).sightings_) {
      sightings_[instruction].add(sighting);
    }
  }
  /// Whether there is anything to watch: a launch need not be observed otherwise.
  [[nodiscard]] bool needed() const {
    for (const bool suspect : suspect_) {
      if (suspect) { return true; }
    }
    return false;
  }

 protected:
  explicit NumberObserver(const Program& program) : program_(program), suspect_(program.code.size()) {}
  NumberObserver(const NumberObserver&) = default;
  /// Whether the instruction went wrong in this lane.
  [[nodiscard]] virtual bool faulty(const simt::Warp& warp, const Instruction& instruction, int lane) const = 0;

  const Program& program_;
  std::vector<bool> suspect_;  ///< per instruction
  std::map<std::uint32_t, Occurrences> sightings_;
};

}  // namespace haloscope::faults
