#include "simt/LaneOperations.h"

// Register exchange between the lanes of a warp, among lanes that are both named by the mask and active.

namespace haloscope::simt {
namespace {

template <class T, ShuffleKind kind>
struct ShuffleLanes {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    T* const dst = context.lanes<T>(step.dst);
    const std::uint32_t* const asked = context.lanes<std::uint32_t>(step.b);
    const LaneMask* const mask = context.lanes<LaneMask>(step.c);
    const ShuffleMode mode = ShuffleMode::unpack(step.aux);
    alignas(64) T values[kWarpSize];
    __builtin_memcpy(values, context.lanes<T>(step.a), sizeof values);
    const LaneMask active = context.active;
    HALOSCOPE_LANES(lane) {
      const int width = ShuffleOperand::width(mode, asked[lane]);
      const int from = shuffleSource(kind, width, lane, asked[lane]) & (kWarpSize - 1);
      const bool given =
          ShuffleOperand::isWidth(width) && ((active & mask[lane]) >> from & mask[lane] >> lane & 1U) != 0;
      const T value = values[from];
      dst[lane] = given ? value : ~T{0};
    }
  }
};

template <VoteKind kind>
struct VoteLanes {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    std::uint32_t* const dst = context.lanes<std::uint32_t>(step.dst);
    const LaneMask active = context.active;
    if constexpr (kind == VoteKind::ActiveMask) {
      HALOSCOPE_LANES(lane) { dst[lane] = active; }
    } else {
      const std::uint32_t* const condition = context.lanes<std::uint32_t>(step.a);
      const LaneMask* const mask = context.lanes<LaneMask>(step.b);
      LaneMask votes = 0;
      HALOSCOPE_LANES(lane) { votes |= condition[lane] != 0 ? laneBit<LaneMask>(lane) : 0; }
      votes &= active;
      HALOSCOPE_LANES(lane) {
        if constexpr (kind == VoteKind::Any) {
          dst[lane] = (votes & mask[lane]) != 0 ? 1U : 0U;
        } else if constexpr (kind == VoteKind::All) {
          dst[lane] = (active & ~votes & mask[lane]) == 0 ? 1U : 0U;
        } else {
          dst[lane] = votes & mask[lane];
        }
      }
    }
  }
};

template <BarrierKind kind>
struct BarrierVotes {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    std::uint32_t* const dst = context.lanes<std::uint32_t>(step.dst);
    const auto [yes, all] = context.votes;
    const std::uint32_t result = kind == BarrierKind::Count ? yes : (kind == BarrierKind::And ? yes == all : yes != 0);
    HALOSCOPE_LANES(lane) { dst[lane] = result; }
  }
};

template <class T>
StepFunction shuffle(ShuffleKind kind, InstructionSet set) {
  switch (kind) {
    case ShuffleKind::Index:
      return pick<ShuffleLanes<T, ShuffleKind::Index>>(set);
    case ShuffleKind::Up:
      return pick<ShuffleLanes<T, ShuffleKind::Up>>(set);
    case ShuffleKind::Down:
      return pick<ShuffleLanes<T, ShuffleKind::Down>>(set);
    case ShuffleKind::Xor:
      break;
  }
  return pick<ShuffleLanes<T, ShuffleKind::Xor>>(set);
}

}  // namespace

StepFunction shuffleStep(ValueType type, ShuffleKind kind, InstructionSet set) {
  return sizeInRegister(type) == 8 ? shuffle<std::uint64_t>(kind, set) : shuffle<std::uint32_t>(kind, set);
}

StepFunction barrierVoteStep(BarrierKind kind, InstructionSet set) {
  if (kind == BarrierKind::Count) { return pick<BarrierVotes<BarrierKind::Count>>(set); }
  return kind == BarrierKind::And ? pick<BarrierVotes<BarrierKind::And>>(set)
                                  : pick<BarrierVotes<BarrierKind::Or>>(set);
}

StepFunction voteStep(VoteKind kind, InstructionSet set) {
  switch (kind) {
    case VoteKind::Any:
      return pick<VoteLanes<VoteKind::Any>>(set);
    case VoteKind::All:
      return pick<VoteLanes<VoteKind::All>>(set);
    case VoteKind::Ballot:
      return pick<VoteLanes<VoteKind::Ballot>>(set);
    case VoteKind::ActiveMask:
      break;
  }
  return pick<VoteLanes<VoteKind::ActiveMask>>(set);
}

}  // namespace haloscope::simt
