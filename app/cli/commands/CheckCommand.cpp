#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "catalogue/Catalogue.h"
#include "checking/TextFixes.h"
#include "commands/Command.h"
#include "files/OutputFile.h"
#include "language/Text.h"
#include "opening/NamedKernel.h"
#include "opening/OpenedFile.h"
#include "options/KernelArguments.h"
#include "program/Misspelling.h"
#include "reports/Annotations.h"
#include "reports/CheckedKernel.h"
#include "reports/FileChecker.h"
#include "running/ProgramFiles.h"
#include "text/Print.h"

/// `haloscope check`: what is wrong with kernels of files, folders and the catalogue. A text that cannot be read has a
/// row as well, and does not affect the others.
namespace haloscope {
namespace {

namespace fs = std::filesystem;
using judging::CheckedKernel;

constexpr const char *kSarif = "sarif", *kGithub = "github";

struct CheckOptions : FileCheckOptions {
  std::vector<std::string> targets;  ///< files, folders, or ids of variants
  bool json = false;
  std::string format{};  ///< one of the above; empty: text, or JSON
  bool quiet = false;    ///< the table alone
  bool verbose = false;  ///< what was assumed, too
  bool fix = false;      ///< fixes that were executed are written to the files
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
    CheckedKernel row{.file = variant->path.string(),
                      .shown = target,
                      .kernel = variant->kernel,
                      .scope = verdict::Scope::GivenLaunch};
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

/// Writes one fix of each kernel to its file, if the file still has the text that was executed.
void writeFixes(const std::vector<CheckedKernel>& rows) {
  std::map<std::string, std::vector<faults::TextEdit>> fixes;
  for (const CheckedKernel& row : rows) {
    if (!row.checked() || !row.text) { continue; }
    const auto mended = std::ranges::find_if(row.report->findings, [](const auto& one) { return !one.fix.empty(); });
    if (mended == row.report->findings.end()) { continue; }
    if (opening::readOpenedText(row.file) != row.text->text) {
      trPrint("{}: not changed: what was executed is not the text of this file\n", shownPath(row.file));
      continue;
    }
    std::vector<faults::TextEdit>& edits = fixes[row.file];
    edits.insert(edits.end(), mended->fix.begin(), mended->fix.end());
  }
  for (const auto& [file, edits] : fixes) {
    OutputFile written(file);
    static_cast<void>(written.write(checking::withEdits(opening::readOpenedText(file), edits)));
    if (const std::string problem = written.commit(); !problem.empty()) { throw InputError(problem); }
    trPrint("{}: changed as shown\n", shownPath(file));
  }
  if (fixes.empty()) { printText("{}\n", tr("There is no fix that was executed; nothing is changed.")); }
}

/// Throws InputError if the file of --reference has no kernel of the name that is given.
void expectReference(const std::string& reference) {
  const opening::NamedKernel name = opening::namedKernel(reference);
  if (name.kernel.empty() || !fs::is_regular_file(name.file)) { return; }
  const opening::OpenedFile file = opening::openFile(name.file);
  std::vector<std::string> known;
  for (const opening::ProposedKernel& one : file.kernels) { known.push_back(one.file.kernel); }
  for (const opening::UnreadKernel& one : file.unread) { known.push_back(one.kernel); }
  if (known.empty() || std::ranges::find(known, name.kernel) != known.end()) { return; }
  const std::vector<std::string> near = nearestNames(name.kernel, known);
  throw InputError(trn("--reference {}: {} has no kernel {}; it has {}",
                       "--reference {}: {} has no kernel {}; the nearest are {}", near.size(), reference,
                       name.file.string(), name.kernel, fmt::join(near, tr(", "))));
}

ExitCode check(const Catalogue& catalogue, const CheckOptions& options) {
  expectReference(options.reference);
  static_cast<void>(options.kernel.overrides());  // a malformed option applies to all targets
  static_cast<void>(chosenData(options.kernel.data));
  static_cast<void>(options.kernel.program.readFiles());
  std::vector<CheckedKernel> rows;
  for (const std::string& target : options.targets) {
    try {
      checkTarget(catalogue, options, target, rows);
    } catch (const InputError& error) { rows.push_back(unreadable(target, target, error.what())); }
  }
  if (options.format == kSarif) {
    printJson(sarifOf(rows));
  } else if (options.json) {
    auto list = nlohmann::ordered_json::array();
    for (const CheckedKernel& row : rows) { list.push_back(toJson(row)); }
    printJson(list);
  } else {
    if (options.format == kGithub) {
      printLines(githubAnnotations(rows));
    } else if (!options.quiet) {
      DiagnosticPrinter printer;
      for (const CheckedKernel& row : rows) { printDetails(row, options.verbose, printer); }
    }
    printTable(rows, options.verbose);
    if (options.fix) { writeFixes(rows); }
  }
  const auto complete = [](const CheckedKernel& row) {
    return row.checked() && !row.hasRemark(verdict::Weight::Refusal) &&
           verdictOf(row).kind != verdict::Kind::NotExecuted;
  };
  if (!std::ranges::all_of(rows, complete)) { return ExitCode::BadInput; }
  const auto faultless = [](const CheckedKernel& row) { return verdictOf(row).faultless(); };
  return std::ranges::all_of(rows, faultless) ? ExitCode::Good : ExitCode::Mismatch;
}

CommandRun addCheck(CLI::App& command) {
  const auto options = std::make_shared<CheckOptions>();
  command.add_option("TARGET", options->targets, tr("A .cu file, a folder of them, or a variant"))->required();
  addKernel(command, options->kernel, tr("Check only this kernel of each file"));
  addData(command, options->kernel.data);
  command.add_option("--reference", options->reference,
                     tr("FILE.cu[:KERNEL]: kernels with the same parameters must compute the same"));
  CLI::Option* json = addJson(command, options->json);
  command
      .add_option("--format", options->format,
                  tr("Print it as sarif (SARIF 2.1.0) or github (annotations of a pull request)"))
      ->check(CLI::IsMember(std::vector<std::string>{kSarif, kGithub}))
      ->excludes(json);
  command.add_flag("--verbose", options->verbose, tr("Print what was assumed, and what was compared"))->excludes(json);
  command.add_flag("--fix", options->fix, tr("Write the changes with which nothing is found any more to the files"));
  command.add_flag("--quiet", options->quiet, tr("Print only the table"))->excludes(json);
  return [options](const CommandContext& context) { return check(context.catalogue, *options); };
}

}  // namespace

extern const Command checkCommand{
    "check", trMark("Check kernels for races, accesses out of bounds, uninitialised values, wrong results"), addCheck};

}  // namespace haloscope
