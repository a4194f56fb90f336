#include "judging/KernelVerdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "checking/Siblings.h"
#include "checking/Uniformity.h"
#include "checking/WrongResult.h"
#include "faults/Traps.h"
#include "language/Text.h"
#include "opening/OpenedFile.h"
#include "running/ElementsAsBytes.h"
#include "running/KernelChecks.h"
#include "running/KernelTexts.h"
#include "work/Deadline.h"

namespace haloscope::judging {

namespace {

bool isAboutMemory(const faults::Finding& finding) {
  using faults::FindingKind;
  return finding.kind == FindingKind::OutOfBounds || finding.kind == FindingKind::Uninitialized ||
         finding.kind == FindingKind::UnwrittenOutput || finding.kind == FindingKind::RaceGlobal;
}

/// What a header says that a kernel computes is right; what its name or its own execution suggests need not be what
/// the program wants.
bool isOnlySupposed(const CheckedKernel& row) {
  return row.text && row.text->computes && (row.text->computes->guessed || row.text->computes->observed);
}

/// Names the kernels that made the same of the same data as a launch.
void addAlike(const running::ProgramRun& run, const running::ProgramLaunch& launch, checking::CheckReport& report) {
  for (const std::string& symbol : launch.alike) {
    const auto other = std::ranges::find(run.launches, symbol, &running::ProgramLaunch::symbol);
    if (other != run.launches.end() && other->program != nullptr) { report.alike.insert(other->program->kernel); }
  }
}

/// The comparison with a supposed reference gives way to that of the program. `failed`: what the program prints says
/// that this kernel's result is wrong.
void preferOwnComparison(CheckedKernel& row, const std::string& ownFunction, bool failed) {
  checking::CheckReport& report = *row.report;
  report.ownFunction = ownFunction;
  if (ownFunction.empty()) {
    const bool wrong = failed && (!report.matchesReference || isOnlySupposed(row));
    if (wrong || std::ranges::any_of(report.findings, checking::isWrongResult)) { report.matchesReference = false; }
  } else if (isOnlySupposed(row) && !report.matchesReference.value_or(true)) {
    std::erase_if(report.findings, checking::isWrongResult);
    report.matchesReference.reset();
  }
}

/// A kernel whose text alone cannot be read, because it takes a texture or a table of pointers, was executed and
/// checked all the same if its program launches it.
bool reportAsExecuted(const ExecutedProgram& program, CheckedKernel& row) {
  const auto& launches = program.run.launches;
  const auto launch = std::ranges::find_if(launches, [&](const running::ProgramLaunch& one) {
    return !row.kernel.empty() && one.checked && one.program != nullptr && isOfRow(one, program.files.folder, row);
  });
  if (launch == launches.end()) { return false; }
  row.report.emplace();
  row.report->kernel = row.kernel;
  row.report->program = launch->program;
  for (const SourceError& error : row.errors) {
    row.assumptions.push_back(trf("Without its program the kernel cannot be read: {}", error.message()));
  }
  row.errors.clear();
  return true;
}

/// The text of a program's file as it was executed.
const std::string& textOf(const ExecutedProgram& program, const host::HostProgram::File& file) {
  const auto other = program.texts.find((program.files.folder / file.name).lexically_normal());
  return other == program.texts.end() ? file.text : other->second;
}

/// The kernels that the program launched, checked.
std::vector<CheckedKernel> launchedKernels(const ExecutedProgram& program, const std::stop_token& stop) {
  opening::LaunchOverrides overrides;
  overrides.defines = program.files.program.defines;
  overrides.executed = program.run.facts();
  for (const auto& [name, text] : program.files.program.headers) {
    overrides.headerTexts[(program.files.folder / name).lexically_normal()] = text;
  }
  for (const auto& [path, text] : program.texts) { overrides.headerTexts[path] = text; }
  std::vector<CheckedKernel> rows;
  if (overrides.executed.empty()) { return rows; }
  for (const host::HostProgram::File& file : program.files.program.files) {
    const std::filesystem::path path = program.files.folder / file.name;
    opening::OpenedFile opened;
    try {
      opened = opening::openText(path, textOf(program, file), overrides);
    } catch (const InputError&) {
      continue;  // too large to be opened as a kernel file
    }
    for (const opening::ProposedKernel& kernel : opened.kernels) {
      CheckedKernel row{.file = kernel.file.path.string(), .kernel = kernel.file.kernel};
      const auto isIts = [&](const running::ProgramLaunch& launch) {
        return launch.executed && isOfRow(launch, program.files.folder, row);
      };
      if (stop.stop_requested() || std::ranges::none_of(program.run.launches, isIts)) { continue; }
      try {
        checkKernel(kernel.file, {}, row, {.stop = stop});
      } catch (const experiment::Cancelled&) { return rows; }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

/// Of all comparisons of a program's results.
constexpr std::chrono::seconds kLongestComparison{20};

}  // namespace

bool isOfRow(const running::ProgramLaunch& launch, const std::filesystem::path& folder, const CheckedKernel& row) {
  if (running::baseName(launch.kernel) != running::baseName(row.kernel)) { return false; }
  if (row.kernel.ends_with('>') && !launch.kernel.ends_with(row.kernel)) { return false; }
  return (folder / launch.file).lexically_normal() == std::filesystem::path(row.file).lexically_normal();
}

void addFindings(const ExecutedProgram& program, std::vector<CheckedKernel>& rows) {
  const std::map<std::string, running::OwnCheck> checks = checksOfKernels(program.run);
  const bool hostIsToBlame =
      std::ranges::any_of(program.run.findings, [](const running::HostFinding& one) { return rowOf(one.kind).fault; });
  for (CheckedKernel& row : rows) {
    if (!row.report && !reportAsExecuted(program, row)) { continue; }
    std::vector<faults::Finding>& findings = row.report->findings;
    std::size_t launches = 0;
    bool launchedWrong = false;
    const running::OwnCheck* own = nullptr;
    for (const running::ProgramLaunch& launch : program.run.launches) {
      if (!isOfRow(launch, program.files.folder, row)) { continue; }
      const bool missing = std::ranges::any_of(program.run.findings, [&](const running::HostFinding& one) {
        return one.kind == running::HostFindingKind::ResultMissing && one.at == launch.at;
      });
      if (const auto check = checks.find(launch.symbol);
          !missing && check != checks.end() && (own == nullptr || own->passed)) {
        own = &check->second;
      }
      addAlike(program.run, launch, *row.report);
      if (launches++ == 0) {
        if (launch.facts.sharesArrays) { std::erase_if(findings, isAboutMemory); }
        faults::eraseAssertions(findings);
      }
      // Its arrays are too small, which is reported where they are allocated.
      if (launch.lacksMemory) { std::erase_if(findings, running::comesFromSmallArrays); }
      launchedWrong = launchedWrong || std::ranges::any_of(launch.findings, checking::isWrongResult);
      for (const faults::Finding& finding : launch.findings) {
        if (checking::isWrongResult(finding)) {
          checking::addWrongResult(findings, finding);
          continue;
        }
        if (finding.kind == faults::FindingKind::UnwrittenOutput) {
          // What its own execution tells says which grid is right; a wrong result comes of it.
          std::erase_if(findings, [](const faults::Finding& one) {
            return one.kind == faults::FindingKind::UnwrittenOutput || (checking::isWrongResult(one) && !one.explained);
          });
        }
        const auto same = [&](const faults::Finding& other) {
          return other.kind == finding.kind && other.where.line == finding.where.line;
        };
        if (std::ranges::none_of(findings, same)) { findings.push_back(finding); }
      }
    }
    const auto matching = std::ranges::find_if(program.run.launches, [&](const running::ProgramLaunch& launch) {
      return isOfRow(launch, program.files.folder, row) && !launch.ownFunction.empty();
    });
    const bool known = matching != program.run.launches.end() && !launchedWrong;
    if (launches > 0) {
      preferOwnComparison(row, known ? matching->ownFunction : "", own != nullptr && !own->passed && !hostIsToBlame);
    }
    row.report->onOwnDataOnly = known && matching->onOwnDataOnly;
    const auto unlike = std::ranges::find_if(program.run.launches, [&](const running::ProgramLaunch& launch) {
      return isOfRow(launch, program.files.folder, row) && !launch.unlike.empty();
    });
    if (!known && unlike != program.run.launches.end()) {
      row.report->notes.push_back(
          trf("Its result differs nearly everywhere from that of {}, which was called with the same data. Whether that "
              "is meant to compute the same is not known.",
              unlike->unlike));
    }
    if (own != nullptr) { (own->passed ? row.report->ownCheck : row.report->rejection) = running::textOf(*own); }
    const bool executed = std::ranges::any_of(program.run.launches, [&](const running::ProgramLaunch& launch) {
      return isOfRow(launch, program.files.folder, row) && launch.executed;
    });
    if (!executed && launches > 0) {
      const auto failed = std::ranges::find_if(program.run.launches, [&](const running::ProgramLaunch& launch) {
        return isOfRow(launch, program.files.folder, row);
      });
      row.assumptions.push_back(trf("The program's launch of {} at line {} was not executed: {}", row.kernel,
                                    failed->at.line, failed->problem));
    }
    if (executed) {
      row.assumptions.push_back(
          launches == 1 ? trf("The sizes and arrays are those with which the program launches {}.", row.kernel)
                        : trf("The program launches {} {} times: the sizes and arrays are those of the first launch.",
                              row.kernel, launches));
    }
  }
}

void checkUniformity(std::span<CheckedKernel> rows, const std::stop_token& stop) {
  for (CheckedKernel& row : rows) {
    if (!row.checked() || !row.text || !row.report->findings.empty() || row.report->judged()) { continue; }
    checking::checkUniformity(*row.text, row.bindings, *row.report, stop);
  }
}

void noteResults(const std::vector<CheckedKernel>& rows, running::ProgramRun& run,
                 const std::filesystem::path& folder) {
  for (const CheckedKernel& row : rows) {
    if (!row.report) { continue; }
    std::vector<running::ProgramLaunch*> launches;
    for (running::ProgramLaunch& launch : run.launches) {
      if (launch.executed && isOfRow(launch, folder, row)) { launches.push_back(&launch); }
    }
    if (launches.empty()) { continue; }
    for (running::ProgramLaunch* const launch : launches) { launch->result = resultOf(row).text(); }
    const auto wrong = std::ranges::find_if(row.report->findings, checking::isWrongResult);
    if (wrong == row.report->findings.end()) { continue; }
    // At the launch that has shown it, which need not be the first.
    const auto shown = std::ranges::find_if(launches, [](const running::ProgramLaunch* launch) {
      return std::ranges::any_of(launch->findings, checking::isWrongResult);
    });
    running::ProgramLaunch& at = shown == launches.end() ? *launches.front() : **shown;
    for (running::ProgramLaunch* const launch : launches) {
      std::erase_if(launch->findings, checking::isWrongResult);
      launch->result.clear();
      if (launch != &at) { launch->wrongIn = static_cast<std::size_t>(&at - run.launches.data()); }
    }
    faults::Finding finding = *wrong;
    // What it was checked with has an array for each parameter.
    finding.object = kNone;
    finding.outputs.clear();
    finding.reached.clear();
    at.findings.push_back(std::move(finding));
  }
}

void judge(ExecutedProgram& program, const std::stop_token& stop) {
  const work::Deadline deadline(kLongestComparison, stop);
  std::vector<CheckedKernel> rows = launchedKernels(program, deadline.token());
  addFindings(program, rows);
  std::vector<checking::Sibling> siblings;
  for (CheckedKernel& row : rows) {
    if (row.checked() && row.text) { siblings.push_back({&*row.text, row.bindings, &*row.report}); }
  }
  try {
    checking::compareSiblings(siblings, deadline.token());
    checkUniformity(rows, deadline.token());
  } catch (const experiment::Cancelled&) {
    if (stop.stop_requested()) { return; }
  }
  noteResults(rows, program.run, program.files.folder);
}

}  // namespace haloscope::judging
