#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string_view>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/Builtins.h>

#include "language/Text.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"
#include "program/Program.h"

// Calls of functions that CUDA or the compiler provides, without a body, recognised by their names: they are
// instructions.

namespace haloscope::lowering {

namespace {

using Entry = std::pair<std::string_view, MathFunction>;

/// By the name of the double version; float versions end in f.
constexpr auto kMathNames = std::to_array<Entry>({
    {"sqrt", MathFunction::Sqrt},   {"rsqrt", MathFunction::Rsqrt}, {"cbrt", MathFunction::Cbrt},
    {"abs", MathFunction::Abs},     {"labs", MathFunction::Abs},    {"llabs", MathFunction::Abs},
    {"fabs", MathFunction::Abs},    {"min", MathFunction::Min},     {"fmin", MathFunction::Min},
    {"max", MathFunction::Max},     {"fmax", MathFunction::Max},    {"pow", MathFunction::Pow},
    {"exp", MathFunction::Exp},     {"exp2", MathFunction::Exp2},   {"log", MathFunction::Log},
    {"log2", MathFunction::Log2},   {"log10", MathFunction::Log10}, {"sin", MathFunction::Sin},
    {"cos", MathFunction::Cos},     {"tan", MathFunction::Tan},     {"asin", MathFunction::Asin},
    {"acos", MathFunction::Acos},   {"atan", MathFunction::Atan},   {"atan2", MathFunction::Atan2},
    {"sinh", MathFunction::Sinh},   {"cosh", MathFunction::Cosh},   {"tanh", MathFunction::Tanh},
    {"floor", MathFunction::Floor}, {"ceil", MathFunction::Ceil},   {"trunc", MathFunction::Trunc},
    {"round", MathFunction::Round}, {"rint", MathFunction::Rint},   {"nearbyint", MathFunction::Rint},
    {"fmod", MathFunction::Fmod},   {"hypot", MathFunction::Hypot}, {"copysign", MathFunction::Copysign},
});

/// CUDA's fast and explicitly rounded versions: the emulator computes them all in full precision.
constexpr auto kIntrinsics = std::to_array<Entry>({
    {"__sinf", MathFunction::Sin},
    {"__cosf", MathFunction::Cos},
    {"__tanf", MathFunction::Tan},
    {"__expf", MathFunction::Exp},
    {"__logf", MathFunction::Log},
    {"__log2f", MathFunction::Log2},
    {"__log10f", MathFunction::Log10},
    {"__powf", MathFunction::Pow},
    {"__fsqrt_rn", MathFunction::Sqrt},
    {"__dsqrt_rn", MathFunction::Sqrt},
    {"__frsqrt_rn", MathFunction::Rsqrt},
});

template <typename Meaning, std::size_t n>
std::optional<Meaning> find(const std::array<std::pair<std::string_view, Meaning>, n>& table, std::string_view name) {
  for (const auto& [entry, meaning] : table) {
    if (entry == name) return meaning;
  }
  return std::nullopt;
}

/// The math function for a name used in kernels: sqrtf, sqrt, __fsqrt_rn and __builtin_sqrtf are all Sqrt.
std::optional<MathFunction> mathFunctionNamed(std::string_view name) {
  if (const auto intrinsic = find(kIntrinsics, name)) return intrinsic;
  constexpr std::string_view kBuiltinPrefix = "__builtin_";
  if (name.starts_with(kBuiltinPrefix)) name.remove_prefix(kBuiltinPrefix.size());
  if (const auto function = find(kMathNames, name)) return function;
  if (!name.ends_with('f')) return std::nullopt;
  name.remove_suffix(1);
  return find(kMathNames, name);
}

/// Whether a name is fmaf, fma or an equivalent intrinsic.
bool isFusedMultiplyAdd(std::string_view name) {
  constexpr auto kFused = std::to_array<std::string_view>(
      {"fma", "fmaf", "__fmaf_rn", "__fma_rn", "__builtin_fma", "__builtin_fmaf", "__hfma"});
  return std::ranges::find(kFused, name) != kFused.end();
}

/// The scope of an atomic, block or system, makes no difference here: there is no other reader.
std::optional<Opcode> atomicNamed(std::string_view name) {
  constexpr auto kNames = std::to_array<std::pair<std::string_view, Opcode>>({
      {"atomicAdd", Opcode::AtomicAdd},
      {"atomicMin", Opcode::AtomicMin},
      {"atomicMax", Opcode::AtomicMax},
      {"atomicAnd", Opcode::AtomicAnd},
      {"atomicOr", Opcode::AtomicOr},
      {"atomicXor", Opcode::AtomicXor},
      {"atomicExch", Opcode::AtomicExchange},
      {"atomicInc", Opcode::AtomicIncrement},
      {"atomicDec", Opcode::AtomicDecrement},
      {"atomicCAS", Opcode::AtomicCompareAndSwap},
  });
  for (const std::string_view scope : {"_block", "_system"}) {
    if (name.ends_with(scope)) name.remove_suffix(scope.size());
  }
  return find(kNames, name);
}

std::optional<ShuffleKind> shuffleNamed(std::string_view name) {
  constexpr auto kNames = std::to_array<std::pair<std::string_view, ShuffleKind>>({
      {"__shfl_sync", ShuffleKind::Index},
      {"__shfl_up_sync", ShuffleKind::Up},
      {"__shfl_down_sync", ShuffleKind::Down},
      {"__shfl_xor_sync", ShuffleKind::Xor},
  });
  return find(kNames, name);
}

std::optional<VoteKind> voteNamed(std::string_view name) {
  constexpr auto kNames = std::to_array<std::pair<std::string_view, VoteKind>>({
      {"__any_sync", VoteKind::Any},
      {"__all_sync", VoteKind::All},
      {"__ballot_sync", VoteKind::Ballot},
      {"__activemask", VoteKind::ActiveMask},
  });
  return find(kNames, name);
}

std::optional<FenceScope> fenceNamed(std::string_view name) {
  constexpr auto kNames = std::to_array<std::pair<std::string_view, FenceScope>>({
      {"__threadfence_block", FenceScope::Block},
      {"__threadfence", FenceScope::Device},
      {"__threadfence_system", FenceScope::Device},
  });
  return find(kNames, name);
}

constexpr std::array<const char*, 2> kClocks{"clock", "clock64"};

bool isClock(std::string_view name) { return std::ranges::find(kClocks, name) != kClocks.end(); }

/// A loop that waits for some microseconds ends soon.
constexpr std::uint64_t kTicksOfACall = 1000;

bool isReinterpretation(std::string_view name) {
  constexpr auto kNames =
      std::to_array<std::string_view>({"__float_as_int", "__float_as_uint", "__int_as_float", "__uint_as_float",
                                       "__double_as_longlong", "__longlong_as_double"});
  return std::ranges::find(kNames, name) != kNames.end();
}

std::optional<BarrierKind> barrierNamed(std::string_view name) {
  constexpr auto kNames = std::to_array<std::pair<std::string_view, BarrierKind>>({
      {"__syncthreads", BarrierKind::Block},
      {"__syncthreads_count", BarrierKind::Count},
      {"__syncthreads_and", BarrierKind::And},
      {"__syncthreads_or", BarrierKind::Or},
      {"haloscope_sync_grid", BarrierKind::Grid},
      {"__cluster_barrier_arrive", BarrierKind::ClusterArrive},
      {"__cluster_barrier_arrive_relaxed", BarrierKind::ClusterArrive},
      {"__cluster_barrier_wait", BarrierKind::ClusterWait},
  });
  return find(kNames, name);
}

}  // namespace

bool KernelLowering::isBarrierCall(const clang::Expr* expression) const {
  const auto* node = llvm::dyn_cast<clang::CallExpr>(expression->IgnoreParens());
  const clang::FunctionDecl* callee = node == nullptr ? nullptr : node->getDirectCallee();
  return callee != nullptr && !callee->hasBody() && barrierNamed(callee->getNameAsString());
}

KernelLowering::CallResult KernelLowering::knownFunction(const clang::CallExpr* expression,
                                                         const clang::FunctionDecl& callee) {
  const SourceRange where = range(expression);
  const std::string name = callee.getNameAsString();
  if (const auto kind = barrierNamed(name)) return barrier(expression, *kind);
  if (const auto op = atomicNamed(name)) {
    const Parts operands = scalarArguments(expression);
    const auto swapped = operands.size() > 2 ? std::optional(operands[2]) : std::nullopt;
    return {.values = {builder_.atomic(*op, operands.at(0), operands.at(1), swapped, where)}, .place = {}};
  }
  if (const auto kind = shuffleNamed(name)) return {.values = {shuffle(expression, *kind)}, .place = {}};
  if (const auto kind = voteNamed(name)) {
    if (*kind == VoteKind::ActiveMask) return {.values = {builder_.activeMask(where)}, .place = {}};
    const Parts operands = scalarArguments(expression);
    const Scalar condition = builder_.toBool(operands.at(1), where);
    return {.values = {builder_.vote(*kind, condition, operands.at(0), where)}, .place = {}};
  }
  if (const auto scope = fenceNamed(name)) {
    builder_.fence(*scope, where);
    return {};
  }
  if (name == "__syncwarp") {
    builder_.warpBarrier(scalar(expression->getArg(0)), where);
    return {};
  }
  if (const auto value = clusterFunction(expression, name)) return {.values = {*value}, .place = {}};
  if (assertion(expression, name) || copyFunction(expression, name)) return {};
  if (auto values = bulkFunction(expression, name)) return {.values = std::move(*values), .place = {}};
  if (auto texel = texelFunction(expression, name)) return {.values = std::move(*texel), .place = {}};
  if (name == "nan" || name == "nanf") {
    const bool single = name == "nanf";
    const auto& format = single ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble();
    return {.values = {constantFloat(single ? ValueType::F32 : ValueType::F64, llvm::APFloat::getNaN(format))},
            .place = {}};
  }
  if (clock_ && isClock(name)) {
    warn(expression, trf("{}() counts its calls here, not the cycles of a GPU: what it measures means nothing", name));
    const Scalar ticks = builder_.constant(ValueType::I64, kTicksOfACall);
    builder_.assign(clock_->reg, builder_.binary(Opcode::Add, *clock_, ticks, where), where);
    return {.values = {builder_.copy(*clock_, where)}, .place = {}};
  }
  if (isReinterpretation(name)) {
    const ValueType type = scalarType(expression->getType(), expression->getSourceRange());
    return {.values = {builder_.reinterpret(scalar(expression->getArg(0)), type, where)}, .place = {}};
  }
  if (name == "printf") {
    warn(expression, tr("printf prints nothing here: the call is ignored"));
    return {.values = {builder_.constant(ValueType::I32, 0)}, .place = {}};
  }
  if (isFusedMultiplyAdd(name)) {
    const Parts operands = scalarArguments(expression);
    return {.values = {builder_.fma(operands.at(0), operands.at(1), operands.at(2), where)}, .place = {}};
  }
  if (const auto function = mathFunctionNamed(name)) {
    return {.values = {mathFunction(expression, *function)}, .place = {}};
  }
  refuse(expression, llvm::isa<clang::CXXMethodDecl>(callee) ? callee.getQualifiedNameAsString() : name);
}

void KernelLowering::startClock(const SourceRange& where) {
  const auto isUsed = [&](const char* name) {
    const auto found = context_.getTranslationUnitDecl()->lookup(&context_.Idents.get(name));
    return std::ranges::any_of(found, [](const clang::NamedDecl* decl) { return decl->isReferenced(); });
  };
  if (std::ranges::none_of(kClocks, isUsed)) return;
  clock_ = builder_.temporary(ValueType::I64);
  builder_.assign(clock_->reg, builder_.constant(ValueType::I64, 0), where);
}

KernelLowering::CallResult KernelLowering::barrier(const clang::CallExpr* expression, BarrierKind kind) {
  const SourceRange where = range(expression);
  const bool votes = kind == BarrierKind::Count || kind == BarrierKind::And || kind == BarrierKind::Or;
  if (!votes) {
    builder_.barrier(where, kind);
    return {};
  }
  const Scalar vote = builder_.toBool(scalar(expression->getArg(0)), where);
  builder_.barrier(where, kind, vote);
  if (frame().statement != kNone) builder_.resume(frame().statement);
  return {.values = {builder_.barrierVote(kind, where)}, .place = {}};
}

bool KernelLowering::assertion(const clang::CallExpr* expression, const std::string& name) {
  const SourceRange where = range(expression);
  const auto textOf = [&](unsigned argument) -> std::string {
    const clang::Expr* given = expression->getArg(argument)->IgnoreParenImpCasts();
    const auto* literal = llvm::dyn_cast<clang::StringLiteral>(given);
    return literal != nullptr && literal->isOrdinary() ? literal->getString().str() : "false";
  };
  if (name == "haloscope_assert") {
    builder_.assertThat(scalar(expression->getArg(0)), textOf(1), where);
  } else if (name == "__assert_fail" || name == "__assertfail") {
    builder_.assertThat(builder_.constant(ValueType::Bool, 0), textOf(0), where);
  } else if (name == "__trap") {
    builder_.trap(where);
  } else {
    return false;
  }
  return true;
}

std::optional<Parts> KernelLowering::texelFunction(const clang::CallExpr* expression, const std::string& name) {
  if (name != "haloscope_texel" && name != "haloscope_set_texel") return std::nullopt;
  const bool reads = name == "haloscope_texel";
  const Place texel{.registers = {}, .pointer = scalar(expression->getArg(0))};
  Parts values;
  if (!reads) values = parts(expression->getArg(1));
  std::vector<Instruction>& code = builder_.program().code;
  const std::size_t first = code.size();
  if (reads) {
    values = read(texel, expression->getType(), expression);
  } else {
    write(texel, expression->getArg(1)->getType(), values, expression);
    values.clear();
  }
  for (std::size_t at = first; at < code.size(); ++at) {
    if (isAccess(code[at].op)) code[at].fetch = FetchPart::Texel;
  }
  return values;
}

Parts KernelLowering::scalarArguments(const clang::CallExpr* expression) {
  Parts values;
  for (unsigned i = 0; i < expression->getNumArgs(); ++i) {
    Scalar value = scalar(expression->getArg(i));
    for (unsigned later = i + 1; later < expression->getNumArgs(); ++later) {
      value = keep(value, expression->getArg(later));
    }
    values.push_back(value);
  }
  return values;
}

Scalar KernelLowering::shuffle(const clang::CallExpr* expression, ShuffleKind kind) {
  const Parts operands = scalarArguments(expression);
  const SourceRange where = range(expression);
  const Scalar width = operands.at(3);
  if (!builder_.isConstant(width)) {
    const auto number = [&](std::uint64_t value) { return builder_.constant(ValueType::U32, value); };
    const Scalar lane = builder_.binary(Opcode::And, builder_.convert(operands[2], ValueType::U32, where),
                                        number(kWarpSize - 1), where);
    const Scalar shifted = builder_.binary(Opcode::Shl, builder_.convert(width, ValueType::U32, where),
                                           number(ShuffleOperand::kWidthShift), where);
    const Scalar both = builder_.binary(Opcode::Or, lane, shifted, where);
    return builder_.shuffle({kind, ShuffleMode::kInOperand}, operands[1], both, operands[0], where);
  }
  const std::uint64_t lanes = builder_.bits(width);
  if (lanes > kWarpSize || !std::has_single_bit(lanes)) {
    throw LoweringError(range(expression->getArg(3)), tr("the width of a shuffle must be 1, 2, 4, 8, 16 or 32"));
  }
  return builder_.shuffle({kind, static_cast<int>(lanes)}, operands[1], operands[2], operands[0], where);
}

Scalar KernelLowering::mathFunction(const clang::CallExpr* expression, MathFunction function) {
  const SourceRange where = range(expression);
  const ValueType type = scalarType(expression->getType(), expression->getSourceRange());
  Parts arguments = scalarArguments(expression);
  // pow(float, int), min(int, unsigned): computed in the type of the result.
  for (Scalar& argument : arguments) { argument = builder_.convert(argument, type, where); }
  return builder_.math(function, type, arguments, where);
}

KernelLowering::CallResult KernelLowering::compilerBuiltin(const clang::CallExpr* expression,
                                                           const clang::FunctionDecl& callee) {
  switch (callee.getBuiltinID()) {
    case clang::Builtin::BI__builtin_assume:
    case clang::Builtin::BI__builtin_unreachable:
    case clang::Builtin::BI__builtin_prefetch:
      return {};
    case clang::Builtin::BI__builtin_trap:
      builder_.trap(range(expression));
      return {};
    case clang::Builtin::BI__builtin_expect:
    case clang::Builtin::BI__builtin_assume_aligned:
      return {.values = {scalar(expression->getArg(0))}, .place = {}};
    case clang::Builtin::BI__builtin_nontemporal_load:
      return {.values =
                  read({.registers = {}, .pointer = scalar(expression->getArg(0))}, expression->getType(), expression),
              .place = {}};
    case clang::Builtin::BI__builtin_nontemporal_store: {
      const clang::QualType type = expression->getArg(1)->getType()->getPointeeType();
      const Parts values = parts(expression->getArg(0));
      write({.registers = {}, .pointer = scalar(expression->getArg(1))}, type, values, expression);
      return {};
    }
    default:
      break;
  }
  clang::Expr::EvalResult result;
  if (expression->EvaluateAsRValue(result, context_) && !result.HasSideEffects) {
    if (result.Val.isInt()) {
      return {.values = {constantInteger(expression->getType(), result.Val.getInt(), expression->getSourceRange())},
              .place = {}};
    }
    if (result.Val.isFloat()) {
      const ValueType type = scalarType(expression->getType(), expression->getSourceRange());
      return {.values = {constantFloat(type, result.Val.getFloat())}, .place = {}};
    }
  }
  return knownFunction(expression, callee);
}

}  // namespace haloscope::lowering
