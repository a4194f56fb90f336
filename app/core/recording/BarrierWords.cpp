#include "recording/BarrierWords.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "language/Text.h"
#include "program/NumberText.h"
#include "recording/Gate.h"
#include "recording/StepWrites.h"

namespace haloscope::recording {

namespace {

/// "0", "0–2", "0, 2 and 3".
std::string numbersText(const std::vector<std::uint32_t>& numbers) {
  const bool row = numbers.back() - numbers.front() + 1 == numbers.size();
  if (row && numbers.size() > 2) { return fmt::format("{}–{}", numbers.front(), numbers.back()); }
  std::vector<std::string> texts;
  for (const std::uint32_t number : numbers) { texts.push_back(std::to_string(number)); }
  return namesText(texts);
}

/// "warp 0", "warps 0–2".
std::string warpsText(const std::vector<std::uint32_t>& warps) {
  return trn("warp {}", "warps {}", warps.size(), numbersText(warps));
}

/// The threads of a block at one step.
struct Gathering {
  std::size_t came = 0;     ///< threads that execute the step
  bool wait = false;        ///< and some of them wait from now on
  std::size_t waiting = 0;  ///< of all threads
  std::size_t all = 0;      ///< threads that have not left the kernel
  bool someLeft = false;    ///< others have
  bool whole = true;        ///< each warp waits or does not, but not in part
  std::vector<std::uint32_t> there, missing;
};

Gathering gatheringAt(const Recording& recording, std::size_t step) {
  Gathering result;
  const std::uint32_t threads = recording.threadCount();
  for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
    const WarpState& state = recording.warpState(step, warp);
    const std::uint32_t lanes = std::min<std::uint32_t>(threads - warp * kWarpSize, kWarpSize);
    const LaneMask existing = lanes == kWarpSize ? kAllLanes : (LaneMask{1} << lanes) - 1;
    const LaneMask live = existing & ~state.exited;
    const LaneMask waiting = state.waiting & live;
    result.someLeft = result.someLeft || live != existing;
    result.all += static_cast<std::size_t>(std::popcount(live));
    result.came += static_cast<std::size_t>(std::popcount(state.active & live));
    result.wait = result.wait || (state.active & waiting) != 0;
    result.waiting += static_cast<std::size_t>(std::popcount(waiting));
    if (live == 0) { continue; }
    result.whole = result.whole && (waiting == 0 || waiting == live);
    (waiting == 0 ? result.missing : result.there).push_back(warp);
  }
  return result;
}

std::string atBarrierOfBlock(const Gathering& gathering) {
  if (gathering.waiting == gathering.all) {
    return gathering.someLeft ? tr("All remaining threads wait at the barrier") : tr("All threads wait at the barrier");
  }
  if (!gathering.whole || gathering.there.empty()) {
    return trf("{} of {} threads wait at the barrier", grouped(gathering.waiting), grouped(gathering.all));
  }
  return trn("Warp {} waits at the barrier for {}", "Warps {} wait at the barrier for {}", gathering.there.size(),
             numbersText(gathering.there), warpsText(gathering.missing));
}

}  // namespace

std::string barrierText(const Recording& recording, std::size_t step) {
  const Meeting meeting = meetingOf(*recording.program, recording.steps[step].statement);
  const Gathering gathering = gatheringAt(recording, step);
  if (meeting <= Meeting::Warp || gathering.came == 0) { return {}; }
  const std::size_t here = gathering.wait ? gathering.waiting : gathering.came;
  const bool all = here == gathering.all;
  const std::string some = grouped(here), every = grouped(gathering.all);
  if (!gathering.wait) {  // no thread waits, as at an arrival without a wait
    if (meeting == Meeting::Cluster) {
      return all ? tr("All threads arrive at the barrier of the cluster")
                 : trf("{} of {} threads arrive at the barrier of the cluster", some, every);
    }
    return all ? tr("All threads reach the barrier") : trf("{} of {} threads reach the barrier", some, every);
  }
  if (meeting == Meeting::Block && comeToDifferentBarriers(recording, step)) {
    return tr("Threads wait at different barriers");
  }
  switch (meeting) {
    case Meeting::Cluster:
      return all ? tr("All threads wait at the barrier of the cluster")
                 : trf("{} of {} threads wait at the barrier of the cluster", some, every);
    case Meeting::Grid:
      return all ? tr("All threads wait at the barrier of the grid")
                 : trf("{} of {} threads wait at the barrier of the grid", some, every);
    case Meeting::Block:
    case Meeting::Warp:
    case Meeting::None:
      break;
  }
  return atBarrierOfBlock(gathering);
}

}  // namespace haloscope::recording
