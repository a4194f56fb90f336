#pragma once

#include <cstdint>
#include <vector>

#include "analysis/MemoryRequests.h"
#include "recording/Recording.h"

namespace haloscope::analysis {

/// A warp's access as it was recorded, laid out in memory: 128 bytes to a row, which are the four sectors of a cache
/// line, or one word of each of the 32 banks.
struct RecordedRequest {
  struct Lane {
    int lane = 0;
    std::int64_t element = 0;
    std::uint64_t bits = 0;
    int part = 0;  ///< of a vector: which of the lane's elements
  };

  ObjectId object = kNone;
  MemorySpace space = MemorySpace::Global;
  bool store = false;
  SourceRange range{};  ///< of the expression
  int elementBytes = 4;
  LaneRequest lane;                  ///< what each lane asks for: of a vector, several elements
  std::vector<Lane> lanes{};         ///< ascending; of a vector, an entry for each element
  std::vector<std::int64_t> rows{};  ///< first byte of each row that is touched, ascending, from the array's beginning
  RequestShape shape{};
  /// Shared memory: the bank that serves most, see RequestShape::bankDegree, and the lanes that wait for each other
  /// there; kNone, none without a conflict.
  std::uint32_t worstBank = kNone;
  LaneMask conflicting = 0;

  [[nodiscard]] std::int64_t addressOf(const Lane& of) const { return of.element * elementBytes; }
};

/// `access` is one of the recording's, with which a request begins.
[[nodiscard]] RecordedRequest requestOf(const recording::Recording& recording, const recording::AccessGroup& access);

/// Whether a request begins with an access: see beginsRequest of its instruction.
[[nodiscard]] bool beginsRequest(const recording::Recording& recording, const recording::AccessGroup& access);

}  // namespace haloscope::analysis
