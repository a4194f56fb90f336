#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "commands/Command.h"
#include "files/OutputFile.h"
#include "language/Text.h"
#include "making/MadeKernel.h"
#include "making/MakeTask.h"
#include "opening/OpenedFile.h"
#include "options/ExitCode.h"
#include "options/KernelArguments.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"
#include "reports/CheckedKernel.h"
#include "text/Print.h"

/// `haloscope make`: tasks in which a kernel is written, and the verdict on a solution.
namespace haloscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using making::Goal;
using making::MadeKernel;
using making::MakeTask;

struct MakeOptions {
  std::string task, output, solution;
  bool sketch = false, outline = false, hint = false, json = false;
};

std::string goalText(const Goal& goal) { return fmt::format("{} {} {}", goal.what, goal.relation, goal.bound); }

Json taskToJson(const MakeTask& task) {
  Json goals = Json::array();
  for (const Goal& goal : task.goals) { goals.push_back({{"goal", goalText(goal)}, {"says", tr(goal.says)}}); }
  return {{"id", task.id},
          {"title", tr(task.skeleton.title)},
          {"book", task.skeleton.book},
          {"task", tr(task.skeleton.task)},
          {"rung", task.rung.empty() ? Json(nullptr) : Json(task.rung)},
          {"above", task.above.empty() ? Json(nullptr) : Json(task.above)},
          {"lesson", task.lesson},
          {"goals", std::move(goals)},
          {"skeleton", task.skeleton.text}};
}

ExitCode listTasks(const std::vector<MakeTask>& tasks, bool json) {
  if (json) {
    Json list = Json::array();
    for (const MakeTask& task : tasks) { list.push_back(taskToJson(task)); }
    printJson(list);
    return ExitCode::Good;
  }
  for (const MakeTask& task : tasks) {
    printText("{:<18} {}\n", task.id, tr(task.skeleton.title));
    std::string goals;
    for (const Goal& goal : task.goals) { goals += (goals.empty() ? "" : "; ") + goalText(goal); }
    printText("{:<18} {}\n", "", goals);
  }
  return ExitCode::Good;
}

void printHelp(const MakeTask& task, const MakeOptions& options) {
  if (options.sketch) {
    printText("{}\n", tr(task.skeleton.task));
    if (!task.sketch.empty()) { printText("\n{}\n", tr(task.sketch)); }
    if (!task.drawing.empty()) { printText("\n{}", PrintedLines{tr(task.drawing)}); }
  }
  if (options.sketch && options.outline) { printText("\n"); }
  if (options.outline) { printLines(task.outlineText()); }
}

/// Never over what a student wrote.
void writeSkeleton(const MakeTask& task, const std::string& path) {
  std::error_code unknown;
  if (fs::exists(path, unknown)) { throw InputError(trf("{} is there already: the skeleton is not written", path)); }
  OutputFile file(path);
  static_cast<void>(file.write(task.skeleton.text));
  if (const std::string problem = file.commit(); !problem.empty()) { throw InputError(problem); }
  trPrint(stderr, "note: {} is written; haloscope make {} --check {} says how far a solution is\n", path, task.id,
          path);
}

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json rungToJson(const figures::RungCosts& rung) {
  return {{"id", rung.id},
          {"sectors_per_point", finite(rung.sectors)},
          {"l1_bytes_per_point", finite(rung.globalBytes)},
          {"shared_bytes_per_point", finite(rung.sharedBytes)}};
}

Json madeToJson(const MakeTask& task, const MadeKernel& made, const std::string& path, bool hint) {
  Json goals = Json::array();
  for (const making::ReachedGoal& one : made.goals) {
    goals.push_back({{"goal", goalText(one.goal)},
                     {"says", tr(one.goal.says)},
                     {"value", one.problem.empty() ? finite(one.value) : Json(nullptr)},
                     {"bound", one.problem.empty() ? finite(one.bound) : Json(nullptr)},
                     {"reached", one.reached},
                     {"problem", one.problem.empty() ? Json(nullptr) : Json(one.problem)}});
  }
  Json json = {{"task", task.id},
               {"outcome", making::name(made.outcome)},
               {"right", making::isRight(made.outcome)},
               {"sentence", made.sentence},
               {"check", haloscope::toJson(made.asChecked(path))},
               {"goals", std::move(goals)},
               {"same_as", made.sameAs.empty() ? Json(nullptr) : Json(made.sameAs)},
               {"climb", nullptr}};
  if (hint) { json["hint"] = made.hint; }
  if (!made.place) { return json; }
  Json rows = Json::array();
  for (const figures::RungCosts& rung : made.place->rows) { rows.push_back(rungToJson(rung)); }
  json["climb"] = {{"name", made.place->climb},
                   {"at", made.place->at.empty() ? Json(nullptr) : Json(made.place->at)},
                   {"below", made.place->below.empty() ? Json(nullptr) : Json(made.place->below)},
                   {"rungs", std::move(rows)}};
  return json;
}

void printGoals(const MadeKernel& made) {
  for (const making::ReachedGoal& one : made.goals) {
    printInk(one.reached ? Ink::Good : Ink::Fault, "  {:<8}", one.reached ? tr("reached") : tr("missed"));
    printText(" {}: {}\n", tr(one.goal.says), one.text());
  }
}

void printPlace(const MadeKernel& made) {
  if (!made.place) { return; }
  constexpr int kName = 34;  // of the longest variant
  printText("{}\n  {:<{}}{:>10}{:>10}{:>10}\n", made.place->sentence(), tr("a point"), kName, tr("sectors"), "L1 B",
            tr("shared B"));
  for (const figures::RungCosts& rung : made.place->rows) {
    printText("  {:<{}}{:>10.3g}{:>10.3g}{:>10.3g}\n", rung.id == made.file.id ? tr("your kernel") : rung.id, kName,
              rung.sectors, rung.globalBytes, rung.sharedBytes);
  }
}

ExitCode checkSolution(const MakeTask& task, const MakeOptions& options, const Catalogue& catalogue) {
  const MadeKernel made = making::judge(task, opening::readOpenedText(options.solution), catalogue);
  const bool solved = made.outcome == making::Outcome::Solved;
  if (options.json) {
    printJson(madeToJson(task, made, options.solution, options.hint));
    return solved ? ExitCode::Good : ExitCode::Mismatch;
  }
  if (made.report.program != nullptr || !made.report.findings.empty()) {
    DiagnosticPrinter printer;
    printDetails(made.asChecked(options.solution), false, printer);
  }
  const Ink ink = solved ? Ink::Good : making::isRight(made.outcome) ? Ink::Warning : Ink::Fault;
  const bool isPrinted =
      made.where.valid() && (made.outcome == making::Outcome::Faults || made.outcome == making::Outcome::Wrong ||
                             made.outcome == making::Outcome::DoesNotEnd);
  printInk(ink, "{}\n", isPrinted ? trf("Not right yet. Begin with line {}.", made.where.line) : made.sentence);
  printGoals(made);
  if (const std::string same = made.sameAsText(); !same.empty()) { printText("{}\n", same); }
  printPlace(made);
  if (options.hint && !made.hint.empty()) { trPrint("Hint: {}\n", made.hint); }
  if (!options.hint && !made.hint.empty()) { trPrint(stderr, "note: --hint gives a hint\n"); }
  return solved ? ExitCode::Good : ExitCode::Mismatch;
}

ExitCode make(const CommandContext& context, const MakeOptions& options) {
  const std::vector<MakeTask> tasks =
      making::readMakeTasks(making::ownTasks(resourceFolder("assets", HALOSCOPE_SOURCE_DIR)));
  if (options.task.empty()) { return listTasks(tasks, options.json); }
  const MakeTask task = making::taskNamed(tasks, options.task);
  if (options.sketch || options.outline) { printHelp(task, options); }
  if (!options.output.empty()) { writeSkeleton(task, options.output); }
  if (!options.solution.empty()) { return checkSolution(task, options, context.catalogue); }
  if (options.json) {
    printJson(taskToJson(task));
  } else if (options.output.empty() && !options.sketch && !options.outline) {
    printLines(task.skeleton.text);
  }
  return ExitCode::Good;
}

CommandRun addMake(CLI::App& command) {
  const auto options = std::make_shared<MakeOptions>();
  CLI::Option* task = command.add_option("TASK", options->task,
                                         tr("A task, or the path of a task's .cu file; without it all are listed, with "
                                            "it the skeleton is printed"));
  command.add_option("-o,--output", options->output, tr("Write the skeleton to this new file"))->needs(task);
  CLI::Option* check =
      command.add_option("--check", options->solution, tr("Judge the kernel in this file"))->needs(task);
  CLI::Option* json = addJson(command, options->json);
  command.add_flag("--sketch", options->sketch, tr("Help: what happens, in words and as a drawing"))
      ->needs(task)
      ->excludes(json);
  command.add_flag("--outline", options->outline, tr("More help: the steps of the kernel, as comments"))
      ->needs(task)
      ->excludes(json);
  command.add_flag("--hint", options->hint, tr("With --check: a hint for what is wrong"))->needs(check);
  return [options](const CommandContext& context) { return make(context, *options); };
}

}  // namespace

extern const Command makeCommand{"make", trMark("Write a kernel: tasks with skeletons, help, goals and a verdict"),
                                 addMake};

}  // namespace haloscope
