#include "checking/LabVerdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "analysis/ElementName.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "language/Text.h"

namespace haloscope::checking {

namespace {

using faults::Finding;
using faults::FindingKind;

constexpr std::string_view kFaulty = "/faulty";
/// Of the largest value of an array: how far a sum in another order may be from the twin's.
constexpr double kRounding = 1e-5;

LabVerdict unsolved(std::string_view what) { return {false, trf("Not solved yet: {}.", what)}; }

LabVerdict unsolved(const std::vector<Finding>& findings) {
  const Finding& first = findings.front();
  std::string what = tr(rowOf(first.kind).symptom);
  if (first.outputCount > 0) {
    what += trn(", which reaches {} output", ", which reaches {} outputs", first.outputCount, first.outputCount);
  }
  return unsolved(what);
}

bool isOutput(const Program& program, ObjectId object) {
  return program.objects[object].space == MemorySpace::Global &&
         std::ranges::any_of(program.code, [&](const Instruction& instruction) {
           return (instruction.op == Opcode::Store || isAtomic(instruction.op)) && instruction.aux == object;
         });
}

/// How many elements of an array differ, by more than rounding, and the first of them.
struct Difference {
  std::int64_t count = 0, first = 0;
};

Difference differenceBeyondRounding(const ArrayData& expected, const ArrayData& computed) {
  double scale = 0;
  for (std::int64_t i = 0; i < expected.elementCount(); ++i) {
    const double value = std::abs(experiment::valueAt(expected, i));
    if (std::isfinite(value)) { scale = std::max(scale, value); }
  }
  const double allowed = isFloating(expected.element) ? kRounding * scale : 0;
  Difference found;
  for (std::int64_t i = 0; i < expected.elementCount(); ++i) {
    const double wanted = experiment::valueAt(expected, i);
    if (std::isnan(wanted)) { continue; }  // the twin leaves it as it was: not part of the result
    if (std::abs(experiment::valueAt(computed, i) - wanted) <= allowed) { continue; }
    if (found.count++ == 0) { found.first = i; }
  }
  return found;
}

/// The launch that the twin's inputs give to another program of the same header.
Launch sameInputs(const Program& twin, const Launch& inputs, const KernelFile& file, const Bindings& bindings,
                  const Program& program) {
  Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  for (ObjectId object = 0; object < twin.objects.size(); ++object) {
    const ObjectId other = program.findObject(twin.objects[object].name);
    if (other == kNone || inputs.arrays[object].bytes.size() != launch.arrays[other].bytes.size()) { continue; }
    launch.arrays[other].bytes = inputs.arrays[object].bytes;
  }
  return launch;
}

LabVerdict compareWithTwin(const KernelFile& twinFile, const KernelFile& file, const std::stop_token& stop) {
  const Bindings bindings = twinFile.defaults();
  const Program twin = experiment::compile(twinFile, bindings);
  const Program program = experiment::compile(file, bindings);
  Launch expected = experiment::makeLaunch(twinFile, bindings, twin, experiment::InputKind::Random);
  Launch computed = sameInputs(twin, expected, file, bindings, program);
  simt::ExecuteOptions options;
  options.stop = stop;
  for (const auto& [ran, launch] : {std::pair{&twin, &expected}, std::pair{&program, &computed}}) {
    const simt::ExecuteResult result = simt::execute(*ran, *launch, {}, options);
    if (result.outcome == simt::Outcome::Stopped) { throw experiment::Cancelled{}; }
    if (result.outcome != simt::Outcome::Finished) { return unsolved(tr("the kernel does not finish")); }
  }
  for (ObjectId object = 0; object < twin.objects.size(); ++object) {
    if (!isOutput(twin, object)) { continue; }
    const std::string& name = twin.objects[object].name;
    const ObjectId other = program.findObject(name);
    const bool same = other != kNone && program.objects[other].space == MemorySpace::Global &&
                      program.objects[other].element == twin.objects[object].element;
    if (!same) { return unsolved(trf("the kernel must still write to {}", name)); }
    const Difference found = differenceBeyondRounding(expected.arrays[object], computed.arrays[other]);
    if (found.count == 0) { continue; }
    return unsolved(trf("{} of {} elements of {} are not what the task asks for; the first is {}", found.count,
                        expected.arrays[object].elementCount(), name,
                        analysis::elementName(twin, object, found.first)));
  }
  return {true, tr("Solved: the checks find nothing, and the result is right.")};
}

}  // namespace

LabVerdict judge(const BugTask& task, const std::string& text, const std::stop_token& stop) {
  KernelFile file = task.fixed;
  file.text = text;
  try {
    const CheckReport report = check(file, file.defaults(), {.stop = stop});
    if (!report.findings.empty()) { return unsolved(report.findings); }
    if (report.evidence.matches() == false) { return unsolved(tr("the result is wrong")); }
    return compareWithTwin(task.fixed, file, stop);
  } catch (const UserError& error) { return unsolved(error.what()); }
}

CheckReport checkInLab(const BugLab& lab, const experiment::Experiment& experiment, const std::stop_token& stop) {
  CheckReport report = check(experiment, stop);
  const std::string& id = experiment.file.id;
  const BugTask* task = id.ends_with(kFaulty) ? lab.find(id.substr(0, id.size() - kFaulty.size())) : nullptr;
  if (task != nullptr && experiment.file.text != task->faulty.text) {
    report.lab = judge(*task, experiment.file.text, stop);
  }
  return report;
}

}  // namespace haloscope::checking
