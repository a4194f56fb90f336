#include "checking/GpuSafety.h"

#include <algorithm>

namespace haloscope::checking {

namespace {

/// Whether a second run may give other results, or harm others.
bool isUncertain(const analysis::Finding& finding) {
  using analysis::FindingKind;
  switch (finding.kind) {
    case FindingKind::RaceShared:
    case FindingKind::RaceGlobal:
    case FindingKind::OutOfBounds:
    case FindingKind::Uninitialized:
    case FindingKind::DivergentBarrier:
    case FindingKind::Endless:
    case FindingKind::Unsupported:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<std::string> whyNotOnGpu(const KernelFile& file, const Bindings& bindings, const CheckOptions& options) {
  if (!file.isOpened()) { return std::nullopt; }
  const CheckReport report = check(file, bindings, options);
  const auto fault = std::ranges::find_if(report.findings, isUncertain);
  return fault == report.findings.end() ? std::nullopt : std::optional(fault->message);
}

}  // namespace haloscope::checking
