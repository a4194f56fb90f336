#include "experiment/Check.h"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "analysis/ElementName.h"
#include "analysis/FaultChecks.h"
#include "analysis/NumberChecks.h"
#include "experiment/Diagnosis.h"
#include "experiment/ExperimentRunner.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "frontend/Frontend.h"
#include "program/BarrierRemoval.h"

namespace haloscope::experiment {

namespace {

using analysis::Finding;
using analysis::FindingKind;

/// A text that Clang reads but that cannot be lowered, as one finding for each construct.
std::vector<Finding> unsupported(const frontend::CompileError& error) {
  std::vector<Finding> findings;
  for (const frontend::Diagnostic& diagnostic : error.diagnostics()) {
    if (diagnostic.severity != frontend::Diagnostic::Severity::Error) { continue; }
    Finding finding;
    finding.kind = FindingKind::Unsupported;
    finding.where = diagnostic.where;
    finding.message = diagnostic.message;
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

/// Of an output of this shape, slowest axis first: the points whose taps all lie inside, which a kernel that keeps the
/// border has to write.
std::vector<bool> pointsInside(const std::vector<std::array<int, 3>>& taps, const std::vector<std::int64_t>& shape) {
  std::array<std::int64_t, 3> extent{1, 1, 1};
  const std::size_t rank = std::min<std::size_t>(shape.size(), 3);
  for (std::size_t axis = 0; axis < rank; ++axis) { extent[3 - rank + axis] = shape[axis]; }
  std::array<std::int64_t, 3> low{};
  std::array<std::int64_t, 3> high = extent;
  for (const std::array<int, 3>& tap : taps) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::max<std::int64_t>(low[axis], -tap[axis]);
      high[axis] = std::min<std::int64_t>(high[axis], extent[axis] - tap[axis]);
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

analysis::FaultOptions faultOptions(const KernelFile& file, const Bindings& bindings, const Program& program,
                                    const Launch& launch, const CheckOptions& options) {
  analysis::FaultOptions faults;
  faults.execute.workers = options.workers;
  faults.execute.instructionBudget = options.stepBudget;
  faults.execute.order = options.order;
  faults.execute.orderSeed = options.orderSeed;
  faults.execute.stop = options.stop;
  if (!file.computes) { return faults; }  // what an unknown kernel ought to write is not known either
  faults.output = program.findObject(file.computes->output);
  if (faults.output == kNone) { return faults; }
  if (file.computes->border == Computes::Border::Keeps) {
    faults.expected = pointsInside(file.taps(bindings), launch.arrays[faults.output].extents);
  } else {
    faults.undefined = {faults.output};
  }
  return faults;
}

void append(std::vector<Finding>& findings, std::vector<Finding> more) {
  findings.insert(findings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::vector<std::string> CheckReport::outputNames(const Finding& finding) const {
  std::vector<std::string> names;
  for (const analysis::OutputCell& cell : finding.outputs) {
    names.push_back(analysis::elementName(*program, cell.object, cell.index));
  }
  return names;
}

CheckReport check(const KernelFile& file, const Bindings& chosen, const CheckOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  CheckReport report;
  report.kernel = file.kernel;
  const Bindings bindings = file.bind(chosen);
  try {
    report.program = std::make_shared<const Program>(withoutBarriers(compile(file, bindings), options.withoutBarriers));
  } catch (const frontend::CompileError& error) {
    report.findings = unsupported(error);
    return report;
  }
  const Program& program = *report.program;
  report.kernel = program.kernel;

  const Launch before = makeLaunch(file, bindings, program, InputKind::Random);
  Launch launch = before;
  const analysis::FaultOptions faults = faultOptions(file, bindings, program, launch, options);
  analysis::FaultReport found = analysis::findFaults(program, launch, faults);
  if (found.result.outcome == simt::Outcome::Stopped) { throw Cancelled{}; }
  report.findings = std::move(found.findings);

  analysis::NumberChecks numbers(program);
  if (const std::vector<simt::Observer*> observers = numbers.observers(); !observers.empty()) {
    Launch again = before;
    const simt::ExecuteResult result = simt::execute(program, again, observers, faults.execute);
    if (result.outcome == simt::Outcome::Stopped) { throw Cancelled{}; }
  }
  append(report.findings, numbers.findings());

  const bool finished = found.result.outcome == simt::Outcome::Finished;
  if (file.computes && finished) {
    const Comparison comparison = compareWithReference(file, bindings, program, before.arrays, launch.arrays);
    if (comparison.tells || !comparison.pass()) { report.matchesReference = comparison.pass(); }
    report.maxError = comparison.maxRelativeError;
    // A wrong number has its cause in a fault, where there is one; only without any is there something to guess.
    const bool explained = std::ranges::any_of(
        report.findings, [](const Finding& finding) { return finding.kind != FindingKind::UnwrittenOutput; });
    if (!comparison.pass() && !explained) {
      append(report.findings, diagnose(file, bindings, program, before, launch));
    }
  } else if (file.computes) {
    report.matchesReference = false;
  }
  sortByPlace(report.findings);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

CheckReport check(const Experiment& experiment, const std::stop_token& stop) {
  CheckOptions options;
  options.withoutBarriers = experiment.choice.withoutBarriers;
  options.order = experiment.choice.order;
  options.orderSeed = experiment.choice.orderSeed;
  options.stop = stop;
  return check(experiment.file, experiment.bindings, options);
}

}  // namespace haloscope::experiment
