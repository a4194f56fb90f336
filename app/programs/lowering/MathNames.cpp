#include "lowering/MathNames.h"

#include <algorithm>
#include <array>
#include <utility>

namespace haloscope::lowering {

namespace {

using Entry = std::pair<std::string_view, MathFunction>;

/// By the name of the double version; float versions end in f.
constexpr auto kNames = std::to_array<Entry>({
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

std::optional<MathFunction> find(const auto& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Entry::first);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::optional<MathFunction> mathFunctionNamed(std::string_view name) {
  if (const auto intrinsic = find(kIntrinsics, name)) return intrinsic;
  constexpr std::string_view kBuiltinPrefix = "__builtin_";
  if (name.starts_with(kBuiltinPrefix)) name.remove_prefix(kBuiltinPrefix.size());
  if (const auto function = find(kNames, name)) return function;
  if (!name.ends_with('f')) return std::nullopt;
  name.remove_suffix(1);
  return find(kNames, name);
}

bool isFusedMultiplyAdd(std::string_view name) {
  constexpr auto kFused = std::to_array<std::string_view>(
      {"fma", "fmaf", "__fmaf_rn", "__fma_rn", "__builtin_fma", "__builtin_fmaf", "__hfma"});
  return std::ranges::find(kFused, name) != kFused.end();
}

}  // namespace haloscope::lowering
