#include "experiment/Verify.h"

#include <algorithm>
#include <utility>

#include "experiment/Agreement.h"
#include "experiment/Experiment.h"
#include "experiment/GpuSafety.h"
#include "experiment/GpuText.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "gpu/Run.h"
#include "simt/Executor.h"

namespace haloscope::experiment {

namespace {

Verification judged(std::string where, const Comparison& comparison) {
  return {std::move(where), "reference", comparison.maxRelativeError, comparison.tolerance, comparison.pass()};
}

Verification failed(std::string where, std::string message) {
  return {std::move(where), "", 0, 0, false, std::move(message)};
}

}  // namespace

std::vector<Verification> verify(const KernelFile& file, const Bindings& bindings) {
  const Program program = compile(file, bindings);
  const Launch initial = makeLaunch(file, bindings, program, InputKind::Random);
  const bool known = file.computes && !file.computes->guessed;

  Launch emulated = initial;
  const simt::ExecuteResult result = simt::execute(program, emulated);
  if (result.outcome != simt::Outcome::Finished) { return {failed("emulator", result.message)}; }
  if (result.outOfBounds > 0) { return {failed("emulator", result.firstOutOfBoundsMessage)}; }
  if (const auto fault = whyNotOnGpu(file, bindings)) { return {failed("emulator", *fault)}; }
  std::vector<Verification> verifications;
  verifications.push_back(
      known ? judged("emulator", compareWithReference(file, bindings, program, initial.arrays, emulated.arrays))
            : Verification{.where = "emulator", .comparedWith = "", .pass = true});

  if (const gpu::DeviceSearch search = gpu::findDevice(); search.device) {
    Launch launched = initial;
    const std::string name = search.device->properties().name;
    try {
      gpu::run(search.device, gpuText(file, bindings), program, launched);
      if (known) {
        verifications.push_back(
            judged(name, compareWithReference(file, bindings, program, initial.arrays, launched.arrays)));
      } else {
        const Agreement agreement = agreementOf(program, emulated, launched);
        verifications.push_back({name, "emulator", agreement.difference, agreement.tolerance, agreement.pass()});
      }
    } catch (const std::exception& error) { verifications.push_back(failed(name, error.what())); }
  }
  return verifications;
}

}  // namespace haloscope::experiment
