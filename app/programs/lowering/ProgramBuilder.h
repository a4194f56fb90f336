#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "program/Program.h"
#include "program/Shuffle.h"

namespace haloscope::lowering {

/// A scalar in a register. `type` may differ from the register's if the 32 or 64 bits have the same meaning: an int
/// used as unsigned costs no instruction.
struct Scalar {
  RegisterId reg = kNone;
  ValueType type = ValueType::I32;

  [[nodiscard]] bool valid() const { return reg != kNone; }
};

/// The scalars of a struct, in the order of its fields, nested ones flattened; a scalar is one part, void is none.
using Parts = std::vector<Scalar>;

/// Appends to a Program: registers, instructions, statements and the structure between them. It knows the IR's rules
/// (constants exist once, integer constants fold, targets are patched when a construct ends) and nothing of Clang.
/// Within a statement, an address or index that occurs twice is computed once, as by any compiler.
class ProgramBuilder {
 public:
  /// More instructions than any hand-written kernel has; inlining of nested calls can exceed any size.
  static constexpr std::size_t kMaxInstructions = 200'000;

  [[nodiscard]] Program& program() { return program_; }

  // Registers.
  [[nodiscard]] Scalar temporary(ValueType type);
  [[nodiscard]] Scalar constant(ValueType type, std::uint64_t bits);
  [[nodiscard]] Scalar builtin(Builtin builtin);
  [[nodiscard]] Scalar pointerTo(ObjectId object) {
    return constant(ValueType::Pointer, PackedPointer::pack(object, 0));
  }
  [[nodiscard]] VariableId variable(Variable description, ValueType type);

  [[nodiscard]] bool isConstant(Scalar value) const;
  [[nodiscard]] std::uint64_t bits(Scalar value) const { return program_.registers[value.reg].bits; }
  /// A register that is never written again, so that it need not be copied.
  [[nodiscard]] bool isImmutable(Scalar value) const;

  // Arithmetic. Operands of one instruction have one type; comparisons yield Bool.
  [[nodiscard]] Scalar unary(Opcode op, Scalar a, const SourceRange& range);
  [[nodiscard]] Scalar binary(Opcode op, Scalar a, Scalar b, const SourceRange& range);
  /// `asked`: the text has a cast.
  [[nodiscard]] Scalar convert(Scalar a, ValueType to, const SourceRange& range, bool asked = false);
  [[nodiscard]] Scalar toBool(Scalar a, const SourceRange& range);
  [[nodiscard]] Scalar select(Scalar condition, Scalar a, Scalar b, const SourceRange& range);
  [[nodiscard]] Scalar fma(Scalar a, Scalar b, Scalar c, const SourceRange& range);
  [[nodiscard]] Scalar math(MathFunction function, ValueType type, const Parts& arguments, const SourceRange& range);
  /// The same bits as another type of this size.
  [[nodiscard]] Scalar reinterpret(Scalar a, ValueType to, const SourceRange& range);
  // Within a warp. Masks are U32.
  [[nodiscard]] Scalar shuffle(ShuffleMode mode, Scalar value, Scalar lane, Scalar mask, const SourceRange& range);
  [[nodiscard]] Scalar vote(VoteKind kind, Scalar condition, Scalar mask, const SourceRange& range);
  [[nodiscard]] Scalar activeMask(const SourceRange& range);
  void warpBarrier(Scalar mask, const SourceRange& range);
  void fence(FenceScope scope, const SourceRange& range);
  void trap(const SourceRange& range);
  /// `text`: the condition's own.
  void assertThat(Scalar condition, std::string text, const SourceRange& range);
  /// A temporary with the current value of `a`, a variable that is about to change.
  [[nodiscard]] Scalar copy(Scalar a, const SourceRange& range);

  // Memory. `bytes` is the size of what the pointer points to.
  /// `extent`: that of the row in which the index should stay; 0: none.
  [[nodiscard]] Scalar offset(Scalar pointer, Scalar index, std::int64_t bytes, const SourceRange& range,
                              std::int64_t extent = 0);
  [[nodiscard]] Scalar mapShared(Scalar pointer, Scalar rank, const SourceRange& range);
  [[nodiscard]] Scalar mappedRank(Scalar pointer, const SourceRange& range);
  [[nodiscard]] Scalar difference(Scalar a, Scalar b, std::int64_t bytes, const SourceRange& range);
  [[nodiscard]] Scalar load(Scalar pointer, ValueType element, const SourceRange& range, VectorPart part = {},
                            bool isVolatile = false);
  void store(Scalar pointer, Scalar value, const SourceRange& range, VectorPart part = {}, bool isVolatile = false);
  /// A store to shared memory that takes effect when it is waited for.
  void storeLater(Scalar pointer, Scalar value, const SourceRange& range, VectorPart part = {});
  /// As load, of what an asynchronous copy moves to shared memory.
  [[nodiscard]] Scalar loadToCopy(Scalar pointer, ValueType element, const SourceRange& range, VectorPart part = {});
  /// `bulk`: of the bulk copies from shared memory, whose batches are their own.
  void copyCommit(std::optional<Scalar> barrier, const SourceRange& range, bool bulk = false);
  /// Until all but so many batches have arrived, U32.
  void copyWait(Scalar remaining, const SourceRange& range, bool bulk = false);
  /// `b` and `c` as MemoryBarrierAction says; the value of those that have one.
  Scalar memoryBarrier(MemoryBarrierAction action, Scalar barrier, std::optional<Scalar> b, std::optional<Scalar> c,
                       const SourceRange& range);
  /// `swapped`: what an AtomicCompareAndSwap stores if it finds `value`; the others have none.
  [[nodiscard]] Scalar atomic(Opcode op, Scalar pointer, Scalar value, std::optional<Scalar> swapped,
                              const SourceRange& range);
  /// Writes a variable (or a temporary that merges two branches) in the active lanes.
  void assign(RegisterId target, Scalar value, const SourceRange& range);

  // Structure.
  StatementId statement(StatementKind kind, std::uint32_t function, const SourceRange& range);
  /// After an inlined call: what follows belongs to the calling statement again.
  void resume(StatementId statement);
  struct IfBlock {
    std::uint32_t begin = kNone;
    std::uint32_t otherwise = kNone;
  };
  [[nodiscard]] IfBlock beginIf(Scalar condition, const SourceRange& range);
  void beginElse(IfBlock& block, const SourceRange& range);
  void endIf(const IfBlock& block, const SourceRange& range);

  struct LoopBlock {
    std::uint32_t begin = kNone;
    std::vector<std::uint32_t> tests;
  };
  /// `range` is the whole loop, `head` the place of its control instructions.
  [[nodiscard]] LoopBlock beginLoop(const SourceRange& range, const SourceRange& head);
  void loopTest(LoopBlock& block, Scalar condition, const SourceRange& range);
  void endLoop(const LoopBlock& block, const SourceRange& head);
  /// A loop that runs once: the target of `break` in a `switch`.
  [[nodiscard]] LoopBlock beginOnce(const SourceRange& head);
  void endOnce(const LoopBlock& block, const SourceRange& head);
  /// The Program::loops entry of a block.
  [[nodiscard]] LoopInfo& info(const LoopBlock& block);

  /// `vote`: what each thread says at it, a Bool; barrierVote() after it is what the block has said, as I32.
  void barrier(const SourceRange& range, BarrierKind kind = BarrierKind::Block, std::optional<Scalar> vote = {});
  [[nodiscard]] Scalar barrierVote(BarrierKind kind, const SourceRange& range);
  void call(std::uint32_t function, const SourceRange& range);
  void control(Opcode op, const SourceRange& range);  ///< Break, Continue, Return, EndCall, End

 private:
  std::uint32_t emit(Instruction instruction);
  Scalar emitValue(Instruction instruction, ValueType result);
  Scalar emitOnce(Instruction instruction, ValueType result);
  std::uint32_t emitControl(Instruction instruction);
  Scalar logicalWithConstant(Opcode op, Scalar constant, Scalar other);
  RegisterId addRegister(Register reg);
  RegisterId exact(Scalar value, const SourceRange& range);
  [[nodiscard]] std::uint32_t next() const { return static_cast<std::uint32_t>(program_.code.size()); }

  Program program_;
  std::map<std::pair<ValueType, std::uint64_t>, RegisterId> constants_;
  std::map<Builtin, RegisterId> builtins_;
  std::vector<std::uint32_t> openLoops_;  ///< indices into Program::loops
  /// Values already in a register, until control flow diverges: op, type, a, b, c, aux → the register.
  using Computation = std::tuple<Opcode, ValueType, RegisterId, RegisterId, RegisterId, std::uint32_t>;
  std::map<Computation, RegisterId> computed_;
};

}  // namespace haloscope::lowering
