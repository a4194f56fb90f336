#include "state/ProgramFaults.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "language/Text.h"
#include "program/NumberText.h"
#include "running/KernelChecks.h"
#include "running/LaunchVerdict.h"
#include "running/Remarks.h"

namespace haloscope {

namespace {

using running::ProgramEnd;
using running::ProgramLaunch;
using running::ProgramRun;

void addLaunches(const ProgramRun& run, std::vector<ProgramFault>& faults) {
  std::map<std::tuple<std::string, int, std::string>, std::size_t> known;
  for (std::size_t i = 0; i < run.launches.size(); ++i) {
    const ProgramLaunch& launch = run.launches[i];
    const auto add = [&](const host::HostPlace& at, const std::string& title, const std::string& sentence) {
      const bool isNew = known.try_emplace({at.file, at.line, title}, faults.size()).second;
      if (isNew) {
        faults.push_back({.at = at,
                          .title = title,
                          .sentence = trf("launch {}, {}: {}", grouped(i + 1), launch.kernel, sentence),
                          .launch = i});
      }
      return isNew;
    };
    for (const faults::Finding& finding : launch.findings) {
      const faults::FindingRow& row = faults::rowOf(finding.kind);
      if (add({launch.file, finding.where.line}, row.title, finding.text())) { faults.back().kind = finding.kind; }
    }
    if (!launch.problem.empty() && !isProblemFound(run, launch)) {
      add(launch.at, launch.executed ? tr("stopped") : tr("not executed"), launch.problem);
    }
  }
}

/// What is worth a place in the window's list: how it was executed is shown elsewhere, and a comparison that fails
/// because of what was found is no finding of its own.
bool isListed(const ProgramRun& run, const verdict::Remark& remark) {
  using namespace running;
  if (remark.kind == kSizesRemark || remark.kind == kNoLaunchRemark || remark.kind == kFileRemark) { return false; }
  if (remark.kind == kEndRemark) { return run.end != ProgramEnd::Stopped; }
  return remark.kind != kOwnComparisonRemark || !explainsOwnCheck(run);
}

}  // namespace

std::vector<ProgramFault> faultsOf(const ProgramRun& run) {
  std::vector<ProgramFault> faults;
  for (const verdict::Remark& one : running::remarksOf(run, true)) {
    if (!isListed(run, one)) { continue; }
    const bool isEnd = one.kind == running::kEndRemark || one.kind == running::kCompileRemark;
    const std::string times = one.times > 1 ? trf(" ({} times)", grouped(one.times)) : "";
    faults.push_back({.at = {one.place.file, one.place.range.line},
                      .title = one.title,
                      .sentence = one.message + times,
                      .grave = isEnd || one.weight != verdict::Weight::Note,
                      .isEnd = isEnd});
  }
  std::ranges::stable_partition(faults, &ProgramFault::isEnd);
  addLaunches(run, faults);
  std::vector<ProgramFault> ordered;
  std::ranges::copy_if(faults, std::back_inserter(ordered), &ProgramFault::grave);
  std::ranges::copy_if(faults, std::back_inserter(ordered), std::logical_not{}, &ProgramFault::grave);
  return ordered;
}

}  // namespace haloscope
