#include "reports/FileChecker.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "checking/BarrierRepair.h"
#include "checking/Check.h"
#include "checking/CompilerDependence.h"
#include "judging/AgainstReference.h"
#include "judging/KernelAtSizes.h"
#include "judging/OtherLaunches.h"
#include "language/Text.h"
#include "opening/NamedKernel.h"
#include "opening/OpenedFolder.h"
#include "program/NotebookLines.h"
#include "reports/ExecutedProgram.h"
#include "reports/ProgressLine.h"
#include "running/ProgramFiles.h"
#include "work/Deadline.h"

namespace haloscope {

namespace fs = std::filesystem;
using judging::CheckedKernel;
using judging::ExecutedProgram;

namespace {

/// Of all kernels of a file, each by itself.
constexpr std::chrono::seconds kLongestCheck{60};
/// Of all kernels with a reference.
constexpr std::chrono::seconds kLongestComparison{20};

/// Of one kernel with other launches, by which what is found in it must not depend.
constexpr std::chrono::seconds kLongestTrials{10};
/// A fix is worth some time, but no more.
constexpr std::chrono::seconds kLongestMending{3};

void mend(CheckedKernel& row, const std::stop_token& stop) {
  if (!row.checked()) { return; }
  const work::Deadline deadline(kLongestMending, stop);
  try {
    checking::mendRace(*row.report, *row.text, row.bindings, {.stop = deadline.token()});
  } catch (const experiment::Cancelled&) {
    if (stop.stop_requested()) { throw; }
  }
}

/// Of a proposed launch: what others show.
void tryOthers(CheckedKernel& row, const opening::LaunchOverrides& overrides, bool isWritten,
               const std::stop_token& stop) {
  const work::Deadline deadline(kLongestTrials, stop);
  try {
    judging::tryOtherLaunches(row, overrides, isWritten, {.stop = deadline.token()});
  } catch (const experiment::Cancelled&) {
    if (stop.stop_requested()) { throw; }
    // Another launch may be free of it.
    row.report->findings.clear();
    row.assumptions.push_back(
        tr("Something is found with this launch; there was no time to try others, which may be free of it."));
  }
}

}  // namespace

CheckedKernel unreadable(const std::string& file, const std::string& shown, const std::string& message) {
  return {.file = file, .shown = shown, .errors = {judging::atNowhere(file, judging::withoutName(message, file))}};
}

FileChecker::FileChecker(const FileCheckOptions& options, fs::path folder, std::vector<CheckedKernel>& rows)
    : options_(options), data_(chosenData(options.kernel.data)), folder_(std::move(folder)), rows_(rows) {}

void FileChecker::checkFolder(const fs::path& folder) {
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
  followsParts_ = !fs::is_directory(folder);
  for (const fs::path& path : opening::kernelFilesIn(folder)) { check(path); }
  if (!options_.reference.empty() && reference_ == nullptr) { checkReference(); }
  std::vector<checking::Sibling> siblings;
  std::vector<std::size_t> notesShown;  // notes of each that are in its row
  const auto add = [&](CheckedKernel& row, bool isReference) {
    if (!row.checked() || !row.text || row.report->meantWrong) { return; }
    checking::Sibling& sibling = siblings.emplace_back();
    sibling = {.file = &*row.text,
               .bindings = row.bindings,
               .report = &*row.report,
               .isReference = isReference,
               .isAssumed = row.scope == verdict::Scope::ProposedLaunch,
               .anySize = isReference || !row.ofProgram};
    if (const running::KeptLaunch* const own = (isReference ? *reference_ : *this).firstLaunchOf(row)) {
      sibling.own = &own->launch;
      sibling.ownProgram = own->program;
    }
    if (!isReference && reference_ != nullptr) {
      sibling.endsAlike = [this, &row] { return endsAlike(row); };
    }
    notesShown.push_back(row.report->notes.size());
  };
  for (CheckedKernel& row : references_) { add(row, true); }
  for (std::size_t i = before; i < rows_.size(); ++i) { add(rows_[i], false); }
  checking::compareSiblings(siblings);
  compareWithReferences(siblings, before);
  tellDependences(before);
  addComparisons(siblings, notesShown, before);
  addHostReports(before);
  judging::checkUniformity(std::span(rows_).subspan(before));
}

void FileChecker::check(const fs::path& path) {
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
    OpenedWithOptions opened = openWithOptions(path, options_.kernel, std::move(executed));
    file = std::move(opened.file);
    // A file of a program whose kernels are in others, as main.cu often is, has no row.
    const bool hasParts = program != nullptr && program->files.program.files.size() > 1;
    if (hasParts && !program->run.launches.empty() && file.kernels.empty() && file.unread.empty() &&
        options_.kernel.kernel.empty()) {
      checkParts(*program);
      return;
    }
    addRows(file, opened.overrides);
    if (program != nullptr) {
      std::vector<CheckedKernel> added(std::make_move_iterator(rows_.begin() + static_cast<std::ptrdiff_t>(before)),
                                       std::make_move_iterator(rows_.end()));
      rows_.resize(before);
      addFindings(*program, added);
      for (CheckedKernel& row : added) { row.ofProgram = true; }
      std::ranges::move(added, std::back_inserter(rows_));
      firstRows_.try_emplace(program, before);
      checkParts(*program);
    }
  } catch (const std::exception& error) {
    rows_.resize(before);
    rows_.push_back(unreadable(path.string(), shown(path), error.what()));
  }
}

/// The kernels that a file's program launches from files that it was linked with.
void FileChecker::checkParts(const ExecutedProgram& program) {
  if (!followsParts_) { return; }
  followsParts_ = false;
  const auto& files = program.files.program.files;
  for (std::size_t i = 1; i < files.size(); ++i) {
    const fs::path path = program.files.folder / files[i].name;
    const auto isIts = [&](const running::ProgramLaunch& one) { return one.file == files[i].name; };
    const auto isKnown = [&](const CheckedKernel& row) {
      return fs::path(row.file).lexically_normal() == path.lexically_normal();
    };
    if (std::ranges::any_of(program.run.launches, isIts) && std::ranges::none_of(rows_, isKnown)) { check(path); }
  }
}

/// What the host half of a program shows belongs to its first file. What is wrong with its kernels explains a
/// comparison of its own that fails.
void FileChecker::addHostReports(std::size_t first) {
  const std::vector<CheckedKernel> added(rows_.begin() + static_cast<std::ptrdiff_t>(first), rows_.end());
  for (ExecutedProgram& program : programs_) {
    const auto row = firstRows_.find(&program);
    if (row == firstRows_.end()) { continue; }
    noteResults(added, program.run, program.files.folder);
    std::ranges::move(hostRemarks(program, options_.kernel.program), std::back_inserter(rows_[row->second].remarks));
  }
}

/// What a kernel computes here need not be what it computes elsewhere.
void FileChecker::tellDependences(std::size_t first) {
  const work::Deadline deadline(kLongestComparison);
  for (CheckedKernel& row : std::span(rows_).subspan(first)) {
    if (!row.checked() || !row.text) { continue; }
    std::optional<checking::CompilerDependence> found;
    try {
      found = checking::compilerDependence(*row.text, row.bindings, *row.report, deadline.token());
    } catch (const experiment::Cancelled&) { return; }
    if (!found) { continue; }
    const std::string place = found->header.empty() ? trf("line {}", found->where.line)
                                                    : trf("line {} of {}", found->where.line, found->header);
    row.report->doubt = trf(
        "it depends on {} ({}), by which a text can know where it is executed: elsewhere it computes something else",
        found->macro, place);
  }
}

/// Adds to the rows from `first` on what the comparison noted; a row of its own where no kernel is like
/// the reference.
void FileChecker::addComparisons(const std::vector<checking::Sibling>& siblings,
                                 const std::vector<std::size_t>& notesShown, std::size_t first) {
  const auto applies = [](const checking::Sibling& one) { return !one.isReference && one.notCompared.empty(); };
  const bool anyCompared = std::ranges::any_of(siblings, applies);
  std::string whyNot;
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    const checking::Sibling& one = siblings[i];
    if (one.isReference) { continue; }
    const auto isIts = [&](const CheckedKernel& row) { return row.report && &*row.report == one.report; };
    CheckedKernel& row = *std::find_if(rows_.begin() + static_cast<std::ptrdiff_t>(first), rows_.end(), isIts);
    for (std::size_t note = notesShown[i]; note < one.report->notes.size(); ++note) {
      row.addNote(fmt::format("{}: {}", row.kernel, one.report->notes[note]));
    }
    if (one.notCompared.empty()) { continue; }
    if (anyCompared) { row.addNote(one.notCompared); }
    if (whyNot.empty()) { whyNot = one.notCompared; }
  }
  if (anyCompared || whyNot.empty()) { return; }
  const std::string file = rows_[first].file;
  const std::string shown = trf("--reference {}", options_.reference);
  rows_.push_back({.file = file, .shown = shown, .errors = {judging::atNowhere(shown, whyNot)}, .readable = true});
}

/// The one of the folder's programs whose main() is in a file, or else one that launches a kernel of it.
const ExecutedProgram* FileChecker::programOf(const fs::path& path) const {
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

void FileChecker::addRows(const opening::OpenedFile& file, const opening::LaunchOverrides& overrides) {
  const std::size_t before = rows_.size();
  const work::Deadline deadline(kLongestCheck);
  ProgressLine progress;
  auto unread = file.unread.begin();
  for (std::size_t i = 0; i <= file.kernels.size(); ++i) {
    for (; unread != file.unread.end() && unread->before <= i; ++unread) { addUnread(*unread); }
    if (i == file.kernels.size()) { break; }
    progress.show(trf("{}: kernel {} of {}", shown(file.path), i + 1, file.kernels.size()));
    addKernel(file.kernels[i], overrides, deadline.token());
  }
  if (rows_.size() == before) { addFile(file); }
  for (const std::string& note : file.notes) { rows_[before].remarks.push_back({.message = note}); }
  if (const std::string note = notebookNote(opening::readOpenedText(file.path)); !note.empty()) {
    rows_[before].addNote(note);
  }
}

std::string FileChecker::shown(const fs::path& path) const {
  if (folder_.empty()) { return path.string(); }
  const fs::path relative = path.lexically_normal().lexically_relative(folder_.lexically_normal());
  return relative.empty() || relative.native().starts_with("..") ? path.string() : relative.string();
}
bool FileChecker::isWanted(const std::string& kernel) const {
  return options_.kernel.kernel.empty() || kernel == options_.kernel.kernel;
}

/// Checks the kernels that --reference names. Throws InputError if there are none.
void FileChecker::checkReference() {
  const opening::NamedKernel name = opening::namedKernel(options_.reference);
  referenceOptions_ = options_;
  referenceOptions_.reference.clear();
  referenceOptions_.kernel.kernel = name.kernel;
  reference_ = std::make_unique<FileChecker>(referenceOptions_, fs::path(), references_);
  reference_->checkFolder(name.file);
  if (std::ranges::none_of(references_, &CheckedKernel::checked)) {
    throw InputError(trf("--reference {}: it has no kernel that can be executed", options_.reference));
  }
}

/// The program that launches a kernel; null: none does.
const ExecutedProgram* FileChecker::launching(const CheckedKernel& row) const {
  for (const ExecutedProgram& program : programs_) {
    const auto isIts = [&](const running::ProgramLaunch& launch) {
      return judging::isOfRow(launch, program.files.folder, row);
    };
    if (std::ranges::any_of(program.run.launches, isIts)) { return &program; }
  }
  return nullptr;
}

/// As its program launches it first; null: none does, or its arrays are large.
const running::KeptLaunch* FileChecker::firstLaunchOf(const CheckedKernel& row) const {
  const ExecutedProgram* const program = launching(row);
  if (program == nullptr) { return nullptr; }
  for (const running::ProgramLaunch& launch : program->run.launches) {
    const auto kept = program->first.find(launch.symbol);
    if (kept != program->first.end() && judging::isOfRow(launch, program->files.folder, row)) {
      return kept->second.get();
    }
  }
  return nullptr;
}

const std::optional<judging::ProgramResults>& FileChecker::resultsOf(const ExecutedProgram* program) {
  const auto [place, isNew] = results_.try_emplace(program);
  if (isNew && program != nullptr) { place->second = judging::ProgramResults::of(*program); }
  return place->second;
}

/// Whether some reference's host gets what that of the kernel's program gets.
bool FileChecker::endsAlike(const CheckedKernel& row) {
  const auto& own = resultsOf(launching(row));
  return own && std::ranges::any_of(references_, [&](const CheckedKernel& one) {
           const auto& theirs = resultsOf(reference_->launching(one));
           return theirs && own->endsLike(*theirs);
         });
}

/// A kernel that agrees with a reference at the sizes of its own program is compared with it at others, too.
void FileChecker::compareWithReferences(std::vector<checking::Sibling>& siblings, std::size_t first) {
  if (reference_ == nullptr) { return; }
  const work::Deadline deadline(kLongestComparison);
  std::deque<judging::KernelAtSizes> references;
  for (CheckedKernel& row : references_) {
    if (row.checked()) { references.emplace_back(row, reference_->launching(row)); }
  }
  for (CheckedKernel& row : std::span(rows_).subspan(first)) {
    if (!row.checked() || !row.report->findings.empty()) { continue; }
    checking::CheckReport& report = *row.report;
    const judging::KernelAtSizes kernel(row, launching(row));
    judging::ReferenceVerdict verdict;
    for (const judging::KernelAtSizes& reference : references) {
      judging::ReferenceVerdict one;
      try {
        const auto sibling = std::ranges::find(siblings, &report, &checking::Sibling::report);
        one = judging::compareWithReference(kernel, reference, sibling != siblings.end() ? sibling->endsAlike : nullptr,
                                            deadline.token());
      } catch (const experiment::Cancelled&) {
        one = {.comparable = true, .why = tr("comparing it with the reference takes too long")};
      }
      if (one.agrees || (one.comparable && !verdict.comparable) || verdict.why.empty()) { verdict = std::move(one); }
      if (!verdict.agrees) { continue; }
      const std::string file = fs::path(reference.row().file).filename().string();
      if (const auto& theirs = resultsOf(reference_->launching(reference.row()))) {
        const auto& own = resultsOf(launching(row));
        if (auto difference = own ? own->differenceFrom(*theirs, file) : std::nullopt) {
          verdict = {.comparable = true, .why = std::move(*difference)};
          break;
        }
      }
      const bool same = file == fs::path(row.file).filename().string();
      report.evidence.add({.basis = verdict::Basis::Reference,
                           .with = {same ? reference.row().kernel : file + ":" + reference.row().kernel},
                           .at = std::move(verdict.at)});
      break;
    }
    const bool agreed = report.evidence.has(verdict::Basis::Reference, verdict::Outcome::Agrees);
    if (!verdict.agrees) { report.evidence.drop(verdict::Basis::Reference); }
    if (!verdict.agrees && (verdict.comparable || agreed)) { report.doubt = std::move(verdict.why); }
    if (!verdict.comparable) { continue; }
    const auto sibling = std::ranges::find(siblings, &report, &checking::Sibling::report);
    if (sibling != siblings.end()) { sibling->notCompared.clear(); }
  }
}

void FileChecker::addUnread(const opening::UnreadKernel& kernel) {
  if (!isWanted(kernel.kernel)) { return; }
  rows_.push_back({.file = kernel.path.string(),
                   .shown = shown(kernel.path),
                   .kernel = kernel.kernel,
                   .symbol = kernel.symbol,
                   .errors = kernel.errors,
                   .beyondLimit = kernel.beyondLimit});
}

void FileChecker::addKernel(const opening::ProposedKernel& kernel, const opening::LaunchOverrides& overrides,
                            const std::stop_token& stop) {
  if (!isWanted(kernel.file.kernel)) { return; }
  CheckedKernel row{.file = kernel.file.path.string(),
                    .shown = shown(kernel.file.path),
                    .kernel = kernel.file.kernel,
                    .symbol = kernel.symbol,
                    .assumptions = kernel.assumptions,
                    .scope = kernel.assumptions.empty() ? verdict::Scope::GivenLaunch : verdict::Scope::ProposedLaunch};
  try {
    if (stop.stop_requested()) { throw experiment::Cancelled{}; }
    judging::checkKernel(kernel.file, options_.kernel.tunablesOf(kernel.file), row, {.data = data_, .stop = stop});
    if (row.report) { row.compilerEnd = row.report->compilerEnd; }
    // What the program's own launch shows is no fault of a proposal.
    if (row.scope == verdict::Scope::ProposedLaunch && !kernel.executed) {
      tryOthers(row, overrides, kernel.blockIsWritten, stop);
    }
    mend(row, stop);
  } catch (const experiment::Cancelled&) {
    row.report.reset();
    row.readable = true;
    row.errors.push_back(judging::atNowhere(
        row.file, trf("not judged: the kernels of this file took more than {} s; --kernel {} checks this one alone",
                      kLongestCheck.count(), row.kernel)));
  } catch (const InputError& error) {
    row.readable = true;
    row.errors.push_back(judging::atNowhere(row.file, judging::withoutName(error.what(), kernel.file.id)));
  }
  rows_.push_back(std::move(row));
}

/// A file without any kernel that is wanted.
void FileChecker::addFile(const opening::OpenedFile& file) {
  const std::string path = file.path.string();
  const std::string& wanted = options_.kernel.kernel;
  CheckedKernel row{.file = path, .shown = shown(file.path), .kernel = wanted};
  for (const frontend::Diagnostic& one : file.diagnostics) {
    if (!wanted.empty() || one.severity != frontend::Diagnostic::Severity::Error) { continue; }
    row.errors.emplace_back(path, one.where, one.message);
  }
  row.compilerEnd = checking::compilerEndOf(file.diagnostics);
  if (row.errors.empty()) {
    row.errors.push_back(judging::atNowhere(
        path, wanted.empty() ? tr("no kernel in it can be read") : trf("it has no kernel {}", wanted)));
  }
  rows_.push_back(std::move(row));
}

}  // namespace haloscope
