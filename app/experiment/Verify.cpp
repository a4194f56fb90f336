#include "experiment/Verify.h"

#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "gpu/Run.h"
#include "simt/Executor.h"

namespace haloscope::experiment {

namespace {

Verification judge(std::string where, const Comparison& comparison) {
  return {std::move(where), comparison.maxRelativeError, comparison.tolerance, comparison.pass(), {}};
}

}  // namespace

std::vector<Verification> verify(const KernelFile& file, const Bindings& bindings) {
  const Program program = compile(file, bindings);
  const Launch initial = makeLaunch(file, bindings, program, InputKind::Random);

  std::vector<Verification> verifications;
  Launch emulated = initial;
  const simt::ExecuteResult result = simt::execute(program, emulated);
  Verification onEmulator =
      judge("emulator", compareWithReference(file, bindings, program, initial.arrays, emulated.arrays));
  if (result.outcome != simt::Outcome::Finished) {
    onEmulator.pass = false;
    onEmulator.message = result.message;
  } else if (result.outOfBounds > 0) {
    onEmulator.pass = false;
    onEmulator.message = result.firstOutOfBoundsMessage;
  }
  const bool faultless = onEmulator.message.empty();
  verifications.push_back(onEmulator);

  // A kernel that the emulator found faulty does not reach the GPU.
  if (const gpu::DeviceSearch search = gpu::findDevice(); search.device && faultless) {
    Launch launched = initial;
    const std::string name = search.device->properties().name;
    try {
      gpu::run(search.device, {file.path.string(), file.text, file.defines(bindings)}, program, launched);
      verifications.push_back(
          judge(name, compareWithReference(file, bindings, program, initial.arrays, launched.arrays)));
    } catch (const std::exception& error) { verifications.push_back({name, 0, 0, false, error.what()}); }
  }
  return verifications;
}

}  // namespace haloscope::experiment
