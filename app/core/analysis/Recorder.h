#pragma once

#include <memory>

#include "recording/Recording.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

namespace haloscope::analysis {

struct RecordOptions {
  std::size_t memoryBudget = std::size_t{512} << 20;  ///< bytes; beyond it the recording is marked truncated
  simt::WarpOrder order = simt::WarpOrder::SideBySide;
  std::uint64_t orderSeed = 0;  ///< of WarpOrder::Random
  std::stop_token stop{};
};

/// Executes one block of the launch statement by statement (Schedule::Statement) and records it. `launch` is not
/// modified: global writes are seen by the block itself, then thrown away. Throws InputError as simt::execute does. An
/// endless loop or a divergent barrier yields a truncated recording whose message says so.
std::shared_ptr<const recording::Recording> record(const std::shared_ptr<const Program>& program, const Launch& launch,
                                                   const Dim3& block, const RecordOptions& options = {});

}  // namespace haloscope::analysis
