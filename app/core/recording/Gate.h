#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "recording/Recording.h"

namespace haloscope::recording {

/// Whose threads meet at the barriers of a statement.
enum class Meeting : std::uint8_t { None, Warp, Block, Cluster, Grid };
[[nodiscard]] Meeting meetingOf(const Program& program, StatementId statement);

/// Where a thread of the block is, as a barrier sees it.
enum class AtGate : std::uint8_t {
  Absent,    ///< it has left the kernel, or the barrier is none of its own
  Awaited,   ///< it has not come yet
  Arriving,  ///< it comes in this step
  Waiting,   ///< it came in an earlier one
};

/// The barrier at which threads of the block are in one step.
struct Gate {
  Meeting meeting = Meeting::None;
  SourceRange range;            ///< of the barrier's expression
  std::vector<AtGate> threads;  ///< one per thread of the block
  std::size_t here = 0;         ///< those that wait or arrive
  std::size_t awaited = 0;      ///< of the block; the recording says nothing of other blocks. 0 for a __syncwarp()
  /// The last of those whom it awaits has come: it lets them go on. Never of a barrier that other blocks come to, too;
  /// always of a __syncwarp(), whose step is executed once those have come.
  bool opens = false;
};

/// Whether threads of the block came to another barrier before, in the same interval as the step, which has one. Costs
/// as much as the interval has steps until there.
[[nodiscard]] bool comeToDifferentBarriers(const Recording& recording, std::size_t step);

/// In a step whose statement has a barrier, or during which threads wait at one; none in any other, nor where they wait
/// at different ones. Costs as much as the block has threads, and its interval steps until there.
[[nodiscard]] std::optional<Gate> gateAt(const Recording& recording, std::size_t step);

}  // namespace haloscope::recording
