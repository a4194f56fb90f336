#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "commands/Command.h"
#include "files/FileText.h"
#include "grading/AutograderFiles.h"
#include "grading/GoalTables.h"
#include "grading/Grader.h"
#include "grading/Lists.h"
#include "grading/Pages.h"
#include "grading/ResultPages.h"
#include "grading/Tally.h"
#include "language/Text.h"
#include "making/MakeTask.h"
#include "options/GpuOption.h"
#include "options/KernelArguments.h"
#include "program/ElapsedTime.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"
#include "reports/Interruption.h"
#include "reports/ProgressLine.h"
#include "text/Print.h"
#include "text/Printable.h"

/// `haloscope grade`: a folder of hand-ins, a row and a page each. A hand-in is judged in a process of its own, so that
/// none can stop or alter another, nor delay it for longer than its limits.
namespace haloscope {
namespace {

namespace fs = std::filesystem;

/// What CLI11 gives a flag that has no value.
constexpr const char* kToOutput = "true";

struct GradeOptions {
  std::string folder, second, reference, task, html, csv, results, gradescope, junit;
  double points = 100;
  KernelOptions kernel;
  std::int64_t seconds = grading::HandInLimits{}.seconds.count();
  unsigned jobs = 0;
  bool json = false;

  [[nodiscard]] bool csvToOutput() const { return csv == kToOutput; }
};

/// How far the grading has come: with a bar, on a terminal.
class GradeProgress {
 public:
  void show(const grading::GradeStage& stage) {
    if (stage.judged == 0) {
      begin_ = std::chrono::steady_clock::now();
      return;
    }
    constexpr std::size_t kWidth = 24;
    const std::size_t filled = kWidth * stage.done() / stage.handIns;
    const std::string bar =
        line_.onTerminal() ? fmt::format("[{:#<{}}{:-<{}}] ", "", filled, "", kWidth - filled) : std::string();
    line_.show(bar + trf("{} of {} hand-ins graded, about {} left", stage.done(), stage.handIns,
                         durationText(grading::secondsLeft(stage, secondsSince(begin_)))));
  }

 private:
  ProgressLine line_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// The same options for the process of a hand-in, which works in another folder.
void passOn(const KernelOptions& kernel, grading::GradeRequest& request) {
  std::vector<std::string>& to = request.arguments;
  const auto add = [&](const char* option, const std::string& value) { to.insert(to.end(), {option, value}); };
  const auto read = [&](const fs::path& path) {
    request.alsoInKey.push_back(readWhole(path).value_or(""));
    return fs::absolute(path).string();
  };
  if (!kernel.kernel.empty()) { add("--kernel", kernel.kernel); }
  for (const std::string& one : kernel.knobs.defines) { add("-D", one); }
  if (kernel.knobs.size) { add("--size", std::to_string(*kernel.knobs.size)); }
  if (!kernel.knobs.blocks.empty()) { add("--blocks", kernel.knobs.blocks); }
  if (!kernel.launch.empty()) { add("--launch", kernel.launch); }
  for (const std::string& one : kernel.binds) { add("--bind", one); }
  if (kernel.sharedBytes) { add("--shared", std::to_string(*kernel.sharedBytes)); }
  for (const std::string& one : kernel.data) {
    const std::size_t file = one.find("=@");
    add("--data", file == std::string::npos ? one : one.substr(0, file + 2) + read(one.substr(file + 2)));
  }
  for (const std::string& one : kernel.program.files) {
    const std::size_t equals = one.find('=');
    add("--file", one.substr(0, equals) + "=" + read(equals == std::string::npos ? one : one.substr(equals + 1)));
  }
  if (kernel.program.noHost) { to.emplace_back("--no-host"); }
  if (kernel.program.arguments.empty()) { return; }
  to.emplace_back("--");
  to.insert(to.end(), kernel.program.arguments.begin(), kernel.program.arguments.end());
}

/// Each hand-in is judged as a solution of this task. Throws InputError.
void addTask(const std::string& name, grading::GradeRequest& request, std::string& title) {
  if (name.empty()) { return; }
  const fs::path assets = resourceFolder("assets", HALOSCOPE_SOURCE_DIR);
  const making::MakeTask task = making::taskNamed(making::readMakeTasks(making::ownTasks(assets)), name);
  const fs::path file = fs::absolute(task.file);
  request.arguments.insert(request.arguments.end(), {"--task", file.string()});
  request.alsoInKey.push_back(readWhole(file).value_or(""));
  title = tr(task.skeleton.title);
}

std::string folderName(const GradeOptions& options) {
  const fs::path folder = fs::absolute(options.folder).lexically_normal();
  return printable((folder.has_filename() ? folder : folder.parent_path()).filename().string());
}

/// The students' pages and the report. Says which pages of earlier gradings went.
/// Returns the report's path.
fs::path writePages(const grading::Grading& graded, const GradeOptions& options, grading::ResultPages& pages) {
  for (const grading::GradedHandIn& row : graded.rows) {
    pages.write(pages.students() / row.page, studentPage(row, graded.reference));
  }
  const fs::path report = options.html.empty() ? pages.report() : fs::path(options.html);
  const fs::path from = fs::absolute(report).lexically_normal().parent_path();
  const std::string way = fs::absolute(pages.students()).lexically_normal().lexically_relative(from).string() + "/";
  pages.write(report, reportPage(graded, folderName(options), way));
  const grading::ResultPages::Others others = pages.removeOthers();
  if (!others.removed.empty()) {
    trnPrint(stderr, "note: {} page of an earlier grading is removed: {}\n",
             "note: {} pages of earlier gradings are removed: {}\n", others.removed.size(), others.removed.size(),
             fmt::format("{}", fmt::join(others.removed, ", ")));
  }
  if (!others.leftAlone.empty()) {
    trPrint(stderr, "note: left alone, since somebody has changed them or this program did not write them: {}\n",
            fmt::format("{}", fmt::join(others.leftAlone, ", ")));
  }
  return report;
}

/// Throws InputError.
void expectOneFolder(const GradeOptions& options) {
  if (options.second.empty()) { return; }
  // As `grade FOLDER --csv table.csv` and `grade --csv table.csv FOLDER` are read.
  std::error_code unknown;  // a folder that cannot be looked at is none here, and refused later
  const bool firstIsFolder = fs::is_directory(options.folder, unknown);
  const std::string& other = firstIsFolder ? options.second : options.folder;
  if (!options.csv.empty() && !fs::is_directory(other, unknown)) {
    throw InputError(trf("{} is not a folder: to write the table to a file of this name, give --csv={}", other, other));
  }
  throw InputError(trf("{} and {}: one folder at a time is graded", options.folder, options.second));
}

ExitCode grade(const GradeOptions& options) {
  expectOneFolder(options);
  static_cast<void>(options.kernel.overrides());  // a malformed option applies to all hand-ins
  static_cast<void>(chosenData(options.kernel.data));
  static_cast<void>(options.kernel.program.readFiles());
  grading::GradeRequest request{
      .folder = options.folder,
      .results = options.results.empty() ? grading::resultsBeside(options.folder) : fs::path(options.results),
      .reference = options.reference,
      .jobs = options.jobs};
  request.compilerHeaders = runOptions(measuring::defaultGpu()).compilerHeaders;
  request.limits.seconds = std::chrono::seconds(options.seconds);
  std::string title;
  addTask(options.task, request, title);  // before the arguments of hand-ins, which come last
  passOn(options.kernel, request);
  grading::Grading graded;
  {
    const Interruption interruption;  // before the threads
    GradeProgress progress;
    request.progress = [&](const grading::GradeStage& stage) { progress.show(stage); };
    graded = grading::grade(request, interruption.token());
  }
  if (graded.interrupted) {
    trPrint(stderr, "haloscope: interrupted; hand-ins graded so far: {}; the same command goes on from there\n",
            graded.rows.size());
    return ExitCode::Mismatch;
  }
  graded.task = title;
  grading::ResultPages pages(request.results, request.folder);
  const fs::path report = writePages(graded, options, pages);
  if (options.json) {
    printJson(toJson(graded));
  } else if (options.csvToOutput()) {
    printCsv(toCsv(graded));
  } else {
    printLines(toTable(graded) + toGoalTable(graded) + toTallyTable(graded));
  }
  std::fflush(stdout);
  const auto writeFile = [](const std::string& path, const std::string& text) {
    if (path.empty()) { return; }
    if (const std::string problem = replaceWhole(path, text); !problem.empty()) { throw InputError(problem); }
  };
  if (!options.csvToOutput()) { writeFile(options.csv, toCsv(graded)); }
  writeFile(options.gradescope, toGradescope(graded, options.points).dump(2) + "\n");
  writeFile(options.junit, toJunit(graded, folderName(options)));
  for (const std::string& remark : graded.remarks) { trPrint(stderr, "note: {}\n", remark); }
  if (graded.takenOver > 0) {
    trnPrint(stderr, "note: {} result is taken over from an earlier grading\n",
             "note: {} results are taken over from an earlier grading\n", graded.takenOver, graded.takenOver);
  }
  trPrint(stderr, "note: the report is {}, a page for each student is in {}\n", report.string(),
          pages.students().string());
  const bool good = std::ranges::all_of(
      graded.rows, [](const grading::GradedHandIn& row) { return grading::isGood(row.record.verdict); });
  return good ? ExitCode::Good : ExitCode::Mismatch;
}

CommandRun addGrade(CLI::App& command) {
  const auto options = std::make_shared<GradeOptions>();
  command.add_option("FOLDER", options->folder, tr("The hand-ins: .cu files, and folders that are one program each"))
      ->required();
  CLI::Option* reference =
      command.add_option("--reference", options->reference,
                         tr("FILE.cu[:KERNEL]: kernels with the same parameters must compute the same"));
  command
      .add_option("--task", options->task, tr("The task of haloscope make, or its .cu file, that each hand-in solves"))
      ->excludes(reference);
  command.add_option("--html", options->html, tr("Where to write the report (default: among the results)"));
  CLI::Option* json = addJson(command, options->json);
  // A flag, whose value can follow a = alone: what stands behind it is not taken for a file's name.
  command.add_flag("--csv", options->csv, tr("Print the table as CSV; --csv=FILE writes it to a file instead"))
      ->excludes(json)
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  CLI::Option* const gradescope =
      command.add_option("--gradescope", options->gradescope, tr("Write Gradescope's results.json to this file, too"));
  command.add_option("--points", options->points, tr("What passing all is worth there (default: 100)"))
      ->check(CLI::NonNegativeNumber)
      ->needs(gradescope);
  command.add_option("--junit", options->junit, tr("Write JUnit XML to this file, too"));
  command.add_option("SECOND", options->second)->group("");
  command.add_option("--results", options->results,
                     tr("Folder of the records and the students' pages (default: FOLDER.graded)"));
  constexpr std::int64_t kLongest = 3600;
  command.add_option("--seconds", options->seconds, tr("Most time for one hand-in, waiting included (default: 20)"))
      ->check(CLI::Range(std::int64_t{1}, kLongest));
  command.add_option("--jobs", options->jobs, tr("Hand-ins at a time (default: one per core)"));
  addKernel(command, options->kernel, tr("Check only this kernel of each file"));
  addData(command, options->kernel.data);
  return [options](const CommandContext&) { return grade(*options); };
}

}  // namespace

extern const Command gradeCommand{"grade", trMark("Grade a folder of hand-ins: a row and a page for each"), addGrade};

}  // namespace haloscope
