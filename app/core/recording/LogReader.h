#pragma once

#include <map>
#include <memory>
#include <vector>

#include "program/BlockLog.h"
#include "program/Launch.h"
#include "program/Program.h"
#include "recording/Recording.h"

namespace haloscope::recording {

/// The order in which the statements of a block's warps are listed. Within a barrier interval a GPU may run them in
/// any.
enum class LogOrder : std::uint8_t {
  SideBySide,  ///< a step is a statement of all the warps that have reached it, the earliest in the text first
  Clock,       ///< as the multiprocessor's clock had them: a step is a statement of warps that ran it one after another
};

/// What is needed to read a block's log.
struct LoggedBlock {
  std::shared_ptr<const Program> program;  ///< the recording is about
  /// The same kernel at the places that the sites have; its instructions are those of `program`.
  const Program* placed = nullptr;
  const std::vector<LogSite>* sites = nullptr;
  const Launch* launch = nullptr;  ///< as it was before the block ran
  Dim3 block;
  const BlockLog* log = nullptr;
};

/// Makes a recording from what an instrumented kernel wrote: every value in it is the GPU's own, except for what
/// an atomic operation leaves, which is computed from what it found. Where a copied value
/// came from is derived from the program. A log that does not fit the program, or was too long for its memory, ends the
/// recording where it stops making sense, with a message.
[[nodiscard]] std::shared_ptr<const Recording> readLog(const LoggedBlock& block, LogOrder order = LogOrder::SideBySide);

/// What another reader of the log's words needs to stop at a step and to resolve an address.
struct LogIndex {
  /// For each thread, the steps of the recording in which its Statement entries occur, in order.
  std::vector<std::vector<std::uint32_t>> steps;
  std::map<ObjectId, std::uint64_t> places;  ///< addresses of the arrays that all threads share
};
[[nodiscard]] std::shared_ptr<const Recording> readLog(const LoggedBlock& block, LogOrder order, LogIndex& index);

}  // namespace haloscope::recording
