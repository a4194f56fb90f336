#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "program/Half.h"
#include "program/Program.h"
#include "simt/DecodedStep.h"
#include "simt/InstructionSet.h"

/// Building blocks of the lane operations: the C++ type of a lane, vectorisable loops over 32 lanes, and the dispatch
/// to an instruction set.
namespace haloscope::simt {

#define HALOSCOPE_INLINE [[gnu::always_inline]] inline

// NOLINTBEGIN(bugprone-macro-parentheses): a declared name cannot be parenthesised.
// Operands are identical or disjoint registers and never overlap partially, so no lane depends on another.
#if defined(__clang__)
#define HALOSCOPE_UNROLLED _Pragma("clang loop unroll_count(8)")
#define HALOSCOPE_LANES(lane) \
  _Pragma("clang loop vectorize(assume_safety)") for (int lane = 0; lane < kWarpSize; ++lane)
#else
#define HALOSCOPE_UNROLLED _Pragma("GCC unroll 8")
#define HALOSCOPE_LANES(lane) _Pragma("GCC ivdep") for (int lane = 0; lane < kWarpSize; ++lane)
#endif
// NOLINTEND(bugprone-macro-parentheses)

template <class Operation>
void runBaseline(const DecodedStep& step, StepContext& context) {
  Operation::run(step, context);
}

#if defined(__x86_64__)
#define HALOSCOPE_AVX2 __attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt")))
#if defined(__clang__)
#define HALOSCOPE_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,bmi,bmi2,lzcnt,popcnt")))
#else
#define HALOSCOPE_AVX512 \
  __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,bmi,bmi2,lzcnt,popcnt,prefer-vector-width=512")))
#endif

template <class Operation>
HALOSCOPE_AVX2 void runAvx2(const DecodedStep& step, StepContext& context) {
  Operation::run(step, context);
}
template <class Operation>
HALOSCOPE_AVX512 void runAvx512(const DecodedStep& step, StepContext& context) {
  Operation::run(step, context);
}
#endif

/// `Operation::run`, an always-inline function, compiled for the instruction set.
template <class Operation>
[[nodiscard]] StepFunction pick([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::Avx512) { return &runAvx512<Operation>; }
  if (set == InstructionSet::Avx2) { return &runAvx2<Operation>; }
#endif
  return &runBaseline<Operation>;
}

/// The C++ type of one lane of a register. A half is kept as the float of the same value.
template <ValueType type>
using Lane = std::conditional_t<
    type == ValueType::F32 || type == ValueType::F16, float,
    std::conditional_t<
        type == ValueType::F64, double,
        std::conditional_t<sizeInRegister(type) == 8, std::conditional_t<isSigned(type), std::int64_t, std::uint64_t>,
                           std::conditional_t<isSigned(type), std::int32_t, std::uint32_t>>>>;

/// The unsigned integer of the same width, whose arithmetic wraps without undefined behaviour.
template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// A 32-bit result in the register format of a narrower type: sign- or zero-extended, or rounded. Wider types pass.
template <ValueType type>
HALOSCOPE_INLINE Lane<type> normalised(Lane<type> value) {
  if constexpr (type == ValueType::Bool) {
    return value != 0 ? 1U : 0U;
  } else if constexpr (type == ValueType::I8) {
    return static_cast<std::int8_t>(value);
  } else if constexpr (type == ValueType::U8) {
    return value & 0xffU;
  } else if constexpr (type == ValueType::I16) {
    return static_cast<std::int16_t>(value);
  } else if constexpr (type == ValueType::U16) {
    return value & 0xffffU;
  } else if constexpr (type == ValueType::F16) {
    return roundedToHalf(value);
  } else {
    return value;
  }
}

/// The mask with only this lane's bit. A table lookup vectorises on every machine; variable shifts do not.
template <class Word>
inline constexpr std::array<Word, kWarpSize> kLaneBits = [] {
  std::array<Word, kWarpSize> bits{};
  for (int lane = 0; lane < kWarpSize; ++lane) { bits[lane] = static_cast<Word>(Word{1} << lane); }
  return bits;
}();
template <class Word>
HALOSCOPE_INLINE Word laneBit(int lane) {
  return kLaneBits<Word>[lane];
}

/// Calls `make` with the value type as a template argument.
template <class Make>
auto forType(ValueType type, const Make& make) {
  switch (type) {
    case ValueType::Bool:
      return make.template operator()<ValueType::Bool>();
    case ValueType::I8:
      return make.template operator()<ValueType::I8>();
    case ValueType::U8:
      return make.template operator()<ValueType::U8>();
    case ValueType::I16:
      return make.template operator()<ValueType::I16>();
    case ValueType::U16:
      return make.template operator()<ValueType::U16>();
    case ValueType::I32:
      return make.template operator()<ValueType::I32>();
    case ValueType::U32:
      return make.template operator()<ValueType::U32>();
    case ValueType::I64:
      return make.template operator()<ValueType::I64>();
    case ValueType::U64:
      return make.template operator()<ValueType::U64>();
    case ValueType::F16:
      return make.template operator()<ValueType::F16>();
    case ValueType::F32:
      return make.template operator()<ValueType::F32>();
    case ValueType::F64:
      return make.template operator()<ValueType::F64>();
    case ValueType::Pointer:
      break;
  }
  return make.template operator()<ValueType::Pointer>();
}

}  // namespace haloscope::simt
