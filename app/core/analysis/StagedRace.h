#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "recording/Recording.h"

/// Two accesses of a block to one element of shared memory with no barrier between them, in the order in which they
/// happened in a recording.
namespace haloscope::analysis {

struct RaceAccess {
  std::uint32_t thread = 0;  ///< linear in the block
  std::uint32_t step = 0;
  std::uint32_t instruction = 0;  ///< index into Program::code
  bool store = false;
  bool operator==(const RaceAccess&) const = default;
};

struct StagedRace {
  ObjectId object = kNone;
  std::int64_t element = 0;
  RaceAccess first, second;
  /// One step made both: which came first is not known.
  [[nodiscard]] bool together() const { return first.step == second.step; }
  bool operator==(const StagedRace&) const = default;
};

/// The first load of one of these threads from an element of shared memory that a thread of another warp stores to in
/// the same barrier interval, in another step: which value is read depends on the order of the warps. Of several
/// stores, the last one before the load, else the first one after it.
[[nodiscard]] std::optional<StagedRace> firstRacyLoad(const recording::Recording& recording,
                                                      const std::set<std::uint32_t>& readers);

/// The access of a thread to an element in a step; none: it has none there.
[[nodiscard]] std::optional<RaceAccess> accessOf(const recording::Recording& recording, std::size_t step,
                                                 std::uint32_t thread, ObjectId object, std::int64_t element);

}  // namespace haloscope::analysis
