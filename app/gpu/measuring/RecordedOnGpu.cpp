#include "measuring/RecordedOnGpu.h"

#include <chrono>
#include <utility>

#include "experiment/InputData.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"

namespace haloscope::measuring {

std::shared_ptr<const RecordedOnGpu> recordOnGpu(GpuRecorder& recorder, GpuGate& gate,
                                                 std::shared_ptr<const experiment::Experiment> emulated,
                                                 const GpuRecordOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  if (emulated->recording == nullptr) {
    throw InputError(tr("No block is recorded, so there is nothing to run on the GPU."));
  }
  if (emulated->recording->truncated) {
    throw InputError(tr("The emulator's recording of this block is incomplete, so there is nothing to compare with."));
  }
  if (!emulated->choice.withoutBarriers.empty()) {
    throw InputError(tr("A barrier is removed, which only the emulator can do: restore it to step on the GPU."));
  }
  if (emulated->fault) {
    throw InputError(
        trf("The emulator found a fault, so this kernel is not run on the GPU: {}", emulated->fault->message));
  }
  const GpuVerdict verdict = gate.ask(emulated->file, emulated->bindings, {.data = emulated->choice.data});
  if (!verdict.clearance) { throw InputError(trf("This kernel is not run on the GPU: {}.", verdict.objection)); }
  auto result = std::make_shared<RecordedOnGpu>();
  const Launch launch = experiment::initialLaunch(*emulated);
  result->run = recorder.record(*verdict.clearance, emulated->file, emulated->bindings, emulated->program, launch,
                                emulated->block, options);
  auto experiment = std::make_shared<experiment::Experiment>(*emulated);
  experiment->recording = result->run.recording;
  experiment->footprint = recording::findFootprint(*experiment->recording);
  experiment->carriers = recording::findCarriers(*experiment->recording);
  experiment->film =
      std::make_shared<recording::Film>(*experiment->recording, experiment->footprint, experiment->carriers);
  experiment->carrierPlanes =
      recording::carrierPlanes(*experiment->recording, experiment->footprint, experiment->carriers);
  experiment->writes = recording::OutputWrites(*experiment->recording, experiment->footprint.output);
  result->experiment = std::move(experiment);
  result->emulated = std::move(emulated);
  result->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

}  // namespace haloscope::measuring
