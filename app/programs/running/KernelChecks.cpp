#include "running/KernelChecks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "running/OtherResults.h"

namespace haloscope::running {

namespace {

/// What the program says of its results. Nothing if not all launches were executed whole.
std::vector<OwnCheck> checksIn(const ProgramRun& run) {
  std::vector<OwnCheck> checks;
  if (!run.isWhole()) { return checks; }
  std::set<std::string> accepted;
  for (const OwnCheck& one : run.ownChecks) {
    if (one.passed && one.kernels.size() == 1) { accepted.insert(*one.kernels.begin()); }
  }
  for (OwnCheck check : run.ownChecks) {
    // What it expects may hold at its own sizes alone.
    if (!check.passed && (!check.fails() || !run.sizes.empty())) { continue; }
    // A kernel whose own result was right is not to blame for one that was computed from it.
    if (!check.passed && check.kernels.size() > 1) {
      std::erase_if(check.kernels, [&](const std::string& one) { return accepted.contains(one); });
    }
    checks.push_back(std::move(check));
  }
  return checks;
}

bool isFault(const HostFinding& one) { return rowOf(one.kind).fault; }
bool isWrongResult(const faults::Finding& one) { return one.kind == faults::FindingKind::WrongResult; }

/// Whether it fails by its exit status alone.
bool endsInSilence(const ProgramRun& run) {
  return endsWithFailure(run) && !run.launches.empty() && run.refusedFiles.empty() && run.ownChecks.empty() &&
         std::ranges::all_of(run.events, [](const ProgramEvent& one) { return one.error == 0; });
}

/// Whether a launch of another kernel reads what a launch writes.
bool continues(const ProgramLaunch& other, const ProgramLaunch& launch) {
  return other.symbol != launch.symbol && std::ranges::any_of(other.pointers, [&](const LaunchPointer& one) {
           return one.reads && !one.writes && one.place &&
                  std::ranges::any_of(launch.pointers, [&](const LaunchPointer& own) {
                    return own.writes && own.place && own.place->allocation == one.place->allocation;
                  });
         });
}

/// Whether another kernel goes on with what a launch writes: then it is not its result that is meant to be compared.
bool isIntermediate(const ProgramRun& run, const ProgramLaunch& launch) {
  return std::ranges::any_of(run.launches, [&](const ProgramLaunch& other) { return continues(other, launch); });
}

/// Where the program compares an intermediate result, and the last one never comes to the host, that is the fault.
void blameMissingCopy(ProgramRun& run, const ProgramLaunch& intermediate) {
  for (HostFinding& finding : run.findings) {
    const auto isLast = [&](const ProgramLaunch& other) {
      return other.at == finding.at && continues(other, intermediate);
    };
    if (finding.kind == HostFindingKind::NeverCopiedBack && std::ranges::any_of(run.launches, isLast)) {
      finding.kind = HostFindingKind::ResultMissing;
      finding.message += trf(" The host compares the result of {} instead.", intermediate.kernel);
    }
  }
}

host::HostPlace placeOfRejection(const ProgramRun& run, const OwnCheck& check, const ProgramLaunch& launch) {
  return check.accepted ? run.events.at(check.accepted->event).at : launch.at;
}

}  // namespace

bool endsWithFailure(const ProgramRun& run) {
  constexpr int kFailure = 1, kMinusOne = 255;
  return run.status == kFailure || run.status == kMinusOne || run.status == -1;
}

std::string textOf(const OwnCheck& check) {
  if (!check.line.empty()) { return check.line; }
  return check.passed ? tr("it ends in another way for other results")
                      : tr("it ends in another way for another result");
}

std::string textOf(const RejectedResult& result) {
  return trf("{} of {} elements differ, the first is element {}: {:.6g} instead of {:.6g}", result.differing,
             result.points, result.first, result.found, result.expected);
}

std::map<std::string, OwnCheck> checksOfKernels(const ProgramRun& run) {
  std::map<std::string, OwnCheck> checks;
  for (const OwnCheck& check : checksIn(run)) {
    if (!check.passed && check.kernels.size() > 1) { continue; }
    for (const std::string& symbol : check.kernels) {
      // A failure counts more than any success.
      if (const auto known = checks.find(symbol); known == checks.end() || known->second.passed) {
        checks.insert_or_assign(symbol, check);
      }
    }
  }
  return checks;
}

void withdrawAccepted(ProgramRun& run) {
  for (const OwnCheck& check : checksIn(run)) {
    if (!check.passed) { continue; }
    for (ProgramLaunch& launch : run.launches) {
      if (!check.kernels.contains(launch.symbol)) { continue; }
      if (std::exchange(launch.unlessAccepted, false)) { std::erase_if(launch.findings, isWrongResult); }
      // Then the same is computed again on purpose.
      std::erase_if(run.findings, [&](const HostFinding& one) {
        return one.kind == HostFindingKind::RepeatedLaunch && one.at == launch.at;
      });
    }
  }
}

void withdrawMeant(ProgramRun& run) {
  for (const OwnCheck& check : run.ownChecks) {
    const auto isTwin = [&](const OwnCheck& one) { return one.passed && one.kernels != check.kernels; };
    if (!check.isMeant || check.kernels.size() != 1 || std::ranges::none_of(run.ownChecks, isTwin)) { continue; }
    for (ProgramLaunch& launch : run.launches) {
      if (!check.kernels.contains(launch.symbol)) { continue; }
      launch.meantWrong = true;
      launch.wrongIfMeant.reset();
      std::erase_if(launch.findings, isWrongResult);
    }
  }
}

void addRejected(ProgramRun& run) {
  if (!run.isWhole() || !run.sizes.empty()) { return; }
  for (const OwnCheck& check : run.ownChecks) {
    // A line may say how far the result is from another one that is not meant to be the same.
    const bool onlyPrints = !check.ends && !check.line.empty();
    if (check.passed) { continue; }
    for (ProgramLaunch& launch : run.launches) {
      if (!check.kernels.contains(launch.symbol) || !launch.wrongIfMeant || !launch.findings.empty() ||
          (onlyPrints && !launch.wrongIfCompared) || isIntermediate(run, launch)) {
        continue;
      }
      launch.findings.push_back(*std::exchange(launch.wrongIfMeant, {}));
      launch.unlike.clear();
    }
  }
}

void addOwnChecks(ProgramRun& run) {
  if (std::ranges::any_of(run.findings, isFault)) { return; }
  for (const OwnCheck& check : checksIn(run)) {
    if (check.passed) { continue; }
    std::map<std::string, ProgramLaunch*> lasts;
    for (ProgramLaunch& launch : run.launches) {
      if (check.kernels.contains(launch.symbol)) { lasts[launch.symbol] = &launch; }
    }
    const auto isExplained = [&](const ProgramLaunch& launch) {
      return check.kernels.contains(launch.symbol) && (!launch.findings.empty() || launch.program == nullptr);
    };
    for (const ProgramLaunch& launch : run.launches) {
      if (!launch.ownFunction.empty()) { lasts.erase(launch.symbol); }
    }
    if (std::ranges::any_of(run.launches, isExplained) || lasts.size() != 1) { continue; }
    ProgramLaunch& last = *lasts.begin()->second;
    if (isIntermediate(run, last)) {
      blameMissingCopy(run, last);
      continue;
    }
    faults::Finding finding;
    finding.kind = faults::FindingKind::WrongResult;
    finding.where = last.program->kernelRange;
    finding.where.endLine = finding.where.line;
    finding.shownBy = {{verdict::Basis::OwnComparison, verdict::Outcome::Differs, {textOf(check)}}};
    finding.message = trf("the program's own comparison rejects the result of {} ({})", last.kernel, textOf(check));
    last.findings.push_back(std::move(finding));
  }
}

bool isRejection(const faults::Finding& finding) {
  return isWrongResult(finding) && !finding.explained && finding.shownBy.size() == 1 &&
         finding.shownBy.front().basis == verdict::Basis::OwnComparison;
}

void settleOwnChecks(ProgramRun& run) {
  for (ProgramLaunch& launch : run.launches) {
    if (std::erase_if(launch.findings, isRejection) == 0) { continue; }
    const auto check = std::ranges::find_if(
        run.ownChecks, [&](const OwnCheck& one) { return one.fails() && one.kernels.contains(launch.symbol); });
    if (check == run.ownChecks.end()) { continue; }
    if (check->how && !check->byElement && check->kinship != Kinship::Same &&
        2 * check->how->differing > check->how->points && !isCloseTo(check->accepted->found, check->accepted->array)) {
      check->kinship = Kinship::Other;
      continue;
    }
    std::string how = tr("counts more where more of its elements are changed");
    if (check->how) {
      how = check->byElement ? trf("accepts in its place the values that the host computes to compare it with: {}",
                                   textOf(*check->how))
                             : trf("accepts one of the host's arrays in its place: {}", textOf(*check->how));
    }
    run.findings.push_back(
        {.kind = HostFindingKind::RejectedResult,
         .at = placeOfRejection(run, *check, launch),
         .message = trf("The program's own comparison rejects the result of {} ({}), and {}. Whether the kernel is "
                        "wrong, what the host gives to it, or what it compares with, was not shown.",
                        launch.kernel, textOf(*check), how)});
  }
}

void dropExplainedRejections(ProgramRun& run) {
  const auto isWrong = [](const ProgramLaunch& launch) { return std::ranges::any_of(launch.findings, isWrongResult); };
  for (const OwnCheck& check : run.ownChecks) {
    const bool explained = check.fails() && std::ranges::any_of(run.launches, [&](const ProgramLaunch& launch) {
                             return check.kernels.contains(launch.symbol) && isWrong(launch);
                           });
    if (!explained) { continue; }
    std::erase_if(run.findings, [&](const HostFinding& one) {
      if (one.kind != HostFindingKind::RejectedResult) { return false; }
      return std::ranges::any_of(run.launches, [&](const ProgramLaunch& launch) {
        return check.kernels.contains(launch.symbol) && one.at == placeOfRejection(run, check, launch);
      });
    });
  }
}

bool explainsOwnCheck(const ProgramRun& run) {
  return std::ranges::any_of(run.launches, [](const ProgramLaunch& one) { return !one.findings.empty(); }) ||
         std::ranges::any_of(run.findings, isFault);
}

std::vector<std::string> differencesTold(const ProgramRun& run) {
  std::vector<std::string> all;
  for (const OwnCheck& check : run.ownChecks) {
    if (check.passed || check.fails() || !check.how || !run.sizes.empty()) { continue; }
    std::set<std::string> names;
    for (const ProgramLaunch& launch : run.launches) {
      if (check.kernels.contains(launch.symbol)) { names.insert(launch.kernel); }
    }
    all.push_back(trf(
        "The program reacts differently to the result of {} ({}) and to {} in its place: {}. Whether the "
        "two should be equal is not known.",
        fmt::join(names, ", "), textOf(check),
        check.byElement ? tr("the values that the host computes to compare it with") : tr("one of the host's arrays"),
        textOf(*check.how)));
  }
  return all;
}

std::string rejection(const ProgramRun& run) {
  if (!run.isWhole() || !run.sizes.empty()) { return {}; }
  std::string text;
  if (const auto rejected = std::ranges::find_if(run.ownChecks, &OwnCheck::fails); rejected != run.ownChecks.end()) {
    text = trf("The program's own comparison fails ({}).", textOf(*rejected));
  } else if (endsInSilence(run)) {
    text =
        trf("The program ends with status {}, although all calls and launches succeeded: it may reject its "
            "result.",
            run.status);
  } else {
    return {};
  }
  if (explainsOwnCheck(run)) { return text; }
  std::set<std::string> open, known;
  for (const ProgramLaunch& launch : run.launches) {
    (launch.ownFunction.empty() ? open : known).insert(launch.kernel);
  }
  std::erase_if(open, [&](const std::string& one) { return known.contains(one); });
  if (open.empty()) {
    return trf(
        "{} Where the program's own functions write, the kernels compute the same: look at the other points, and at "
        "what the host passes to them and compares.",
        text);
  }
  return trf(
      "{} Nothing in the program says what {} should compute: a function of the host that is called with the same data "
      "would, and so would a kernel that --reference FILE.cu[:KERNEL] names.",
      text, fmt::join(open, ", "));
}

}  // namespace haloscope::running
