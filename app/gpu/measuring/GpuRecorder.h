#pragma once

#include <memory>
#include <string>

#include "catalogue/KernelFile.h"
#include "driver/BlockLogger.h"
#include "recording/LogReader.h"
#include "recording/Recording.h"

namespace haloscope::frontend {
struct InstrumentedText;
}

namespace haloscope::measuring {

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

}  // namespace haloscope::measuring
