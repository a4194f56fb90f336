#include "field/FieldPreparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiment/ChosenArrays.h"
#include "experiment/EffectiveBytes.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "language/Text.h"
#include "measuring/GpuText.h"

namespace haloscope::field {

namespace {

void checkPair(const Launch& launch, const Program& program, ObjectId in, ObjectId out) {
  const ArrayData& input = launch.arrays[in];
  const ArrayData& output = launch.arrays[out];
  if (input.extents != output.extents || input.element != output.element) {
    throw InputError(trf("\"{}\" and \"{}\" differ in shape, so one sweep's output cannot be the next one's input",
                         program.objects[in].name, program.objects[out].name));
  }
}

/// Why the result of a weighted sum is no field of the same kind; empty: it may be.
std::string whyNoTimeStep(const KernelFile& file, const Bindings& bindings, const Program& program,
                          const Launch& launch) {
  if (!file.computes) { return {}; }
  constexpr double kRounded = 0.01;  // weights in half
  const ArrayData weights = experiment::weightsOf(file, bindings, program, launch.arrays);
  double sum = 0;
  for (std::int64_t tap = 0; tap < weights.elementCount(); ++tap) { sum += experiment::valueAt(weights, tap); }
  if (std::abs(sum - 1) <= kRounded) { return {}; }
  return trf(
      "A sweep of this kernel is no step in time: its weights add up to {:.4g}, not to 1, so its output is another "
      "quantity than its input. Each sweep computes it from the same input.",
      std::abs(sum) < 1e-9 ? 0.0 : sum);
}

/// All arrays of the shape of the one that is drawn.
const char* sameInputText() {
  return tr("A sweep is no step in time here: each computes the result from the same input.");
}

FieldArrays arraysOfProblem(const SweptProblem& problem, const Program& program, const Launch& launch) {
  FieldArrays arrays;
  const ObjectId shown = program.findObject(problem.shows);
  if (shown == kNone) { throw InputError(trf("the kernel has no array \"{}\"", problem.shows)); }
  std::vector<std::string> names;
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const ArrayData& array = launch.arrays[id];
    if (program.objects[id].space != MemorySpace::Global || array.extents != launch.arrays[shown].extents) { continue; }
    if (array.element != launch.arrays[shown].element) { continue; }
    arrays.objects.push_back(id);
    names.push_back(program.objects[id].name);
  }
  const auto placeOf = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  for (const std::string& name : names) { arrays.successors.push_back(placeOf(problem.successor(name))); }
  for (const auto& [to, from] : problem.advance) {
    if (placeOf(to) >= names.size() || placeOf(from) >= names.size()) {
      throw InputError(trf("the kernel has no pair of arrays \"{}\" and \"{}\"", to, from));
    }
    // The last of a chain is free.
    const bool last = std::ranges::none_of(problem.advance, [&](const auto& one) { return one.first == from; });
    if (last) { arrays.copies.emplace_back(placeOf(from), placeOf(to)); }
  }
  arrays.shown = placeOf(problem.shows);
  arrays.alternating = problem.alternates;
  if (problem.advance.empty() && problem.alternates.empty()) { arrays.noTimeStep = sameInputText(); }
  return arrays;
}

Bindings bindingsOfSize(const experiment::Experiment& experiment, std::int64_t size) {
  Bindings bindings = experiment.bindings;
  for (const SizeParameter& parameter : experiment.file.sizes) {
    bindings[parameter.name] = std::clamp(size, parameter.minimum, parameter.maximum);
  }
  return bindings;
}

/// A launch of another size, its grids still empty. What has the same shape at any size, weights above all, is taken
/// from the experiment.
Launch launchOfSize(const experiment::Experiment& experiment, const Bindings& bindings) {
  Launch launch = experiment::makeLaunch(experiment.file, bindings, *experiment.program, experiment::InputKind::Zero);
  for (std::size_t id = 0; id < launch.arrays.size(); ++id) {
    const ArrayData& same = experiment.launch->arrays[id];
    if (launch.arrays[id].extents == same.extents) { launch.arrays[id] = same; }
  }
  return launch;
}

/// Whether the kernel may run in this process. What is too large to be checked is refused as a fault is, so that it can
/// be insisted on.
measuring::GpuVerdict askGate(const FieldRequest& request, const Bindings& bindings, const inputs::ChosenData& chosen) {
  const KernelFile& file = request.experiment->file;
  try {
    return request.gate(file, bindings, {.data = chosen, .stop = request.stop});
  } catch (const InputError& tooLarge) { throw experiment::FaultError(file.path.string(), {}, tooLarge.what()); }
}

}  // namespace

FieldArrays findFieldArrays(const KernelFile& file, const Bindings& bindings, const Program& program,
                            const Launch& launch, bool sameInput) {
  if (file.problem) { return arraysOfProblem(*file.problem, program, launch); }
  ObjectId input = kNone;
  ObjectId output = kNone;
  if (file.computes) {
    input = program.findObject(file.computes->input);
    output = program.findObject(file.computes->output);
  } else {
    int inputs = 0;
    int outputs = 0;
    for (ObjectId id = 0; id < program.objects.size(); ++id) {
      const MemoryObject& object = program.objects[id];
      if (object.space != MemorySpace::Global || launch.arrays[id].extents.size() < 2) { continue; }
      (object.readOnly ? input : output) = id;
      ++(object.readOnly ? inputs : outputs);
    }
    if (inputs != 1 || outputs != 1) { input = output = kNone; }
  }
  if (input == kNone || output == kNone || input == output) {
    throw InputError(tr("this kernel has no pair of input and output arrays that could be swapped between sweeps"));
  }
  checkPair(launch, program, input, output);
  FieldArrays arrays{.objects = {input, output},
                     .copies = {{1, 0}},
                     .noTimeStep = sameInput ? sameInputText() : whyNoTimeStep(file, bindings, program, launch)};
  arrays.successors = arrays.noTimeStep.empty() ? std::vector<std::size_t>{1, 0} : std::vector<std::size_t>{0, 1};
  arrays.shown = arrays.noTimeStep.empty() ? 0 : 1;
  return arrays;
}

PreparedField prepareField(const FieldRequest& request) {
  PreparedField field;
  const experiment::Experiment& experiment = *request.experiment;
  if (!request.insisted || !request.childProcess) { experiment::throwIfFaulty(experiment.file, experiment.fault); }
  const Program& program = *experiment.program;
  field.key = request.key;
  field.generated = request.size > 0 && (request.device != nullptr || request.childProcess);
  const Bindings bindings = field.generated ? bindingsOfSize(experiment, request.size) : experiment.bindings;
  field.launch = field.generated ? launchOfSize(experiment, bindings) : experiment::initialLaunch(experiment);
  field.arrays = findFieldArrays(experiment.file, bindings, program, field.launch, request.sameInput);
  const FieldArrays& arrays = field.arrays;
  field.sweepBytes = experiment::effectiveBytes(experiment.file, bindings, program);
  // What was chosen, as far as it fits at this size.
  const inputs::ChosenData chosen = experiment::carryOver(experiment.choice.data, experiment.file, bindings);
  const ArrayData& shown = field.launch.arrays[arrays.objects[arrays.shown]];
  field.grid = render::FieldGrid::of(shown.extents, shown.element);
  const auto isCopy = [&](std::size_t place) {
    return std::ranges::any_of(arrays.copies, [&](const auto& copy) { return copy.first == place; });
  };
  if (field.generated && request.known.size() == arrays.objects.size() && request.knownGrid == field.grid) {
    field.initial = request.known;
  } else {
    for (std::size_t place = 0; place < arrays.objects.size(); ++place) {
      ArrayData& array = field.launch.arrays[arrays.objects[place]];
      if (field.generated && !isCopy(place)) {
        const std::string& name = program.objects[arrays.objects[place]].name;
        experiment::fillShown(experiment.file, bindings, name, array);
        if (const auto own = chosen.find(name); own != chosen.end()) {
          experiment::fillChosen(experiment.file, bindings, program, {*own}, field.launch);
        }
      }
      field.initial.push_back(std::make_shared<const std::vector<std::byte>>(array.bytes));
    }
    for (const auto& [to, from] : arrays.copies) { field.initial[to] = field.initial[from]; }
  }
  for (const ObjectId object : arrays.objects) { field.launch.arrays[object].bytes = {}; }
  if (request.device || request.childProcess) {
    measuring::GpuVerdict verdict;
    if (!request.insisted || !request.childProcess) {
      verdict = askGate(request, bindings, chosen);
      if (!verdict.clearance) {
        throw experiment::FaultError(experiment.file.path.string(), verdict.where, verdict.objection);
      }
    }
    try {
      const KernelFile& file = experiment.file;
      gpu::KernelText text = measuring::gpuText(file, experiment.bindings);
      if (request.childProcess) {
        if (!arrays.isPair()) {
          throw InputError(tr("in a child process, kernels are swept that have one input and one output"));
        }
        const gpu::KernelJob job{
            request.childProcess->device, std::move(text), program, field.launch, arrays.objects[0], arrays.objects[1]};
        field.process = std::make_shared<gpu::KernelProcess>(job, *field.initial[0], request.childProcess->program,
                                                             request.childProcess->limits);
      } else {
        auto kernel = std::make_shared<gpu::Kernel>(*verdict.clearance, request.device, text, program);
        field.runner = std::make_unique<gpu::SweepRunner>(std::move(kernel), program, field.launch, arrays.objects,
                                                          arrays.alternating);
      }
    } catch (const gpu::Error& failure) {
      if (failure.endsProcess()) { throw; }
      field.problem = failure.what();
    } catch (const std::runtime_error& refused) {  // no NVRTC, a text it rejects, no room
      field.problem = refused.what();
    }
    // What the emulator found a fault in, it does not sweep.
    if (!field.runner && !field.process) { experiment::throwIfFaulty(experiment.file, experiment.fault); }
  }
  field.experiment = request.experiment;
  return field;
}

}  // namespace haloscope::field
