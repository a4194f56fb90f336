#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "commands/Command.h"
#include "exercises/Worked.h"
#include "language/Text.h"
#include "options/ExitCode.h"
#include "options/KernelArguments.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"
#include "questions/Questions.h"
#include "text/Print.h"

/// `haloscope exercise`: the exercises, with one's own numbers.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using exercises::Answered;
using exercises::DerivedLine;
using exercises::Exercise;
using exercises::Part;
using exercises::Worked;

struct ExerciseOptions {
  std::string id, part, prediction;
  std::vector<std::string> numbers;  ///< NAME=VALUE
  std::optional<std::uint64_t> seed;
  bool json = false;
};

ExitCode listExercises(bool json) {
  Json list = Json::array();
  for (const Exercise& one : exercises::exercises()) {
    Json fields = Json::object();
    for (const exercises::Field& field : one.fields) { fields[field.name] = field.value; }
    Json parts = Json::object();
    for (const Part& part : one.parts) { parts[part.id] = tr(part.ask); }
    list.push_back({{"id", one.id},
                    {"title", tr(one.title)},
                    {"section", one.section},
                    {"lesson", one.lesson},
                    {"numbers", fields},
                    {"questions", parts}});
  }
  if (json) {
    printJson(list);
    return ExitCode::Good;
  }
  for (const Exercise& one : exercises::exercises()) {
    std::string numbers;
    for (const exercises::Field& field : one.fields) { numbers += fmt::format(" {}={}", field.name, field.value); }
    printText("{:<18} {:<5} {} ({})\n", one.id, one.section, tr(one.title), numbers.substr(1));
  }
  return ExitCode::Good;
}

exercises::Typed typedNumbers(const Exercise& exercise, const ExerciseOptions& options) {
  exercises::Typed typed = options.seed ? exercises::drawn(exercise, *options.seed) : exercises::beginning(exercise);
  for (const std::string& one : options.numbers) {
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos) { throw InputError(trf("-D {}: write NAME=VALUE", one)); }
    typed[one.substr(0, equals)] = one.substr(equals + 1);
  }
  return typed;
}

Json lineToJson(const DerivedLine& line) {
  return {{"name", line.name},
          {"formula", line.formula},
          {"numbers", line.numbers},
          {"value", line.value},
          {"why", tr(line.why)}};
}

Json linesToJson(const std::vector<DerivedLine>& lines) {
  Json list = Json::array();
  for (const DerivedLine& line : lines) { list.push_back(lineToJson(line)); }
  return list;
}

void printDerived(const std::vector<DerivedLine>& lines) {
  for (const DerivedLine& line : lines) {
    printText("    {}{}\n", exercises::lineText(line), *line.why == '\0' ? "" : fmt::format("   ({})", tr(line.why)));
  }
}

void print(const Worked& worked, const std::string& prediction) {
  const Exercise& exercise = *worked.exercise;
  printText("{} ({})\n{}\n", tr(exercise.title), exercise.section, tr(exercise.task));
  for (const exercises::Field& field : exercise.fields) {
    printText("  {} = {}   {}\n", field.name, worked.typed.at(field.name), tr(field.meaning));
  }
  for (const Answered& answered : worked.parts) {
    printText("\n{}: {}\n", answered.part->id, tr(answered.part->ask));
    if (!prediction.empty()) {
      const bool right = questions::agrees(answered.answer(), prediction);
      printText("  {}\n", right ? tr("Your prediction is right.") : tr("Your prediction is wrong."));
    }
    if (answered.found) {
      printText("  {} ({}) = {}\n", questions::label(answered.origins), answered.executedBy,
                questions::numberText(*answered.found));
      if (answered.largerGrid) { printText("  {}\n", tr(exercises::kLargerGrid)); }
    }
    if (!answered.agree()) { printText("  {}\n", answered.disagreement()); }
    printDerived(answered.derivation);
    if (!answered.conventions.empty()) { printText("  {}\n", tr("counted otherwise:")); }
    printDerived(answered.conventions);
  }
  if (!worked.notExecuted.empty()) { printText("\n{}\n", worked.notExecuted); }
}

void printWorkedJson(const Worked& worked, const std::string& prediction) {
  Json parts = Json::array();
  for (const Answered& answered : worked.parts) {
    Json part = {{"id", answered.part->id},
                 {"ask", tr(answered.part->ask)},
                 {"answer", answered.answer()},
                 {"found", answered.found ? Json(*answered.found) : Json(nullptr)},
                 {"from", questions::names(answered.origins)},
                 {"executed_by", answered.executedBy.empty() ? Json(nullptr) : Json(answered.executedBy)},
                 {"by_formula", answered.derived()},
                 {"differ", answered.agree() ? Json(nullptr) : Json(answered.disagreement())},
                 {"derivation", linesToJson(answered.derivation)},
                 {"counted_otherwise", linesToJson(answered.conventions)}};
    if (!prediction.empty()) {
      part["prediction"] = questions::predictionOf(prediction);
      part["right"] = questions::agrees(answered.answer(), prediction);
    }
    parts.push_back(std::move(part));
  }
  const Json document = {{"exercise", worked.exercise->id},
                         {"title", tr(worked.exercise->title)},
                         {"task", tr(worked.exercise->task)},
                         {"numbers", worked.typed},
                         {"kernel", worked.choice.kernel.empty() ? Json(nullptr) : Json(worked.choice.kernel)},
                         {"bindings", worked.choice.bindings},
                         {"not_executed", worked.notExecuted.empty() ? Json(nullptr) : Json(worked.notExecuted)},
                         {"questions", parts}};
  printJson(document);
}

ExitCode doExercise(const Catalogue& catalogue, const ExerciseOptions& options) {
  if (options.id.empty()) { return listExercises(options.json); }
  const Exercise& exercise = exercises::exercise(options.id);
  const Part* part = options.part.empty() ? nullptr : &exercises::partOf(exercise, options.part);
  const std::string& prediction = options.prediction;
  if (!prediction.empty()) {
    if (part == nullptr && exercise.parts.size() == 1) { part = &exercise.parts.front(); }
    if (part == nullptr) {
      throw InputError(trf("--predict: exercise {} has several questions; say which with --part", exercise.id));
    }
    static_cast<void>(questions::predictionOf(prediction));
  }
  const Catalogue own = exercises::readKernels(resourceFolder("assets", HALOSCOPE_SOURCE_DIR));
  const Worked worked = exercises::workOut(exercise, typedNumbers(exercise, options), catalogue, own, part);
  options.json ? printWorkedJson(worked, prediction) : print(worked, prediction);
  const bool right = prediction.empty() || questions::agrees(worked.parts.front().answer(), prediction);
  return right ? ExitCode::Good : ExitCode::Mismatch;
}

CommandRun addExercise(CLI::App& command) {
  const auto options = std::make_shared<ExerciseOptions>();
  command.add_option("ID", options->id, tr("Exercise; without one, all are listed"));
  command
      .add_option("-D,--define", options->numbers, tr("NAME=VALUE: one of the exercise's numbers, or a list: x=1,2,3"))
      ->allow_extra_args(false);
  command.add_option("--part", options->part, tr("Only this question of the exercise"));
  command.add_option("--predict", options->prediction, tr("Compare with the answer: a number or a calculation"));
  command.add_option("--again", options->seed, tr("Draw other numbers with this seed"))
      ->check(CLI::Range(0, std::numeric_limits<int>::max()).description(""));
  addJson(command, options->json);
  return [options](const CommandContext& context) { return doExercise(context.catalogue, *options); };
}

}  // namespace

extern const Command exerciseCommand{
    "exercise", trMark("Exercises with your own numbers: executed, and derived line by line"), addExercise};

}  // namespace haloscope
