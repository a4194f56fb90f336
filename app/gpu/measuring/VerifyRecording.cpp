#include "measuring/VerifyRecording.h"

#include <algorithm>
#include <chrono>

#include "analysis/Recorder.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/GpuRecorder.h"

namespace haloscope::measuring {

namespace {

std::vector<Dim3> blocksOf(const Dim3& grid) {
  std::vector<Dim3> blocks{{0, 0, 0}};
  for (const Dim3& one : {Dim3{grid.x / 2, grid.y / 2, grid.z / 2}, Dim3{grid.x - 1, grid.y - 1, grid.z - 1}}) {
    if (std::ranges::find(blocks, one) == blocks.end()) { blocks.push_back(one); }
  }
  return blocks;
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

}  // namespace haloscope::measuring
