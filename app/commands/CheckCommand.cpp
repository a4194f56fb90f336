#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "checking/Check.h"
#include "checking/Siblings.h"
#include "commands/CheckedKernel.h"
#include "commands/Command.h"
#include "commands/ExecutedProgram.h"
#include "judging/KernelVerdicts.h"
#include "language/Text.h"
#include "opening/OpenedFile.h"
#include "opening/OpenedFolder.h"
#include "options/KernelArguments.h"
#include "program/Catalogue.h"
#include "running/ProgramFiles.h"

/// `haloscope check`: what is wrong with kernels of files, folders and the catalogue. A text that cannot be read has a
/// row as well, and does not affect the others.
namespace haloscope {
namespace {

namespace fs = std::filesystem;
using judging::CheckedKernel;
using judging::ExecutedProgram;

struct CheckOptions {
  std::vector<std::string> targets;  ///< files, folders, or ids of variants
  KernelOptions kernel;
  std::string reference;  ///< FILE.cu[:KERNEL] whose kernels are right; empty: none
  bool json = false;
  bool quiet = false;  ///< the table alone

  /// A launch that is given on the command line is not that of the program.
  [[nodiscard]] bool executesPrograms() const { return !kernel.program.noHost && kernel.leaveLaunch(); }
};

CheckedKernel unreadable(const std::string& file, const std::string& shown, const std::string& message) {
  return {.file = file, .shown = shown, .errors = {judging::atNowhere(file, judging::withoutName(message, file))}};
}

/// Checks files one after the other; the rows are in the order of the files and of their texts.
class FileChecker {
 public:
  /// `folder`: what the table's names are relative to; empty: nothing.
  FileChecker(const CheckOptions& options, fs::path folder, std::vector<CheckedKernel>& rows)
      : options_(options), folder_(std::move(folder)), rows_(rows) {}

  /// A folder is one program if just one of its files has a main(); otherwise each file may be one.
  void checkFolder(const fs::path& folder) {
    const std::size_t before = rows_.size();
    if (options_.executesPrograms() && fs::is_directory(folder)) {
      try {
        if (auto program = executeProgram(folder, options_.kernel.program)) {
          whole_ = &programs_.emplace_back(std::move(*program));
        }
      } catch (const InputError&) {
        for (ExecutedProgram& one : executePrograms(folder, options_.kernel.program)) {
          programs_.push_back(std::move(one));
        }
      }
    }
    for (const fs::path& path : opening::kernelFilesIn(folder)) { check(path); }
    std::vector<CheckedKernel> references;
    if (!options_.reference.empty()) { references = referenceRows(); }
    std::vector<checking::Sibling> siblings;
    std::vector<std::size_t> notesShown;  // notes of each that are in its row
    const auto add = [&](CheckedKernel& row, bool isReference) {
      if (!row.checked() || !row.text) { return; }
      siblings.push_back({&*row.text, row.bindings, &*row.report, isReference, isReference || !row.ofProgram});
      notesShown.push_back(row.report->notes.size());
    };
    for (CheckedKernel& row : references) { add(row, true); }
    for (std::size_t i = before; i < rows_.size(); ++i) { add(rows_[i], false); }
    checking::compareSiblings(siblings);
    addComparisons(siblings, notesShown, before);
    addHostReports(before);
    judging::checkUniformity(std::span(rows_).subspan(before));
  }

 private:
  void check(const fs::path& path) {
    const std::size_t before = rows_.size();
    opening::OpenedFile file;
    try {
      const ExecutedProgram* program = whole_ != nullptr ? whole_ : programOf(path);
      if (program == nullptr && options_.executesPrograms()) {
        if (auto own = executeProgram(path, options_.kernel.program)) {
          program = &programs_.emplace_back(std::move(*own));
        }
      }
      std::optional<ProgramLaunches> executed;
      if (options_.executesPrograms()) { executed.emplace(); }
      if (program != nullptr) { executed = ProgramLaunches{program->run.facts(), program->texts}; }
      file = openWithOptions(path, options_.kernel, std::move(executed)).file;
      // A file of the folder's program whose kernels are in others, as main.cu often is, has no row.
      if (whole_ != nullptr && !whole_->run.launches.empty() && file.kernels.empty() && file.unread.empty() &&
          options_.kernel.kernel.empty()) {
        return;
      }
      addRows(file);
      if (program != nullptr) {
        std::vector<CheckedKernel> added(std::make_move_iterator(rows_.begin() + static_cast<std::ptrdiff_t>(before)),
                                         std::make_move_iterator(rows_.end()));
        rows_.resize(before);
        addFindings(*program, added);
        for (CheckedKernel& row : added) { row.ofProgram = true; }
        std::ranges::move(added, std::back_inserter(rows_));
        firstRows_.try_emplace(program, before);
      }
    } catch (const std::exception& error) {
      rows_.resize(before);
      rows_.push_back(unreadable(path.string(), shown(path), error.what()));
    }
  }

  /// What the host half of a program shows belongs to its first file. What is wrong with its kernels explains a
  /// comparison of its own that fails.
  void addHostReports(std::size_t first) {
    const std::vector<CheckedKernel> added(rows_.begin() + static_cast<std::ptrdiff_t>(first), rows_.end());
    for (ExecutedProgram& program : programs_) {
      const auto row = firstRows_.find(&program);
      if (row == firstRows_.end()) { continue; }
      noteResults(added, program.run, program.files.folder);
      HostReport report = hostReport(program, options_.kernel.program);
      rows_[row->second].hostFaults = std::move(report.faults);
      std::ranges::move(report.notes, std::back_inserter(rows_[row->second].notes));
    }
  }

  /// Adds to the rows from `first` on what the comparison noted; a row of its own where no kernel is like
  /// the reference.
  void addComparisons(const std::vector<checking::Sibling>& siblings, const std::vector<std::size_t>& notesShown,
                      std::size_t first) {
    const auto applies = [](const checking::Sibling& one) { return !one.isReference && one.notCompared.empty(); };
    const bool anyCompared = std::ranges::any_of(siblings, applies);
    std::string whyNot;
    for (std::size_t i = 0; i < siblings.size(); ++i) {
      const checking::Sibling& one = siblings[i];
      if (one.isReference) { continue; }
      const auto isIts = [&](const CheckedKernel& row) { return row.report && &*row.report == one.report; };
      CheckedKernel& row = *std::find_if(rows_.begin() + static_cast<std::ptrdiff_t>(first), rows_.end(), isIts);
      for (std::size_t note = notesShown[i]; note < one.report->notes.size(); ++note) {
        row.notes.push_back(fmt::format("{}: {}: {}", row.file, row.kernel, one.report->notes[note]));
      }
      if (one.notCompared.empty()) { continue; }
      if (anyCompared) { row.notes.push_back(fmt::format("{}: {}", row.file, one.notCompared)); }
      if (whyNot.empty()) { whyNot = one.notCompared; }
    }
    if (anyCompared || whyNot.empty()) { return; }
    const std::string file = rows_[first].file;
    const std::string shown = trf("--reference {}", options_.reference);
    rows_.push_back({.file = file, .shown = shown, .errors = {judging::atNowhere(shown, whyNot)}, .readable = true});
  }

  /// The one of the folder's programs whose main() is in a file, or else one that launches a kernel of it.
  [[nodiscard]] const ExecutedProgram* programOf(const fs::path& path) const {
    const auto isThis = [&](const ExecutedProgram& program, const std::string& name) {
      return (program.files.folder / name).lexically_normal() == path.lexically_normal();
    };
    for (const ExecutedProgram& one : programs_) {
      if (isThis(one, one.files.program.files.front().name)) { return &one; }
    }
    for (const ExecutedProgram& one : programs_) {
      const auto launches = [&](const running::ProgramLaunch& launch) { return isThis(one, launch.file); };
      if (std::ranges::any_of(one.run.launches, launches)) { return &one; }
    }
    return nullptr;
  }

  void addRows(const opening::OpenedFile& file) {
    const std::size_t before = rows_.size();
    auto unread = file.unread.begin();
    for (std::size_t i = 0; i <= file.kernels.size(); ++i) {
      for (; unread != file.unread.end() && unread->before <= i; ++unread) { addUnread(*unread); }
      if (i < file.kernels.size()) { addKernel(file.kernels[i]); }
    }
    if (rows_.size() == before) { addFile(file); }
    rows_[before].notes = file.notes;
  }

  [[nodiscard]] std::string shown(const fs::path& path) const {
    if (folder_.empty()) { return path.string(); }
    const fs::path relative = path.lexically_normal().lexically_relative(folder_.lexically_normal());
    return relative.empty() || relative.native().starts_with("..") ? path.string() : relative.string();
  }
  [[nodiscard]] bool isWanted(const std::string& kernel) const {
    return options_.kernel.kernel.empty() || kernel == options_.kernel.kernel;
  }

  /// The kernels that --reference names. Throws InputError if there are none.
  [[nodiscard]] std::vector<CheckedKernel> referenceRows() const {
    const std::size_t colon = options_.reference.rfind(':');
    const bool named = colon != std::string::npos && options_.reference.substr(0, colon).ends_with(".cu");
    CheckOptions options = options_;
    options.reference.clear();
    options.kernel.kernel = named ? options_.reference.substr(colon + 1) : "";
    std::vector<CheckedKernel> rows;
    FileChecker(options, {}, rows).checkFolder(named ? options_.reference.substr(0, colon) : options_.reference);
    if (std::ranges::none_of(rows, &CheckedKernel::checked)) {
      throw InputError(trf("--reference {}: it has no kernel that can be executed", options_.reference));
    }
    return rows;
  }

  void addUnread(const opening::UnreadKernel& kernel) {
    if (!isWanted(kernel.kernel)) { return; }
    rows_.push_back(
        {.file = kernel.path.string(), .shown = shown(kernel.path), .kernel = kernel.kernel, .errors = kernel.errors});
  }

  void addKernel(const opening::ProposedKernel& kernel) {
    if (!isWanted(kernel.file.kernel)) { return; }
    CheckedKernel row{.file = kernel.file.path.string(),
                      .shown = shown(kernel.file.path),
                      .kernel = kernel.file.kernel,
                      .assumptions = kernel.assumptions};
    try {
      judging::checkKernel(kernel.file, options_.kernel.tunablesOf(kernel.file), row, {.data = data_});
    } catch (const InputError& error) {
      row.readable = true;
      row.errors.push_back(judging::atNowhere(row.file, judging::withoutName(error.what(), kernel.file.id)));
    }
    rows_.push_back(std::move(row));
  }

  /// A file without any kernel that is wanted.
  void addFile(const opening::OpenedFile& file) {
    const std::string path = file.path.string();
    const std::string& wanted = options_.kernel.kernel;
    CheckedKernel row{.file = path, .shown = shown(file.path), .kernel = wanted};
    for (const frontend::Diagnostic& one : file.diagnostics) {
      if (!wanted.empty() || one.severity != frontend::Diagnostic::Severity::Error) { continue; }
      row.errors.emplace_back(path, one.where, one.message);
    }
    if (row.errors.empty()) {
      row.errors.push_back(judging::atNowhere(
          path, wanted.empty() ? tr("no kernel in it can be read") : trf("it has no kernel {}", wanted)));
    }
    rows_.push_back(std::move(row));
  }

  const CheckOptions& options_;
  inputs::ChosenData data_ = chosenData(options_.kernel.data);
  fs::path folder_;
  std::vector<CheckedKernel>& rows_;
  std::deque<ExecutedProgram> programs_;                     ///< all that were executed
  const ExecutedProgram* whole_ = nullptr;                   ///< the one of the whole folder
  std::map<const ExecutedProgram*, std::size_t> firstRows_;  ///< the first row of each
};

/// Whether something of it can be executed.
bool isProgram(const fs::path& target) {
  return fs::is_directory(target) ? !running::readPrograms(target).empty()
                                  : running::definesMain(running::readProgram(target).program);
}

void checkTarget(const Catalogue& catalogue, const CheckOptions& options, const std::string& target,
                 std::vector<CheckedKernel>& rows) {
  std::error_code error;
  if (const KernelFile* variant = catalogue.find(target)) {
    CheckedKernel row{.file = variant->path.string(), .shown = target, .kernel = variant->kernel};
    options.kernel.expectOnlyKnobs(target);
    try {
      const inputs::ChosenData data = chosenData(options.kernel.data);
      const KnobOptions& knobs = options.kernel.knobs;
      judging::checkKernel(*variant, fittingSizes(*variant, knobs.bindings(*variant), data, knobs.namesSet(*variant)),
                           row, {.data = data});
    } catch (const InputError& refused) {
      row.readable = true;
      row.errors.push_back(judging::atNowhere(target, judging::withoutName(refused.what(), target)));
    }
    rows.push_back(std::move(row));
  } else if (fs::exists(target, error)) {
    const ProgramOptions& program = options.kernel.program;
    if (!program.given().empty() && !isProgram(target)) { program.expectNone(target); }
    FileChecker checker(options, fs::is_directory(target, error) ? fs::path(target) : fs::path(), rows);
    checker.checkFolder(target);
  } else {
    throw InputError(unknownTarget(catalogue, target));
  }
}

ExitCode check(const Catalogue& catalogue, const CheckOptions& options) {
  static_cast<void>(options.kernel.overrides());  // a malformed option applies to all targets
  static_cast<void>(chosenData(options.kernel.data));
  static_cast<void>(options.kernel.program.readFiles());
  std::vector<CheckedKernel> rows;
  for (const std::string& target : options.targets) {
    try {
      checkTarget(catalogue, options, target, rows);
    } catch (const InputError& error) { rows.push_back(unreadable(target, target, error.what())); }
  }
  if (options.json) {
    auto list = nlohmann::ordered_json::array();
    for (const CheckedKernel& row : rows) { list.push_back(toJson(row)); }
    std::cout << list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  } else {
    if (!options.quiet) {
      for (const CheckedKernel& row : rows) { printDetails(row); }
    }
    printTable(rows);
  }
  if (!std::ranges::all_of(rows, &CheckedKernel::checked)) { return ExitCode::BadInput; }
  return std::ranges::all_of(rows, &CheckedKernel::faultless) ? ExitCode::Good : ExitCode::Mismatch;
}

CommandRun addCheck(CLI::App& command) {
  const auto options = std::make_shared<CheckOptions>();
  command.add_option("TARGET", options->targets, tr("A .cu file, a folder of them, or a variant"))->required();
  addKernel(command, options->kernel, tr("Check only this kernel of each file"));
  addData(command, options->kernel.data);
  command.add_option("--reference", options->reference,
                     tr("FILE.cu[:KERNEL]: kernels with the same parameters must compute the same"));
  CLI::Option* json = addJson(command, options->json);
  command.add_flag("--quiet", options->quiet, tr("Print only the table"))->excludes(json);
  return [options](const CommandContext& context) { return check(context.catalogue, *options); };
}

}  // namespace

extern const Command checkCommand{
    "check", trMark("Check kernels for races, accesses out of bounds, uninitialised values, wrong results"), addCheck};

}  // namespace haloscope
