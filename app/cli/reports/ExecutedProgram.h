#pragma once

#include <filesystem>
#include <optional>
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

/// What is said of the program, see running::remarksOf(); places are paths.
[[nodiscard]] std::vector<verdict::Remark> hostRemarks(const judging::ExecutedProgram& program,
                                                       const ProgramOptions& options);

}  // namespace haloscope
