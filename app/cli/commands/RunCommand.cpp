#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands/Command.h"
#include "judging/KernelVerdicts.h"
#include "language/Text.h"
#include "options/GpuOption.h"
#include "options/KernelArguments.h"
#include "options/KernelOptions.h"
#include "options/ProgramOptions.h"
#include "reports/RunReport.h"
#include "running/LinkedFiles.h"
#include "running/OfferedSizes.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"
#include "text/Print.h"
#include "work/Deadline.h"

/// `haloscope run`: executes a whole program, its host half in a confined process and its kernels on the emulator.
namespace haloscope {
namespace {

struct RunCommandOptions {
  std::string target;
  std::vector<std::string> arguments;  ///< that do not begin with a dash can do without the --
  KernelOptions kernel;                ///< of these -D alone
  ProgramOptions program;
  GpuOption gpu;
  int seconds = 0;  ///< 0: the usual budget
  bool json = false;
};

/// Whether a kernel could not be read, launched or not.
bool hasUnreadKernel(const running::ProgramRun& run) {
  const auto isUnread = [](const running::HostFinding& one) {
    return one.kind == running::HostFindingKind::UnreadKernel;
  };
  return std::ranges::any_of(run.findings, isUnread) ||
         std::ranges::any_of(run.launches, [](const running::ProgramLaunch& one) { return one.program == nullptr; });
}

ExitCode execute(const RunCommandOptions& options) {
  judging::ExecutedProgram program{.files = running::readProgram(options.target), .run = {}};
  running::ProgramFiles& files = program.files;
  files.program.defines = options.kernel.overrides().defines;
  for (const auto& [name, value] : files.program.defines) {
    const auto mentions = [&](const auto& one) { return one.text.find(name) != std::string::npos; };
    const auto mentionedIn = [&](const auto& header) { return header.second.find(name) != std::string::npos; };
    if (std::ranges::none_of(files.program.files, mentions) &&
        std::ranges::none_of(files.program.headers, mentionedIn)) {
      throw InputError(trf("-D {}={}: the program does not use {}", name, value, name));
    }
  }
  running::ProgramRun& result = program.run;
  const std::vector<measuring::GpuSpec> gpus = measuring::knownGpus();
  running::RunOptions run = options.program.runOptions(gpus.at(static_cast<std::size_t>(options.gpu.indexAmong(gpus))));
  if (options.seconds > 0) {
    run.budget.hostTime = run.budget.kernelTime = run.budget.patience = std::chrono::seconds(options.seconds);
  }
  run.comparesOwnFunctions = true;
  const work::Deadline whole(run.budget.whole());
  program.options = run;
  result = running::runLinked(files, run);
  program.texts = running::changedTexts(files, running::withSizes(files.program, result.sizes));
  judging::judge(program, whole.token());
  if (options.json) {
    printJson(programJson(result, files));
  } else if (result.end == running::ProgramEnd::NoMain) {
    throw InputError(trf("{} has no main(), so there is no program to run; haloscope check {} checks its kernels",
                         options.target, options.target));
  } else {
    printProgram(result, files, options.program);
  }
  switch (result.end) {
    case running::ProgramEnd::Rejected:
    case running::ProgramEnd::NoMain:
    case running::ProgramEnd::Unsupported:
    case running::ProgramEnd::LacksInput:
      return ExitCode::BadInput;
    case running::ProgramEnd::Failed:
      return ExitCode::Missing;
    default:
      // Without a launch nothing is judged; a kernel that cannot be read comes before any fault, as for `check`.
      if (hasUnreadKernel(result) || (result.faultless() && result.launches.empty())) { return ExitCode::BadInput; }
      return result.faultless() ? ExitCode::Good : ExitCode::Mismatch;
  }
}

CommandRun addRun(CLI::App& command) {
  const auto options = std::make_shared<RunCommandOptions>();
  command.add_option("TARGET", options->target, tr("A .cu file with a main(), or the folder of a program"))->required();
  command.add_option("ARGUMENTS", options->arguments,
                     tr("The program's own arguments; those that begin with - follow --"));
  command.add_option("-D,--define", options->kernel.knobs.defines, tr("Set a macro of the program: NAME=VALUE"))
      ->allow_extra_args(false);
  options->program.addTo(command);
  options->gpu.addTo(command, tr("The GPU that the program sees: "));
  command
      .add_option(
          "--seconds", options->seconds,
          tr("Most time for the host code, and as much for the kernels (15, 45; 4 before a smaller size is tried)"))
      ->check(CLI::Range(1, 3600));
  addJson(command, options->json);
  return [options](const CommandContext&) {
    std::vector<std::string>& all = options->program.arguments;
    all.insert(all.begin(), options->arguments.begin(), options->arguments.end());
    return execute(*options);
  };
}

}  // namespace

extern const Command runCommand{
    "run", trMark("Execute a whole program: its host code, and its kernels under all checks"), addRun};

}  // namespace haloscope
