#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "host/HostProgram.h"
#include "running/HostFinding.h"

namespace haloscope::running {

/// What was found in a program's host half, each mistake once for a place, up to a limit.
class HostFindings {
 public:
  void add(HostFindingKind kind, const host::HostPlace& at, std::string message);
  [[nodiscard]] std::vector<HostFinding> take() { return std::move(findings_); }

 private:
  std::vector<HostFinding> findings_;
};

/// "1 byte", "12 bytes".
[[nodiscard]] std::string bytesText(std::uint64_t bytes);
/// "line 12".
[[nodiscard]] std::string placeText(const host::HostPlace& at);

}  // namespace haloscope::running
