#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "checking/Siblings.h"
#include "inputs/ChosenData.h"
#include "judging/CheckedKernel.h"
#include "judging/KernelVerdicts.h"
#include "judging/ProgramResults.h"
#include "opening/OpenedFile.h"
#include "options/KernelOptions.h"

namespace haloscope {

/// How files are checked.
struct FileCheckOptions {
  KernelOptions kernel;
  std::string reference;  ///< FILE.cu[:KERNEL] whose kernels are right; empty: none

  /// A launch that is given on the command line is not that of the program.
  [[nodiscard]] bool executesPrograms() const { return !kernel.program.noHost && kernel.leaveLaunch(); }
};

/// The row of a file that cannot be read.
[[nodiscard]] judging::CheckedKernel unreadable(const std::string& file, const std::string& shown,
                                                const std::string& message);

/// Checks files one after the other; the rows are in the order of the files and of their texts.
class FileChecker {
 public:
  /// `folder`: what the table's names are relative to; empty: nothing.
  FileChecker(const FileCheckOptions& options, std::filesystem::path folder, std::vector<judging::CheckedKernel>& rows);

  /// A folder is one program if just one of its files has a main(); otherwise each file may be one. Throws InputError
  /// if it has no .cu file, or the reference no kernel.
  void checkFolder(const std::filesystem::path& folder);

  /// Those that were executed.
  [[nodiscard]] const std::deque<judging::ExecutedProgram>& programs() const { return programs_; }

 private:
  void check(const std::filesystem::path& path);
  void checkParts(const judging::ExecutedProgram& program);
  void addHostReports(std::size_t first);
  void addComparisons(const std::vector<checking::Sibling>& siblings, const std::vector<std::size_t>& notesShown,
                      std::size_t first);
  [[nodiscard]] const judging::ExecutedProgram* programOf(const std::filesystem::path& path) const;
  void addRows(const opening::OpenedFile& file, const opening::LaunchOverrides& overrides);
  [[nodiscard]] std::string shown(const std::filesystem::path& path) const;
  [[nodiscard]] bool isWanted(const std::string& kernel) const;
  void checkReference();
  void compareWithReferences(std::vector<checking::Sibling>& siblings, std::size_t first);
  void tellDependences(std::size_t first);
  [[nodiscard]] const judging::ExecutedProgram* launching(const judging::CheckedKernel& row) const;
  [[nodiscard]] const running::KeptLaunch* firstLaunchOf(const judging::CheckedKernel& row) const;
  const std::optional<judging::ProgramResults>& resultsOf(const judging::ExecutedProgram* program);
  [[nodiscard]] bool endsAlike(const judging::CheckedKernel& row);
  void addUnread(const opening::UnreadKernel& kernel);
  void addKernel(const opening::ProposedKernel& kernel, const opening::LaunchOverrides& overrides,
                 const std::stop_token& stop);
  void addFile(const opening::OpenedFile& file);

  const FileCheckOptions& options_;
  inputs::ChosenData data_;
  std::filesystem::path folder_;
  std::vector<judging::CheckedKernel>& rows_;
  std::deque<judging::ExecutedProgram> programs_;
  FileCheckOptions referenceOptions_;
  std::vector<judging::CheckedKernel> references_;  ///< the kernels that --reference names
  std::unique_ptr<FileChecker> reference_;          ///< checked them; null: none are named
  bool followsParts_ = false;  ///< a single file is checked: kernels of files that it is linked with belong to it
  const judging::ExecutedProgram* whole_ = nullptr;  ///< the one of the whole folder
  std::map<const judging::ExecutedProgram*, std::optional<judging::ProgramResults>> results_;
  std::map<const judging::ExecutedProgram*, std::size_t> firstRows_;  ///< the first row of each
};

}  // namespace haloscope
