#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands/Command.h"
#include "commands/RunReport.h"
#include "options/FileOption.h"
#include "options/GpuOption.h"
#include "options/KernelArguments.h"
#include "options/RunDevice.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"

/// `haloscope run`: executes a whole program, its host half in a confined process and its kernels on the emulator.
namespace haloscope {
namespace {

struct RunCommandOptions {
  std::string target;
  std::vector<std::string> arguments;
  FileOption files;
  GpuOption gpu;
  int seconds = 0;  ///< 0: the usual budget
  bool json = false;
};

bool isUnread(const running::HostFinding& one) { return one.kind == running::HostFindingKind::UnreadKernel; }

ExitCode execute(const RunCommandOptions& options) {
  const running::ProgramFiles files = running::readProgram(options.target);
  const std::vector<measuring::GpuSpec> gpus = knownGpus();
  running::RunOptions run = runOptions(gpus.at(static_cast<std::size_t>(options.gpu.indexAmong(gpus))));
  run.arguments = options.arguments;
  if (options.seconds > 0) {
    run.budget.hostTime = run.budget.kernelTime = std::chrono::seconds(options.seconds);
    run.budget.patience = std::min(run.budget.patience, run.budget.hostTime / 2);
  }
  run.comparesOwnFunctions = true;
  run.files = options.files.read();
  const running::ProgramRun result = running::run(files.program, run);
  if (options.json) {
    std::cout << programJson(result, files).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  } else {
    printProgram(result, files);
  }
  switch (result.end) {
    case running::ProgramEnd::Rejected:
    case running::ProgramEnd::NoMain:
    case running::ProgramEnd::Unsupported:
      return ExitCode::BadInput;
    case running::ProgramEnd::Failed:
      return ExitCode::Missing;
    default:
      // A kernel that was neither launched nor read is not judged.
      if (result.faultless() && std::ranges::any_of(result.findings, isUnread)) { return ExitCode::BadInput; }
      return result.faultless() ? ExitCode::Good : ExitCode::Mismatch;
  }
}

CommandRun addRun(CLI::App& command) {
  const auto options = std::make_shared<RunCommandOptions>();
  command.add_option("TARGET", options->target, "A .cu file with a main(), or the folder of a program")->required();
  command.add_option("ARGUMENTS", options->arguments, "The program's own arguments, after --");
  options->files.addTo(command);
  options->gpu.addTo(command, "The GPU that the program sees: ");
  command
      .add_option("--seconds", options->seconds, "Most time for the host code, and as much for the kernels (20, 120)")
      ->check(CLI::Range(1, 3600));
  addJson(command, options->json);
  return [options](const CommandContext&) { return execute(*options); };
}

}  // namespace

extern const Command runCommand{"run", "Execute a whole program: its host code, and its kernels under all checks",
                                addRun};

}  // namespace haloscope
