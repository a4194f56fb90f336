#include <stdexcept>
#include <string>

#include "language/Text.h"
#include "simt/LaneOperations.h"

namespace haloscope::simt {
namespace {

struct EqualLanes {
  template <class T>
  HALOSCOPE_INLINE static bool apply(T a, T b) {
    return a == b;
  }
};
struct NotEqualLanes {
  template <class T>
  HALOSCOPE_INLINE static bool apply(T a, T b) {
    return a != b;
  }
};
struct LessLanes {
  template <class T>
  HALOSCOPE_INLINE static bool apply(T a, T b) {
    return a < b;
  }
};
struct LessEqualLanes {
  template <class T>
  HALOSCOPE_INLINE static bool apply(T a, T b) {
    return a <= b;
  }
};
struct GreaterLanes {
  template <class T>
  HALOSCOPE_INLINE static bool apply(T a, T b) {
    return a > b;
  }
};
struct GreaterEqualLanes {
  template <class T>
  HALOSCOPE_INLINE static bool apply(T a, T b) {
    return a >= b;
  }
};

template <class T, class Op>
struct Compare {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    std::uint32_t* const dst = context.lanes<std::uint32_t>(step.dst);
    const T* const a = context.lanes<T>(step.a);
    const T* const b = context.lanes<T>(step.b);
    HALOSCOPE_LANES(lane) { dst[lane] = Op::apply(a[lane], b[lane]) ? 1U : 0U; }
  }
};

template <class Op>
StepFunction compare(ValueType type, InstructionSet set) {
  // Narrow types are sign- or zero-extended already; packed pointers compare like unsigned numbers.
  return forType(type, [set]<ValueType kType>() { return pick<Compare<Lane<kType>, Op>>(set); });
}

HALOSCOPE_INLINE LaneMask maskOf(const std::uint32_t* lanes) {
  LaneMask mask = 0;
  HALOSCOPE_LANES(lane) { mask |= lanes[lane] != 0 ? laneBit<LaneMask>(lane) : 0; }
  return mask;
}

LaneMask conditionBaseline(const std::uint32_t* lanes) { return maskOf(lanes); }
#if defined(__x86_64__)
HALOSCOPE_AVX2 LaneMask conditionAvx2(const std::uint32_t* lanes) { return maskOf(lanes); }
HALOSCOPE_AVX512 LaneMask conditionAvx512(const std::uint32_t* lanes) { return maskOf(lanes); }
#endif

}  // namespace

ConditionFunction conditionFunction([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::Avx512) { return &conditionAvx512; }
  if (set == InstructionSet::Avx2) { return &conditionAvx2; }
#endif
  return &conditionBaseline;
}

StepFunction comparisonStep(Opcode op, ValueType type, InstructionSet set) {
  switch (op) {
    case Opcode::Equal:
      return compare<EqualLanes>(type, set);
    case Opcode::NotEqual:
      return compare<NotEqualLanes>(type, set);
    case Opcode::Less:
      return compare<LessLanes>(type, set);
    case Opcode::LessEqual:
      return compare<LessEqualLanes>(type, set);
    case Opcode::Greater:
      return compare<GreaterLanes>(type, set);
    case Opcode::GreaterEqual:
      return compare<GreaterEqualLanes>(type, set);
    default:
      throw std::logic_error(std::string(tr("the instruction ")) + name(op) + tr(" is not a comparison"));
  }
}

}  // namespace haloscope::simt
