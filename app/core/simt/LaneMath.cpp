#include <cmath>
#include <stdexcept>
#include <string>

#include "language/Text.h"
#include "simt/LaneOperations.h"

namespace haloscope::simt {
namespace {

// Functions of a few machine instructions: all lanes at once.

struct SqrtLanes {
  HALOSCOPE_INLINE static float apply(float a) { return __builtin_sqrtf(a); }
  HALOSCOPE_INLINE static double apply(double a) { return __builtin_sqrt(a); }
};
struct RsqrtLanes {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a) {
    return T{1} / SqrtLanes::apply(a);
  }
};
struct FloorLanes {
  HALOSCOPE_INLINE static float apply(float a) { return __builtin_floorf(a); }
  HALOSCOPE_INLINE static double apply(double a) { return __builtin_floor(a); }
};
struct CeilLanes {
  HALOSCOPE_INLINE static float apply(float a) { return __builtin_ceilf(a); }
  HALOSCOPE_INLINE static double apply(double a) { return __builtin_ceil(a); }
};
struct TruncLanes {
  HALOSCOPE_INLINE static float apply(float a) { return __builtin_truncf(a); }
  HALOSCOPE_INLINE static double apply(double a) { return __builtin_trunc(a); }
};
struct RintLanes {
  HALOSCOPE_INLINE static float apply(float a) { return __builtin_rintf(a); }
  HALOSCOPE_INLINE static double apply(double a) { return __builtin_rint(a); }
};
struct AbsLanes {
  HALOSCOPE_INLINE static float apply(float a) { return __builtin_fabsf(a); }
  HALOSCOPE_INLINE static double apply(double a) { return __builtin_fabs(a); }
  template <class T>
  HALOSCOPE_INLINE static T apply(T a) {
    return a < T{0} ? static_cast<T>(Bits<T>{0} - static_cast<Bits<T>>(a)) : a;
  }
};
struct MinLanes {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return b != b || a < b ? a : b;
    }  // a NaN operand is ignored, as in CUDA's fmin
    else {
      return a < b ? a : b;
    }
  }
};
struct MaxLanes {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return b != b || a > b ? a : b;
    } else {
      return a > b ? a : b;
    }
  }
};
struct CopysignLanes {
  HALOSCOPE_INLINE static float apply(float a, float b) { return __builtin_copysignf(a, b); }
  HALOSCOPE_INLINE static double apply(double a, double b) { return __builtin_copysign(a, b); }
};

template <class T, class Op>
struct UnaryMath {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    T* const dst = context.lanes<T>(step.dst);
    const T* const a = context.lanes<T>(step.a);
    HALOSCOPE_LANES(lane) { dst[lane] = Op::apply(a[lane]); }
  }
};
template <class T, class Op>
struct BinaryMath {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    T* const dst = context.lanes<T>(step.dst);
    const T* const a = context.lanes<T>(step.a);
    const T* const b = context.lanes<T>(step.b);
    HALOSCOPE_LANES(lane) { dst[lane] = Op::apply(a[lane], b[lane]); }
  }
};

// C library functions: lane by lane, active lanes only.

template <class Result, class Function>
void eachActive(StepContext& context, Operand dst, const Function& function) {
  Result* const out = context.lanes<Result>(dst);
  for (LaneMask rest = context.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    out[lane] = function(lane);
  }
}

template <class T, T (*function)(T)>
void libraryUnary(const DecodedStep& step, StepContext& context) {
  const T* const a = context.lanes<T>(step.a);
  eachActive<T>(context, step.dst, [a](int lane) { return function(a[lane]); });
}
template <class T, T (*function)(T, T)>
void libraryBinary(const DecodedStep& step, StepContext& context) {
  const T* const a = context.lanes<T>(step.a);
  const T* const b = context.lanes<T>(step.b);
  eachActive<T>(context, step.dst, [a, b](int lane) { return function(a[lane], b[lane]); });
}

template <class Op>
StepFunction unary(ValueType type, InstructionSet set) {
  return type == ValueType::F64 ? pick<UnaryMath<double, Op>>(set) : pick<UnaryMath<float, Op>>(set);
}

template <class Op>
StepFunction minOrMax(ValueType type, InstructionSet set) {
  return forType(type, [set]<ValueType kType>() { return pick<BinaryMath<Lane<kType>, Op>>(set); });
}

template <float (*single)(float), double (*twice)(double)>
StepFunction library(ValueType type) {
  return type == ValueType::F64 ? &libraryUnary<double, twice> : &libraryUnary<float, single>;
}
template <float (*single)(float, float), double (*twice)(double, double)>
StepFunction library(ValueType type) {
  return type == ValueType::F64 ? &libraryBinary<double, twice> : &libraryBinary<float, single>;
}

}  // namespace

StepFunction mathStep(MathFunction function, ValueType type, InstructionSet set) {
  switch (function) {
    case MathFunction::Abs:
      return forType(type, [set]<ValueType kType>() { return pick<UnaryMath<Lane<kType>, AbsLanes>>(set); });
    case MathFunction::Min:
      return minOrMax<MinLanes>(type, set);
    case MathFunction::Max:
      return minOrMax<MaxLanes>(type, set);
    default:
      break;
  }
  if (!isFloating(type)) {
    throw std::logic_error(std::string(tr("the function ")) + name(function) + tr(" is not defined for ") + name(type));
  }
  switch (function) {
    case MathFunction::Sqrt:
      return unary<SqrtLanes>(type, set);
    case MathFunction::Rsqrt:
      return unary<RsqrtLanes>(type, set);
    case MathFunction::Floor:
      return unary<FloorLanes>(type, set);
    case MathFunction::Ceil:
      return unary<CeilLanes>(type, set);
    case MathFunction::Trunc:
      return unary<TruncLanes>(type, set);
    case MathFunction::Rint:
      return unary<RintLanes>(type, set);
    case MathFunction::Copysign:
      return type == ValueType::F64 ? pick<BinaryMath<double, CopysignLanes>>(set)
                                    : pick<BinaryMath<float, CopysignLanes>>(set);
    case MathFunction::Pow:
      return library<powf, pow>(type);
    case MathFunction::Exp:
      return library<expf, exp>(type);
    case MathFunction::Exp2:
      return library<exp2f, exp2>(type);
    case MathFunction::Log:
      return library<logf, log>(type);
    case MathFunction::Log2:
      return library<log2f, log2>(type);
    case MathFunction::Log10:
      return library<log10f, log10>(type);
    case MathFunction::Sin:
      return library<sinf, sin>(type);
    case MathFunction::Cos:
      return library<cosf, cos>(type);
    case MathFunction::Tan:
      return library<tanf, tan>(type);
    case MathFunction::Asin:
      return library<asinf, asin>(type);
    case MathFunction::Acos:
      return library<acosf, acos>(type);
    case MathFunction::Atan:
      return library<atanf, atan>(type);
    case MathFunction::Atan2:
      return library<atan2f, atan2>(type);
    case MathFunction::Sinh:
      return library<sinhf, sinh>(type);
    case MathFunction::Cosh:
      return library<coshf, cosh>(type);
    case MathFunction::Tanh:
      return library<tanhf, tanh>(type);
    case MathFunction::Round:
      return library<roundf, round>(type);
    case MathFunction::Fmod:
      return library<fmodf, fmod>(type);
    case MathFunction::Hypot:
      return library<hypotf, hypot>(type);
    case MathFunction::Cbrt:
      return library<cbrtf, cbrt>(type);
    default:
      break;
  }
  throw std::logic_error(std::string(tr("the function ")) + name(function) + tr(" has no implementation"));
}

}  // namespace haloscope::simt
