#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace haloscope::running {

/// What a program says of its own comparison, as most do that have a reference on the host: "Test PASSED",
/// "Max error: 1.2e-07", "mismatch at 17".
struct OwnCheck {
  bool passed = false;
  bool measured = false;   ///< it only prints a difference, and leaves the judgement to the reader
  std::string line;        ///< that says so; empty: all it says is its exit status
  std::size_t begin = 0;   ///< of the line in the output
  std::size_t before = 0;  ///< end of the last such line before it
};

/// All such lines of a program's output.
[[nodiscard]] std::vector<OwnCheck> ownChecksIn(const std::string& output);
/// The one that counts most, the last of equals; none if there is none. A word or a count of errors counts more than a
/// difference, and a line that reports a failure more than one that reports success.
[[nodiscard]] std::optional<OwnCheck> mostTelling(const std::vector<OwnCheck>& checks);
[[nodiscard]] std::optional<OwnCheck> ownCheckIn(const std::string& output);

}  // namespace haloscope::running
