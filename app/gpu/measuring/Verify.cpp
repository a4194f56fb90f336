#include "measuring/Verify.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "analysis/Recorder.h"
#include "driver/KernelProcess.h"
#include "driver/Run.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "language/Text.h"
#include "machine/Execution.h"
#include "measuring/Agreement.h"
#include "measuring/GpuGate.h"
#include "measuring/GpuRecorder.h"
#include "measuring/GpuText.h"

namespace haloscope::measuring {

namespace {

std::vector<Dim3> blocksOf(const Dim3& grid) {
  std::vector<Dim3> blocks{{0, 0, 0}};
  for (const Dim3& one : {Dim3{grid.x / 2, grid.y / 2, grid.z / 2}, Dim3{grid.x - 1, grid.y - 1, grid.z - 1}}) {
    if (std::ranges::find(blocks, one) == blocks.end()) { blocks.push_back(one); }
  }
  return blocks;
}

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

std::vector<RecordingVerification> verifyRecording(const std::shared_ptr<const gpu::Device>& device,
                                                   const KernelFile& file, const Bindings& bindings, GpuGate& gate,
                                                   const std::optional<Dim3>& only) {
  const auto program = std::make_shared<const Program>(experiment::compile(file, bindings));
  const Launch launch = experiment::makeLaunch(file, bindings, *program, experiment::InputKind::Random);
  std::vector<RecordingVerification> results;
  const GpuVerdict verdict = gate.ask(file, bindings);
  if (!verdict.clearance) {
    RecordingVerification refused;
    refused.message = verdict.objection;
    return {refused};
  }
  GpuRecorder exact(device), contracted(device);
  for (const Dim3& block : only ? std::vector{*only} : blocksOf(launch.configuration.grid)) {
    RecordingVerification& result = results.emplace_back();
    result.block = block;
    try {
      const auto emulated = analysis::record(program, launch, block);
      if (emulated->truncated) { throw InputError(tr("not compared: the emulator's recording is incomplete")); }
      const auto began = std::chrono::steady_clock::now();
      const GpuRecording recorded =
          exact.record(*verdict.clearance, file, bindings, program, launch, block, {.contract = false});
      result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      result.compileSeconds = recorded.compileSeconds;
      result.runMilliseconds = recorded.runMilliseconds;
      result.readSeconds = recorded.readSeconds;
      result.message = recorded.recording->message;
      result.exact = recording::compare(*emulated, *recorded.recording);
      const GpuRecording fused =
          contracted.record(*verdict.clearance, file, bindings, program, launch, block, {.contract = true});
      if (result.message.empty()) { result.message = fused.recording->message; }
      result.contracted = recording::compare(*emulated, *fused.recording);
    } catch (const std::exception& error) { result.message = error.what(); }
  }
  return results;
}

std::vector<Verification> verify(const KernelFile& file, const Bindings& bindings, GpuGate& gate,
                                 const VerifyOptions& options) {
  const Program program = experiment::compile(file, bindings);
  const Launch initial = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random, options.data);
  const bool known = file.isDefined();

  Launch emulated = initial;
  const simt::ExecuteResult result = machine::execute(program, emulated);
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
