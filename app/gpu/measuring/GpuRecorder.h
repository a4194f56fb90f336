#pragma once

#include <memory>

#include "catalogue/KernelFile.h"
#include "driver/BlockLogger.h"
#include "experiment/Experiment.h"
#include "recording/LogReader.h"
#include "recording/Recording.h"

namespace haloscope::checking {
class GpuGate;
}
namespace haloscope::frontend {
struct InstrumentedText;
}

namespace haloscope::measuring {

class GpuGate;

struct GpuRecordOptions {
  bool contract = false;  ///< let the compiler fuse a * b + c, as it does by default; off: rounds as the emulator does
  recording::LogOrder order = recording::LogOrder::SideBySide;
  gpu::BlockLogger::Words words{};  ///< where the block's log goes; none: memory of its own
};

/// A block as a GPU itself ran it, and what that took.
struct GpuRecording {
  std::shared_ptr<const recording::Recording> recording;
  recording::LogIndex index;
  std::shared_ptr<const frontend::InstrumentedText> text;  ///< what was run
  BlockLog log;
  double compileSeconds = 0;   ///< rewriting the text and NVRTC; next to nothing when the same text ran before
  double runMilliseconds = 0;  ///< of the instrumented launch, by events
  double readSeconds = 0;      ///< from the words to the recording
};

/// Records blocks on a GPU: the kernel's text, rewritten so that it logs what it does, compiled and launched there.
/// Not for use in a frame. The last kernel stays loaded.
class GpuRecorder {
 public:
  explicit GpuRecorder(std::shared_ptr<const gpu::Device> device) : device_(std::move(device)) {}

  /// `launch` is as the emulator's recording starts from; it is not changed. Throws frontend::CompileError naming what
  /// cannot be recorded, gpu::NvrtcError, gpu::Unavailable, gpu::Error, InputError.
  [[nodiscard]] GpuRecording record(const gpu::Clearance& clearance, const KernelFile& file, const Bindings& bindings,
                                    const std::shared_ptr<const Program>& program, const Launch& launch,
                                    const Dim3& block, const GpuRecordOptions& options = {});

 private:
  struct Prepared;
  std::shared_ptr<const gpu::Device> device_;
  std::shared_ptr<Prepared> prepared_;
};

/// An experiment whose block the GPU recorded, alongside the emulator's.
struct RecordedOnGpu {
  std::shared_ptr<const experiment::Experiment> emulated;
  std::shared_ptr<const experiment::Experiment>
      experiment;  ///< the same, with the GPU's recording and all that is found in it
  GpuRecording run;
  double seconds = 0;  ///< from request to this
};

/// Records the focused block of an experiment on a GPU, compiled so that products and sums are rounded separately. A
/// kernel in which the emulator found a fault is refused. Throws InputError, and as GpuRecorder::record() does.
[[nodiscard]] std::shared_ptr<const RecordedOnGpu> recordOnGpu(GpuRecorder& recorder, GpuGate& gate,
                                                               std::shared_ptr<const experiment::Experiment> emulated,
                                                               const GpuRecordOptions& options = {});

}  // namespace haloscope::measuring
