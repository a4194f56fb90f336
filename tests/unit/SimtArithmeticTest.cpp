#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "ProgramBuilder.h"
#include "simt/Executor.h"

namespace haloscope::test {
namespace {

template <class T>
constexpr ValueType typeOf() {
  if constexpr (std::is_same_v<T, bool>) { return ValueType::Bool; }
  if constexpr (std::is_same_v<T, std::int8_t>) { return ValueType::I8; }
  if constexpr (std::is_same_v<T, std::uint8_t>) { return ValueType::U8; }
  if constexpr (std::is_same_v<T, std::int16_t>) { return ValueType::I16; }
  if constexpr (std::is_same_v<T, std::uint16_t>) { return ValueType::U16; }
  if constexpr (std::is_same_v<T, std::int32_t>) { return ValueType::I32; }
  if constexpr (std::is_same_v<T, std::uint32_t>) { return ValueType::U32; }
  if constexpr (std::is_same_v<T, std::int64_t>) { return ValueType::I64; }
  if constexpr (std::is_same_v<T, std::uint64_t>) { return ValueType::U64; }
  if constexpr (std::is_same_v<T, float>) { return ValueType::F32; }
  return ValueType::F64;
}

/// Edge cases of arithmetic, and some random values.
template <class T>
std::vector<T> samples(std::uint32_t seed) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values{T{0},  T{1},  T{2},  T{3},   T{7},          T{31},
                        T{33}, T{63}, T{64}, T{100}, Limits::max(), Limits::lowest()};
  if constexpr (std::is_floating_point_v<T>) {
    for (const double value : {-0.0, 0.5, 1.5, 2.5, -2.5, 1e9, 2147483648.0, 4294967296.0, 9.3e18, -9.3e18, 1.9e19}) {
      values.push_back(static_cast<T>(value));
    }
    for (const T value :
         {Limits::min(), Limits::denorm_min(), Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
      values.push_back(value);
    }
  } else {
    for (const int value : {-1, -2, -7, -31, -100}) { values.push_back(static_cast<T>(value)); }
    values.push_back(static_cast<T>(Limits::max() - 1));
    values.push_back(static_cast<T>(Limits::lowest() + 1));
  }
  std::mt19937_64 random(seed);
  while (values.size() < 96) {
    if constexpr (std::is_floating_point_v<T>) {
      values.push_back(std::uniform_real_distribution<T>(T{-1000}, T{1000})(random));
    } else {
      values.push_back(static_cast<T>(random() >> (random() % 64)));
    }
  }
  return values;
}

template <class T>
bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) { return std::isnan(a) && std::isnan(b); }
    return a == b && std::signbit(a) == std::signbit(b);
  } else {
    return a == b;
  }
}

/// Runs `out[i] = operation(a[i], b[i])` for all pairs of samples with each instruction set of this machine, and
/// compares with `expected`.
template <class A, class B, class Out>
void expectLanes(const char* what, const std::function<RegisterId(ProgramBuilder&, RegisterId, RegisterId)>& operation,
                 const std::function<Out(A, B)>& expected) {
  ProgramBuilder builder;
  const ObjectId first = builder.global("a", typeOf<A>());
  const ObjectId second = builder.global("b", typeOf<B>());
  const ObjectId out = builder.global("out", typeOf<Out>());
  const RegisterId thread = builder.builtin(Builtin::ThreadIdxX);
  const RegisterId block = builder.builtin(Builtin::BlockIdxX);
  const RegisterId size = builder.builtin(Builtin::BlockDimX);
  const RegisterId index = builder.add(builder.mul(block, size), thread);
  const RegisterId a = builder.load(first, thread);
  const RegisterId b = builder.load(second, block);
  builder.store(out, index, operation(builder, a, b));
  const Program program = builder.build();

  const std::vector<A> as = samples<A>(1);
  const std::vector<B> bs = samples<B>(2);
  Launch launch =
      launchOf(program, {static_cast<std::uint32_t>(bs.size()), 1, 1}, {static_cast<std::uint32_t>(as.size()), 1, 1});
  launch.arrays[first] = arrayOf(typeOf<A>(), as);
  launch.arrays[second] = arrayOf(typeOf<B>(), bs);
  for (const auto set : {simt::InstructionSet::Baseline, simt::InstructionSet::Avx2, simt::InstructionSet::Avx512}) {
    launch.arrays[out] = arrayOf(typeOf<Out>(), std::vector<Out>(as.size() * bs.size()));
    const simt::ExecuteResult result = simt::execute(program, launch, {}, {.instructionSet = set});
    ASSERT_EQ(result.outOfBounds, 0U) << result.firstOutOfBoundsMessage;
    const std::vector<Out> got = valuesOf<Out>(launch.arrays[out]);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const A x = as[i % as.size()];
      const B y = bs[i / as.size()];
      ASSERT_TRUE(same(got[i], expected(x, y)))
          << what << " of " << name(typeOf<A>()) << " " << +x << ", " << +y << ": got " << +got[i] << ", expected "
          << +expected(x, y) << " (instruction set " << static_cast<int>(set) << ")";
    }
  }
}

template <class T>
class SimtArithmetic : public testing::Test {};

using Numbers = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                               std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(SimtArithmetic, Numbers);

template <class T>
std::function<RegisterId(ProgramBuilder&, RegisterId, RegisterId)> binary(Opcode op) {
  return [op](ProgramBuilder& builder, RegisterId a, RegisterId b) { return builder.binary(op, a, b); };
}

/// An integer wide enough for any product or difference of two 64-bit numbers, modulo 2^64.
template <class T>
T wrapped(std::uint64_t value) {
  return static_cast<T>(value);
}

TYPED_TEST(SimtArithmetic, AddSubMulDiv) {
  using T = TypeParam;
  if constexpr (std::is_floating_point_v<T>) {
    expectLanes<T, T, T>("Add", binary<T>(Opcode::Add), [](T a, T b) { return a + b; });
    expectLanes<T, T, T>("Sub", binary<T>(Opcode::Sub), [](T a, T b) { return a - b; });
    expectLanes<T, T, T>("Mul", binary<T>(Opcode::Mul), [](T a, T b) { return a * b; });
    expectLanes<T, T, T>("Div", binary<T>(Opcode::Div), [](T a, T b) { return a / b; });
  } else {
    const auto u = [](T value) { return static_cast<std::uint64_t>(value); };
    expectLanes<T, T, T>("Add", binary<T>(Opcode::Add), [u](T a, T b) { return wrapped<T>(u(a) + u(b)); });
    expectLanes<T, T, T>("Sub", binary<T>(Opcode::Sub), [u](T a, T b) { return wrapped<T>(u(a) - u(b)); });
    expectLanes<T, T, T>("Mul", binary<T>(Opcode::Mul), [u](T a, T b) { return wrapped<T>(u(a) * u(b)); });
    // Division never traps: by zero it gives all bits set, and the lowest number has no negation.
    const auto overflows = [](T a, T b) {
      return std::is_signed_v<T> && a == std::numeric_limits<T>::lowest() && b == static_cast<T>(-1);
    };
    expectLanes<T, T, T>("Div", binary<T>(Opcode::Div), [overflows](T a, T b) {
      if (b == 0) { return static_cast<T>(-1); }
      return overflows(a, b) ? a : static_cast<T>(a / b);
    });
    expectLanes<T, T, T>("Rem", binary<T>(Opcode::Rem), [overflows](T a, T b) {
      if (b == 0) { return static_cast<T>(-1); }
      return overflows(a, b) ? T{0} : static_cast<T>(a % b);
    });
  }
}

TYPED_TEST(SimtArithmetic, Bitwise) {
  using T = TypeParam;
  if constexpr (!std::is_floating_point_v<T>) {
    expectLanes<T, T, T>("And", binary<T>(Opcode::And), [](T a, T b) { return static_cast<T>(a & b); });
    expectLanes<T, T, T>("Or", binary<T>(Opcode::Or), [](T a, T b) { return static_cast<T>(a | b); });
    expectLanes<T, T, T>("Xor", binary<T>(Opcode::Xor), [](T a, T b) { return static_cast<T>(a ^ b); });
    expectLanes<T, T, T>(
        "BitNot", [](ProgramBuilder& builder, RegisterId a, RegisterId) { return builder.unary(Opcode::BitNot, a); },
        [](T a, T) { return static_cast<T>(~a); });
  }
}

TYPED_TEST(SimtArithmetic, Shifts) {
  using T = TypeParam;
  if constexpr (!std::is_floating_point_v<T> && sizeof(T) >= 4) {
    constexpr std::uint32_t kWidth = sizeof(T) * 8;
    expectLanes<T, std::int32_t, T>("Shl", binary<T>(Opcode::Shl), [](T a, std::int32_t b) {
      const auto count = static_cast<std::uint32_t>(b);
      return count < kWidth ? static_cast<T>(static_cast<std::uint64_t>(a) << count) : T{0};
    });
    expectLanes<T, std::uint64_t, T>("Shr", binary<T>(Opcode::Shr), [](T a, std::uint64_t b) {
      const auto count = static_cast<std::uint32_t>(b);
      return count < kWidth ? static_cast<T>(a >> count) : static_cast<T>(a < T{0} ? -1 : 0);
    });
  }
}

TYPED_TEST(SimtArithmetic, Comparisons) {
  using T = TypeParam;
  expectLanes<T, T, bool>("Equal", binary<T>(Opcode::Equal), [](T a, T b) { return a == b; });
  expectLanes<T, T, bool>("NotEqual", binary<T>(Opcode::NotEqual), [](T a, T b) { return a != b; });
  expectLanes<T, T, bool>("Less", binary<T>(Opcode::Less), [](T a, T b) { return a < b; });
  expectLanes<T, T, bool>("LessEqual", binary<T>(Opcode::LessEqual), [](T a, T b) { return a <= b; });
  expectLanes<T, T, bool>("Greater", binary<T>(Opcode::Greater), [](T a, T b) { return a > b; });
  expectLanes<T, T, bool>("GreaterEqual", binary<T>(Opcode::GreaterEqual), [](T a, T b) { return a >= b; });
}

TYPED_TEST(SimtArithmetic, UnaryAndSelect) {
  using T = TypeParam;
  expectLanes<T, T, T>(
      "Negate", [](ProgramBuilder& builder, RegisterId a, RegisterId) { return builder.unary(Opcode::Negate, a); },
      [](T a, T) {
        if constexpr (std::is_floating_point_v<T>) {
          return -a;
        } else {
          return wrapped<T>(0 - static_cast<std::uint64_t>(a));
        }
      });
  expectLanes<T, T, bool>(
      "LogicalNot",
      [](ProgramBuilder& builder, RegisterId a, RegisterId) { return builder.unary(Opcode::LogicalNot, a); },
      [](T a, T) { return a == T{0}; });
  expectLanes<T, T, T>(
      "Select",
      [](ProgramBuilder& builder, RegisterId a, RegisterId b) {
        return builder.ternary(Opcode::Select, builder.less(a, b), b, a);
      },
      [](T a, T b) { return a < b ? b : a; });
  expectLanes<T, T, T>(
      "Min", [](ProgramBuilder& builder, RegisterId a, RegisterId b) { return builder.math(MathFunction::Min, a, b); },
      [](T a, T b) {
        if constexpr (std::is_floating_point_v<T>) {
          return std::isnan(b) || a < b ? a : b;
        } else {
          return a < b ? a : b;
        }
      });
}

/// The result of PTX `cvt.rzi`.
template <class To, class From>
To saturated(From value) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(value)) {
    const bool narrow = sizeof(From) == 4 && sizeof(To) == 4;
    return narrow ? To{0} : static_cast<To>(std::uint64_t{1} << (sizeof(To) * 8 - 1));
  }
  const long double wide = std::trunc(static_cast<long double>(value));
  if (wide < static_cast<long double>(Limits::lowest())) { return Limits::lowest(); }
  if (wide > static_cast<long double>(Limits::max())) { return Limits::max(); }
  return static_cast<To>(wide);
}

template <class To, class From>
void expectConversion() {
  expectLanes<From, std::int32_t, To>(
      "Convert", [](ProgramBuilder& builder, RegisterId a, RegisterId) { return builder.convert(a, typeOf<To>()); },
      [](From a, std::int32_t) -> To {
        if constexpr (std::is_same_v<To, bool>) {
          return a != From{0};
        } else if constexpr (std::is_floating_point_v<From> && !std::is_floating_point_v<To>) {
          if constexpr (sizeof(To) >= 4) {
            return saturated<To>(a);
          } else if constexpr (std::is_signed_v<To>) {
            return static_cast<To>(saturated<std::int32_t>(a));
          } else {
            return static_cast<To>(saturated<std::uint32_t>(a));
          }
        } else {
          return static_cast<To>(a);
        }
      });
}

TYPED_TEST(SimtArithmetic, Conversions) {
  using T = TypeParam;
  expectConversion<bool, T>();
  expectConversion<std::int8_t, T>();
  expectConversion<std::uint8_t, T>();
  expectConversion<std::int16_t, T>();
  expectConversion<std::uint16_t, T>();
  expectConversion<std::int32_t, T>();
  expectConversion<std::uint32_t, T>();
  expectConversion<std::int64_t, T>();
  expectConversion<std::uint64_t, T>();
  expectConversion<float, T>();
  expectConversion<double, T>();
}

template <class T>
void expectMath() {
  expectLanes<T, T, T>(
      "Fma", [](ProgramBuilder& builder, RegisterId a, RegisterId b) { return builder.ternary(Opcode::Fma, a, b, a); },
      [](T a, T b) { return std::fma(a, b, a); });
  // Product and sum are rounded separately: no contraction.
  expectLanes<T, T, T>(
      "Mul, Add", [](ProgramBuilder& builder, RegisterId a, RegisterId b) { return builder.add(builder.mul(a, b), a); },
      [](T a, T b) {
        volatile T product = a * b;
        return product + a;
      });
  const auto unary = [](MathFunction function, T (*expected)(T)) {
    expectLanes<T, T, T>(
        name(function),
        [function](ProgramBuilder& builder, RegisterId a, RegisterId) { return builder.math(function, a); },
        [expected](T a, T) { return expected(a); });
  };
  unary(MathFunction::Sqrt, [](T a) { return std::sqrt(a); });
  unary(MathFunction::Rsqrt, [](T a) { return T{1} / std::sqrt(a); });
  unary(MathFunction::Abs, [](T a) { return std::abs(a); });
  unary(MathFunction::Floor, [](T a) { return std::floor(a); });
  unary(MathFunction::Ceil, [](T a) { return std::ceil(a); });
  unary(MathFunction::Trunc, [](T a) { return std::trunc(a); });
  unary(MathFunction::Round, [](T a) { return std::round(a); });
  unary(MathFunction::Rint, [](T a) { return std::rint(a); });
  unary(MathFunction::Exp, [](T a) { return std::exp(a); });
  unary(MathFunction::Sin, [](T a) { return std::sin(a); });
  unary(MathFunction::Cbrt, [](T a) { return std::cbrt(a); });
  const auto two = [](MathFunction function, T (*expected)(T, T)) {
    expectLanes<T, T, T>(
        name(function),
        [function](ProgramBuilder& builder, RegisterId a, RegisterId b) { return builder.math(function, a, b); },
        [expected](T a, T b) { return expected(a, b); });
  };
  two(MathFunction::Pow, [](T a, T b) { return std::pow(a, b); });
  two(MathFunction::Atan2, [](T a, T b) { return std::atan2(a, b); });
  two(MathFunction::Fmod, [](T a, T b) { return std::fmod(a, b); });
  two(MathFunction::Hypot, [](T a, T b) { return std::hypot(a, b); });
  two(MathFunction::Copysign, [](T a, T b) { return std::copysign(a, b); });
  two(MathFunction::Max, [](T a, T b) { return std::isnan(b) || a > b ? a : b; });
}

TEST(SimtMath, FloatFunctions) { expectMath<float>(); }
TEST(SimtMath, DoubleFunctions) { expectMath<double>(); }

TEST(SimtMath, IntegerAbs) {
  expectLanes<std::int32_t, std::int32_t, std::int32_t>(
      "Abs", [](ProgramBuilder& builder, RegisterId a, RegisterId) { return builder.math(MathFunction::Abs, a); },
      [](std::int32_t a, std::int32_t) {
        return static_cast<std::int32_t>(a < 0 ? 0 - static_cast<std::uint32_t>(a) : static_cast<std::uint32_t>(a));
      });
}

}  // namespace
}  // namespace haloscope::test
