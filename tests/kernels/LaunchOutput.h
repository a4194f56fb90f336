#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "FaultSupport.h"
#include "simt/Executor.h"

namespace haloscope::test {

/// The ints that a kernel with an array `int* out` leaves in it.
inline std::vector<std::int32_t> outputOf(SmallLaunch& kernel, const simt::ExecuteOptions& options = {}) {
  const simt::ExecuteResult result = simt::execute(kernel.program, kernel.launch, {}, options);
  EXPECT_EQ(result.outcome, simt::Outcome::Finished) << result.message;
  const std::vector<std::byte>& bytes = kernel.launch.arrays[kernel.program.findObject("out")].bytes;
  std::vector<std::int32_t> out(bytes.size() / sizeof(std::int32_t));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

inline std::vector<faults::FindingKind> kindsOf(const std::vector<faults::Finding>& findings) {
  std::vector<faults::FindingKind> kinds;
  for (const faults::Finding& finding : findings) { kinds.push_back(finding.kind); }
  return kinds;
}

}  // namespace haloscope::test
