#include "faults/FindingPosition.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace haloscope::faults {
namespace {

bool holdsLineOf(const SourceRange& outer, const SourceRange& inner) {
  return outer.valid() && outer.line <= inner.line && inner.line <= outer.endLine;
}

/// Whether one of the finding's threads, in this step, accesses the finding's element or, if it is outside its array,
/// misses the array: accesses that were not carried out are not recorded.
bool happensIn(const recording::Recording& recording, std::size_t step, const Finding& finding) {
  return std::ranges::any_of(finding.threads, [&](const ThreadPlace& place) {
    if (place.block != recording.block) { return false; }
    const auto thread = static_cast<std::uint32_t>(linear(place.thread, recording.configuration.block));
    const std::uint32_t warp = thread / kWarpSize;
    const LaneMask lane = LaneMask{1} << thread % kWarpSize;
    if ((recording.warpState(step, warp).active & lane) == 0) { return false; }
    bool misses = finding.kind == FindingKind::OutOfBounds;
    for (const recording::AccessGroup& group : recording.accessesOf(step)) {
      if (group.object != finding.object || group.warp != warp || (group.lanes & lane) == 0) { continue; }
      const auto before = static_cast<std::size_t>(std::popcount(group.lanes & (lane - 1)));
      if (recording.elements[group.first + before] == finding.index) { return true; }
      misses = false;
    }
    return misses;
  });
}

}  // namespace

std::optional<std::size_t> positionOf(const SourceRange& where, const Finding& finding,
                                      const recording::Recording& recording) {
  // Several statements may share a line. The text of a macro lies elsewhere than its use: then the line has to do.
  for (const bool exact : {true, false}) {
    std::optional<std::size_t> sameInterval, elsewhere;
    for (std::size_t i = 0; i < recording.steps.size(); ++i) {
      const recording::Step& step = recording.steps[i];
      if (step.statement == kNone) { continue; }
      const SourceRange& statement = recording.program->statements[step.statement].range;
      if (!(exact ? statement.holdsBeginOf(where) : holdsLineOf(statement, where))) { continue; }
      if (step.interval != finding.interval) {
        if (!elsewhere) { elsewhere = i + 1; }
        continue;
      }
      if (happensIn(recording, i, finding)) { return i + 1; }
      if (!sameInterval) { sameInterval = i + 1; }
    }
    if (sameInterval) { return sameInterval; }
    if (elsewhere) { return elsewhere; }
  }
  return std::nullopt;
}

}  // namespace haloscope::faults
