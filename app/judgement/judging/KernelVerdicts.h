#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "judging/CheckedKernel.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"

/// Whether the kernels of an executed program compute what they should: the same for every command and the window.
namespace haloscope::judging {

struct ExecutedProgram {
  running::ProgramFiles files;
  std::map<std::filesystem::path, std::string> texts{};  ///< that have other sizes than their files
  running::ProgramRun run;
  running::RunOptions options{};  ///< with which it was executed
  /// The first launch of each kernel, by its symbol, as far as its arrays are small. Empty if the program was executed
  /// with other sizes than its own.
  std::map<std::string, std::shared_ptr<const running::KeptLaunch>> first{};
};

/// Whether a launch is one of the kernel of this row.
[[nodiscard]] bool isOfRow(const running::ProgramLaunch& launch, const std::filesystem::path& folder,
                           const CheckedKernel& row);

/// Adds what was found when the kernels of these rows ran in their program. Where a launch gave two parameters the same
/// array, or a pointer into one, only that run can tell about accesses to memory.
void addFindings(const ExecutedProgram& program, std::vector<CheckedKernel>& rows);

/// Kernels without a finding whose results nothing was compared with: whether they compute all points alike.
void checkUniformity(std::span<CheckedKernel> rows, const std::stop_token& stop = {});

/// Writes down at the program's launches what the comparison of their kernels' results says.
void noteResults(const std::vector<CheckedKernel>& rows, running::ProgramRun& run, const std::filesystem::path& folder);

/// Compares the results of the kernels that the program launched: with what they are recognised as, with its own
/// functions and comparison, with one another, and else on data that are moved. What is found is written down at the
/// launches; what takes too long is not compared.
void judge(ExecutedProgram& program, const std::stop_token& stop = {});

}  // namespace haloscope::judging
