#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "commands/CheckedKernel.h"
#include "options/ProgramOptions.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"

/// What `haloscope check` learns by executing a whole program.
namespace haloscope {

struct ExecutedProgram {
  running::ProgramFiles files;
  std::map<std::filesystem::path, std::string> texts{};  ///< that have other sizes than their files
  running::ProgramRun run;
};

/// Executes the program of a file or folder; none if it has no main(). What keeps it from being executed is in
/// `run.message`.
[[nodiscard]] std::optional<ExecutedProgram> executeProgram(const std::filesystem::path& fileOrFolder,
                                                            const ProgramOptions& options);

/// Executes the programs of a folder in which several files define main(): each alone, or, if it needs them, with the
/// files that define none.
[[nodiscard]] std::vector<ExecutedProgram> executePrograms(const std::filesystem::path& folder,
                                                           const ProgramOptions& options);

/// Adds what was found when the kernels of these rows ran in their program. Where a launch gave two parameters the same
/// array, or a pointer into one, only that run can tell about accesses to memory.
void addFindings(const ExecutedProgram& program, std::vector<CheckedKernel>& rows);

/// What the host half shows, a sentence each, with its place.
struct HostReport {
  std::vector<std::string> faults;  ///< its faults, a crash, a comparison of its own that fails
  std::vector<std::string> notes;   ///< what is merely untidy, and why the program was not executed
};
[[nodiscard]] HostReport hostReport(const ExecutedProgram& program, const ProgramOptions& options);

}  // namespace haloscope
