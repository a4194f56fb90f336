#include <algorithm>

#include "program/Launch.h"
#include "simt/LaneOperations.h"

// Pointers into the shared memory of other blocks of the cluster: BlockMemory::objects() has the program's objects, and
// all of them again for each rank.

namespace haloscope::simt {
namespace {

/// More than any rank: beyond every cluster.
constexpr auto kNoRank = static_cast<std::uint32_t>(2 * kMaxRaisedClusterBlocks);
/// Names no object, as a null pointer does not.
constexpr std::uint64_t kNoObject = PackedPointer::kNull >> PackedPointer::kObjectShift;

struct MapSharedLanes {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    std::uint64_t* const dst = context.lanes<std::uint64_t>(step.dst);
    const std::uint64_t* const pointer = context.lanes<std::uint64_t>(step.a);
    const std::uint32_t* const rank = context.lanes<std::uint32_t>(step.b);
    const std::uint64_t objects = step.aux;
    HALOSCOPE_LANES(lane) {
      const std::uint64_t object = pointer[lane] >> PackedPointer::kObjectShift;
      // A pointer into the block's own memory is what it was, as on a GPU.
      const bool own = rank[lane] == context.rank;
      const std::uint64_t mapped = (own ? 0 : std::min(rank[lane], kNoRank) + 1) * objects + object % objects;
      const bool exists = object < kNoObject && mapped < kNoObject;
      dst[lane] = exists ? (mapped << PackedPointer::kObjectShift) + (pointer[lane] & PackedPointer::kOffsetMask)
                         : PackedPointer::kNull;
    }
  }
};

struct MappedRankLanes {
  HALOSCOPE_INLINE static void run(const DecodedStep& step, StepContext& context) {
    std::uint32_t* const dst = context.lanes<std::uint32_t>(step.dst);
    const std::uint64_t* const pointer = context.lanes<std::uint64_t>(step.a);
    const std::uint64_t objects = step.aux;
    HALOSCOPE_LANES(lane) {
      const std::uint64_t object = pointer[lane] >> PackedPointer::kObjectShift;
      dst[lane] = object < objects || object >= kNoObject ? kNone : static_cast<std::uint32_t>(object / objects - 1);
    }
  }
};

}  // namespace

StepFunction mapSharedStep(InstructionSet set) { return pick<MapSharedLanes>(set); }
StepFunction mappedRankStep(InstructionSet set) { return pick<MappedRankLanes>(set); }

}  // namespace haloscope::simt
