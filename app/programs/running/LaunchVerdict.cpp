#include "running/LaunchVerdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>

#include "faults/FindingKinds.h"
#include "language/Text.h"

namespace haloscope::running {

LaunchVerdict launchVerdict(const ProgramLaunch& launch) {
  if (!launch.executed) { return {false, tr("not executed")}; }
  if (!launch.findings.empty()) {
    std::map<faults::FindingKind, std::size_t> counts;
    for (const faults::Finding& finding : launch.findings) { ++counts[finding.kind]; }
    std::string text;
    for (const auto& [kind, count] : counts) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, faults::rowOf(kind).name);
    }
    return {false, std::move(text)};
  }
  if (!launch.problem.empty()) { return {false, "stopped"}; }
  if (launch.wrongIn) { return {false, trf("wrong result, see launch {}", *launch.wrongIn + 1)}; }
  if (!launch.checked) { return {true, tr("executed, not checked again")}; }
  std::string text =
      launch.checkedBlocks < launch.blocks ? trf("no fault in {} blocks", launch.checkedBlocks) : tr("no fault");
  if (launch.result) { text += trf(", result: {}", verdict::resultText(*launch.result)); }
  return {true, std::move(text)};
}

bool isProblemFound(const ProgramRun& run, const ProgramLaunch& launch) {
  using faults::FindingKind;
  const auto stops = [](const faults::Finding& one) {
    return one.kind == FindingKind::FailedAssertion || one.kind == FindingKind::Trap ||
           one.kind == FindingKind::DivergentBarrier || one.kind == FindingKind::GridBarrier ||
           one.kind == FindingKind::Endless;
  };
  return std::ranges::find(run.findings, launch.problem, &HostFinding::message) != run.findings.end() ||
         std::ranges::any_of(launch.findings, stops);
}

}  // namespace haloscope::running
