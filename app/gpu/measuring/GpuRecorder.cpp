#include "measuring/GpuRecorder.h"

#include <chrono>
#include <utility>

#include "frontend/Frontend.h"
#include "language/Text.h"
#include "measuring/GpuText.h"
#include "program/ElapsedTime.h"
#include "program/SameCode.h"

namespace haloscope::measuring {

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
