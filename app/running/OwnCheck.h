#pragma once

#include <optional>
#include <string>

namespace haloscope::running {

/// What a program says of its own comparison, as most do that have a reference on the host: "Test PASSED",
/// "Max error: 1.2e-07", "mismatch at 17".
struct OwnCheck {
  bool passed = false;
  bool measured = false;  ///< it only prints a difference, and leaves the judgement to the reader
  std::string line;       ///< that says so
};

/// The last such line of a program's output; none if it says nothing. A word or a count of errors counts more than a
/// difference, and a line that reports a failure more than one that reports success.
[[nodiscard]] std::optional<OwnCheck> ownCheckIn(const std::string& output);

struct ProgramRun;
/// A comparison that fails in words is a finding of the program's kernel, where it has only one and nothing else
/// explains it: no finding, and no function of the host that computes the same as the kernel.
void addOwnCheck(ProgramRun& run);
/// Whether a finding of a kernel explains that the program's comparison fails.
[[nodiscard]] bool explainsOwnCheck(const ProgramRun& run);

}  // namespace haloscope::running
