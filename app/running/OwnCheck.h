#pragma once

#include <optional>
#include <string>

namespace haloscope::running {

/// What a program says of its own comparison, as most do that have a reference on the host: "Test PASSED",
/// "Max error: 1.2e-07", "mismatch at 17".
struct OwnCheck {
  bool passed = false;
  std::string line;  ///< that says so
};

/// The last such line of a program's output; none if it says nothing. A line that reports a failure counts more than
/// one that reports success.
[[nodiscard]] std::optional<OwnCheck> ownCheckIn(const std::string& output);

}  // namespace haloscope::running
