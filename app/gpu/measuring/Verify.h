#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "driver/Device.h"
#include "inputs/ChosenData.h"
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

/// One kernel, executed in one place and compared with what it should have given.
struct Verification {
  std::string where;  ///< "emulator", or the name of the GPU
  /// "reference": the double-precision one; "emulator": what that computed; empty: there was nothing to compare with.
  std::string comparedWith;
  double maxRelativeError = 0;  ///< see Comparison, and Agreement
  double tolerance = 0;
  bool pass = false;        ///< compared, and within the tolerance
  std::int64_t points = 0;  ///< of the reference, that are more than kept; 0 with another comparison
  std::string message{};    ///< why it did not run, else empty

  [[nodiscard]] bool compared() const { return message.empty() && !comparedWith.empty(); }
  /// It did not run, or the comparison did not pass. Without anything to compare with it neither fails nor passes.
  [[nodiscard]] bool failed() const { return compared() ? !pass : !message.empty(); }
};

struct VerifyOptions {
  bool insist = false;        ///< a kernel with a fault runs on the GPU all the same, in a child process
  inputs::ChosenData data{};  ///< in place of random data, for the arrays that have any
};

/// Runs `file` on random data, with all weights different and the output poisoned: on the emulator, and on the GPU if
/// there is one and the emulator found no fault. The result is compared with the reference where it is known what the
/// kernel computes; otherwise that of the GPU with the emulator's. A text that was opened must pass the checks for
/// races and its like first. Throws SourceError and InputError.
std::vector<Verification> verify(const KernelFile& file, const Bindings& bindings, GpuGate& gate,
                                 const VerifyOptions& options = {});

}  // namespace haloscope::measuring
