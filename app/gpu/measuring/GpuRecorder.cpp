#include "measuring/GpuRecorder.h"

#include <chrono>
#include <utility>

#include "experiment/InputData.h"
#include "frontend/Frontend.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/GpuText.h"
#include "program/ElapsedTime.h"
#include "program/SameCode.h"

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

namespace {

using Clock = std::chrono::steady_clock;

/// Registers that leave room for the block: a text that logs what it does takes more than the kernel.
int registersFor(const gpu::Device& device, const LaunchConfiguration& configuration) {
  constexpr int kMost = 255, kUnit = 8;
  const int threads = static_cast<int>(configuration.warpsPerBlock()) * kWarpSize;
  const int fitting = device.properties().registersPerMultiprocessor / threads / kUnit * kUnit;
  return fitting >= kMost ? 0 : fitting;
}

}  // namespace

struct GpuRecorder::Prepared {
  std::string text;
  Bindings bindings;
  frontend::CompileOptions options;
  bool contract = false;
  frontend::InstrumentedText instrumented;
  std::unique_ptr<gpu::BlockLogger> logger;

  [[nodiscard]] bool serves(const KernelFile& file, const Bindings& wanted, bool contracted) const {
    return text == file.text && bindings == wanted && options == frontend::optionsOf(file, wanted) &&
           contract == contracted;
  }
};

GpuRecording GpuRecorder::record(const gpu::Clearance& clearance, const KernelFile& file, const Bindings& bindings,
                                 const std::shared_ptr<const Program>& program, const Launch& launch, const Dim3& block,
                                 const GpuRecordOptions& options) {
  GpuRecording result;
  const auto began = Clock::now();
  if (!prepared_ || !prepared_->serves(file, bindings, options.contract)) {
    prepared_.reset();
    auto prepared = std::make_shared<Prepared>();
    prepared->text = file.text;
    prepared->bindings = bindings;
    prepared->options = frontend::optionsOf(file, bindings);
    prepared->contract = options.contract;
    prepared->instrumented = frontend::instrument(file.path.string(), file.text, prepared->options);
    gpu::KernelText text = gpuText(file.path.string(), prepared->options, prepared->instrumented.device);
    text.contract = options.contract;
    text.registerLimit = registersFor(*device_, launch.configuration);
    prepared->logger = std::make_unique<gpu::BlockLogger>(clearance, device_, text, prepared->instrumented.program);
    prepared_ = std::move(prepared);
  }
  // The two were lowered from texts that differ in macros alone: what one's instructions did, the other's did.
  if (!sameCode(*program, prepared_->instrumented.program)) {
    throw InputError(tr("The kernel cannot be recorded on a GPU: expanding its macros changes what it computes."));
  }
  result.compileSeconds = secondsSince(began);
  gpu::BlockLogger& logger = *prepared_->logger;
  result.log = options.words.address != 0 ? logger.run(*program, launch, block, options.words)
                                          : logger.run(*program, launch, block);
  result.runMilliseconds = logger.milliseconds();
  const auto ran = Clock::now();
  const recording::LoggedBlock logged{
      program, &prepared_->instrumented.program, &prepared_->instrumented.sites, &launch, block, &result.log};
  result.recording = recording::readLog(logged, options.order, result.index);
  result.text = std::shared_ptr<const frontend::InstrumentedText>(prepared_, &prepared_->instrumented);
  result.readSeconds = secondsSince(ran);
  return result;
}

}  // namespace haloscope::measuring
