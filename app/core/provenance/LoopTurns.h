#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "program/Program.h"
#include "provenance/Interval.h"

namespace haloscope::provenance {

/// The integer registers that hold something across a branch or the end of a loop's turn. Most hold a part of an
/// expression from where it is computed to where it is used, or never change: for an analysis that keeps a state for
/// each branch, one value of those is enough, and its states are quickly copied and joined.
struct CarriedRegisters {
  explicit CarriedRegisters(const Program& program);

  std::vector<RegisterId> registers;  ///< by slot
  std::vector<std::uint32_t> slot;    ///< per register; kNone: it carries nothing
  std::vector<std::uint32_t> run;     ///< per instruction: which run of them, without a branch, it belongs to
};

/// What the operands of instructions were in a turn of a loop.
using OperandRanges = std::map<std::uint32_t, std::pair<Interval, Interval>>;  ///< by instruction

/// How often a loop goes round, and by how much each turn changes its variables: what each turn adds something to is
/// bounded by the number of turns.
class LoopTurns {
 public:
  using Held = std::function<Interval(RegisterId)>;

  /// `loop` and `back`: the places of its Loop and LoopBack. `before`: what a variable holds before the loop;
  /// `operands`: of the instructions in a turn of it.
  LoopTurns(const Program& program, std::uint32_t loop, std::uint32_t back, Held before, const OperandRanges& operands);

  /// What a variable that grew until its type ended it holds as any turn begins; nothing: that is not known.
  [[nodiscard]] std::optional<Interval> bounded(RegisterId reg) const;
  /// Whether a variable did.
  [[nodiscard]] static bool isUnbounded(const Register& reg, const Interval& now, const Interval& before);

 private:
  /// Writes to a variable in a loop, if each of them adds something to it.
  struct Updates {
    std::vector<std::uint32_t> sums;  ///< the Add or Sub instructions
    bool everyTurn = false;           ///< there is one, which no condition skips
    bool other = false;               ///< it is written in another way, too
  };

  [[nodiscard]] std::uint32_t computing(RegisterId reg, std::uint32_t reader) const;
  [[nodiscard]] std::uint32_t sumOf(std::uint32_t assign) const;
  [[nodiscard]] std::map<RegisterId, Updates> updatesIn() const;
  [[nodiscard]] Interval change(std::uint32_t sum) const;
  [[nodiscard]] bool isVariableSum(std::uint32_t sum, RegisterId variable) const;
  [[nodiscard]] std::int64_t turns() const;
  [[nodiscard]] std::int64_t turnsBy(std::uint32_t comparison) const;

  const Program& program_;
  const std::vector<Instruction>& code_;
  std::uint32_t loop_, back_;
  Held before_;
  const OperandRanges& operands_;
  std::map<RegisterId, Updates> updates_;
  std::int64_t turns_;
};

}  // namespace haloscope::provenance
