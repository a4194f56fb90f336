#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "driver/Device.h"
#include "program/Launch.h"
#include "recording/RecordingAgreement.h"

namespace haloscope::measuring {

class GpuGate;

/// One block of a kernel, recorded by the emulator and by the GPU.
struct RecordingVerification {
  Dim3 block;
  recording::RecordingAgreement exact;       ///< compiled so that products and sums are rounded separately
  recording::RecordingAgreement contracted;  ///< compiled as usual: a * b + c may be rounded once
  double runMilliseconds = 0;                ///< of the instrumented launch
  double readSeconds = 0;                    ///< from the GPU's words to the recording
  double compileSeconds = 0;                 ///< rewriting and compiling; of the first block alone
  double seconds = 0;                        ///< all of it: compiling, arrays, launch, words, recording
  std::string message{};                     ///< why the block could not be recorded, else empty

  [[nodiscard]] bool pass() const { return message.empty() && exact.same() && contracted.sameButForRounding(); }
};

/// Records the grid's first, middle and last block in both places, on random data. `only`: that block alone. Throws
/// SourceError and InputError.
std::vector<RecordingVerification> verifyRecording(const std::shared_ptr<const gpu::Device>& device,
                                                   const KernelFile& file, const Bindings& bindings, GpuGate& gate,
                                                   const std::optional<Dim3>& only = {});

}  // namespace haloscope::measuring
