#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "program/SourceLocation.h"

/// A lowered kernel: flat code over lane registers, in which every instruction keeps its place in the text.
///
/// The code is SIMT code. An instruction acts on the 32 lanes of a warp. Arithmetic writes *temporaries* for all
/// lanes, active or not (the temporary of an inactive lane is never read); only `Assign`, `Load`, `Store` and the
/// control instructions look at the active mask. Control flow is structured: `If/Else/EndIf` and `Loop…EndLoop` push
/// and pop masks, so lanes reconverge at the end of the construct that split them, as the text suggests.
namespace haloscope {

/// The type of a value in a lane register. Types narrower than 32 bits live in a 32-bit register as the value itself,
/// sign- or zero-extended; `Bool` is 0 or 1; `F16` is CUDA's __half, given by its 16 bits. `Pointer` is a packed object
/// id and byte offset, see `PackedPointer`.
enum class ValueType : std::uint8_t { Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, F32, F64, Pointer };

/// Bytes of one element of this type in memory, as CUDA lays it out.
[[nodiscard]] constexpr int sizeInMemory(ValueType type) {
  switch (type) {
    case ValueType::Bool:
    case ValueType::I8:
    case ValueType::U8:
      return 1;
    case ValueType::I16:
    case ValueType::U16:
    case ValueType::F16:
      return 2;
    case ValueType::I32:
    case ValueType::U32:
    case ValueType::F32:
      return 4;
    case ValueType::I64:
    case ValueType::U64:
    case ValueType::F64:
    case ValueType::Pointer:
      return 8;
  }
  return 0;
}

/// Bytes of one lane of a register of this type: 4 or 8.
[[nodiscard]] constexpr int sizeInRegister(ValueType type) { return sizeInMemory(type) == 8 ? 8 : 4; }

[[nodiscard]] constexpr bool isFloating(ValueType type) {
  return type == ValueType::F16 || type == ValueType::F32 || type == ValueType::F64;
}
[[nodiscard]] constexpr bool isSigned(ValueType type) {
  return type == ValueType::I8 || type == ValueType::I16 || type == ValueType::I32 || type == ValueType::I64;
}

using RegisterId = std::uint32_t;
using ObjectId = std::uint32_t;
using StatementId = std::uint32_t;
using VariableId = std::uint32_t;
inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

inline constexpr int kWarpSize = 32;
using LaneMask = std::uint32_t;
inline constexpr LaneMask kAllLanes = 0xffffffffU;

/// Where a memory object lives. `Local` is a thread's own array (`float a[4]` inside a kernel).
enum class MemorySpace : std::uint8_t { Global, Shared, Constant, Local };

/// A pointer value: object id in the upper 16 bits, byte offset biased by 2^47 below, so that an offset a little
/// before or after its object still names that object and the access can be reported as out of its bounds.
struct PackedPointer {
  static constexpr int kObjectShift = 48;
  static constexpr std::uint64_t kBias = std::uint64_t{1} << 47;
  static constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kObjectShift) - 1;
  /// nullptr: names no object, and compares unequal to every pointer that does.
  static constexpr std::uint64_t kNull = std::uint64_t{0xffff} << kObjectShift;

  [[nodiscard]] static constexpr std::uint64_t pack(ObjectId object, std::int64_t byteOffset) {
    return (std::uint64_t{object} << kObjectShift) + kBias + static_cast<std::uint64_t>(byteOffset);
  }
  [[nodiscard]] static constexpr ObjectId object(std::uint64_t pointer) {
    return static_cast<ObjectId>(pointer >> kObjectShift);
  }
  [[nodiscard]] static constexpr std::int64_t byteOffset(std::uint64_t pointer) {
    return static_cast<std::int64_t>(pointer & kOffsetMask) - static_cast<std::int64_t>(kBias);
  }
};

/// A scalar of a struct in memory.
struct StructMember {
  std::string name;  ///< ".position.y"
  ValueType type = ValueType::F32;
  std::int64_t byteOffset = 0;

  bool operator==(const StructMember&) const = default;
};

/// An array the kernel can address. One per pointer parameter, `__shared__` array, `__constant__` variable and local
/// array. `extents` are the declared ones, slowest first (`float a[4][8]` has {4, 8}; a scalar has {}); those of a
/// pointer parameter, and of `extern __shared__`, are empty: the launch gives them.
struct MemoryObject {
  std::string name;
  MemorySpace space = MemorySpace::Global;
  ValueType element = ValueType::F32;
  std::vector<std::int64_t> extents;
  SourceRange declared;
  bool readOnly = false;               ///< const-qualified pointee, or constant memory
  bool extentsAtLaunch = false;        ///< a pointer parameter or `extern __shared__`
  std::vector<std::uint64_t> initial;  ///< bits of initialisers of constant memory; empty when there are none
  std::uint32_t argument = kNone;      ///< of an array in a struct that the kernel takes by value: see Parameter
  std::int64_t argumentOffset = 0;
  /// Of an array of structs whose scalars have several types, one struct; its elements are unsigned words of the size
  /// of the smallest. Empty elsewhere.
  std::vector<StructMember> members{};
  std::int64_t structBytes = 0;
  bool tensorMap = false;  ///< a parameter that describes an array to tensor copies: see TensorMap
  bool ofText = false;     ///< a const array of the text with its values, and no variable of the device

  [[nodiscard]] std::int64_t elementCount() const {
    std::int64_t n = 1;
    for (const std::int64_t e : extents) { n *= e; }
    return n;
  }
  [[nodiscard]] std::int64_t byteCount() const { return elementCount() * sizeInMemory(element); }

  bool operator==(const MemoryObject&) const = default;
};

/// What a register is initialised with, and how it may be written.
enum class RegisterKind : std::uint8_t {
  Temporary,  ///< result of an expression; written unmasked, except by `Assign` where it merges two branches
  Variable,   ///< a named local variable or parameter; written by `Assign` (or `Load`) under the mask
  Constant,   ///< holds `bits` in every lane, never written
  Builtin,    ///< threadIdx.x and the like, never written
};

enum class Builtin : std::uint8_t {
  ThreadIdxX,
  ThreadIdxY,
  ThreadIdxZ,
  BlockIdxX,
  BlockIdxY,
  BlockIdxZ,
  BlockDimX,
  BlockDimY,
  BlockDimZ,
  GridDimX,
  GridDimY,
  GridDimZ,
  ClusterDimX,
  ClusterDimY,
  ClusterDimZ,
};

/// Built-ins come in vectors of three. Which component one is, 0 for x, and the x of its vector.
[[nodiscard]] constexpr std::size_t componentOf(Builtin builtin) { return static_cast<std::size_t>(builtin) % 3; }
[[nodiscard]] constexpr Builtin vectorOf(Builtin builtin) {
  return static_cast<Builtin>(static_cast<std::size_t>(builtin) - componentOf(builtin));
}

struct Register {
  ValueType type = ValueType::I32;
  RegisterKind kind = RegisterKind::Temporary;
  std::uint64_t bits = 0;                 ///< for a Constant: the value, in the low bytes
  Builtin builtin = Builtin::ThreadIdxX;  ///< for a Builtin

  bool operator==(const Register&) const = default;
};

/// A named variable of the text, kept in one register for the whole kernel.
struct Variable {
  std::string name;
  RegisterId reg = kNone;
  SourceRange declared;
  SourceRange scope;           ///< where the name is visible
  std::uint32_t function = 0;  ///< index into Program::functions of the (inlined) function it belongs to
  bool parameter = false;      ///< a parameter of the kernel itself

  bool operator==(const Variable&) const = default;
};

enum class Opcode : std::uint8_t {
  // dst = a op b. `type` is the operands' type; comparisons write a Bool. Integers wrap; a division by zero yields
  // all-one bits, as on the GPU.
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  And,
  Or,
  Xor,
  Shl,
  Shr,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Negate,
  BitNot,
  LogicalNot,         // dst = op a
  Convert,            // dst = a as `type`; the source type is that of register a. Rounds and wraps as C++ and CUDA do;
                      // aux is kConvertAsked if the text has a cast
  Reinterpret,        // dst = the bits of a, as `type`, which is as large: __float_as_int()
  Select,             // dst = a ? b : c
  Fma,                // dst = a * b + c, rounded once
  Math,               // dst = function(a[, b[, c]]); aux is a MathFunction
  Offset,             // dst = pointer a + (integer b) * aux bytes; c: the extent of the row it should stay in, or kNone
  PointerDifference,  // dst (I64) = (a - b) / aux bytes
  MapShared,          // dst = pointer a into shared memory, as the block with rank b in the cluster has it
  MappedRank,         // dst (U32) = the rank that pointer a was mapped to, kNone if it was not
  Assign,             // a variable: dst = a in active lanes only
  Load,   // dst = *pointer a in active lanes only; `type` is the element type; aux is the object, or kNone if unknown
  Store,  // *pointer a = b in active lanes; aux as for Load
  // Lane after lane: dst = *a, and *a is updated with b as the name says; aux as for Load.
  AtomicAdd,
  AtomicMin,
  AtomicMax,
  AtomicAnd,
  AtomicOr,
  AtomicXor,
  AtomicExchange,
  AtomicIncrement,       // *a >= b ? 0 : *a + 1
  AtomicDecrement,       // *a == 0 || *a > b ? b : *a - 1
  AtomicCompareAndSwap,  // *a == b ? c : *a
  // Between the active lanes of a warp that the mask in the last operand names.
  Shuffle,  // dst = a of another lane, given by b; c is the mask; aux a packed ShuffleMode. All bits are set if that
            // lane does not take part, or the width is none
  Vote,     // dst = a vote on the Bool a of these lanes; b is the mask; aux a VoteKind
  BarrierVote,  // dst = what the block has voted at the barrier just passed; aux is that one's BarrierKind
  // Structure. `target` is an index into Program::code.
  Statement,  // a statement begins, or continues after a call inlined in it; aux is the StatementId
  If,         // push the mask and keep lanes where a; if none is left, go to target (its Else or EndIf)
  Else,       // switch to the lanes that did not take the branch; if none, go to target (EndIf)
  EndIf,
  Loop,      // push the mask; aux is the index into Program::loops, kNone for a `switch`: its sections are in a loop
             // without LoopBack, which runs once, so that their `break` has a target
  LoopTest,  // drop lanes where not a; if none is left, go to target (EndLoop)
  LoopNext,  // lanes that executed `continue` rejoin here, before the increment
  LoopBack,  // go to target (the instruction after Loop) if a lane is left, else on to EndLoop
  EndLoop,   // pop the mask: all lanes that entered and did not return are active again
  Break,
  Continue,     // active lanes leave; the code after it runs with an empty mask, until the construct ends
  Return,       // active lanes leave the innermost Call frame, or, outside any, the kernel
  Call,         // an inlined device function begins; aux is the index into Program::functions
  EndCall,      // ... ends: lanes that returned from it are active again
  Barrier,      // __syncthreads(), or what else a BarrierKind names: aux, kNone for Block; a is the Bool voted on
  WarpBarrier,  // __syncwarp(a): makes earlier writes of the lanes in the mask visible to them
  // Asynchronous copies: see Instruction::async. Each lane has its own.
  CopyCommit,     // copies issued since the last commit are a batch; with a, those of the barrier at this pointer;
                  // without,
                  // and if it is bulk, the bulk copies to global memory, whose batches are their own
  CopyWait,       // all batches but the last a have arrived; if it is bulk, those of bulk copies to global memory
  MemoryBarrier,  // what a thread does with the barrier in shared memory at pointer a; aux is a MemoryBarrierAction
  Fence,          // __threadfence() and its like; aux is a FenceScope
  Trap,           // active lanes where not a, or all without a, end the launch: assert(a), where aux is the index into
                  // Program::assertions, or __trap()
  End,            // the last instruction
};

[[nodiscard]] constexpr bool isAtomic(Opcode op) {
  return op >= Opcode::AtomicAdd && op <= Opcode::AtomicCompareAndSwap;
}
[[nodiscard]] constexpr bool readsMemory(Opcode op) { return op == Opcode::Load || isAtomic(op); }
[[nodiscard]] constexpr bool writesMemory(Opcode op) { return op == Opcode::Store || isAtomic(op); }
[[nodiscard]] constexpr bool isAccess(Opcode op) { return op == Opcode::Load || writesMemory(op); }

/// A barrier in shared memory: PTX's mbarrier, and cuda::barrier. A phase of it ends when all its arrivals and all
/// bytes that it expects have come; then the next one begins.
enum class MemoryBarrierAction : std::uint8_t {
  Initialise,   ///< for b arrivals
  Invalidate,   ///< its memory is for other things
  Arrive,       ///< b arrivals, which expect c bytes of bulk copies; dst, a U64: the phase
  ArriveDrop,   ///< the same, and the following phases are for b arrivals less
  Expect,       ///< c bytes, without an arrival
  AskPhase,     ///< dst = whether the phase b, a U64 that Arrive has given, is over
  AskParity,    ///< dst = whether the phase with parity b is over
  AwaitPhase,   ///< AskPhase, until it is
  AwaitParity,  ///< AskParity, until it is
};
[[nodiscard]] constexpr bool isWait(MemoryBarrierAction action) { return action >= MemoryBarrierAction::AwaitPhase; }

enum class VoteKind : std::uint8_t {
  Any,
  All,
  Ballot,
  ActiveMask,  ///< has no operands
};

/// Whose accesses a Fence keeps in order.
enum class FenceScope : std::uint8_t {
  Block,       ///< __threadfence_block()
  Device,      ///< __threadfence(), __threadfence_system()
  AsyncProxy,  ///< fence.proxy.async: of the executing thread's accesses against those of bulk copies
};

/// What a Barrier brings together, and what it counts.
enum class BarrierKind : std::uint8_t {
  Block,          ///< __syncthreads()
  Count,          ///< __syncthreads_count(a): of how many threads a is true
  And,            ///< __syncthreads_and(a): of all
  Or,             ///< __syncthreads_or(a): of any
  Grid,           ///< grid.sync(): all blocks of the launch
  ClusterArrive,  ///< cluster.barrier_arrive(): does not wait
  ClusterWait,    ///< cluster.barrier_wait(): for all threads of the cluster to arrive
};

/// Instruction::aux of a Convert that is a cast in the text, not an implicit conversion.
inline constexpr std::uint32_t kConvertAsked = 1;

enum class MathFunction : std::uint8_t {
  Sqrt,
  Rsqrt,
  Abs,
  Min,
  Max,
  Pow,
  Exp,
  Exp2,
  Log,
  Log2,
  Log10,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Atan2,
  Sinh,
  Cosh,
  Tanh,
  Floor,
  Ceil,
  Trunc,
  Round,
  Rint,
  Fmod,
  Hypot,
  Cbrt,
  Copysign,
};

/// A GPU moves `float4` and its like in one access of a thread, here a Load or Store for each member: this is the one
/// with number `index`. The first stands for the access as a whole.
struct VectorPart {
  std::uint8_t index = 0;
  std::uint8_t bytes = 0;  ///< of the whole access; 0: it has no other part

  bool operator==(const VectorPart&) const = default;
};

/// A texture fetch, or a surface access, is one request to the texture unit, here the instructions that do its work:
/// they are not counted one by one.
enum class FetchPart : std::uint8_t {
  None,
  Begin,   ///< the first load, of what the object is: stands for the request
  Inside,  ///< finds the texels, or filters them; or reads the map of a tensor copy
  Texel,   ///< accesses one
};

struct Instruction {
  Opcode op = Opcode::End;
  ValueType type = ValueType::I32;
  VectorPart part{};    ///< of a Load or Store
  bool async = false;   ///< of a Store to shared memory, or a bulk one to global memory: what it writes arrives when
                        ///< a CopyWait covers its batch, or a thread waits for the MemoryBarrier that it was
                        ///< committed to
  bool ofCopy = false;  ///< of a Load: an asynchronous copy to shared memory reads it, which asks for sectors in its
                        ///< own way
  bool isVolatile = false;  ///< of a Load or Store
  bool mapped = false;      ///< of an access: through a pointer that may be that of another block, see MapShared
  FetchPart fetch = FetchPart::None;
  bool bulk = false;  ///< part of what a bulk copy does (TMA), which is one request to its own unit
  RegisterId dst = kNone;
  RegisterId a = kNone;
  RegisterId b = kNone;
  RegisterId c = kNone;
  std::uint32_t aux = kNone;
  std::uint32_t target = kNone;
  SourceRange range{};  ///< of the expression this computes: for a Load, the whole `in[i * N + j]`

  bool operator==(const Instruction&) const = default;
};

[[nodiscard]] constexpr BarrierKind barrierKind(const Instruction& barrier) {
  return barrier.aux == kNone ? BarrierKind::Block : static_cast<BarrierKind>(barrier.aux);
}

[[nodiscard]] constexpr MemoryBarrierAction memoryBarrierAction(const Instruction& instruction) {
  return static_cast<MemoryBarrierAction>(instruction.aux);
}

/// Bytes that a lane moves in the access that this is part of.
[[nodiscard]] constexpr int accessBytes(const Instruction& instruction) {
  return instruction.part.bytes != 0 ? instruction.part.bytes : sizeInMemory(instruction.type);
}

enum class StatementKind : std::uint8_t {
  Declaration,
  Expression,
  Condition,
  LoopInit,
  LoopCondition,
  LoopIncrement,
  Return,
  Break,
  Continue,
  Barrier,
  Switch,
};

/// A unit of stepping, as in a debugger. The condition of an `if` or a loop is a separate statement.
struct Statement {
  StatementKind kind = StatementKind::Expression;
  SourceRange range;
  std::uint32_t function = 0;
  std::uint32_t firstInstruction = 0;  ///< index of its Statement instruction

  bool operator==(const Statement&) const = default;
};

/// A loop of the text. `variable` is the one its init statement declares or its increment changes, if it is one.
struct LoopInfo {
  SourceRange range;
  VariableId variable = kNone;
  std::uint32_t depth = 0;  ///< 0: not inside another loop
  bool containsBarrier = false;

  bool operator==(const LoopInfo&) const = default;
};

/// The kernel (index 0) and each inlined call of a device function.
struct FunctionFrame {
  std::string name;
  SourceRange range;     ///< of the definition
  SourceRange calledAt;  ///< invalid for the kernel

  bool operator==(const FunctionFrame&) const = default;
};

/// A parameter of the kernel, in the order of the text. A struct that is passed by value has one for each of its
/// scalars, named `grid.nx`; its arrays are objects in constant memory, where CUDA, too, keeps kernel arguments.
struct Parameter {
  std::string name;
  ValueType type = ValueType::I32;  ///< the scalar's; Pointer for arrays
  VariableId variable = kNone;
  ObjectId object = kNone;  ///< for a pointer: the object that the launch binds
  SourceRange declared;
  std::uint32_t argument = 0;       ///< index in the text's list of the parameter that it is, or is part of
  std::int64_t argumentOffset = 0;  ///< its first byte in that one

  bool operator==(const Parameter&) const = default;
};

struct Program {
  std::string kernel;
  SourceRange kernelRange;
  std::vector<Instruction> code;
  std::vector<Register> registers;
  std::vector<MemoryObject> objects;
  std::vector<Variable> variables;
  std::vector<Parameter> parameters;
  std::vector<std::int64_t> argumentBytes;  ///< size of each parameter in the text's list
  std::uint64_t maxThreads = 0;             ///< of a block, by its __launch_bounds__; 0: it has none
  /// Blocks of a cluster along x, y and z, by its __cluster_dims__; zeros: it has none.
  std::array<std::uint32_t, 3> clusterDims{};
  std::vector<Statement> statements;
  std::vector<LoopInfo> loops;
  std::vector<FunctionFrame> functions;
  std::vector<std::string> assertions{};  ///< the conditions of its assertions, as the text has them

  /// Bytes of all statically sized shared arrays of one block.
  [[nodiscard]] std::int64_t sharedBytes() const;
  /// The object or parameter of this name, or kNone.
  [[nodiscard]] ObjectId findObject(const std::string& name) const;

  bool operator==(const Program&) const = default;
};

/// Whether anything but the barriers of a block orders its accesses: a fence, or a barrier of the grid. What one block
/// writes may then be there for another.
[[nodiscard]] bool ordersBlocks(const Program& program);
/// Whether the blocks of its launches run together, because they meet at a barrier of the grid.
[[nodiscard]] bool synchronisesGrid(const Program& program);

/// Whether it asks for clusters, synchronises one, or reaches the shared memory of its other blocks.
[[nodiscard]] bool usesClusters(const Program& program);
/// Whether it accesses the shared memory of other blocks of its cluster.
[[nodiscard]] bool accessesCluster(const Program& program);

/// By object: whether the program may write to it. A store through a pointer of unknown origin may write to each.
[[nodiscard]] std::vector<bool> writtenObjects(const Program& program);

/// Floating-point operations of one lane executing this: multiplications, additions and the like *as written*.
/// Negation, comparison, conversion and moves count as none; a fused multiply-add as two; a math function as one.
[[nodiscard]] int floatingOperations(const Instruction& instruction);

/// The statement that each instruction belongs to; kNone before the first. After an inlined call the rest of the
/// caller's statement belongs to the caller again.
[[nodiscard]] std::vector<StatementId> statementOfInstructions(const Program& program);

/// Whether a value of type `from` and its conversion to `to` can be shown as the same value: the conversion keeps all
/// values, or it is between floating-point types of different precision.
[[nodiscard]] bool keepsValue(ValueType from, ValueType to);

/// A readable listing of a program, one instruction a line; used by tests and by `haloscope lower`.
[[nodiscard]] std::string print(const Program& program);

[[nodiscard]] const char* name(Opcode op);
[[nodiscard]] const char* name(ValueType type);
/// As C++ writes it: "unsigned char"; "pointer" for any pointer.
[[nodiscard]] const char* cppName(ValueType type);
[[nodiscard]] const char* name(MemorySpace space);
[[nodiscard]] const char* name(MathFunction function);
[[nodiscard]] const char* name(VoteKind kind);
[[nodiscard]] const char* name(BarrierKind kind);
[[nodiscard]] const char* name(MemoryBarrierAction action);
[[nodiscard]] const char* name(Builtin builtin);

}  // namespace haloscope
