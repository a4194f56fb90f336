#include "field/FieldPreparation.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiment/ChosenArrays.h"
#include "experiment/EffectiveBytes.h"
#include "experiment/InputData.h"
#include "language/Text.h"
#include "measuring/GpuText.h"

namespace haloscope::field {

namespace {

void checkPair(const Launch& launch, const Program& program, const FieldPair& pair) {
  const ArrayData& input = launch.arrays[pair.input];
  const ArrayData& output = launch.arrays[pair.output];
  if (input.extents != output.extents || input.element != output.element) {
    throw InputError(trf("\"{}\" and \"{}\" differ in shape, so one sweep's output cannot be the next one's input",
                         program.objects[pair.input].name, program.objects[pair.output].name));
  }
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
checking::GpuVerdict askGate(const FieldRequest& request, const Bindings& bindings, const inputs::ChosenData& chosen) {
  const KernelFile& file = request.experiment->file;
  try {
    return request.gate(file, bindings, {.data = chosen, .stop = request.stop});
  } catch (const InputError& tooLarge) { throw experiment::FaultError(file.path.string(), {}, tooLarge.what()); }
}

}  // namespace

FieldPair findFieldPair(const KernelFile& file, const Program& program, const Launch& launch) {
  FieldPair pair;
  if (file.computes) {
    pair = {program.findObject(file.computes->input), program.findObject(file.computes->output)};
  } else {
    int inputs = 0;
    int outputs = 0;
    for (ObjectId id = 0; id < program.objects.size(); ++id) {
      const MemoryObject& object = program.objects[id];
      if (object.space != MemorySpace::Global || launch.arrays[id].extents.size() < 2) { continue; }
      (object.readOnly ? pair.input : pair.output) = id;
      ++(object.readOnly ? inputs : outputs);
    }
    if (inputs != 1 || outputs != 1) { pair = {}; }
  }
  if (pair.input == kNone || pair.output == kNone || pair.input == pair.output) {
    throw InputError(tr("this kernel has no pair of input and output arrays that could be swapped between sweeps"));
  }
  checkPair(launch, program, pair);
  return pair;
}

PreparedField prepareField(const FieldRequest& request) {
  PreparedField field;
  const experiment::Experiment& experiment = *request.experiment;
  if (!request.insisted || !request.childProcess) { experiment::throwIfFaulty(experiment.file, experiment.fault); }
  const Program& program = *experiment.program;
  field.generated = request.size > 0 && (request.device != nullptr || request.childProcess);
  const Bindings bindings = field.generated ? bindingsOfSize(experiment, request.size) : experiment.bindings;
  field.launch = field.generated ? launchOfSize(experiment, bindings) : *experiment.launch;
  field.pair = findFieldPair(experiment.file, program, field.launch);
  field.sweepBytes = experiment::effectiveBytes(experiment.file, bindings, program);
  field.launch.arrays[field.pair.output].bytes = {};
  // What was chosen, as far as it fits at this size.
  const inputs::ChosenData chosen = experiment::carryOver(experiment.choice.data, experiment.file, bindings);
  ArrayData& input = field.launch.arrays[field.pair.input];
  field.grid = render::FieldGrid::of(input.extents, input.element);
  if (field.generated && request.known && request.knownGrid == field.grid) {
    field.initial = request.known;
  } else {
    if (field.generated) {
      const std::string& name = program.objects[field.pair.input].name;
      experiment::fillShown(experiment.file, bindings, name, input);
      if (const auto own = chosen.find(name); own != chosen.end()) {
        experiment::fillChosen(experiment.file, bindings, program, {*own}, field.launch);
      }
    }
    field.initial = std::make_shared<const std::vector<std::byte>>(std::move(input.bytes));
  }
  input.bytes = {};
  if (request.device || request.childProcess) {
    checking::GpuVerdict verdict;
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
        const gpu::KernelJob job{
            request.childProcess->device, std::move(text), program, field.launch, field.pair.input, field.pair.output};
        field.process = std::make_shared<gpu::KernelProcess>(job, *field.initial, request.childProcess->program,
                                                             request.childProcess->limits);
      } else {
        auto kernel = std::make_shared<gpu::Kernel>(*verdict.clearance, request.device, text, program);
        field.runner = std::make_unique<gpu::SweepRunner>(std::move(kernel), program, field.launch, field.pair.input,
                                                          field.pair.output);
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
