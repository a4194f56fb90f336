#include <bit>

#include "simt/LaneGather.h"
#include "simt/LaneOperations.h"
#include "simt/WriteClaims.h"

namespace haloscope::simt {
namespace {

// Conversion between memory elements and register lanes, by size and extension of the type.

template <class Stored, class Register>
struct Element {
  using Lane = Register;
  static constexpr int kSize = sizeof(Stored);
  static constexpr bool kIsPlain =
      sizeof(Stored) == sizeof(Register);  ///< the bytes in memory are those in the register

  HALOSCOPE_INLINE static Register read(const std::byte* at) {
    Stored value;
    __builtin_memcpy(&value, at, sizeof value);
    return static_cast<Register>(value);
  }
  /// The element's bits, zero above.
  HALOSCOPE_INLINE static std::uint64_t bits(Register lane) { return static_cast<std::make_unsigned_t<Stored>>(lane); }
  HALOSCOPE_INLINE static void write(std::byte* at, Register lane) {
    const auto value = static_cast<Stored>(lane);
    __builtin_memcpy(at, &value, sizeof value);
  }
};
struct HalfElement : Element<std::uint16_t, std::uint32_t> {
  HALOSCOPE_INLINE static std::uint32_t read(const std::byte* at) {
    return std::bit_cast<std::uint32_t>(halfValue(static_cast<std::uint16_t>(Element::read(at))));
  }
  HALOSCOPE_INLINE static void write(std::byte* at, std::uint32_t lane) { Element::write(at, bits(lane)); }
  HALOSCOPE_INLINE static std::uint16_t bits(std::uint32_t lane) { return halfBits(std::bit_cast<float>(lane)); }
};
struct BoolElement : Element<std::uint8_t, std::uint32_t> {
  HALOSCOPE_INLINE static std::uint32_t read(const std::byte* at) { return *at != std::byte{0} ? 1U : 0U; }
};
using Element4 = Element<std::uint32_t, std::uint32_t>;
using Element8 = Element<std::uint64_t, std::uint64_t>;

/// The resolved pointers of a step's lanes: element indices, valid only for lanes inside the object.
struct Resolved {
  alignas(64) std::uint64_t index[kWarpSize];
  LaneMask inside = 0;
  LaneMask outside = 0;
};

template <int kSize>
HALOSCOPE_INLINE void resolve(Resolved& to, const StepContext& context, const DecodedStep& step,
                              const ObjectView& object, LaneMask lanes) {
  const std::uint64_t* const pointer = context.lanes<std::uint64_t>(step.a);
  const std::uint64_t first = object.pointerBits;
  const std::uint64_t count = object.bytes / kSize;
  std::uint64_t outside = 0;
  HALOSCOPE_LANES(lane) {
    // Rotation moves the low bits of a misaligned offset to the top: one comparison catches that, too low and too high.
    const std::uint64_t index = std::rotr(pointer[lane] - first, std::countr_zero(unsigned{kSize}));
    to.index[lane] = index;
    outside |= index < count ? 0 : laneBit<std::uint64_t>(lane);
  }
  to.outside = lanes & static_cast<LaneMask>(outside);
  to.inside = lanes & ~to.outside;
}

/// Index of an element outside the array, rounded down: a byte before the array is in element -1.
std::int64_t signedIndex(std::uint64_t offset, int size) {
  return static_cast<std::int64_t>(offset) >> std::countr_zero(static_cast<unsigned>(size));
}

[[gnu::noinline, gnu::cold]] void reportOutside(StepContext& context, const DecodedStep& step, ObjectId object,
                                                bool store, LaneMask lanes, int size) {
  OutOfBounds fault{step.instruction, object, store, lanes, 0, 0, {}};
  const std::uint64_t* const pointer = context.lanes<std::uint64_t>(step.a);
  if (object == kNone) { fault.named = PackedPointer::object(pointer[std::countr_zero(lanes)]); }
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::uint64_t first = object == kNone ? PackedPointer::kNull : context.objects[object].pointerBits;
    fault.index[lane] = signedIndex(pointer[lane] - first, size);
    const bool within = object != kNone && pointer[lane] - first < context.objects[object].bytes;
    const bool between = (pointer[lane] - first) % static_cast<unsigned>(size) != 0;
    if (within && between) { fault.misaligned |= laneBit<LaneMask>(lane); }
  }
  context.listener->outOfBounds(fault);
}

template <class Of>
HALOSCOPE_INLINE MemoryAccess accessOf(const DecodedStep& step, ObjectId object, bool store, LaneMask lanes,
                                       const Resolved& resolved, const typename Of::Lane* values) {
  MemoryAccess access{.instruction = step.instruction, .object = object, .store = store, .lanes = lanes};
  HALOSCOPE_LANES(lane) { access.index[lane] = static_cast<std::int64_t>(resolved.index[lane]); }
  HALOSCOPE_LANES(lane) { access.value[lane] = Of::bits(values[lane]); }
  return access;
}

template <class Of>
HALOSCOPE_INLINE void reportAccess(StepContext& context, const DecodedStep& step, ObjectId object, bool store,
                                   LaneMask lanes, const Resolved& resolved, const typename Of::Lane* values) {
  MemoryAccess access = accessOf<Of>(step, object, store, lanes, resolved, values);
  context.listener->accessed(access);
}

template <class Of, bool kLocal>
HALOSCOPE_INLINE std::byte* address(std::byte* base, const ObjectView& object, const Resolved& resolved, int lane) {
  std::byte* const own = kLocal ? base + static_cast<std::uint64_t>(lane) * object.bytes : base;
  return own + resolved.index[lane] * Of::kSize;
}

template <class Of, bool kLocal, bool kObserved, InstructionSet set>
HALOSCOPE_INLINE void load(const DecodedStep& step, StepContext& context, ObjectId id, LaneMask lanes) {
  using Register = typename Of::Lane;
  const ObjectView& object = context.objects[id];
  Register* const dst = context.lanes<Register>(step.dst);
  Resolved resolved;
  resolve<Of::kSize>(resolved, context, step, object, lanes);
  if (resolved.inside != 0) {
    gather<Of, set>(dst, context.base(object), resolved.index, kLocal ? object.bytes : 0, resolved.inside);
    if constexpr (kObserved) { reportAccess<Of>(context, step, id, false, resolved.inside, resolved, dst); }
  }
  if (resolved.outside != 0) {
    for (LaneMask rest = resolved.outside; rest != 0; rest &= rest - 1) { dst[std::countr_zero(rest)] = 0; }
    reportOutside(context, step, id, false, resolved.outside, Of::kSize);
  }
}

template <class Of, bool kLocal, bool kObserved>
HALOSCOPE_INLINE void store(const DecodedStep& step, StepContext& context, ObjectId id, LaneMask lanes) {
  using Register = typename Of::Lane;
  const ObjectView& object = context.objects[id];
  const Register* const value = context.lanes<Register>(step.b);
  Resolved resolved;
  resolve<Of::kSize>(resolved, context, step, object, lanes);
  if (!kLocal && context.claims != nullptr && object.space == MemorySpace::Global && resolved.inside != 0) {
    resolved.inside = context.claims->claim(id, resolved.index, Of::kSize, resolved.inside, context.worker);
  }
  std::byte* const base = context.base(object);
  if (resolved.inside == kAllLanes) {
    for (int lane = 0; lane < kWarpSize; ++lane) {  // in lane order: the last lane that writes an element wins
      Of::write(address<Of, kLocal>(base, object, resolved, lane), value[lane]);
    }
  } else {
    for (LaneMask rest = resolved.inside; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      Of::write(address<Of, kLocal>(base, object, resolved, lane), value[lane]);
    }
  }
  if (kObserved && resolved.inside != 0) {
    reportAccess<Of>(context, step, id, true, resolved.inside, resolved, value);
  }
  if (resolved.outside != 0) { reportOutside(context, step, id, true, resolved.outside, Of::kSize); }
}

/// Calls `access(object, lanes)` for each object that the active lanes point to; lanes without an object fault.
template <class Access>
HALOSCOPE_INLINE void eachObject(const DecodedStep& step, StepContext& context, bool store, int size,
                                 const Access& access) {
  // A copy: a load may overwrite the register that holds the pointers.
  std::array<std::uint64_t, kWarpSize> pointer;
  __builtin_memcpy(pointer.data(), context.lanes<std::uint64_t>(step.a), sizeof pointer);
  LaneMask rest = context.active;
  while (rest != 0) {
    const std::uint64_t first = pointer[std::countr_zero(rest)];
    const ObjectId object = PackedPointer::object(first);
    LaneMask group = 0;
    for (LaneMask others = rest; others != 0; others &= others - 1) {
      const int lane = std::countr_zero(others);
      const bool same = PackedPointer::object(pointer[lane]) == object;
      group |= same ? laneBit<LaneMask>(lane) : 0;
    }
    rest &= ~group;
    if (object >= context.objects.size()) {
      reportOutside(context, step, kNone, store, group, size);
      access(kNone, group);
    } else {
      access(object, group);
    }
  }
}

template <class Of, bool kLocal, bool kObserved, InstructionSet set>
struct LoadKnown {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    load<Of, kLocal, kObserved, set>(step, context, step.aux, context.active);
  }
};
template <class Of, bool kLocal, bool kObserved>
struct StoreKnown {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    store<Of, kLocal, kObserved>(step, context, step.aux, context.active);
  }
};

template <class Of, bool kObserved>
void loadUnknown(const DecodedStep& step, StepContext& context) {
  eachObject(step, context, false, Of::kSize, [&](ObjectId object, LaneMask lanes) {
    if (object == kNone) {
      auto* const dst = context.lanes<typename Of::Lane>(step.dst);
      for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) { dst[std::countr_zero(rest)] = 0; }
    } else if (context.objects[object].space == MemorySpace::Local) {
      load<Of, true, kObserved, InstructionSet::Baseline>(step, context, object, lanes);
    } else {
      load<Of, false, kObserved, InstructionSet::Baseline>(step, context, object, lanes);
    }
  });
}

template <class Of, bool kObserved>
void storeUnknown(const DecodedStep& step, StepContext& context) {
  eachObject(step, context, true, Of::kSize, [&](ObjectId object, LaneMask lanes) {
    if (object == kNone) { return; }
    if (context.objects[object].space == MemorySpace::Local) {
      store<Of, true, kObserved>(step, context, object, lanes);
    } else {
      store<Of, false, kObserved>(step, context, object, lanes);
    }
  });
}

/// An asynchronous store: what is to be written, and where, is settled now. To memory other than shared memory there
/// are no asynchronous copies but bulk ones: those are made at once.
template <class Of, bool kObserved>
void storeLater(const DecodedStep& step, StepContext& context) {
  eachObject(step, context, true, Of::kSize, [&](ObjectId id, LaneMask lanes) {
    if (id == kNone) { return; }
    const ObjectView& object = context.objects[id];
    if (object.space == MemorySpace::Local) { return store<Of, true, kObserved>(step, context, id, lanes); }
    if (!context.listener->takesCopy(step.instruction, id)) {
      return store<Of, false, kObserved>(step, context, id, lanes);
    }
    Resolved resolved;
    resolve<Of::kSize>(resolved, context, step, object, lanes);
    if (resolved.inside != 0) {
      const auto* const value = context.lanes<typename Of::Lane>(step.b);
      MemoryAccess access = accessOf<Of>(step, id, true, resolved.inside, resolved, value);
      if constexpr (kObserved) { context.listener->accessed(access); }
      context.listener->copyIssued(access);
    }
    if (resolved.outside != 0) { reportOutside(context, step, id, true, resolved.outside, Of::kSize); }
  });
}

/// The value that an atomic writes to memory.
template <Opcode op, class Number>
HALOSCOPE_INLINE Number atomicResult(Number old, Number operand, Number swapped) {
  if constexpr (op == Opcode::AtomicAdd) {
    if constexpr (std::is_floating_point_v<Number>) {
      return old + operand;
    } else {
      return static_cast<Number>(static_cast<Bits<Number>>(old) + static_cast<Bits<Number>>(operand));
    }
  } else if constexpr (op == Opcode::AtomicMin) {
    return operand < old ? operand : old;
  } else if constexpr (op == Opcode::AtomicMax) {
    return old < operand ? operand : old;
  } else if constexpr (op == Opcode::AtomicExchange) {
    return operand;
  } else if constexpr (op == Opcode::AtomicIncrement) {
    return old >= operand ? Number{0} : static_cast<Number>(static_cast<Bits<Number>>(old) + 1U);
  } else if constexpr (op == Opcode::AtomicDecrement) {
    return old == Number{0} || old > operand ? operand : static_cast<Number>(static_cast<Bits<Number>>(old) - 1U);
  } else if constexpr (op == Opcode::AtomicCompareAndSwap) {
    return old == operand ? swapped : old;
  } else if constexpr (op == Opcode::AtomicAnd) {
    return old & operand;
  } else if constexpr (op == Opcode::AtomicOr) {
    return old | operand;
  } else {
    return old ^ operand;
  }
}

/// Lane by lane. Observers are notified once, with a store of the resulting values.
template <Opcode op, class Of, class Number>
void atomicOn(const DecodedStep& step, StepContext& context, ObjectId id, LaneMask lanes, bool observed) {
  using Register = typename Of::Lane;
  const ObjectView& object = context.objects[id];
  Resolved resolved;
  resolve<Of::kSize>(resolved, context, step, object, lanes);
  Register* const dst = context.lanes<Register>(step.dst);
  const Register* const operand = context.lanes<Register>(step.b);
  const Register* const swapped = op == Opcode::AtomicCompareAndSwap ? context.lanes<Register>(step.c) : operand;
  const std::uint64_t stride = object.space == MemorySpace::Local ? object.bytes : 0;
  std::array<Register, kWarpSize> left{};
  for (LaneMask rest = resolved.inside; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    std::byte* const at =
        context.base(object) + static_cast<std::uint64_t>(lane) * stride + resolved.index[lane] * Of::kSize;
    const Register old = Of::read(at);
    left[lane] = std::bit_cast<Register>(atomicResult<op>(
        std::bit_cast<Number>(old), std::bit_cast<Number>(operand[lane]), std::bit_cast<Number>(swapped[lane])));
    Of::write(at, left[lane]);
    dst[lane] = old;
  }
  for (LaneMask rest = resolved.outside; rest != 0; rest &= rest - 1) { dst[std::countr_zero(rest)] = 0; }
  if (observed && resolved.inside != 0) {
    reportAccess<Of>(context, step, id, true, resolved.inside, resolved, left.data());
  }
  if (resolved.outside != 0) { reportOutside(context, step, id, true, resolved.outside, Of::kSize); }
}

template <Opcode op, class Of, class Number, bool kObserved>
void atomic(const DecodedStep& step, StepContext& context) {
  eachObject(step, context, true, Of::kSize, [&](ObjectId object, LaneMask lanes) {
    if (object == kNone) {
      auto* const dst = context.lanes<typename Of::Lane>(step.dst);
      for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) { dst[std::countr_zero(rest)] = 0; }
    } else {
      atomicOn<op, Of, Number>(step, context, object, lanes, kObserved);
    }
  });
}

template <class Of, bool kLocal, bool kObserved>
StepFunction pickLoad([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::Avx512) { return &runAvx512<LoadKnown<Of, kLocal, kObserved, InstructionSet::Avx512>>; }
  if (set == InstructionSet::Avx2) { return &runAvx2<LoadKnown<Of, kLocal, kObserved, InstructionSet::Avx2>>; }
#endif
  return &runBaseline<LoadKnown<Of, kLocal, kObserved, InstructionSet::Baseline>>;
}

template <class Of>
StepFunction loadStep(MemoryStepKind kind, InstructionSet set) {
  if (!kind.knownObject) { return kind.observed ? &loadUnknown<Of, true> : &loadUnknown<Of, false>; }
  if (kind.local) { return kind.observed ? pickLoad<Of, true, true>(set) : pickLoad<Of, true, false>(set); }
  return kind.observed ? pickLoad<Of, false, true>(set) : pickLoad<Of, false, false>(set);
}

template <class Of>
StepFunction storeStep(MemoryStepKind kind, InstructionSet set) {
  if (kind.async) { return kind.observed ? &storeLater<Of, true> : &storeLater<Of, false>; }
  if (!kind.knownObject) { return kind.observed ? &storeUnknown<Of, true> : &storeUnknown<Of, false>; }
  if (kind.local) {
    return kind.observed ? pick<StoreKnown<Of, true, true>>(set) : pick<StoreKnown<Of, true, false>>(set);
  }
  return kind.observed ? pick<StoreKnown<Of, false, true>>(set) : pick<StoreKnown<Of, false, false>>(set);
}

template <Opcode op>
StepFunction atomicOf(ValueType element, bool observed) {
  const auto step = [observed]<class Of, class Number>() -> StepFunction {
    return observed ? &atomic<op, Of, Number, true> : &atomic<op, Of, Number, false>;
  };
  constexpr bool kFloats = op == Opcode::AtomicAdd || op == Opcode::AtomicExchange;
  switch (element) {
    case ValueType::I32:
      return step.template operator()<Element4, std::int32_t>();
    case ValueType::U32:
      return step.template operator()<Element4, std::uint32_t>();
    case ValueType::I64:
      return step.template operator()<Element8, std::int64_t>();
    case ValueType::U64:
      return step.template operator()<Element8, std::uint64_t>();
    case ValueType::F32:
      if constexpr (kFloats) { return step.template operator()<Element4, float>(); }
      break;
    case ValueType::F64:
      if constexpr (kFloats) { return step.template operator()<Element8, double>(); }
      break;
    default:
      break;
  }
  undefinedFor(op, element);
}

StepFunction atomicStep(Opcode op, ValueType element, bool observed) {
  switch (op) {
    case Opcode::AtomicAdd:
      return atomicOf<Opcode::AtomicAdd>(element, observed);
    case Opcode::AtomicMin:
      return atomicOf<Opcode::AtomicMin>(element, observed);
    case Opcode::AtomicMax:
      return atomicOf<Opcode::AtomicMax>(element, observed);
    case Opcode::AtomicAnd:
      return atomicOf<Opcode::AtomicAnd>(element, observed);
    case Opcode::AtomicOr:
      return atomicOf<Opcode::AtomicOr>(element, observed);
    case Opcode::AtomicXor:
      return atomicOf<Opcode::AtomicXor>(element, observed);
    case Opcode::AtomicExchange:
      return atomicOf<Opcode::AtomicExchange>(element, observed);
    case Opcode::AtomicIncrement:
      return atomicOf<Opcode::AtomicIncrement>(element, observed);
    case Opcode::AtomicDecrement:
      return atomicOf<Opcode::AtomicDecrement>(element, observed);
    default:
      return atomicOf<Opcode::AtomicCompareAndSwap>(element, observed);
  }
}

template <class Integer, bool kShift>
struct OffsetLanes {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    std::uint64_t* const dst = context.lanes<std::uint64_t>(step.dst);
    const std::uint64_t* const pointer = context.lanes<std::uint64_t>(step.a);
    const Integer* const count = context.lanes<Integer>(step.b);
    if constexpr (kShift) {
      const int shift = std::countr_zero(step.aux);
      HALOSCOPE_LANES(lane) {
        dst[lane] = pointer[lane] + (static_cast<std::uint64_t>(static_cast<std::int64_t>(count[lane])) << shift);
      }
    } else {
      const std::uint64_t scale = step.aux;
      HALOSCOPE_LANES(lane) {
        dst[lane] = pointer[lane] + static_cast<std::uint64_t>(static_cast<std::int64_t>(count[lane])) * scale;
      }
    }
  }
};

template <class Integer>
StepFunction offsetBy(std::uint32_t scale, InstructionSet set) {
  return std::has_single_bit(scale) ? pick<OffsetLanes<Integer, true>>(set) : pick<OffsetLanes<Integer, false>>(set);
}

struct PointerDifferenceLanes {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    std::int64_t* const dst = context.lanes<std::int64_t>(step.dst);
    const std::uint64_t* const a = context.lanes<std::uint64_t>(step.a);
    const std::uint64_t* const b = context.lanes<std::uint64_t>(step.b);
    const std::int64_t scale = step.aux;
    for (int lane = 0; lane < kWarpSize; ++lane) { dst[lane] = static_cast<std::int64_t>(a[lane] - b[lane]) / scale; }
  }
};

}  // namespace

StepFunction memoryStep(Opcode op, ValueType element, MemoryStepKind kind, InstructionSet set) {
  if (isAtomic(op)) { return atomicStep(op, element, kind.observed); }
  const bool isLoad = op == Opcode::Load;
  switch (sizeInMemory(element)) {
    case 4:
      return isLoad ? loadStep<Element4>(kind, set) : storeStep<Element4>(kind, set);
    case 8:
      return isLoad ? loadStep<Element8>(kind, set) : storeStep<Element8>(kind, set);
    default:
      break;
  }
  switch (element) {
    case ValueType::Bool:
      return isLoad ? loadStep<BoolElement>(kind, set) : storeStep<BoolElement>(kind, set);
    case ValueType::F16:
      return isLoad ? loadStep<HalfElement>(kind, set) : storeStep<HalfElement>(kind, set);
    case ValueType::I8:
      return isLoad ? loadStep<Element<std::int8_t, std::uint32_t>>(kind, set)
                    : storeStep<Element<std::uint8_t, std::uint32_t>>(kind, set);
    case ValueType::I16:
      return isLoad ? loadStep<Element<std::int16_t, std::uint32_t>>(kind, set)
                    : storeStep<Element<std::uint16_t, std::uint32_t>>(kind, set);
    case ValueType::U8:
      return isLoad ? loadStep<Element<std::uint8_t, std::uint32_t>>(kind, set)
                    : storeStep<Element<std::uint8_t, std::uint32_t>>(kind, set);
    default:
      return isLoad ? loadStep<Element<std::uint16_t, std::uint32_t>>(kind, set)
                    : storeStep<Element<std::uint16_t, std::uint32_t>>(kind, set);
  }
}

StepFunction offsetStep(ValueType integer, std::uint32_t scale, InstructionSet set) {
  if (sizeInRegister(integer) == 8) { return offsetBy<std::int64_t>(scale, set); }
  return isSigned(integer) ? offsetBy<std::int32_t>(scale, set) : offsetBy<std::uint32_t>(scale, set);
}

StepFunction pointerDifferenceStep(InstructionSet set) { return pick<PointerDifferenceLanes>(set); }

}  // namespace haloscope::simt
