#include "program/Program.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "language/Text.h"
#include "program/AccessedObjects.h"

namespace haloscope {

namespace {

/// The name at an enumerator's position, or "?" for a value outside the enumeration.
template <typename Enum, std::size_t n>
const char* at(const std::array<const char*, n>& names, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < n ? names[index] : "?";
}

constexpr auto kOpcodes = std::to_array<const char*>({
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "And",
    "Or",
    "Xor",
    "Shl",
    "Shr",
    "Equal",
    "NotEqual",
    "Less",
    "LessEqual",
    "Greater",
    "GreaterEqual",
    "Negate",
    "BitNot",
    "LogicalNot",
    "Convert",
    "Reinterpret",
    "Select",
    "Fma",
    "Math",
    "Offset",
    "PointerDifference",
    "MapShared",
    "MappedRank",
    "Assign",
    "Load",
    "Store",
    "AtomicAdd",
    "AtomicMin",
    "AtomicMax",
    "AtomicAnd",
    "AtomicOr",
    "AtomicXor",
    "AtomicExchange",
    "AtomicIncrement",
    "AtomicDecrement",
    "AtomicCompareAndSwap",
    "Shuffle",
    "Vote",
    "BarrierVote",
    "Statement",
    "If",
    "Else",
    "EndIf",
    "Loop",
    "LoopTest",
    "LoopNext",
    "LoopBack",
    "EndLoop",
    "Break",
    "Continue",
    "Return",
    "Call",
    "EndCall",
    "Barrier",
    "WarpBarrier",
    "CopyCommit",
    "CopyWait",
    "MemoryBarrier",
    "Fence",
    "Trap",
    "End",
});
static_assert(kOpcodes.size() == static_cast<std::size_t>(Opcode::End) + 1);

constexpr auto kTypes = std::to_array<const char*>(
    {"Bool", "I8", "U8", "I16", "U16", "I32", "U32", "I64", "U64", "F16", "F32", "F64", "Pointer"});
static_assert(kTypes.size() == static_cast<std::size_t>(ValueType::Pointer) + 1);

constexpr auto kTypeNames = std::to_array<const char*>(
    {"bool", trMark("signed char"), "unsigned char", "short", "unsigned short", "int", "unsigned int", "long long",
     "unsigned long long", "half", "float", "double", trMark("pointer")});
static_assert(kTypeNames.size() == kTypes.size());

constexpr auto kSpaces = std::to_array<const char*>({"Global", "Shared", "Constant", "Local"});
static_assert(kSpaces.size() == static_cast<std::size_t>(MemorySpace::Local) + 1);

constexpr auto kMathFunctions = std::to_array<const char*>({
    "Sqrt",  "Rsqrt", "Abs",  "Min",   "Max",   "Pow",  "Exp",  "Exp2",  "Log",  "Log2",
    "Log10", "Sin",   "Cos",  "Tan",   "Asin",  "Acos", "Atan", "Atan2", "Sinh", "Cosh",
    "Tanh",  "Floor", "Ceil", "Trunc", "Round", "Rint", "Fmod", "Hypot", "Cbrt", "Copysign",
});
static_assert(kMathFunctions.size() == static_cast<std::size_t>(MathFunction::Copysign) + 1);

constexpr auto kVotes = std::to_array<const char*>({"Any", "All", "Ballot", "ActiveMask"});
static_assert(kVotes.size() == static_cast<std::size_t>(VoteKind::ActiveMask) + 1);

constexpr auto kBarriers =
    std::to_array<const char*>({"Block", "Count", "And", "Or", "Grid", "ClusterArrive", "ClusterWait"});
static_assert(kBarriers.size() == static_cast<std::size_t>(BarrierKind::ClusterWait) + 1);

constexpr auto kMemoryBarrierActions =
    std::to_array<const char*>({"Initialise", "Invalidate", "Arrive", "ArriveDrop", "Expect", "AskPhase", "AskParity",
                                "AwaitPhase", "AwaitParity"});
static_assert(kMemoryBarrierActions.size() == static_cast<std::size_t>(MemoryBarrierAction::AwaitParity) + 1);

constexpr auto kBuiltins = std::to_array<const char*>({
    "threadIdx.x",
    "threadIdx.y",
    "threadIdx.z",
    "blockIdx.x",
    "blockIdx.y",
    "blockIdx.z",
    "blockDim.x",
    "blockDim.y",
    "blockDim.z",
    "gridDim.x",
    "gridDim.y",
    "gridDim.z",
    "clusterDim.x",
    "clusterDim.y",
    "clusterDim.z",
});
static_assert(kBuiltins.size() == static_cast<std::size_t>(Builtin::ClusterDimZ) + 1);

}  // namespace

const char* name(Opcode op) { return at(kOpcodes, op); }
const char* name(ValueType type) { return at(kTypes, type); }
const char* cppName(ValueType type) { return tr(at(kTypeNames, type)); }
const char* name(MemorySpace space) { return at(kSpaces, space); }
const char* name(MathFunction function) { return at(kMathFunctions, function); }
const char* name(VoteKind kind) { return at(kVotes, kind); }
const char* name(BarrierKind kind) { return at(kBarriers, kind); }
const char* name(MemoryBarrierAction action) { return at(kMemoryBarrierActions, action); }
const char* name(Builtin builtin) { return at(kBuiltins, builtin); }

std::int64_t Program::sharedBytes() const {
  std::int64_t bytes = 0;
  for (const MemoryObject& object : objects) {
    if (object.space == MemorySpace::Shared && !object.extentsAtLaunch) bytes += object.byteCount();
  }
  return bytes;
}

ObjectId Program::findObject(const std::string& wanted) const {
  const auto found = std::ranges::find_if(objects, [&](const MemoryObject& object) { return object.name == wanted; });
  return found == objects.end() ? kNone : static_cast<ObjectId>(found - objects.begin());
}

bool keepsValue(ValueType from, ValueType to) {
  if (from == to || (isFloating(from) && isFloating(to))) { return true; }
  if (from == ValueType::Pointer || to == ValueType::Pointer || isFloating(from)) { return false; }
  const int bits = 8 * sizeInMemory(from);
  if (isFloating(to)) { return bits < (to == ValueType::F16 ? 11 : to == ValueType::F32 ? 24 : 53); }
  return sizeInMemory(to) > sizeInMemory(from) && (isSigned(to) || !isSigned(from));
}

bool synchronisesGrid(const Program& program) {
  return std::ranges::any_of(program.code, [](const Instruction& instruction) {
    return instruction.op == Opcode::Barrier && barrierKind(instruction) == BarrierKind::Grid;
  });
}

bool accessesCluster(const Program& program) {
  return std::ranges::any_of(program.code,
                             [](const Instruction& instruction) { return instruction.op == Opcode::MapShared; });
}

bool usesClusters(const Program& program) {
  const auto meets = [](const Instruction& instruction) {
    return instruction.op == Opcode::Barrier && (barrierKind(instruction) == BarrierKind::ClusterArrive ||
                                                 barrierKind(instruction) == BarrierKind::ClusterWait);
  };
  return program.clusterDims[0] != 0 || accessesCluster(program) || std::ranges::any_of(program.code, meets);
}

bool ordersBlocks(const Program& program) {
  const auto isFence = [](const Instruction& instruction) {
    return instruction.op == Opcode::Fence && static_cast<FenceScope>(instruction.aux) != FenceScope::AsyncProxy;
  };
  return synchronisesGrid(program) || std::ranges::any_of(program.code, isFence);
}

std::vector<bool> writtenObjects(const Program& program) { return accessedObjects(program, {.kind = writesMemory}); }

int floatingOperations(const Instruction& instruction) {
  if (!isFloating(instruction.type) || instruction.fetch != FetchPart::None) return 0;
  switch (instruction.op) {
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Div:
    case Opcode::Math:
    case Opcode::AtomicAdd:
      return 1;
    case Opcode::Fma:
      return 2;
    default:
      return 0;
  }
}

std::vector<StatementId> statementOfInstructions(const Program& program) {
  std::vector<StatementId> statements;
  std::vector<StatementId> callers;
  StatementId current = kNone;
  for (const Instruction& instruction : program.code) {
    if (instruction.op == Opcode::Statement) { current = instruction.aux; }
    if (instruction.op == Opcode::Call) { callers.push_back(current); }
    if (instruction.op == Opcode::EndCall && !callers.empty()) {
      current = callers.back();
      callers.pop_back();
    }
    statements.push_back(current);
  }
  return statements;
}

}  // namespace haloscope
