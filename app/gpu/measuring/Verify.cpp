#include "measuring/Verify.h"

#include <algorithm>
#include <utility>

#include "driver/KernelProcess.h"
#include "driver/Run.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "measuring/Agreement.h"
#include "measuring/GpuGate.h"
#include "measuring/GpuText.h"
#include "simt/Executor.h"

namespace haloscope::measuring {

namespace {

Verification judged(std::string where, const experiment::ReferenceComparison& comparison) {
  return {std::move(where),     "reference",       comparison.maxRelativeError,
          comparison.tolerance, comparison.pass(), comparison.summed};
}

Verification failed(std::string where, std::string message) {
  return {.where = std::move(where), .comparedWith = "", .message = std::move(message)};
}

/// Whether this kernel may run on a GPU; `result` is the emulator's.
GpuVerdict verdictOn(const KernelFile& file, const Bindings& bindings, const simt::ExecuteResult& result, GpuGate& gate,
                     const inputs::ChosenData& data) {
  if (result.outcome != simt::Outcome::Finished) { return {.objection = result.message}; }
  if (result.outOfBounds > 0) { return {.objection = result.firstOutOfBoundsMessage}; }
  return gate.ask(file, bindings, {.data = data});
}

}  // namespace

std::vector<Verification> verify(const KernelFile& file, const Bindings& bindings, GpuGate& gate,
                                 const VerifyOptions& options) {
  const Program program = experiment::compile(file, bindings);
  const Launch initial = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random, options.data);
  const bool known = file.isDefined();

  Launch emulated = initial;
  const simt::ExecuteResult result = simt::execute(program, emulated);
  const GpuVerdict verdict = verdictOn(file, bindings, result, gate, options.data);
  std::vector<Verification> verifications;
  if (!verdict.clearance) {
    verifications.push_back(failed("emulator", verdict.objection));
    if (!options.insist) { return verifications; }
  } else {
    verifications.push_back(known ? judged("emulator", experiment::compareWithReference(
                                                           file, bindings, program, initial.arrays, emulated.arrays))
                                  : Verification{.where = "emulator", .comparedWith = ""});
  }

  if (const gpu::DeviceSearch search = gpu::findDevice(); search.device) {
    Launch launched = initial;
    const std::string name = search.device->properties().name;
    try {
      const gpu::KernelText text = gpuText(file, bindings);
      if (verdict.clearance) {
        gpu::run(*verdict.clearance, search.device, text, program, launched);
      } else {
        launched = gpu::runInChildProcess({{}, text, program, initial});
      }
      if (known) {
        verifications.push_back(
            judged(name, experiment::compareWithReference(file, bindings, program, initial.arrays, launched.arrays)));
      } else {
        const Agreement agreement = agreementOf(program, emulated, launched);
        verifications.push_back({name, "emulator", agreement.difference, agreement.tolerance, agreement.pass(), 0});
      }
    } catch (const std::exception& error) { verifications.push_back(failed(name, error.what())); }
  }
  return verifications;
}

}  // namespace haloscope::measuring
