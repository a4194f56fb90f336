#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "codegen/BlockContext.h"
#include "codegen/Constructs.h"
#include "codegen/Flow.h"
#include "codegen/Shapes.h"
#include "machine/KernelShape.h"
#include "program/Program.h"
#include "simt/Structure.h"

namespace haloscope::codegen {

/// Of vectors in memory.
inline constexpr std::size_t kVectorAlignment = 64;

/// What the processor can do, as far as the code depends on it.
struct Processor {
  bool fma = false;  ///< in one instruction
};

/// Writes a kernel as an LLVM function, a GroupFunction: lanes are elements of vectors, variables are values, and a
/// barrier returns to the caller.
///
/// Masks exist where control diverges, as in the emulator's RunningWarp: `active`, `gone` (lanes that have left a
/// construct that is not over), `returned` and `exited`, and for each divergent construct what is restored at its end.
class KernelBuilder {
 public:
  /// `warps`: of a group, see warpsTogether().
  KernelBuilder(const Program& program, const machine::KernelShape& launch, unsigned warps, const Processor& processor,
                llvm::Module& module);

  /// Builds the function, named "kernel".
  void build();

  [[nodiscard]] std::size_t frameBytes() const { return frameBytes_; }
  [[nodiscard]] std::size_t localBytes() const { return localBytes_; }

 private:
  /// A value at a place of the code: the base of an affine one, or all lanes.
  struct Val {
    llvm::Value* base = nullptr;
    /// Of an affine one whose index was extended to 64 bits: whether no lane has wrapped, so that it is base + lane.
    /// Null: it is.
    llvm::Value* ok = nullptr;
    std::function<llvm::Value*()> exact{};  ///< all lanes, whether `ok` or not
  };

  // Control: KernelBuilder.cpp.
  void prepare();
  void findLive();
  void emit(std::uint32_t at);
  void emitControl(std::uint32_t at);
  void emitLeave(std::uint32_t at);
  void emitBarrier(std::uint32_t at);
  void emitTrap(std::uint32_t at);
  [[nodiscard]] llvm::BasicBlock* blockAt(std::uint32_t at);
  void branchIfActive(std::uint32_t then, std::uint32_t otherwise);
  /// `bySome`: by the warps with active lanes; else by all.
  void chargeBudget(std::uint64_t cost, bool bySome);
  [[nodiscard]] llvm::Value* activeWarps();
  void saveOrRestore(std::uint32_t barrier, bool save);
  void giveUpIf(llvm::Value* condition);

  // Values: ValueCode.cpp.
  [[nodiscard]] llvm::Type* scalarType(ValueType type);
  [[nodiscard]] llvm::Type* typeOf(const Value& value);
  [[nodiscard]] ValueType typeOf(RegisterId reg) const { return program_.registers[reg].type; }
  [[nodiscard]] Val read(std::uint32_t at, RegisterId reg);
  [[nodiscard]] llvm::Value* readLanes(std::uint32_t at, RegisterId reg);
  [[nodiscard]] llvm::Value* lanesOf(const Val& value, const Shape& shape);
  [[nodiscard]] llvm::Value* laneConstant(const Lanes& lanes, llvm::Type* element);
  void write(std::uint32_t at, const Val& value);
  void prepareBuiltin(ValueId id);
  [[nodiscard]] bool reaches(std::uint32_t write, std::uint32_t read) const;
  [[nodiscard]] llvm::Value* splat(llvm::Value* scalar);
  [[nodiscard]] llvm::Value* maskOf(std::uint32_t at, RegisterId condition);
  [[nodiscard]] llvm::Value* bitsOf(llvm::Value* maskVector);
  [[nodiscard]] llvm::Value* vectorOf(llvm::Value* mask);
  [[nodiscard]] llvm::Value* active() { return load(active_, maskType()); }
  [[nodiscard]] llvm::IntegerType* maskType() { return ir_.getIntNTy(lanes_); }
  /// Whether some of a group's lanes may not be active at an instruction that is executed.
  [[nodiscard]] bool mayBePart(std::uint32_t at) const {
    return constructs_.divergence(at) != 0 || mayExit_ || !llvm::isa<llvm::Constant>(existing_);
  }
  [[nodiscard]] llvm::ConstantInt* noLanes() { return llvm::ConstantInt::get(maskType(), 0); }
  /// The first active lane's; of any if there is none.
  [[nodiscard]] llvm::Value* firstActive(llvm::Value* lanes);
  llvm::Value* load(llvm::Value* slot, llvm::Type* type) { return ir_.CreateLoad(type, slot); }

  // Arithmetic: ArithmeticCode.cpp. Null: the emulator's own function has to do it.
  [[nodiscard]] llvm::Value* arithmetic(std::uint32_t at, const std::function<llvm::Value*(RegisterId)>& operand);
  [[nodiscard]] llvm::Value* counted(ValueType type, llvm::Value* value);
  [[nodiscard]] llvm::Value* divided(std::uint32_t at, const std::function<llvm::Value*(RegisterId)>& operand);
  [[nodiscard]] llvm::Value* shifted(const Instruction& instruction, llvm::Value* a, llvm::Value* count);
  [[nodiscard]] llvm::Value* compared(const Instruction& instruction, llvm::Value* a, llvm::Value* b);
  [[nodiscard]] llvm::Value* converted(ValueType from, ValueType to, llvm::Value* a);
  void emitArithmetic(std::uint32_t at);
  void emitWidening(std::uint32_t at);
  void emitOffset(std::uint32_t at);
  [[nodiscard]] llvm::Value* staysWithin(llvm::Value* base, const Lanes& lanes, ValueType type);

  // Memory: MemoryCode.cpp.
  void emitAccess(std::uint32_t at);
  /// `value`: null, or what is stored.
  void emitAffineAccess(std::uint32_t at, const Val& pointer, const Shape& shape, llvm::Value* value);
  void emitLocalAccess(std::uint32_t at);
  void emitStep(std::uint32_t at);
  /// The step's result, of all lanes.
  [[nodiscard]] llvm::Value* callStep(std::uint32_t at);
  [[nodiscard]] llvm::Value* scratchOf(unsigned warp, unsigned operand);
  void storeOperand(unsigned operand, llvm::Value* lanes);
  /// One of the context's functions for an instruction.
  void call(std::size_t function, std::uint32_t at);
  struct Split {
    llvm::BasicBlock *fast = nullptr, *slow = nullptr;
  };
  [[nodiscard]] Split split(llvm::Value* fast);
  /// `mask`: null, or the lanes that may be accessed.
  [[nodiscard]] llvm::Value* loadFrom(llvm::Value* first, const Lanes& bytes, llvm::Type* element, ObjectId object,
                                      llvm::Value* mask);
  void storeTo(llvm::Value* first, const Lanes& bytes, llvm::Value* lanes, ObjectId object);
  [[nodiscard]] llvm::Type* elementType(ValueType type);
  [[nodiscard]] llvm::Value* fromElement(ValueType type, llvm::Value* element);
  [[nodiscard]] llvm::Value* toElement(ValueType type, llvm::Value* lane);
  void emitClaim(std::uint32_t at);
  template <class Access>
  Access* tag(Access* access, ObjectId object);
  [[nodiscard]] llvm::Value* indexOf(llvm::Value* offset, int size);

  [[nodiscard]] llvm::Value* contextField(std::size_t offset, llvm::Type* type);
  [[nodiscard]] llvm::Value* contextPointer(std::size_t offset);

  const Program& program_;
  const machine::KernelShape& launch_;
  const unsigned warps_;   ///< of a group
  const unsigned lanes_;   ///< of these
  const bool isOneGroup_;  ///< the whole block: a barrier is then nothing to wait for
  Processor processor_;
  llvm::Module& module_;
  llvm::IRBuilder<> ir_;
  simt::Structure structure_;
  Constructs constructs_;
  Flow flow_;
  Shapes shapes_;
  std::vector<bool> written_;  ///< objects

  llvm::Function* function_ = nullptr;
  llvm::Value *context_ = nullptr, *frame_ = nullptr, *group_ = nullptr, *existing_ = nullptr;
  llvm::Value *active_ = nullptr, *gone_ = nullptr, *returned_ = nullptr, *exited_ = nullptr;
  struct Slots {
    llvm::Value *entered = nullptr, *gone = nullptr, *other = nullptr;  ///< other: else lanes, continued, or returned
  };
  std::map<std::uint32_t, Slots> slots_;  ///< of divergent constructs, by opener
  std::vector<llvm::Value*> storage_;     ///< by value; null: it needs none
  std::vector<Val> builtins_;             ///< by register
  struct Cached {
    std::uint32_t write = kNone;
    Val value;
  };
  std::vector<Cached> cached_;  ///< by value
  std::vector<llvm::BasicBlock*> blocks_;
  std::vector<std::uint32_t> epoch_;        ///< by instruction: barriers before it
  std::vector<std::vector<bool>> live_;     ///< by barrier, by value: needed after it
  std::vector<std::uint32_t> barriers_;     ///< instructions
  std::vector<llvm::BasicBlock*> resumes_;  ///< by barrier
  std::vector<llvm::Value*> objectData_;    ///< by object
  std::vector<std::size_t> localOffsets_;   ///< by object: of a local one
  std::vector<llvm::MDNode*> scopes_, otherScopes_;
  std::map<ConstructId, std::uint64_t> cost_;  ///< instructions of a loop, or the kernel, without inner loops
  llvm::BasicBlock* givesUp_ = nullptr;
  std::size_t frameBytes_ = 0, localBytes_ = 0;
  bool mayExit_ = false, mayLeave_ = false, mayReturn_ = false;
};

/// Where a group's copies of local arrays are: element after element, of each all lanes.
[[nodiscard]] std::vector<std::size_t> localOffsets(const Program& program, unsigned warps, std::size_t& bytes);

}  // namespace haloscope::codegen
