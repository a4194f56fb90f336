#include "exercises/Worked.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "exercises/Formulas.h"
#include "inputs/ChosenData.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "questions/Execution.h"
#include "questions/Questions.h"

namespace haloscope::exercises {

namespace {

/// More would take seconds.
constexpr std::uint64_t kMostThreads = std::uint64_t{1} << 22;
constexpr double kMostElements = 1 << 25;

DerivedLine derive(Formulas& formulas, const char* name, const char* formula, const char* why) {
  DerivedLine line{name, prettyFormula(formula), formulas.withNumbers(formula), formulas.value(formula), why};
  formulas.define(name, line.value);
  return line;
}

Answered derived(const Part& part, const Values& values) {
  Formulas formulas(values);
  Answered answered;
  answered.part = &part;
  for (const Step& step : part.steps) {
    if (*step.when != '\0' && formulas.value(step.when) == 0) { continue; }
    answered.derivation.push_back(derive(formulas, step.name, step.formula, step.why));
  }
  for (const Convention& convention : part.conventions) {
    answered.conventions.push_back(derive(formulas, convention.name, convention.formula, convention.why));
  }
  return answered;
}

/// The lists as the contents of arrays.
inputs::ChosenData dataOf(const Executor& executor, const Values& values) {
  inputs::ChosenData data;
  for (const auto& [array, field] : executor.data) {
    std::string list;
    for (const double number : values.at(field)) { list += (list.empty() ? "" : ",") + inputs::typed(number); }
    inputs::choose(data, array, list);
  }
  return data;
}

/// Chooses the kernel with the exercise's numbers. Throws InputError if no kernel can execute them.
const KernelFile& choose(Worked& worked, const Values& values, const Catalogue& variants, const Catalogue& own) {
  const Formulas formulas(values);
  for (const Executor& executor : worked.exercise->executors) {
    if (*executor.when != '\0' && formulas.value(executor.when) == 0) { continue; }
    const KernelFile* const variant = variants.find(executor.kernel);
    const KernelFile& file = variant != nullptr ? *variant : own.at(executor.kernel);
    experiment::Choice choice{file.id, {}};
    for (const auto& [name, formula] : executor.bindings) {
      choice.bindings[name] = static_cast<std::int64_t>(formulas.value(formula));
    }
    choice.data = dataOf(executor, values);
    const Bindings bindings = file.bind(choice.bindings);
    const LaunchConfiguration launch = file.configuration(bindings);
    const std::uint64_t threads = launch.grid.count() * launch.block.count();
    double elements = 0;
    for (const ArrayDeclaration& array : file.arrays) {
      double product = 1;
      for (const Expression& extent : array.shape) { product *= extent.evaluate(bindings); }
      elements += product;
    }
    if (threads > kMostThreads || elements > kMostElements) {
      throw InputError(trf("{} threads are too many to execute here", threads));
    }
    if (*executor.block != '\0') {
      const auto at = static_cast<std::uint32_t>(std::max(formulas.value(executor.block), 0.0));
      choice.block =
          Dim3{std::min(at, launch.grid.x - 1), std::min(at, launch.grid.y - 1), std::min(at, launch.grid.z - 1)};
    }
    worked.choice = std::move(choice);
    worked.executor = &executor;
    return file;
  }
  throw InputError(tr("no kernel here computes with these numbers"));
}

}  // namespace

std::string lineText(const DerivedLine& line) {
  const std::string value = questions::numberText(line.value);
  std::string text = line.name + " = " + line.formula;
  if (!line.numbers.empty() && line.numbers != value) { text += " = " + line.numbers; }
  return line.formula == value ? text : text + " = " + value;
}

bool Answered::agree() const {
  // An executed sum or quotient is rounded to float; smaller whole numbers are exact.
  constexpr double kRounding = 1e-5, kWhole = 1 << 24;
  if (!found || *found == derived()) { return true; }
  const bool whole = *found == std::round(*found) && derived() == std::round(derived());
  if (whole && std::abs(derived()) < kWhole) { return false; }
  return std::abs(*found - derived()) <= kRounding * std::max(1.0, std::abs(derived()));
}

std::string Answered::disagreement() const {
  if (agree()) { return {}; }
  return trf("The kernel gives {} ({}), the derivation {}: one of the two counts something else.",
             questions::numberText(*found), questions::label(origins), questions::numberText(derived()));
}

Catalogue readKernels(const std::filesystem::path& assets) {
  Catalogue kernels = Catalogue::read(assets / "exercises");
  if (!kernels.problems().empty()) { throw kernels.problems().front(); }
  return kernels;
}

Worked workOut(const Exercise& exercise, const Typed& typed, const Catalogue& variants, const Catalogue& own,
               const Part* only, const std::stop_token& stop) {
  Worked worked;
  worked.exercise = &exercise;
  worked.typed = beginning(exercise);
  const Values values = valuesOf(exercise, typed);
  for (const auto& [name, text] : typed) { worked.typed[name] = text; }
  for (const Part& part : exercise.parts) {
    if (only == nullptr || only == &part) { worked.parts.push_back(derived(part, values)); }
  }
  try {
    questions::Execution execution(choose(worked, values, variants, own), worked.choice, stop);
    const Formulas formulas(values);
    const std::map<std::string, double>& numbers = formulas.numbers();
    for (Answered& answered : worked.parts) {
      const std::string query = answered.part->query;
      const questions::Answer answer = questions::answer(query, execution, numbers);
      answered.found = answer.number;
      answered.origins = answer.origins;
      const bool interior = query.starts_with("block.") || query == "op_per_byte.block";
      answered.largerGrid = interior && execution.interior().block.bindings != execution.bindings();
      const Bindings& used = answered.largerGrid ? execution.interior().block.bindings : execution.bindings();
      answered.executedBy = worked.choice.kernel;
      for (const auto& [name, value] : worked.choice.bindings) {
        answered.executedBy += fmt::format(", {} = {}", name, used.at(name));
      }
    }
    const bool another = *worked.executor->picture != '\0';
    const char* const picture = another ? worked.executor->picture : exercise.picture.query;
    worked.picture = questions::answer(picture, execution, numbers).cells;
  } catch (const UserError& error) { worked.notExecuted = trf("By the formula alone: {}.", error.message()); }
  for (Answered& answered : worked.parts) {
    std::erase_if(answered.conventions, [&](const DerivedLine& line) { return line.value == answered.answer(); });
  }
  return worked;
}

}  // namespace haloscope::exercises
