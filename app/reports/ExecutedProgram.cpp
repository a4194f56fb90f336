#include "reports/ExecutedProgram.h"

#include <fmt/format.h>

#include <algorithm>

#include "language/Text.h"
#include "options/GpuOption.h"
#include "options/ProgramLaunches.h"
#include "running/KernelChecks.h"
#include "running/LaunchDescription.h"
#include "running/OtherSizes.h"

namespace haloscope {

namespace {

using judging::ExecutedProgram;

/// Of the arrays of first launches.
constexpr std::size_t kMostKept = std::size_t{64} << 20;

ExecutedProgram executed(running::ProgramFiles files, const ProgramOptions& given) {
  ExecutedProgram program;
  program.files = std::move(files);
  program.options = given.runOptions(knownGpus().front());
  running::RunOptions options = program.options;
  options.comparesOwnFunctions = true;
  running::RunOptions keeping = options;
  std::size_t bytes = 0;
  keeping.beforeLaunch = [&](const running::ProgramLaunch& launch, const running::LaunchedKernel&,
                             const running::BoundLaunch& bound) {
    if (program.first.contains(launch.symbol)) { return; }
    for (const ArrayData& array : bound.launch.arrays) { bytes += array.bytes.size(); }
    if (bytes <= kMostKept) {
      program.first[launch.symbol] = std::make_shared<const running::KeptLaunch>(running::keptOf(bound));
    }
  };
  program.run = running::run(program.files.program, keeping);
  if (!program.run.sizes.empty()) { program.first.clear(); }
  running::addFaultsAtOtherSizes(program.files.program, options, program.run);
  program.texts = running::changedTexts(program.files, running::withSizes(program.files.program, program.run.sizes));
  return program;
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
  // Whether another compiler would accept a program is not known. One without main() is a file of kernels.
  const bool refused = running::isRefused(run.end);
  for (const host::HostDiagnostic& problem : run.problems) {
    (refused ? report.refusals : report.notes)
        .push_back(place(problem.where) +
                   (refused ? trf("the program cannot be executed: {}", problem.message) : problem.message));
  }
  if (std::string rejected = running::rejection(run); !rejected.empty()) {
    (running::explainsOwnCheck(run) ? report.notes : report.faults).push_back(std::move(rejected));
  }
  for (std::string& one : running::differencesTold(run)) { report.notes.push_back(std::move(one)); }
  const bool launched = !run.launches.empty() || run.end != running::ProgramEnd::Exited;
  if (!launched) {
    std::string why = withoutLaunches(run, options);
    if (run.status != 0 && report.faults.empty()) {
      report.refusals.push_back(std::move(why));
    } else {
      report.notes.push_back(trf("{} How its kernels are launched is proposed from their text.", why));
    }
  }
  for (const running::RefusedFile& file : run.refusedFiles) {
    if (!file.writes() && launched && sentence(file) != run.message) {
      report.notes.push_back(place(file.at) + sentence(file));
    }
  }
  // One mistake is one finding: what ended the program may have been reported already.
  const auto told = [&](const running::HostFinding& one) { return rowOf(one.kind).fault && one.at == run.endedAt; };
  if (!run.message.empty() && std::ranges::none_of(run.findings, told)) {
    const bool crashed = run.end == running::ProgramEnd::Crashed || run.end == running::ProgramEnd::Uncaught;
    if (!refused) {
      (crashed ? report.faults : report.notes).push_back(place(run.endedAt) + run.message);
    } else if (run.problems.empty()) {
      report.refusals.push_back(place(run.endedAt) + run.message);
    }
  }
  return report;
}

}  // namespace haloscope
