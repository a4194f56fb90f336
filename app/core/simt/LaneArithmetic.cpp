#include <cmath>
#include <limits>
#include <stdexcept>

#include "language/Text.h"
#include "simt/LaneOperations.h"

namespace haloscope::simt {
namespace {

template <class T>
HALOSCOPE_INLINE T wrapped(Bits<T> bits) {
  return static_cast<T>(bits);  // modulo 2^n since C++20
}

struct AddLanes {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a + b;
    } else {
      return wrapped<T>(static_cast<Bits<T>>(a) + static_cast<Bits<T>>(b));
    }
  }
};
struct SubLanes {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a - b;
    } else {
      return wrapped<T>(static_cast<Bits<T>>(a) - static_cast<Bits<T>>(b));
    }
  }
};
struct MulLanes {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a * b;
    } else {
      return wrapped<T>(static_cast<Bits<T>>(a) * static_cast<Bits<T>>(b));
    }
  }
};

/// 32-bit division through doubles: exact, because a non-integer quotient differs from the next integer by more than a
/// double's rounding error; and far faster than 32 scalar divisions.
HALOSCOPE_INLINE std::int32_t quotient(std::int32_t a, std::int32_t b) {
  const bool overflows = a == std::numeric_limits<std::int32_t>::min() && b == -1;
  const std::int32_t divisor = b == 0 || overflows ? 1 : b;
  const auto q = static_cast<std::int32_t>(static_cast<double>(a) / static_cast<double>(divisor));
  return b == 0 ? -1 : q;
}
HALOSCOPE_INLINE std::uint32_t quotient(std::uint32_t a, std::uint32_t b) {
  // Conversions between doubles and *signed* 32-bit integers are one instruction: shift the range by 2^31.
  constexpr double kHalf = 2147483648.0;
  const std::uint32_t divisor = b == 0 ? 1 : b;
  const double numerator = static_cast<double>(static_cast<std::int32_t>(a ^ 0x80000000U)) + kHalf;
  const double denominator = static_cast<double>(static_cast<std::int32_t>(divisor ^ 0x80000000U)) + kHalf;
  const double q = __builtin_floor(numerator / denominator);
  const auto bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(q - kHalf)) ^ 0x80000000U;
  return b == 0 ? 0xffffffffU : bits;
}
HALOSCOPE_INLINE std::int64_t quotient(std::int64_t a, std::int64_t b) {
  if (b == 0) { return -1; }
  if (b == -1) { return wrapped<std::int64_t>(0U - static_cast<std::uint64_t>(a)); }
  return a / b;
}
HALOSCOPE_INLINE std::uint64_t quotient(std::uint64_t a, std::uint64_t b) { return b == 0 ? ~std::uint64_t{0} : a / b; }

struct DivLanes {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a / b;
    } else {
      return quotient(a, b);
    }
  }
};
struct RemLanes {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a, T b) {
    const auto q = static_cast<Bits<T>>(quotient(a, b));
    const T rest = wrapped<T>(static_cast<Bits<T>>(a) - q * static_cast<Bits<T>>(b));
    return b == 0 ? wrapped<T>(~Bits<T>{0}) : rest;
  }
};
struct AndLanes {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a, T b) {
    return a & b;
  }
};
struct OrLanes {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a, T b) {
    return a | b;
  }
};
struct XorLanes {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a, T b) {
    return a ^ b;
  }
};

template <ValueType type, class Op>
struct Binary {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    Lane<type>* const dst = context.lanes<Lane<type>>(step.dst);
    const Lane<type>* const a = context.lanes<Lane<type>>(step.a);
    const Lane<type>* const b = context.lanes<Lane<type>>(step.b);
    HALOSCOPE_LANES(lane) { dst[lane] = normalised<type>(Op::apply(a[lane], b[lane])); }
  }
};

/// The count is an unsigned 32-bit number as in PTX; counts of at least the width shift out all bits.
struct ShiftLeft {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a, std::uint32_t count) {
    constexpr std::uint32_t kWidth = sizeof(T) * 8;
    const Bits<T> shifted = static_cast<Bits<T>>(a) << (count & (kWidth - 1));
    return wrapped<T>(count < kWidth ? shifted : Bits<T>{0});
  }
};
struct ShiftRight {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a, std::uint32_t count) {
    constexpr std::uint32_t kWidth = sizeof(T) * 8;
    if constexpr (std::is_signed_v<T>) {
      return a >> (count < kWidth ? count : kWidth - 1);
    } else {
      return count < kWidth ? a >> (count & (kWidth - 1)) : T{0};
    }
  }
};

template <ValueType type, class Count, class Op>
struct Shift {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    Lane<type>* const dst = context.lanes<Lane<type>>(step.dst);
    const Lane<type>* const a = context.lanes<Lane<type>>(step.a);
    const Count* const b = context.lanes<Count>(step.b);
    HALOSCOPE_LANES(lane) { dst[lane] = normalised<type>(Op::apply(a[lane], static_cast<std::uint32_t>(b[lane]))); }
  }
};

struct NegateLanes {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a) {
    if constexpr (std::is_floating_point_v<T>) {
      return -a;
    } else {
      return wrapped<T>(Bits<T>{0} - static_cast<Bits<T>>(a));
    }
  }
};
struct BitNotLanes {
  template <class T>
  HALOSCOPE_INLINE static T apply(T a) {
    return wrapped<T>(~static_cast<Bits<T>>(a));
  }
};

template <ValueType type, class Op>
struct Unary {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    Lane<type>* const dst = context.lanes<Lane<type>>(step.dst);
    const Lane<type>* const a = context.lanes<Lane<type>>(step.a);
    HALOSCOPE_LANES(lane) { dst[lane] = normalised<type>(Op::apply(a[lane])); }
  }
};

template <ValueType type>
struct LogicalNotLanes {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    std::uint32_t* const dst = context.lanes<std::uint32_t>(step.dst);
    const Lane<type>* const a = context.lanes<Lane<type>>(step.a);
    HALOSCOPE_LANES(lane) { dst[lane] = a[lane] == Lane<type>{0} ? 1U : 0U; }
  }
};

template <class T>
struct SelectLanes {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    T* const dst = context.lanes<T>(step.dst);
    const std::uint32_t* const condition = context.lanes<std::uint32_t>(step.a);
    const T* const yes = context.lanes<T>(step.b);
    const T* const no = context.lanes<T>(step.c);
    HALOSCOPE_LANES(lane) {
      const T whenTrue = yes[lane];
      const T whenFalse = no[lane];
      dst[lane] = condition[lane] != 0 ? whenTrue : whenFalse;
    }
  }
};

HALOSCOPE_INLINE float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HALOSCOPE_INLINE double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

template <ValueType type>
struct FmaLanes {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    using T = Lane<type>;
    T* const dst = context.lanes<T>(step.dst);
    const T* const a = context.lanes<T>(step.a);
    const T* const b = context.lanes<T>(step.b);
    const T* const c = context.lanes<T>(step.c);
    HALOSCOPE_LANES(lane) {
      if constexpr (type == ValueType::F16) {
        // The product is exact in double, and the sum nearly so.
        const double sum = fused(double{a[lane]}, double{b[lane]}, double{c[lane]});
        dst[lane] = static_cast<float>(roundedToHalf(sum));
      } else if constexpr (std::is_floating_point_v<T>) {
        dst[lane] = fused(a[lane], b[lane], c[lane]);
      } else {
        dst[lane] = normalised<type>(AddLanes::apply(MulLanes::apply(a[lane], b[lane]), c[lane]));
      }
    }
  }
};

template <class T>
struct AssignLanes {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    T* const dst = context.lanes<T>(step.dst);
    const T* const a = context.lanes<T>(step.a);
    const T active = static_cast<T>(context.active);
    if (context.active == kAllLanes) {
      HALOSCOPE_LANES(lane) { dst[lane] = a[lane]; }
      return;
    }
    HALOSCOPE_LANES(lane) {
      const T old = dst[lane];
      const T value = a[lane];
      dst[lane] = (active & laneBit<T>(lane)) != 0 ? value : old;
    }
  }
};

/// All lanes, as arithmetic does.
template <class T>
struct CopyLanes {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    T* const dst = context.lanes<T>(step.dst);
    const T* const a = context.lanes<T>(step.a);
    HALOSCOPE_LANES(lane) { dst[lane] = a[lane]; }
  }
};

template <class Op>
StepFunction binary(ValueType type, InstructionSet set) {
  return forType(type, [set]<ValueType kType>() { return pick<Binary<kType, Op>>(set); });
}

/// Bitwise: registers of narrow types remain correctly extended.
template <class Op>
StepFunction bitwise(Opcode op, ValueType type, InstructionSet set) {
  if (isFloating(type)) { undefinedFor(op, type); }
  return sizeInRegister(type) == 8 ? pick<Binary<ValueType::U64, Op>>(set) : pick<Binary<ValueType::U32, Op>>(set);
}

template <class Op>
StepFunction shift(Opcode op, ValueType type, ValueType count, InstructionSet set) {
  return forType(type, [=]<ValueType kType>() -> StepFunction {
    if constexpr (isFloating(kType)) {
      undefinedFor(op, kType);
    } else if (sizeInRegister(count) == 8) {
      return pick<Shift<kType, std::uint64_t, Op>>(set);
    } else {
      return pick<Shift<kType, std::uint32_t, Op>>(set);
    }
  });
}

}  // namespace

void undefinedFor(Opcode op, ValueType type) {
  throw std::logic_error(std::string(tr("the instruction ")) + name(op) + tr(" is not defined for ") + name(type));
}

StepFunction arithmeticStep(Opcode op, ValueType type, ValueType shiftCount, InstructionSet set) {
  switch (op) {
    case Opcode::Add:
      return binary<AddLanes>(type, set);
    case Opcode::Sub:
      return binary<SubLanes>(type, set);
    case Opcode::Mul:
      return binary<MulLanes>(type, set);
    case Opcode::Div:
      return binary<DivLanes>(type, set);
    case Opcode::Rem:
      return forType(type, [set, op]<ValueType kType>() -> StepFunction {
        if constexpr (isFloating(kType)) {
          undefinedFor(op, kType);
        } else {
          return pick<Binary<kType, RemLanes>>(set);
        }
      });
    case Opcode::And:
      return bitwise<AndLanes>(op, type, set);
    case Opcode::Or:
      return bitwise<OrLanes>(op, type, set);
    case Opcode::Xor:
      return bitwise<XorLanes>(op, type, set);
    case Opcode::Shl:
      return shift<ShiftLeft>(op, type, shiftCount, set);
    case Opcode::Shr:
      return shift<ShiftRight>(op, type, shiftCount, set);
    case Opcode::Negate:
      return forType(type, [set]<ValueType kType>() { return pick<Unary<kType, NegateLanes>>(set); });
    case Opcode::BitNot:
      return forType(type, [set, op]<ValueType kType>() -> StepFunction {
        if constexpr (isFloating(kType)) {
          undefinedFor(op, kType);
        } else {
          return pick<Unary<kType, BitNotLanes>>(set);
        }
      });
    case Opcode::LogicalNot:
      return forType(type, [set]<ValueType kType>() { return pick<LogicalNotLanes<kType>>(set); });
    case Opcode::Select:
      return sizeInRegister(type) == 8 ? pick<SelectLanes<std::uint64_t>>(set) : pick<SelectLanes<std::uint32_t>>(set);
    case Opcode::Fma:
      return forType(type, [set]<ValueType kType>() { return pick<FmaLanes<kType>>(set); });
    default:
      undefinedFor(op, type);
  }
}

StepFunction reinterpretStep(ValueType type, InstructionSet set) {
  return sizeInRegister(type) == 8 ? pick<CopyLanes<std::uint64_t>>(set) : pick<CopyLanes<std::uint32_t>>(set);
}

StepFunction assignStep(ValueType type, InstructionSet set) {
  return sizeInRegister(type) == 8 ? pick<AssignLanes<std::uint64_t>>(set) : pick<AssignLanes<std::uint32_t>>(set);
}

}  // namespace haloscope::simt
