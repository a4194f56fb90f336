#include <limits>

#include "simt/LaneOperations.h"

namespace haloscope::simt {
namespace {

/// Rounds towards zero and saturates. A NaN becomes 0 when both types have 32 bits, and otherwise the bit pattern
/// 1 << (width - 1): PTX ISA, "cvt", note on NaN.
template <class To, class From>
HALOSCOPE_INLINE To saturated(From value) {
  constexpr To kLow = std::numeric_limits<To>::min();
  constexpr To kHigh = std::numeric_limits<To>::max();
  // The division is exact except for the last bit, which the sum corrects.
  // NOLINTNEXTLINE(bugprone-integer-division)
  constexpr auto kAbove = static_cast<From>(kHigh / 2 + 1) * From{2};  // 2^31, 2^32, 2^63, 2^64: exact
  constexpr auto kBelow = static_cast<From>(kLow);
  constexpr bool kNarrow = sizeof(From) == 4 && sizeof(To) == 4;
  constexpr To kNan = kNarrow ? To{0} : static_cast<To>(Bits<To>{1} << (sizeof(To) * 8 - 1));
  const bool inside = value >= kBelow && value < kAbove;  // false for a NaN
  const To converted = static_cast<To>(inside ? value : From{0});
  const To outside = value != value ? kNan : (value < From{0} ? kLow : kHigh);
  return inside ? converted : outside;
}

template <ValueType from, ValueType to>
HALOSCOPE_INLINE Lane<to> converted(Lane<from> value) {
  if constexpr (to == ValueType::Bool) {
    return value != Lane<from>{0} ? 1U : 0U;
  } else if constexpr (to == ValueType::F16 && from != ValueType::F16 && from != ValueType::F32) {
    return static_cast<float>(roundedToHalf(static_cast<double>(value)));  // rounded once
  } else if constexpr (isFloating(from) && !isFloating(to)) {
    return normalised<to>(saturated<Lane<to>>(value));
  } else {
    return normalised<to>(static_cast<Lane<to>>(value));
  }
}

template <ValueType from, ValueType to>
struct ConvertLanes {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    Lane<to>* const dst = context.lanes<Lane<to>>(step.dst);
    const Lane<from>* const a = context.lanes<Lane<from>>(step.a);
    HALOSCOPE_LANES(lane) { dst[lane] = converted<from, to>(a[lane]); }
  }
};

/// The type with the same register contents: narrow integers are extended already.
constexpr ValueType asRegister(ValueType type) {
  switch (type) {
    case ValueType::I8:
    case ValueType::I16:
      return ValueType::I32;
    case ValueType::Bool:
    case ValueType::U8:
    case ValueType::U16:
      return ValueType::U32;
    case ValueType::Pointer:
      return ValueType::U64;
    default:
      return type;
  }
}

template <ValueType to>
StepFunction convertFrom(ValueType from, InstructionSet set) {
  switch (asRegister(from)) {
    case ValueType::I32:
      return pick<ConvertLanes<ValueType::I32, to>>(set);
    case ValueType::I64:
      return pick<ConvertLanes<ValueType::I64, to>>(set);
    case ValueType::U64:
      return pick<ConvertLanes<ValueType::U64, to>>(set);
    case ValueType::F16:
      return pick<ConvertLanes<ValueType::F16, to>>(set);
    case ValueType::F32:
      return pick<ConvertLanes<ValueType::F32, to>>(set);
    case ValueType::F64:
      return pick<ConvertLanes<ValueType::F64, to>>(set);
    default:
      return pick<ConvertLanes<ValueType::U32, to>>(set);
  }
}

}  // namespace

StepFunction conversionStep(ValueType from, ValueType to, InstructionSet set) {
  return forType(to, [=]<ValueType kTo>() {
    constexpr ValueType kTarget = kTo == ValueType::Pointer ? ValueType::U64 : kTo;
    return convertFrom<kTarget>(from, set);
  });
}

}  // namespace haloscope::simt
