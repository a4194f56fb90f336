#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/BlockContext.h"
#include "codegen/Constructs.h"
#include "machine/KernelShape.h"
#include "program/Program.h"
#include "simt/Structure.h"

namespace haloscope::codegen {

/// Something that is known for each lane of a group; 0 for the first one, and for those that are not there.
using Lanes = std::array<std::int64_t, kMostLanes>;

/// How the values of a group's lanes are related, for every group and every time: *affine* ones are a common base plus
/// something that is known for each lane.
struct Shape {
  enum class Kind : std::uint8_t { Unknown, Affine, Varying };
  Kind kind = Kind::Unknown;
  std::optional<std::uint64_t> base{};  ///< of an affine one, if it is known, too
  Lanes lane{};                         ///< of an affine one, modulo the register's width

  [[nodiscard]] bool affine() const { return kind == Kind::Affine; }
  [[nodiscard]] bool varying() const { return kind == Kind::Varying; }
  /// All lanes have the same value.
  [[nodiscard]] bool uniform() const { return affine() && lane == Lanes{}; }
  [[nodiscard]] bool known() const { return affine() && base.has_value(); }
  bool operator==(const Shape&) const = default;
};

/// A value of a program: a register or, since temporaries hold several values in turn, one of these.
using ValueId = std::uint32_t;

/// Where a value is used, and what its lanes have in common.
struct Value {
  RegisterId reg = kNone;
  Shape shape;
  std::vector<std::uint32_t> writes{}, reads{};  ///< instructions
  bool maskedWrites = false;                     ///< they are of active lanes only
  bool alwaysSet = false;                        ///< a write comes before each read
  /// A lane that is not active where it is written may be where it is read: others keep what they had.
  bool merges = false;
};

/// The values of a program and their shapes, for a launch in groups of some warps; marks the divergent constructs.
class Shapes {
 public:
  /// `group`: of this one alone.
  Shapes(const Program& program, const machine::KernelShape& launch, unsigned warps, Constructs& constructs,
         const simt::Structure& structure, std::optional<std::uint32_t> group = {});

  [[nodiscard]] const std::vector<Value>& values() const { return values_; }
  [[nodiscard]] const Value& operator[](ValueId id) const { return values_[id]; }
  /// What an instruction reads from, or writes to, a register.
  [[nodiscard]] ValueId readBy(std::uint32_t instruction, RegisterId reg) const;
  [[nodiscard]] ValueId writtenBy(std::uint32_t instruction) const { return written_[instruction]; }
  [[nodiscard]] const Shape& shapeRead(std::uint32_t instruction, RegisterId reg) const {
    return values_[readBy(instruction, reg)].shape;
  }

 private:
  void nameValues(const simt::Structure& structure);
  void begin();
  bool step();
  bool updateDivergence();
  void meet(ValueId id, const Shape& shape, bool& changed);
  [[nodiscard]] bool staysTogether(const Value& value) const;
  [[nodiscard]] Shape resultOf(std::uint32_t at) const;
  [[nodiscard]] Shape threadIndex(Builtin builtin) const;

  const Program& program_;
  const machine::KernelShape& launch_;
  int lanes_ = 0;
  std::optional<std::uint32_t> group_;
  Constructs& constructs_;
  const simt::Structure& structure_;
  std::vector<Value> values_;
  struct Use {
    std::uint32_t first = 0, last = 0;
    ValueId value = 0;
  };
  std::vector<std::vector<Use>> uses_;  ///< of temporaries, by register, in order
  std::vector<ValueId> written_;        ///< by instruction
};

}  // namespace haloscope::codegen
