#include "reports/ExecutedProgram.h"

#include <fmt/format.h>

#include "judging/ProgramRepair.h"
#include "language/Text.h"
#include "options/GpuOption.h"
#include "running/LaunchDescription.h"
#include "running/LinkedFiles.h"
#include "running/OtherSizes.h"
#include "running/Remarks.h"

namespace haloscope {

namespace {

using judging::ExecutedProgram;

/// Of the arrays of first launches.
constexpr std::size_t kMostKept = std::size_t{64} << 20;

ExecutedProgram executed(running::ProgramFiles files, const ProgramOptions& given) {
  ExecutedProgram program;
  program.files = std::move(files);
  program.options = given.runOptions(measuring::defaultGpu());
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
  program.run = running::runLinked(program.files, keeping);
  if (!program.run.sizes.empty()) { program.first.clear(); }
  running::addFaultsAtOtherSizes(program.files.program, options, program.run);
  judging::addProgramRepair(program);
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
    programs.push_back(executed(std::move(files), options));
  }
  return programs;
}

std::vector<verdict::Remark> hostRemarks(const ExecutedProgram& program, const ProgramOptions& options) {
  std::vector<verdict::Remark> remarks = running::remarksOf(program.run, !options.arguments.empty());
  for (verdict::Remark& one : remarks) {
    if (one.place.range.valid()) { one.place.file = (program.files.folder / one.place.file).string(); }
    if (one.weight == verdict::Weight::Refusal && one.kind == running::kCompileRemark) {
      one.message = trf("the program cannot be executed: {}", one.message);
    } else if (one.weight == verdict::Weight::Note && one.kind == running::kNoLaunchRemark) {
      one.message += tr(" How its kernels are launched is proposed from their text.");
    }
  }
  return remarks;
}

}  // namespace haloscope
