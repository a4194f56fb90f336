#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program/Program.h"
#include "recording/BlockState.h"
#include "recording/Recording.h"

namespace haloscope::recording {

/// Where the values of a log came from, as far as they were copied: the log holds the values, the program says which
/// instruction wrote them, and what a lane loaded in the same step, or took from another lane, says which element it
/// was.
class LogOrigins {
 public:
  struct Provenance {
    Origin origin{Origin::Kind::Computed, kNone, 0};
    Change::CopiedFrom copiedFrom = Change::CopiedFrom::None;
    std::uint32_t copiedId = kNone;
  };
  /// A value that a thread wrote.
  struct Value {
    std::uint32_t thread = 0;
    std::uint64_t bits = 0;
  };

  /// `state` is the block's, before what the current step writes.
  LogOrigins(const Program& program, const BlockState& state, std::uint32_t threads);

  /// A thread begins a step at a Statement instruction. It forgets what it loaded and exchanged in the step before,
  /// unless that one returned from a call to this one.
  void beginStep(std::uint32_t thread, std::uint32_t instruction);
  /// A thread has loaded a value of this origin from an array with an instruction.
  void load(std::uint32_t thread, std::uint32_t instruction, ObjectId object, const Origin& origin, std::uint64_t bits);
  /// With a Shuffle a thread has taken the value of another one, or its own.
  void shuffle(std::uint32_t thread, std::uint32_t instruction, std::uint32_t from);
  /// Where the value that an instruction left in its register came from.
  [[nodiscard]] Provenance written(const Value& value, std::uint32_t instruction) const {
    return written(value, instruction, 0);
  }
  /// Where the value of a register came from, as an instruction finds it.
  [[nodiscard]] Provenance source(const Value& value, RegisterId reg, std::uint32_t before) const {
    return source(value, reg, before, 0);
  }
  /// Where a value of this origin came from that is loaded from an array.
  [[nodiscard]] Provenance from(ObjectId object, const Origin& origin) const;
  /// The variable that a register holds, or kNone.
  [[nodiscard]] VariableId variableOf(RegisterId reg) const { return variableOf_[reg]; }

 private:
  struct Loaded {
    std::uint32_t instruction = 0;
    Provenance from;
    std::uint64_t bits = 0;
  };

  struct Taken {
    std::uint32_t instruction = 0;
    std::uint32_t from = 0;
  };
  /// Of a thread: the step it is in, and those whose calls returned to it.
  struct Recent {
    std::vector<std::uint32_t> units;  ///< where they begin, the first one first
    std::vector<Loaded> loaded;
    std::vector<Taken> taken;
  };

  // `way` counts the instructions that a value was followed through.
  [[nodiscard]] Provenance written(const Value& value, std::uint32_t index, int way) const;
  [[nodiscard]] Provenance source(const Value& value, RegisterId reg, std::uint32_t before, int way) const;
  /// The first instruction after the Statement instruction that an instruction comes after.
  [[nodiscard]] std::uint32_t unitOf(std::uint32_t instruction) const;
  /// Calls visit(i) for the instructions that a thread ran before an instruction of its step and that write a register,
  /// the latest first, until it returns true: those of this step, or if it has none, of the latest one that returned
  /// to it.
  template <typename Visit>
  void eachWriter(std::uint32_t thread, RegisterId reg, std::uint32_t before, Visit visit) const;
  /// Whether a register may have held the value: known of constants, variables and what was loaded.
  [[nodiscard]] std::optional<bool> holds(const Value& value, RegisterId reg, std::uint32_t before) const;
  /// Whether the thread has loaded the value with an instruction.
  [[nodiscard]] bool loads(const Value& value, std::uint32_t instruction) const;
  /// The thread whose value a thread has taken with a Shuffle; none if it has taken none.
  [[nodiscard]] std::optional<std::uint32_t> takenFrom(std::uint32_t thread, std::uint32_t instruction) const;

  const Program& program_;
  const BlockState& state_;
  std::vector<VariableId> variableOf_;  ///< per register
  std::vector<Recent> recent_;          ///< per thread
};

}  // namespace haloscope::recording
