#include "running/HostFindings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "language/Text.h"

namespace haloscope::running {

void HostFindings::add(HostFindingKind kind, const host::HostPlace& at, std::string message) {
  constexpr std::size_t kMost = 1000;
  const auto same = [&](const HostFinding& one) { return one.kind == kind && one.at == at; };
  const auto known = std::ranges::find_if(findings_, same);
  if (known != findings_.end()) {
    ++known->occurrences;
  } else if (findings_.size() < kMost) {
    findings_.push_back({.kind = kind, .at = at, .message = std::move(message)});
  }
}

std::string bytesText(std::uint64_t bytes) { return trn("{} byte", "{} bytes", bytes, bytes); }

std::string placeText(const host::HostPlace& at) {
  return at.line == 0 ? std::string(tr("an unknown place")) : trf("line {}", at.line);
}

}  // namespace haloscope::running
