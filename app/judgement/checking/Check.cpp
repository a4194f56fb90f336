#include "checking/Check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

#include "analysis/ElementName.h"
#include "checking/AssumedSizes.h"
#include "checking/Diagnosis.h"
#include "checking/Similarity.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "faults/FaultChecks.h"
#include "faults/NumberChecks.h"
#include "frontend/Frontend.h"
#include "language/Capital.h"
#include "language/Text.h"
#include "program/BarrierRemoval.h"
#include "provenance/WritingBlock.h"

namespace haloscope::checking {

namespace {

using faults::Finding;
using faults::FindingKind;

/// Warp instructions a block may run where the options do not say.
constexpr std::uint64_t kStepBudget = 50'000'000;

std::uint64_t budgetOf(const CheckOptions& options) {
  return options.stepBudget == 0 ? kStepBudget : options.stepBudget;
}

/// A text that Clang reads but that cannot be lowered, as one finding for each construct.
std::vector<Finding> unsupported(const frontend::CompileError& error) {
  std::vector<Finding> findings;
  for (const frontend::Diagnostic& placed : error.diagnostics()) {
    if (placed.severity != frontend::Diagnostic::Severity::Error) { continue; }
    const frontend::Diagnostic diagnostic = frontend::seenFromText(placed);
    Finding finding;
    finding.kind = FindingKind::Unsupported;
    finding.where = diagnostic.where;
    finding.message = faults::unsupportedMessage(diagnostic.message);
    findings.push_back(std::move(finding));
  }
  return findings;
}

/// In the order of the text; on one line the gravest first, as FindingKind has them.
void sortByPlace(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    return std::tuple(a.where.line, a.kind, a.where.column) < std::tuple(b.where.line, b.kind, b.where.column);
  });
}

/// Of an output of this shape, slowest axis first: the points of its grid whose taps all lie inside, which a kernel
/// that keeps the border has to write.
std::vector<bool> pointsInside(const std::vector<std::array<int, 3>>& taps, const std::vector<std::int64_t>& shape,
                               const std::vector<std::int64_t>& grid) {
  std::array<std::int64_t, 3> extent{1, 1, 1}, points{1, 1, 1};
  const std::size_t rank = std::min<std::size_t>(shape.size(), 3);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    extent[3 - rank + axis] = shape[axis];
    points[3 - rank + axis] = grid[axis];
  }
  std::array<std::int64_t, 3> low{};
  std::array<std::int64_t, 3> high = points;
  for (const std::array<int, 3>& tap : taps) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::max<std::int64_t>(low[axis], -tap[axis]);
      high[axis] = std::min<std::int64_t>(high[axis], points[axis] - tap[axis]);
    }
  }
  std::vector<bool> inside;
  inside.reserve(static_cast<std::size_t>(extent[0] * extent[1] * extent[2]));
  const auto within = [&](std::size_t axis, std::int64_t at) { return at >= low[axis] && at < high[axis]; };
  for (std::int64_t z = 0; z < extent[0]; ++z) {
    for (std::int64_t y = 0; y < extent[1]; ++y) {
      for (std::int64_t x = 0; x < extent[2]; ++x) { inside.push_back(within(0, z) && within(1, y) && within(2, x)); }
    }
  }
  return inside;
}

faults::FaultOptions faultOptions(const KernelFile& file, const Bindings& bindings, const Program& program,
                                  const Launch& launch, const CheckOptions& options) {
  faults::FaultOptions faults;
  faults.execute.workers = options.workers;
  faults.execute.instructionBudget = budgetOf(options);
  faults.execute.launchBudget = options.limits.warpInstructions;
  faults.execute.order = options.order;
  faults.execute.orderSeed = options.orderSeed;
  faults.execute.stop = options.stop;
  if (file.data != nullptr) {
    for (const auto& [name, words] : file.data->undefined) {
      const ObjectId array = program.findObject(name);
      if (array != kNone &&
          words->size() == launch.arrays[array].bytes.size() / provenance::UndefinedArray::kWordBytes) {
        faults.undefined.emplace_back(array, words);
      }
    }
  }
  if (!file.computes) { return faults; }  // what an unknown kernel ought to write is not known either
  faults.output = program.findObject(file.computes->output);
  if (faults.output != kNone && program.objects[faults.output].space != MemorySpace::Global) { faults.output = kNone; }
  if (faults.output == kNone) { return faults; }
  if (file.computes->border == Computes::Border::Keeps) {
    const ArrayData& output = launch.arrays[faults.output];
    faults.expected = pointsInside(file.taps(bindings), output.extents, experiment::gridOf(file, bindings, output));
  } else {
    faults.undefined.push_back(faults.output);
  }
  return faults;
}

/// An access out of bounds, or an output that was not written, says that an index or a guard is wrong, but not which:
/// the first of these, where no finding says more than they do.
Finding* unexplainedSymptom(std::vector<Finding>& findings) {
  Finding* first = nullptr;
  for (Finding& finding : findings) {
    switch (finding.kind) {
      case FindingKind::OutOfBounds:
      case FindingKind::UnwrittenOutput:
        if (first == nullptr) { first = &finding; }
        break;
      case FindingKind::RaceGlobal:
        break;
      default:
        return nullptr;
    }
  }
  return first;
}

[[noreturn]] void refuse(const CheckReport& report, const std::string& what) {
  throw InputError(trf("the launch of {} is too large to be checked: {}; choose a smaller size", report.kernel, what));
}

void throwIfTooLarge(const KernelFile& file, const Bindings& bindings, const CheckReport& report,
                     const CheckLimits& limits) {
  if (report.program->code.size() > limits.instructions) {
    throw InputError(trf("{} is too large to be checked: it has {} instructions; the maximum is {}", report.kernel,
                         report.program->code.size(), limits.instructions));
  }
  const std::int64_t bytes = experiment::arrayBytes(file, bindings, *report.program);
  if (bytes > limits.arrayBytes) {
    refuse(report, trf("its arrays take {} MiB; the maximum is {} MiB", bytes >> 20, limits.arrayBytes >> 20));
  }
  const double terms = static_cast<double>(file.taps(bindings).size()) * static_cast<double>(bytes) / 4 *
                       static_cast<double>(file.steps(bindings));
  if (terms > limits.referenceTerms) { refuse(report, tr("the window has too many points for arrays of this size")); }
}

void append(std::vector<Finding>& findings, std::vector<Finding> more) {
  findings.insert(findings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// From this share of interior points on, those that differ from a guessed reference count as mistakes.
constexpr double kClose = 0.75;

void eraseUnwrittenOutput(std::vector<Finding>& findings) {
  std::erase_if(findings, [](const Finding& one) { return one.kind == FindingKind::UnwrittenOutput; });
}

std::string watchedSentence(const Dim3& grid, const faults::FaultOptions& faults, bool finished) {
  const std::uint64_t blocks = grid.count();
  if (!finished) { return tr("The execution stopped at a fault; nothing after it was checked."); }
  std::vector<std::string> checked;
  for (const faults::FindingRow& row : faults::kFindingRows) {
    const bool known = row.kind != FindingKind::UnwrittenOutput || faults.output != kNone;
    if (known && *row.checked != '\0') { checked.emplace_back(tr(row.checked)); }
  }
  return trf("{} executed and checked for {}.",
             blocks == 1 ? tr("The one block was") : trf("All {} blocks were", blocks), fmt::join(checked, ", "));
}

std::string comparedSentence(const experiment::ReferenceComparison& comparison) {
  if (!comparison.pass()) { return tr("Its result differs from the double-precision reference."); }
  if (!comparison.conclusive) {
    return tr("Its result matches the reference, but all points of the reference are equal: any constant would match.");
  }
  return trf("Its result matches the double-precision reference; the largest relative difference is {:.2g}.",
             comparison.maxRelativeError);
}

verdict::Outcome outcomeOf(const experiment::ReferenceComparison& comparison) {
  return comparison.pass() ? verdict::Outcome::Agrees : verdict::Outcome::Differs;
}

/// Adds the thread that stores the first wrong output.
void nameThreads(std::vector<Finding>& mistakes, const Program& program, const Launch& before,
                 const CheckOptions& options) {
  for (Finding& mistake : mistakes) {
    if (!mistake.threads.empty() || mistake.outputs.empty()) { continue; }
    const faults::OutputCell& cell = mistake.outputs.front();
    const auto writer = provenance::writerOf(program, before, cell.object, cell.index, options.stop);
    if (writer) { mistake.threads = {{writer->block, writer->thread}}; }
  }
}

/// Compares the result of a finished launch with the reference.
void compare(const KernelFile& file, const Bindings& bindings, const Launch& before, const Launch& after,
             const CheckOptions& options, CheckReport& report) {
  const Program& program = *report.program;
  const Computes& computes = *file.computes;
  const auto shape = [&](const std::string& name) { return before.arrays.at(program.findObject(name)).extents; };
  if (computes.guessed && shape(computes.input) != shape(computes.output)) { return; }
  const experiment::ReferenceComparison comparison =
      experiment::compareWithReference(file, bindings, program, before.arrays, after.arrays);
  // Where every point is at the border, whatever a kernel computes elsewhere matches.
  const bool shows = comparison.conclusive && comparison.summed > 0;
  const verdict::Basis basis =
      computes.guessed || computes.observed ? verdict::Basis::Recognised : verdict::Basis::Definition;
  if (shows || !comparison.pass()) { report.evidence.add({basis, outcomeOf(comparison)}); }
  report.maxError = comparison.maxRelativeError;
  report.wrongPoints = comparison.firstWrong;
  report.compared =
      comparison.pass() && comparison.summed == 0
          ? tr("All its points are at the border and keep their values: nothing that it computes was compared.")
          : comparedSentence(comparison);
  const auto explainSymptom = [&] {
    if (Finding* symptom = unexplainedSymptom(report.findings)) {
      explain(*symptom, file, bindings, program, before, after, options.stop);
    }
  };
  if (comparison.pass()) {
    explainSymptom();
    return;
  }
  bool onlyNamed = false;
  if (computes.guessed) {
    const Similarity like = similarityOf(file, bindings, program, before.arrays, after.arrays);
    if (like.interior && !like.holes && like.border) {
      report.evidence.add({basis, verdict::Outcome::Agrees});
      report.maxError = 0;
      report.wrongPoints.clear();
      report.notes.push_back(like.sentence(computes));
      report.compared.clear();
      eraseUnwrittenOutput(report.findings);
      return;
    }
    const bool close = like.interior ? like.holes || like.zeroShare >= 0.5 : like.share >= kClose;
    if (!close) {
      report.evidence.drop(basis);
      report.wrongPoints.clear();
      report.compared.clear();
      onlyNamed = true;
      eraseUnwrittenOutput(report.findings);
    }
  }
  // A wrong number has its cause in a fault, where there is one; only without any is there something to guess.
  const bool explained = std::ranges::any_of(
      report.findings, [](const Finding& finding) { return finding.kind != FindingKind::UnwrittenOutput; });
  if (!onlyNamed) { explainSymptom(); }
  if (explained) { return; }
  Diagnosis diagnosis = diagnose(file, bindings, program, before, after, onlyNamed, options.stop);
  report.onlyAtBorder = diagnosis.onlyAtBorder;
  report.roundedToFloat = diagnosis.roundedToFloat;
  std::vector<Finding>& mistakes = diagnosis.findings;
  nameThreads(mistakes, program, before, options);
  if (!mistakes.empty()) {
    report.evidence.add({basis, verdict::Outcome::Differs});
  } else if (onlyNamed) {
    report.notes.push_back(
        trf("The result is not that convolution of {} with {}: what {} computes is not known, so it is not compared.",
            computes.input, computes.filterName(), report.kernel));
  }
  append(report.findings, std::move(mistakes));
}

/// The same for a result that is no weighted sum: nothing is known of what could be exchanged in it.
void compareWithDefinition(const KernelFile& file, const Bindings& bindings, const Launch& before, const Launch& after,
                           CheckReport& report) {
  const experiment::ReferenceComparison comparison =
      experiment::compareWithReference(file, bindings, *report.program, before.arrays, after.arrays);
  if (comparison.conclusive || !comparison.pass()) {
    report.evidence.add({verdict::Basis::Definition, outcomeOf(comparison)});
  }
  report.maxError = comparison.maxRelativeError;
  report.wrongPoints = comparison.firstWrong;
  report.compared = comparedSentence(comparison);
}

/// A message, with a capital letter and a full stop.
std::string asSentence(std::string message) {
  if (message.empty()) { return message; }
  message = capitalised(std::move(message));
  if (!message.ends_with('.') && !message.ends_with("。")) { message += tr("."); }
  return message;
}

std::string textOf(const KernelFile& file, const Bindings& bindings) {
  std::string text;
  for (const SizeParameter& size : file.sizes) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", size.name, bindings.at(size.name));
  }
  return text;
}

/// The sizes divided by a number; nothing where none of them changes.
std::optional<Bindings> divided(const KernelFile& file, const Bindings& bindings, std::int64_t by) {
  Bindings smaller = bindings;
  for (const SizeParameter& size : file.sizes) {
    smaller[size.name] = std::max(size.minimum, bindings.at(size.name) / by);
  }
  return smaller == bindings ? std::nullopt : std::optional(smaller);
}

/// How the first block of a launch at these sizes ends; nothing where it cannot be launched, or there are no such
/// sizes.
std::optional<simt::Outcome> firstBlock(const KernelFile& file, const std::optional<Bindings>& sizes,
                                        const CheckOptions& options) {
  if (!sizes) { return {}; }
  try {
    const Program program = experiment::compile(file, *sizes);
    Launch launch = experiment::makeLaunch(file, *sizes, program, experiment::InputKind::Random);
    const simt::ExecuteOptions execute{
        .workers = options.workers, .onlyBlocks = {0}, .instructionBudget = budgetOf(options), .stop = options.stop};
    const simt::ExecuteResult result = simt::execute(program, launch, {}, execute);
    if (result.outcome == simt::Outcome::Stopped) { throw experiment::Cancelled{}; }
    return result.outcome;
  } catch (const UserError&) { return {}; }
}

/// Sizes at which a block that used up its budget comes soon to its end.
std::optional<Bindings> shorterSizes(const KernelFile& file, const Bindings& bindings, const CheckOptions& options) {
  constexpr std::int64_t kQuickly = 8;
  constexpr std::int64_t kSmallest = 16;
  // What does not end at the smallest size is not worth the wait at the others.
  if (firstBlock(file, divided(file, bindings, kSmallest), options) == simt::Outcome::LongLoop) { return std::nullopt; }
  for (std::int64_t by = 2; by <= kSmallest; by *= 2) {
    const auto outcome = firstBlock(file, divided(file, bindings, by), options);
    if (!outcome) { return std::nullopt; }
    if (*outcome == simt::Outcome::Finished) { return divided(file, bindings, by * kQuickly); }
  }
  return std::nullopt;
}

bool isTooLong(const Finding& finding) { return finding.kind == FindingKind::Unsupported; }

Finding tooLong(const simt::ExecuteResult& result) {
  Finding finding;
  finding.kind = FindingKind::Unsupported;
  finding.where = result.where;
  finding.message = trf("{}; whether it ends later is not known", result.message);
  return finding;
}

/// Warp instructions of a block that does not come to its end under the second look.
constexpr std::uint64_t kSoon = 2'000'000;

/// On random data, except for the arrays of which something was chosen.
CheckReport checkOn(const inputs::ChosenData& data, const KernelFile& file, const Bindings& chosen,
                    const CheckOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  CheckReport report;
  report.kernel = file.kernel;
  const Bindings bindings = file.bind(chosen);
  try {
    report.program =
        std::make_shared<const Program>(withoutBarriers(experiment::compile(file, bindings), options.withoutBarriers));
  } catch (const frontend::CompileError& error) {
    report.findings = unsupported(error);
    report.compilerEnd = compilerEndOf(error.diagnostics());
    return report;
  }
  const Program& program = *report.program;
  report.kernel = program.kernel;

  throwIfTooLarge(file, bindings, report, options.limits);
  const Launch before = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random, data);
  Launch launch = before;
  const faults::FaultOptions faults = faultOptions(file, bindings, program, launch, options);
  faults::FaultReport found = faults::findFaults(program, launch, faults);
  if (found.result.outcome == simt::Outcome::Stopped) { throw experiment::Cancelled{}; }
  if (found.result.outcome == simt::Outcome::TooLong) { refuse(report, found.result.message); }
  report.findings = std::move(found.findings);
  const bool finished = found.result.outcome == simt::Outcome::Finished;
  report.watched = watchedSentence(launch.configuration.grid, faults, finished);

  faults::NumberChecks numbers(program);
  if (const std::vector<simt::Observer*> observers = numbers.observers(); !observers.empty()) {
    Launch again = before;
    simt::ExecuteOptions execute = faults.execute;
    // Nothing is reported of blocks beyond one that failed, and what an endless loop does wrong it does soon.
    if (found.result.outcome == simt::Outcome::Endless || found.result.outcome == simt::Outcome::LongLoop) {
      execute.instructionBudget = std::min(budgetOf(options), kSoon);
    }
    for (std::uint64_t block = 0; found.result.outcome != simt::Outcome::Finished && block <= found.result.block;
         ++block) {
      execute.onlyBlocks.push_back(block);
    }
    const simt::ExecuteResult result = simt::execute(program, again, observers, execute);
    if (result.outcome == simt::Outcome::Stopped) { throw experiment::Cancelled{}; }
  }
  append(report.findings, numbers.findings());
  dropAssumed(file, report);
  for (std::string& note : numbers.notes()) { report.notes.push_back(std::move(note)); }

  if (file.computes && finished) {
    compare(file, bindings, before, launch, options, report);
  } else if (file.definition && finished) {
    compareWithDefinition(file, bindings, before, launch, report);
  } else if (file.isDefined()) {
    report.evidence.add({verdict::Basis::Definition, verdict::Outcome::Differs});
  }
  if (found.result.outcome == simt::Outcome::LongLoop) {
    const auto smaller = shorterSizes(file, bindings, options);
    CheckReport shorter = smaller ? checkOn({}, file, *smaller, options) : CheckReport{};
    if (smaller && std::ranges::none_of(shorter.findings, isTooLong)) {
      shorter.atChosenSizes = false;
      shorter.notes.push_back(trf("At {} a block is too long to follow; it is checked at {}.", textOf(file, bindings),
                                  textOf(file, *smaller)));
      shorter.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      return shorter;
    }
    report.findings.push_back(tooLong(found.result));
  }
  sortByPlace(report.findings);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace

std::optional<CompilerEnd> compilerEndOf(const std::vector<frontend::Diagnostic>& diagnostics) {
  for (const frontend::Diagnostic& one : diagnostics) {
    switch (one.kind) {
      case frontend::Diagnostic::Kind::TooMuchMemory:
        return CompilerEnd::TooMuchMemory;
      case frontend::Diagnostic::Kind::TooMuchTime:
        return CompilerEnd::TooMuchTime;
      case frontend::Diagnostic::Kind::CompilerCrash:
        return CompilerEnd::Crash;
      default:
        break;
    }
  }
  return std::nullopt;
}

std::vector<std::string> CheckReport::outputNames(const Finding& finding) const {
  std::vector<std::string> names;
  for (const faults::OutputCell& cell : finding.outputs) {
    names.push_back(analysis::elementName(*program, cell.object, cell.index));
  }
  return names;
}

CheckReport check(const KernelFile& file, const Bindings& chosen, const CheckOptions& options) {
  const auto checked = [&](const inputs::ChosenData& data) {
    CheckReport report = checkOn(data, file, chosen, options);
    if (file.isForTask()) {
      for (Finding& finding : report.findings) { finding.remedy.clear(); }
    }
    return report;
  };
  CheckReport report = checked({});
  if (options.data.empty() || report.program == nullptr || !report.findings.empty()) { return report; }
  CheckReport more = checked(options.data);
  if (more.findings.empty()) { return report; }
  more.notes.emplace_back(tr("Found on the chosen data; random data do not show it."));
  return more;
}

CheckReport check(const experiment::Experiment& experiment, const std::stop_token& stop) {
  CheckOptions options;
  options.withoutBarriers = experiment.choice.withoutBarriers;
  options.order = experiment.choice.order;
  options.orderSeed = experiment.choice.orderSeed;
  options.data = experiment.choice.data;
  options.stop = stop;
  try {
    return check(experiment.file, experiment.bindings, options);
  } catch (const InputError& refused) {
    CheckReport report;
    report.kernel = experiment.program->kernel;
    report.program = experiment.program;
    report.notChecked = asSentence(refused.what());
    return report;
  }
}

}  // namespace haloscope::checking
