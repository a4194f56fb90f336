#include "state/ProgramFaults.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>

#include "language/Text.h"
#include "program/NumberText.h"
#include "running/KernelChecks.h"
#include "running/LaunchVerdict.h"

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
      if (add({launch.file, finding.where.line}, row.title, finding.message)) { faults.back().kind = finding.kind; }
    }
    if (!launch.problem.empty() && !isProblemFound(run, launch)) {
      add(launch.at, launch.executed ? tr("stopped") : tr("not executed"), launch.problem);
    }
  }
}

/// What belongs to how the program ended, unless it ended as it should.
void addEnd(const ProgramRun& run, std::vector<ProgramFault>& faults) {
  for (const host::HostDiagnostic& problem : run.problems) {
    faults.push_back({.at = problem.where, .title = tr("host code"), .sentence = problem.message, .isEnd = true});
  }
  if (run.end == ProgramEnd::Exited) {
    for (std::string& told : running::differencesTold(run)) {
      faults.push_back({.at = {}, .title = tr("its own comparison"), .sentence = std::move(told), .grave = false});
    }
    if (std::string rejected = running::rejection(run); !rejected.empty() && !running::explainsOwnCheck(run)) {
      faults.push_back({.at = {}, .title = tr("its own comparison"), .sentence = std::move(rejected)});
    }
  } else if (run.problems.empty() && run.end != ProgramEnd::Stopped && !run.message.empty()) {
    // One mistake is one finding: what ended it may have been reported already.
    const auto told = [&](const running::HostFinding& one) { return rowOf(one.kind).fault && one.at == run.endedAt; };
    if (std::ranges::any_of(run.findings, told)) { return; }
    faults.push_back({.at = run.endedAt, .title = tr("the program ended"), .sentence = run.message, .isEnd = true});
  }
}

}  // namespace

std::vector<ProgramFault> faultsOf(const ProgramRun& run) {
  std::vector<ProgramFault> faults;
  addEnd(run, faults);
  for (const running::HostFinding& finding : run.findings) {
    const running::HostFindingRow& row = rowOf(finding.kind);
    const std::string times = finding.occurrences > 1 ? trf(" ({} times)", grouped(finding.occurrences)) : "";
    faults.push_back(
        {.at = finding.at, .title = tr(row.title), .sentence = finding.message + times, .grave = row.fault});
  }
  addLaunches(run, faults);
  std::vector<ProgramFault> ordered;
  std::ranges::copy_if(faults, std::back_inserter(ordered), &ProgramFault::grave);
  std::ranges::copy_if(faults, std::back_inserter(ordered), std::logical_not{}, &ProgramFault::grave);
  return ordered;
}

}  // namespace haloscope
