#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "judging/KernelVerdicts.h"
#include "options/ProgramOptions.h"

/// What `haloscope check` learns by executing a whole program.
namespace haloscope {

/// Executes the program of a file or folder; none if it has no main(). What keeps it from being executed is in
/// `run.message`.
[[nodiscard]] std::optional<judging::ExecutedProgram> executeProgram(const std::filesystem::path& fileOrFolder,
                                                                     const ProgramOptions& options);

/// Executes the programs of a folder in which several files define main(): each alone, or, if it needs them, with the
/// files that define none.
[[nodiscard]] std::vector<judging::ExecutedProgram> executePrograms(const std::filesystem::path& folder,
                                                                    const ProgramOptions& options);

/// What the host half shows, a sentence each, with its place.
struct HostReport {
  std::vector<std::string> faults;    ///< its faults, a crash, a comparison of its own that fails
  std::vector<std::string> refusals;  ///< what Haloscope, or who called it, has not given the program: no fault of it
  std::vector<std::string> notes;     ///< what is merely untidy, and why the program was not executed
};
[[nodiscard]] HostReport hostReport(const judging::ExecutedProgram& program, const ProgramOptions& options);

}  // namespace haloscope
