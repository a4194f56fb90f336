#include "commands/ExecutedProgram.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "options/GpuOption.h"
#include "options/ProgramLaunches.h"
#include "running/ElementsAsBytes.h"
#include "running/KernelTexts.h"
#include "running/OtherSizes.h"
#include "running/OwnCheck.h"

namespace haloscope {

namespace {

bool isOfRow(const running::ProgramLaunch& launch, const ExecutedProgram& program, const CheckedKernel& row) {
  if (running::baseName(launch.kernel) != running::baseName(row.kernel)) { return false; }
  if (row.kernel.ends_with('>') && !launch.kernel.ends_with(row.kernel)) { return false; }
  return (program.files.folder / launch.file).lexically_normal() == std::filesystem::path(row.file).lexically_normal();
}

bool isAboutMemory(const faults::Finding& finding) {
  using faults::FindingKind;
  return finding.kind == FindingKind::OutOfBounds || finding.kind == FindingKind::Uninitialized ||
         finding.kind == FindingKind::UnwrittenOutput || finding.kind == FindingKind::RaceGlobal;
}

/// The kernels, by symbol, on whose results something depends that was copied to the host before the program printed
/// the byte at `printed`: only these can have been compared.
std::set<std::string> copiedBack(const running::ProgramRun& run, std::size_t printed) {
  std::map<running::AllocationId, std::set<std::string>> contributors;
  std::set<std::string> copied;
  const auto isOfHost = [&](const running::DevicePlace& place) {
    return std::ranges::any_of(run.allocations, [&](const running::Allocation& one) {
      return one.id == place.allocation && one.memory != host::HostMemory::Device;
    });
  };
  for (const running::ProgramEvent& event : run.events) {
    using Kind = running::ProgramEvent::Kind;
    if (event.printed > printed) { break; }
    if (event.kind == Kind::Launch) {
      const running::ProgramLaunch& launch = run.launches.at(event.launch);
      std::set<std::string> all{launch.symbol};
      std::vector<const running::LaunchPointer*> used;
      for (const auto* pointers : {&launch.pointers, &launch.variables}) {
        for (const running::LaunchPointer& one : *pointers) {
          if (one.place) { used.push_back(&one); }
        }
      }
      for (const running::LaunchPointer* one : used) {
        if (one->reads) { all.merge(std::set(contributors[one->place->allocation])); }
      }
      for (const running::LaunchPointer* one : used) {
        if (!one->writes) { continue; }
        contributors[one->place->allocation] = all;
        if (isOfHost(*one->place)) { copied.insert(all.begin(), all.end()); }
      }
    } else if (event.source && (event.kind == Kind::Copy || event.kind == Kind::Symbol)) {
      const std::set<std::string>& from = contributors[event.source->allocation];
      if (event.destination && !isOfHost(*event.destination)) {
        contributors[event.destination->allocation] = from;
      } else {
        copied.insert(from.begin(), from.end());
      }
    }
  }
  return copied;
}

/// Its own comparison is of what all its kernels together computed: nothing if not all of them were executed whole.
std::optional<running::OwnCheck> ownCheckOf(const ExecutedProgram& program) {
  const bool whole = program.run.end == running::ProgramEnd::Exited &&
                     std::ranges::all_of(program.run.launches, [](const running::ProgramLaunch& one) {
                       return one.executed && one.problem.empty() && one.blocks == one.configuration.grid.count();
                     });
  return whole ? program.run.ownCheck : std::nullopt;
}

ExecutedProgram executed(running::ProgramFiles files, const ProgramOptions& given) {
  ExecutedProgram program;
  program.files = std::move(files);
  running::RunOptions options = given.runOptions(knownGpus().front());
  options.comparesOwnFunctions = true;
  program.run = running::run(program.files.program, options);
  running::addFaultsAtOtherSizes(program.files.program, options, program.run);
  program.texts = running::changedTexts(program.files, running::withSizes(program.files.program, program.run.sizes));
  return program;
}

bool isWrongResult(const faults::Finding& finding) { return finding.kind == faults::FindingKind::WrongResult; }

/// What a header says that a kernel computes is right; what its name or its own execution suggests need not be what
/// the program wants.
bool isOnlySupposed(const CheckedKernel& row) {
  return row.text && row.text->computes && (row.text->computes->guessed || row.text->computes->observed);
}

/// The comparison with a supposed reference gives way to that of the program. `failed`: the kernel is the program's
/// only one, and what the program prints says that its result is wrong.
void preferOwnComparison(CheckedKernel& row, const std::string& ownFunction, bool failed) {
  checking::CheckReport& report = *row.report;
  report.ownFunction = ownFunction;
  if (ownFunction.empty()) {
    const bool wrong = failed && (!report.matchesReference || isOnlySupposed(row));
    if (wrong || std::ranges::any_of(report.findings, isWrongResult)) { report.matchesReference = false; }
  } else if (isOnlySupposed(row) && !report.matchesReference.value_or(true)) {
    std::erase_if(report.findings, isWrongResult);
    report.matchesReference.reset();
  }
}

/// A kernel whose text alone cannot be read, because it takes a texture or a table of pointers, was executed and
/// checked all the same if its program launches it.
bool reportAsExecuted(const ExecutedProgram& program, CheckedKernel& row) {
  const auto& launches = program.run.launches;
  const auto launch = std::ranges::find_if(launches, [&](const running::ProgramLaunch& one) {
    return !row.kernel.empty() && one.checked && one.program != nullptr && isOfRow(one, program, row);
  });
  if (launch == launches.end()) { return false; }
  row.report.emplace();
  row.report->kernel = row.kernel;
  row.report->program = launch->program;
  for (const SourceError& error : row.errors) {
    row.assumptions.push_back(fmt::format("Without its program the kernel cannot be read: {}", error.message()));
  }
  row.errors.clear();
  return true;
}

}  // namespace

std::optional<ExecutedProgram> executeProgram(const std::filesystem::path& fileOrFolder,
                                              const ProgramOptions& options) {
  running::ProgramFiles files = running::readProgram(fileOrFolder);
  if (!running::definesMain(files.program)) { return std::nullopt; }
  return executed(std::move(files), options);
}

std::vector<ExecutedProgram> executePrograms(const std::filesystem::path& folder, const ProgramOptions& options) {
  std::vector<ExecutedProgram> programs;
  for (running::ProgramFiles& files : running::readPrograms(folder)) {
    running::ProgramFiles alone = files;
    alone.program.files.resize(1);
    ExecutedProgram program = executed(std::move(alone), options);
    const bool linked = std::ranges::none_of(program.run.problems, [](const host::HostDiagnostic& one) {
      return one.message.ends_with("no file of the program defines it");
    });
    programs.push_back(linked || files.program.files.size() == 1 ? std::move(program)
                                                                 : executed(std::move(files), options));
  }
  return programs;
}

void addFindings(const ExecutedProgram& program, std::vector<CheckedKernel>& rows) {
  const std::optional<running::OwnCheck> own = ownCheckOf(program);
  const std::set<std::string> copied =
      own ? copiedBack(program.run, program.run.output.rfind(own->line)) : std::set<std::string>();
  for (CheckedKernel& row : rows) {
    if (!row.report && !reportAsExecuted(program, row)) { continue; }
    std::vector<faults::Finding>& findings = row.report->findings;
    std::size_t launches = 0;
    bool launchedWrong = false;
    for (const running::ProgramLaunch& launch : program.run.launches) {
      if (!isOfRow(launch, program, row)) { continue; }
      if (launches++ == 0 && launch.facts.sharesArrays) { std::erase_if(findings, isAboutMemory); }
      // Its arrays are too small, which is reported where they are allocated.
      if (launch.lacksMemory) { std::erase_if(findings, running::comesFromSmallArrays); }
      launchedWrong = launchedWrong || std::ranges::any_of(launch.findings, isWrongResult);
      for (const faults::Finding& finding : launch.findings) {
        const auto same = [&](const faults::Finding& other) {
          return other.kind == finding.kind && other.where.line == finding.where.line;
        };
        if (std::ranges::none_of(findings, same)) { findings.push_back(finding); }
      }
    }
    const auto matching = std::ranges::find_if(program.run.launches, [&](const running::ProgramLaunch& launch) {
      return isOfRow(launch, program, row) && !launch.ownFunction.empty();
    });
    const bool known = matching != program.run.launches.end() && !launchedWrong;
    if (launches > 0) {
      preferOwnComparison(row, known ? matching->ownFunction : "",
                          own && !own->passed && launches == program.run.launches.size());
    }
    const bool compared = std::ranges::any_of(program.run.launches, [&](const running::ProgramLaunch& launch) {
      return isOfRow(launch, program, row) && copied.contains(launch.symbol);
    });
    if (compared && own && own->passed) { row.report->ownCheck = own->line; }
    if (launches > 0) {
      row.assumptions.push_back(
          launches == 1
              ? fmt::format("The sizes and arrays are those with which the program launches {}.", row.kernel)
              : fmt::format("The program launches {} {} times: the sizes and arrays are those of the first launch.",
                            row.kernel, launches));
    }
  }
}

HostReport hostReport(const ExecutedProgram& program, const ProgramOptions& options) {
  const running::ProgramRun& run = program.run;
  HostReport report;
  const auto place = [&](const host::HostPlace& at) {
    return at.line == 0 ? std::string() : fmt::format("{}:{}: ", (program.files.folder / at.file).string(), at.line);
  };
  if (!run.sizesText.empty()) { report.notes.push_back(run.sizesText); }
  for (const running::HostFinding& finding : run.findings) {
    std::vector<std::string>& to = rowOf(finding.kind).fault ? report.faults : report.notes;
    to.push_back(fmt::format("{}{}: {}", place(finding.at), rowOf(finding.kind).name, finding.message));
  }
  // A program that no compiler accepts is a fault; one without main() is a file of kernels.
  for (const host::HostDiagnostic& problem : run.problems) {
    (run.end == running::ProgramEnd::Rejected ? report.faults : report.notes)
        .push_back(place(problem.where) + problem.message);
  }
  if (const auto own = ownCheckOf(program); own && !own->passed) {
    (running::explainsOwnCheck(run) ? report.notes : report.faults)
        .push_back("the program's own comparison fails: " + own->line);
  }
  const bool launched = !run.launches.empty() || run.end != running::ProgramEnd::Exited;
  if (!launched) {
    report.notes.push_back(withoutLaunches(run, program.files, options) +
                           " How its kernels are launched is proposed from their text.");
  }
  for (const running::RefusedFile& file : run.refusedFiles) {
    if (!file.writes() && launched) { report.notes.push_back(place(file.at) + sentence(file)); }
  }
  // One mistake is one finding: what ended the program may have been reported already.
  const auto told = [&](const running::HostFinding& one) { return rowOf(one.kind).fault && one.at == run.endedAt; };
  if (!run.message.empty() && std::ranges::none_of(run.findings, told)) {
    const bool crashed = run.end == running::ProgramEnd::Crashed || run.end == running::ProgramEnd::Uncaught;
    (crashed ? report.faults : report.notes).push_back(place(run.endedAt) + run.message);
  }
  return report;
}

}  // namespace haloscope
